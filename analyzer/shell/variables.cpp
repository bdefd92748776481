#include "analyzer/shell/variables.h"

#include <algorithm>
#include <utility>

#include "analyzer/shell/witness.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {
namespace {

constexpr int kLongestReferenceChain = 8;

Value number(std::int64_t value) {
  return Value::of(std::to_string(value));
}

void fill_array(Variable& out, std::vector<Value> values) {
  out.kind = Variable::Kind::kIndexed;
  std::int64_t index = 0;
  for (Value& value : values) out.element(index++) = std::move(value);
}

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool may_assign(const Value& expression) {
  return std::any_of(
      expression.pieces().begin(), expression.pieces().end(), [](const Piece& piece) {
        if (is_number_parameter(piece)) return false;
        const std::string& text = piece.text.get();
        return text.find('=') != std::string::npos || text.find("++") != std::string::npos ||
               text.find("--") != std::string::npos;
      });
}

/// The variables of one world as the operands of an expression.
class WorldScope final : public ArithmeticScope {
 public:
  WorldScope(Variables& variables, Session& session, World& world, text::Span span)
      : variables_(variables), session_(session), world_(world), span_(span) {}

  ArithmeticOperand read(const ArithmeticVariable& variable) override;
  void assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) override;
  bool is_associative(std::string_view name) const override;

  text::Origin origin() const { return origin_; }
  bool assigned() const { return assigned_; }
  /// Writes down all that is read.
  void record(Witness::Formula& formula) { formula_ = &formula; }

 private:
  void note(const ArithmeticVariable& variable, ArithmeticOperand::Kind kind, const Value& value);
  const Value* element(const Variable& variable, const ArithmeticVariable& wanted) const;
  Value value_of(const ArithmeticOperand& operand) const;

  Variables& variables_;
  Session& session_;
  World& world_;
  text::Span span_;
  text::Origin origin_;
  bool assigned_ = false;
  mutable Witness::Formula* formula_ = nullptr;
};

const Value* WorldScope::element(const Variable& variable, const ArithmeticVariable& wanted) const {
  using Subscript = ArithmeticVariable::Subscript;
  if (variable.kind == Variable::Kind::kScalar) {
    const bool first = wanted.subscript == Subscript::kNone ||
                       (wanted.subscript == Subscript::kIndex && wanted.index == 0);
    return first && variable.is_set ? &variable.scalar : nullptr;
  }
  if (variable.kind == Variable::Kind::kAssociative) {
    return wanted.subscript == Subscript::kKey ? variable.find(wanted.key)
                                               : variable.find(std::string_view("0"));
  }
  std::int64_t index = wanted.subscript == Subscript::kIndex ? wanted.index : 0;
  if (index < 0) index += variable.next_index();
  return variable.find(index);
}

void WorldScope::note(const ArithmeticVariable& variable, ArithmeticOperand::Kind kind,
                      const Value& value) {
  if (formula_ == nullptr) return;
  formula_->operands.push_back({std::string(variable.name), variable.subscript, variable.index,
                                std::string(variable.key), kind, value});
}

ArithmeticOperand WorldScope::read(const ArithmeticVariable& variable) {
  const NameId name = session_.names.id(variable.name);
  Variable scratch;
  const Variable* found = variables_.lookup(world_, name, scratch);
  const Value* value = found != nullptr ? element(*found, variable) : nullptr;
  if (value == nullptr) {
    if (found == nullptr && session_.input.absent == EvaluationInput::Absent::kUnknown) {
      const std::string cause = "environment variable " + std::string(variable.name);
      note(variable, ArithmeticOperand::Kind::kUnknown, Value::unknown(cause));
      return ArithmeticOperand::unknown(cause);
    }
    if (found == nullptr && world_.shell.unknown_code) {
      const std::string& cause = world_.shell.unknown_code->cause;
      note(variable, ArithmeticOperand::Kind::kUnknown, Value::unknown(cause));
      return ArithmeticOperand::unknown(cause);
    }
    ArithmeticOperand unset;
    if (world_.shell.options.nounset) unset.kind = ArithmeticOperand::Kind::kUnbound;
    note(variable, unset.kind, {});
    return unset;
  }
  session_.mark_read(*found);
  if (!origin_.known()) origin_ = value->origin();
  note(variable,
       value->is_known() ? ArithmeticOperand::Kind::kText : ArithmeticOperand::Kind::kUnknown,
       *value);
  if (!value->is_known()) return ArithmeticOperand::unknown(std::string(value->cause()));
  return ArithmeticOperand::known(value->text());
}

Value WorldScope::value_of(const ArithmeticOperand& operand) const {
  const text::Origin origin = session_.origin(span_, "computed here", origin_);
  return operand.kind == ArithmeticOperand::Kind::kUnknown
             ? Value::unknown(operand.text, origin, Shape::kNumber)
             : Value::of(operand.text, origin);
}

void WorldScope::assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) {
  using Subscript = ArithmeticVariable::Subscript;
  assigned_ = true;
  const NameId name = session_.names.id(variable.name);
  switch (variable.subscript) {
    case Subscript::kNone:
      variables_.assign(world_, name, value_of(value), span_);
      return;
    case Subscript::kIndex:
      variables_.assign_element(world_, name, variable.index, value_of(value), span_);
      return;
    case Subscript::kKey:
      variables_.assign_entry(world_, name, variable.key, value_of(value), span_);
      return;
    case Subscript::kUnknown:
      variables_.make_unknown(world_, name, value.text, span_);
      return;
  }
}

bool WorldScope::is_associative(std::string_view name) const {
  Variable scratch;
  const Variable* found = variables_.lookup(world_, session_.names.id(name), scratch);
  const bool is_one = found != nullptr && found->kind == Variable::Kind::kAssociative;
  if (is_one && formula_ != nullptr) formula_->associative.emplace_back(name);
  return is_one;
}

}  // namespace

NameId Variables::resolve(const World& world, NameId name) const {
  for (int i = 0; i < kLongestReferenceChain; ++i) {
    const Shared<Variable>& found = world.shell.variables.find(name);
    if (!found || !found->reference || !found->is_set) return name;
    std::string buffer;
    name = session_.names.id(found->scalar.view(buffer));
  }
  return name;
}

const Variable* Variables::lookup(const World& world, NameId name, Variable& scratch) const {
  const Shared<Variable>* found = &world.shell.variables.find(name);
  if (*found && (*found)->reference) found = &world.shell.variables.find(resolve(world, name));
  if (*found) return found->get();
  return name < kWellKnownNames && compute(world, name, scratch) ? &scratch : nullptr;
}

std::optional<Value> Variables::scalar(const World& world, NameId name) const {
  Variable scratch;
  const Variable* variable = lookup(world, name, scratch);
  if (variable == nullptr) return std::nullopt;
  session_.mark_read(*variable);
  const Value* value = nullptr;
  switch (variable->kind) {
    case Variable::Kind::kScalar:
      value = variable->is_set ? &variable->scalar : nullptr;
      break;
    case Variable::Kind::kIndexed:
      value = variable->find(0);
      break;
    case Variable::Kind::kAssociative:
      value = variable->find(std::string_view("0"));
      break;
  }
  return value != nullptr ? std::optional<Value>(*value) : std::nullopt;
}

bool Variables::compute(const World& world, NameId name, Variable& out) const {
  const auto unknown = [&](std::string cause, Shape shape) {
    out.scalar = Value::unknown(std::move(cause), {}, shape);
    out.is_set = true;
    return true;
  };
  const auto frames = [&](const auto& text_of) {
    std::vector<Value> values;
    const std::vector<Frame>& all = *world.shell.frames;
    for (auto frame = all.rbegin(); frame != all.rend(); ++frame) values.push_back(text_of(*frame));
    fill_array(out, std::move(values));
    return true;
  };
  switch (name) {
    case kPwd:
      out.scalar = Value::of(*world.shell.directory);
      out.is_set = out.exported = true;
      return true;
    case kOldPwd:
      if (!world.shell.previous_directory) return false;
      out.scalar = Value::of(*world.shell.previous_directory);
      out.is_set = out.exported = true;
      return true;
    case kRandom:
      return unknown("random number", Shape::kNumber);
    case kSeconds:
    case kEpochSeconds:
    case kEpochRealtime:
      return unknown("time", Shape::kNumber);
    case kBashPid:
    case kParentPid:
      return unknown("process id", Shape::kNumber);
    case kUserId:
    case kEffectiveUserId:
      return unknown("user id", Shape::kNumber);
    case kLineNumber:
      out.scalar = number(session_.current.valid()
                              ? session_.current.file->position(session_.current.begin).line
                              : 1);
      out.is_set = true;
      return true;
    case kOptionIndex:
      out.scalar = number(1);
      out.is_set = true;
      return true;
    case kFunctionNames:
      if (world.shell.frames->size() < 2) return false;
      return frames([](const Frame& frame) { return Value::of(frame.function); });
    case kBashSource:
      return frames([](const Frame& frame) { return Value::of(frame.source); });
    case kBashLineNumbers:
      return frames([](const Frame& frame) {
        return number(frame.call.valid() ? frame.call.file->position(frame.call.begin).line : 0);
      });
    case kPipeStatus: {
      std::vector<Value> values;
      for (const Status& status : world.pipe_status) {
        values.push_back(status.known ? number(status.value)
                                      : Value::unknown(status.cause, {}, Shape::kNumber));
      }
      fill_array(out, std::move(values));
      return true;
    }
    case kBashVersion:
    case kOsType:
    case kMachineType:
    case kHostType:
      return unknown("version of bash", Shape::kNotEmpty);
    case kHome:
    case kHostName:
    case kUser:
    case kLogName:
    case kPath:
    case kShell:
    case kTerminalName:
    case kLanguage:
    case kShellLevel:
      if (!session_.input.host_variables) return false;
      out.exported = true;
      return unknown("environment variable " + session_.names.text(name), Shape::kNotEmpty);
    default:
      return false;
  }
}

Variable& Variables::writable(World& world, NameId name) {
  return world.shell.variables.write(resolve(world, name));
}

bool Variables::check_writable(const World& world, const Variable& variable, NameId name,
                               text::Span span) {
  if (!variable.readonly) return true;
  session_.report(world, DiagnosticKind::kReadonly, span,
                  "'" + session_.names.text(name) + "' is readonly", session_.names.text(name));
  return false;
}

void Variables::apply_attributes(World& world, const Variable& variable, Value& value,
                                 text::Span span) {
  if (variable.integer) {
    value = arithmetic_value(world, value, span).value_or(Value::of("0"));
  }
  if (!variable.lower_case && !variable.upper_case) return;
  const bool lower = variable.lower_case;
  for (Piece& piece : value.pieces()) {
    if (!piece.known) continue;
    for (char& c : piece.text.write()) c = lower ? to_lower(c) : to_upper(c);
  }
}

text::Span Variables::place_of_element(const Value& element, text::Span assignment) {
  const text::Span written = element.origin().span();
  const bool inside = written.valid() && written.file == assignment.file &&
                      written.begin >= assignment.begin && written.end <= assignment.end;
  return inside ? written : assignment;
}

text::Origin Variables::assigned_origin(NameId name, text::Span span, text::Origin earlier) {
  if (!span.valid()) return earlier;
  // What lies inside the assignment itself says no more than the assignment does.
  const text::OriginLink* link = earlier.nearest();
  while (link != nullptr && link->span.file == span.file && link->span.begin >= span.begin &&
         link->span.end <= span.end) {
    link = link->earlier;
  }
  return session_.origin(span, assigned_note(name), text::Origin(link));
}

const std::string& Variables::assigned_note(NameId name) {
  if (name >= assigned_notes_.size()) assigned_notes_.resize(name + 1);
  std::string& note = assigned_notes_[name];
  if (note.empty()) note = "assigned to " + session_.names.text(name);
  return note;
}

void Variables::mark_assigned(Value& value, NameId name, text::Span span) {
  for (Piece& piece : value.pieces()) piece.origin = assigned_origin(name, span, piece.origin);
}

bool Variables::assign(World& world, NameId name, Value value, text::Span span, bool appends) {
  name = resolve(world, name);
  Variable& variable = world.shell.variables.write(name);
  if (!check_writable(world, variable, name, span)) return false;
  if (variable.kind == Variable::Kind::kAssociative) {
    return assign_entry(world, name, "0", std::move(value), span, appends);
  }
  if (variable.kind == Variable::Kind::kIndexed) {
    return assign_element(world, name, 0, std::move(value), span, appends);
  }
  mark_assigned(value, name, span);
  if (variable.integer && appends) {
    Value sum = variable.scalar;
    sum.append(Piece{"+", true, {}, {}});
    sum.append(std::move(value));
    value = std::move(sum);
    appends = false;
  }
  if (variable.integer || variable.lower_case || variable.upper_case) {
    apply_attributes(world, variable, value, span);
  }
  // Arithmetic may have written other variables, so look the place up again.
  Variable& target = world.shell.variables.write(name);
  if (appends && target.is_set) {
    target.scalar.append(std::move(value));
  } else {
    target.scalar = std::move(value);
  }
  target.is_set = true;
  if (world.shell.options.allexport) target.exported = true;
  note_assignment(target, name, span, appends);
  return true;
}

bool Variables::assign_element(World& world, NameId name, std::int64_t index, Value value,
                               text::Span span, bool appends) {
  name = resolve(world, name);
  mark_assigned(value, name, span);
  Variable& variable = world.shell.variables.write(name);
  if (!check_writable(world, variable, name, span)) return false;
  if (variable.kind == Variable::Kind::kAssociative) {
    return assign_entry(world, name, std::to_string(index), std::move(value), span, appends);
  }
  if (variable.kind == Variable::Kind::kScalar) {
    variable.kind = Variable::Kind::kIndexed;
    if (variable.is_set) variable.element(0) = std::exchange(variable.scalar, Value());
  }
  if (index < 0) index += variable.next_index();
  if (index < 0) {
    session_.report(world, DiagnosticKind::kArithmetic, span, "bad array subscript");
    return false;
  }
  variable.is_set = true;
  apply_attributes(world, variable, value, span);
  Value& element = world.shell.variables.write(name).element(index);
  if (appends) {
    element.append(std::move(value));
  } else {
    element = std::move(value);
  }
  note_assignment(world.shell.variables.write(name), name, span, true);
  return true;
}

bool Variables::assign_entry(World& world, NameId name, std::string_view key, Value value,
                             text::Span span, bool appends) {
  name = resolve(world, name);
  mark_assigned(value, name, span);
  Variable& variable = world.shell.variables.write(name);
  if (!check_writable(world, variable, name, span)) return false;
  apply_attributes(world, variable, value, span);
  Variable& target = world.shell.variables.write(name);
  target.kind = Variable::Kind::kAssociative;
  target.is_set = true;
  Value& entry = target.entry(key);
  if (appends) {
    entry.append(std::move(value));
  } else {
    entry = std::move(value);
  }
  note_assignment(target, name, span, true);
  return true;
}

bool Variables::assign_array(World& world, NameId name, std::vector<Value> values,
                             text::Span span) {
  name = resolve(world, name);
  Variable& variable = world.shell.variables.write(name);
  if (!check_writable(world, variable, name, span)) return false;
  variable.kind = Variable::Kind::kIndexed;
  variable.is_set = true;
  variable.scalar = Value();
  variable.clear_elements();
  std::int64_t index = 0;
  for (Value& value : values) {
    mark_assigned(value, name, place_of_element(value, span));
    variable.element(index++) = std::move(value);
  }
  variable.assignment = session_.add_assignment(name, span);
  return true;
}

// `keeps_part`: what the variable had before is still part of its value.
void Variables::note_assignment(Variable& variable, NameId name, text::Span span, bool keeps_part) {
  const std::uint32_t before =
      std::exchange(variable.assignment, session_.add_assignment(name, span));
  if (keeps_part) session_.link_assignments(before, variable.assignment);
}

void Variables::make_unknown(World& world, NameId name, const std::string& cause, text::Span span) {
  name = resolve(world, name);
  Variable& variable = world.shell.variables.write(name);
  note_assignment(variable, name, span, true);
  const Value unknown = Value::unknown(cause, session_.origin(span, assigned_note(name)));
  if (variable.kind == Variable::Kind::kScalar) {
    variable.scalar = unknown;
    variable.is_set = true;
    return;
  }
  variable.clear_elements();
  variable.uncertain_count = cause;
  if (variable.kind == Variable::Kind::kIndexed) {
    variable.element(0) = unknown;
  } else {
    variable.entry(std::string_view("?")) = unknown;
  }
}

void Variables::unset(World& world, NameId name) {
  name = resolve(world, name);
  // An empty entry would let an inherited or computed value shine through.
  world.shell.variables.replace(name, Shared<Variable>(Variable()));
}

Variable& Variables::make_local(World& world, NameId name, bool inherits_value) {
  std::vector<Scope>& scopes = world.shell.scopes.write();
  auto scope = std::find_if(scopes.rbegin(), scopes.rend(),
                            [](const Scope& s) { return s.kind == Scope::Kind::kFunction; });
  if (scope == scopes.rend()) return world.shell.variables.write(name);
  const auto hidden = std::find_if(scope->hidden.begin(), scope->hidden.end(),
                                   [&](const auto& entry) { return entry.first == name; });
  if (hidden != scope->hidden.end()) return world.shell.variables.write(name);
  const Shared<Variable> visible = world.shell.variables.find(name);
  scope->hidden.emplace_back(name, visible);
  Variable fresh;
  if (inherits_value && visible) fresh = *visible;
  // A local variable of an exported name is exported too.
  if (visible) fresh.exported = visible->exported;
  world.shell.variables.replace(name, Shared<Variable>(std::move(fresh)));
  return world.shell.variables.write(name);
}

Variable& Variables::global(World& world, NameId name) {
  if (world.shell.scopes) {
    for (Scope& scope : world.shell.scopes.write()) {
      for (auto& [hidden, variable] : scope.hidden) {
        if (hidden == name) return variable.write();
      }
    }
  }
  return world.shell.variables.write(name);
}

void Variables::push_scope(World& world, Scope::Kind kind) {
  world.shell.scopes.write().push_back({kind, {}});
}

void Variables::hide(World& world, NameId name) {
  world.shell.scopes.write().back().hidden.emplace_back(name, world.shell.variables.find(name));
  world.shell.variables.replace(name, Shared<Variable>(Variable()));
}

void Variables::collect_environment(const World& world, Execution& execution) const {
  world.shell.variables.for_each([&](NameId name, const Shared<Variable>& variable) {
    const Shared<Variable>& start = session_.start_variables.find(name);
    if (variable.same_object(start)) return;
    const bool was_exported = start && start->exported;
    if (variable->exported && variable->is_set && !variable->is_array()) {
      if (was_exported && same_text(start->scalar, variable->scalar)) return;
      execution.environment.emplace_back(session_.names.text(name), variable->scalar);
    } else if (was_exported) {
      execution.removed_environment.push_back(session_.names.text(name));
    }
  });
  std::sort(execution.environment.begin(), execution.environment.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::sort(execution.removed_environment.begin(), execution.removed_environment.end());
}

void Variables::mark_exported_read(const World& world) {
  if (world.shell.variables.same_root(exported_seen_)) return;
  exported_seen_ = world.shell.variables;
  world.shell.variables.for_each([&](NameId, const Shared<Variable>& variable) {
    if (variable->exported) session_.mark_read(*variable);
  });
}

void Variables::pop_scope(World& world) {
  std::vector<Scope>& scopes = world.shell.scopes.write();
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (auto entry = scope.hidden.rbegin(); entry != scope.hidden.rend(); ++entry) {
    world.shell.variables.replace(entry->first, std::move(entry->second));
  }
}

ArithmeticResult Variables::arithmetic(World& world, const Value& expression, text::Span span,
                                       text::Origin* origin) {
  OpenResult open = open_arithmetic(world, expression, span, origin);
  // Whoever asks for the number itself looks at it.
  if (has_parameters(open.number)) static_cast<void>(open.number.text());
  return std::move(open.result);
}

// The expression is evaluated once more to see what it reads, which is rarely needed.
ParameterId Variables::derived_parameter(World& world, const Value& expression, text::Span span,
                                         std::int64_t result) {
  Witness* witness = Witness::current();
  Witness::Formula formula;
  const Witness::Listening deaf(witness);
  WorldScope scope(*this, session_, world, span);
  scope.record(formula);
  evaluate_arithmetic(expression.pieces(), scope);
  formula.expression = expression;
  return witness->derive(std::move(formula), result);
}

Variables::OpenResult Variables::open_arithmetic(World& world, const Value& expression,
                                                 text::Span span, text::Origin* origin) {
  Witness* witness = Witness::current();
  WorldScope scope(*this, session_, world, span);
  OpenResult open;
  ArithmeticResult& result = open.result;
  // An expression that assigns has more results than one.
  const ReadScope reads(session_, may_assign(expression) ? nullptr : session_.reads);
  std::vector<ParameterId> read;
  {
    const Witness::Listening listening(witness);
    result = evaluate_arithmetic(expression.pieces(), scope);
    read = listening.heard();
  }
  const bool is_value = result.kind == ArithmeticResult::Kind::kValue;
  ParameterId parameter = 0;
  if (!read.empty()) {
    if (is_value && !scope.assigned()) {
      parameter = derived_parameter(world, expression, span, result.value);
    }
    if (parameter == 0) {
      for (const ParameterId each : read) witness->look(each);
    }
  }
  if (is_value) {
    open.number.append(
        Piece{PieceText(std::to_string(result.value), parameter), true, {}, Shape::kAny});
  }
  session_.charge(1 + expression.size() / 8);
  if (origin != nullptr) {
    *origin = scope.origin();
    if (!origin->known()) {
      for (const Piece& piece : expression.pieces()) {
        // A literal of the expression itself tells nothing; a value that was expanded does.
        const text::Span from = piece.origin.span();
        const bool inside =
            from.file == span.file && from.begin >= span.begin && from.end <= span.end;
        if (piece.origin.known() && !inside) {
          *origin = piece.origin;
          break;
        }
      }
    }
  }
  if (result.kind == ArithmeticResult::Kind::kError) {
    const bool unbound = result.fault == ArithmeticResult::Fault::kUnbound;
    session_.report(world, unbound ? DiagnosticKind::kUnsetVariable : DiagnosticKind::kArithmetic,
                    span, unbound ? "'" + result.name + "' is not set" : result.message,
                    result.name);
  }
  return open;
}

std::optional<Value> Variables::arithmetic_value(World& world, const Value& expression,
                                                 text::Span span) {
  text::Origin earlier;
  OpenResult open = open_arithmetic(world, expression, span, &earlier);
  const ArithmeticResult& result = open.result;
  if (result.kind == ArithmeticResult::Kind::kError) return std::nullopt;
  const text::Origin origin = session_.origin(span, "computed here", earlier);
  if (result.kind == ArithmeticResult::Kind::kUnknown) {
    return Value::unknown(result.message, origin, Shape::kNumber);
  }
  open.number.pieces().front().origin = origin;
  return std::move(open.number);
}

}  // namespace recipelint::shell
