#include <algorithm>
#include <utility>

#include "analyzer/shell/expander.h"

// What stands behind the name of a parameter expansion.
namespace recipelint::shell {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Value number(std::size_t value) {
  return Value::of(std::to_string(value));
}

std::string option_letters(const Options& options) {
  std::string letters = "h";
  if (options.allexport) letters += 'a';
  if (options.errexit) letters += 'e';
  if (options.noglob) letters += 'f';
  if (options.nounset) letters += 'u';
  if (options.xtrace) letters += 'x';
  std::sort(letters.begin(), letters.end());
  if (options.braceexpand) letters += 'B';
  return letters;
}

}  // namespace

std::optional<Expander::Subject> Expander::special_subject(World& world, std::string_view name) {
  Subject out;
  out.is_set = true;
  if (is_digits(name)) {
    const std::size_t index = name.size() > 6 ? 1'000'000 : std::stoul(std::string(name));
    const std::vector<Value>& values = world.shell.positional->values;
    if (index == 0) {
      out.scalar = world.shell.zeroth;
    } else if (index <= values.size()) {
      out.scalar = values[index - 1];
    } else if (!world.shell.positional->uncertain_count.empty()) {
      out.scalar = Value::unknown(world.shell.positional->uncertain_count);
    } else {
      out.is_set = false;
    }
    return out;
  }
  if (name.size() != 1) return std::nullopt;
  switch (name.front()) {
    case '@':
    case '*':
      out.is_list = true;
      out.star = name == "*";
      out.list = world.shell.positional->values;
      out.uncertain_count = world.shell.positional->uncertain_count;
      out.is_set = !out.list.empty();
      out.exempt_from_nounset = true;
      return out;
    case '#':
      out.scalar =
          world.shell.positional->uncertain_count.empty()
              ? number(world.shell.positional->values.size())
              : Value::unknown(world.shell.positional->uncertain_count, {}, Shape::kNumber);
      return out;
    case '?':
      out.scalar = world.status.known ? Value::of(std::to_string(world.status.value))
                                      : Value::unknown(world.status.cause, {}, Shape::kNumber);
      return out;
    case '$':
      out.scalar = Value::unknown("process id", {}, Shape::kNumber);
      return out;
    case '!':
      out.scalar = world.shell.last_background;
      out.is_set = !out.scalar.empty();
      return out;
    case '-':
      out.scalar = Value::of(option_letters(world.shell.options));
      return out;
    case '_':
      out.scalar = Value::unknown("last argument of the command before");
      return out;
    default:
      return std::nullopt;
  }
}

Expander::Subject Expander::named_subject(World& world, std::string_view name) {
  Subject out;
  const NameId id = session_.names.id(name);
  std::optional<Value> value = variables_.scalar(world, id);
  if (value) {
    out.is_set = true;
    out.scalar = *std::move(value);
    return out;
  }
  Variable scratch;
  if (session_.input.absent == EvaluationInput::Absent::kUnknown &&
      variables_.lookup(world, id, scratch) == nullptr) {
    // Without a default the caller has to give it; see also use_operand().
    out.exempt_from_nounset = true;
    out.scalar = Value::unknown("environment variable " + std::string(name));
  } else if (world.shell.unknown_code && variables_.lookup(world, id, scratch) == nullptr) {
    out.is_set = world.shell.unknown_code->evaluated;
    out.exempt_from_nounset = true;
    out.scalar = Value::unknown(world.shell.unknown_code->cause);
  }
  return out;
}

// Bash only complains, unless "set -e" makes every complaint the end.
void Expander::report_bad_subscript(World& world) {
  session_.report(world, DiagnosticKind::kArithmetic, session_.current, "bad array subscript");
  if (!world.shell.options.errexit) return;
  world.status = Status::of(1);
  world.flow = Flow::kExit;
  world.exit_reason = "bad array subscript";
  world.exit_span = session_.current;
}

Expander::Subject Expander::element_subject(World& world, const Variable& variable,
                                            const Subscript& at) {
  session_.mark_read(variable);
  Subject out;
  if (!at.cause.empty() || !variable.uncertain_count.empty()) {
    out.is_set = true;
    out.scalar = Value::unknown(at.cause.empty() ? variable.uncertain_count : at.cause);
    return out;
  }
  const Value* found = nullptr;
  if (variable.kind == Variable::Kind::kAssociative) {
    found = variable.find(std::string_view(at.key));
  } else if (variable.kind == Variable::Kind::kIndexed) {
    const std::int64_t index = at.index < 0 ? at.index + variable.next_index() : at.index;
    if (index < 0) {
      report_bad_subscript(world);
      return out;
    }
    found = variable.find(index);
  } else if (at.index < -1) {
    report_bad_subscript(world);
  } else if (variable.is_set && at.index <= 0) {
    found = &variable.scalar;
  }
  if (found != nullptr) {
    out.is_set = true;
    out.scalar = *found;
  }
  return out;
}

Expander::Subject Expander::all_elements(const Variable& variable, bool star) {
  session_.mark_read(variable);
  Subject out;
  out.is_list = true;
  out.star = star;
  out.exempt_from_nounset = true;
  out.uncertain_count = variable.uncertain_count;
  switch (variable.kind) {
    case Variable::Kind::kScalar:
      if (variable.is_set) out.list.push_back(variable.scalar);
      break;
    case Variable::Kind::kIndexed:
      out.list.reserve(variable.elements().size());
      for (const auto& [index, value] : variable.elements()) out.list.push_back(value);
      break;
    case Variable::Kind::kAssociative:
      for (const auto* entry : variable.listed_entries()) out.list.push_back(entry->second);
      break;
  }
  out.is_set = !out.list.empty();
  return out;
}

Expander::Subscript Expander::subscript(World& world, NameId array, const Word& word) {
  Subscript out;
  Variable scratch;
  const Variable* variable = variables_.lookup(world, array, scratch);
  const Value value = text(world, word);
  if (!world.is_running()) {
    out.failed = true;
    return out;
  }
  if (variable != nullptr && variable->kind == Variable::Kind::kAssociative) {
    out.is_key = true;
    out.key = value.text();
    out.cause = std::string(value.cause());
    return out;
  }
  const ArithmeticResult result = variables_.arithmetic(world, value, word.span);
  switch (result.kind) {
    case ArithmeticResult::Kind::kValue:
      out.index = result.value;
      break;
    case ArithmeticResult::Kind::kUnknown:
      out.cause = result.message;
      break;
    case ArithmeticResult::Kind::kError:
      out.failed = true;
      world.flow = Flow::kAbort;
      world.status = Status::of(1);
      break;
  }
  return out;
}

Expander::Subject Expander::read_reference(World& world, std::string_view reference,
                                           text::Span span) {
  if (auto special = special_subject(world, reference)) return *std::move(special);
  const auto bracket = reference.find('[');
  if (bracket == std::string_view::npos || !reference.ends_with(']')) {
    return named_subject(world, reference);
  }
  const std::string_view name = reference.substr(0, bracket);
  const std::string index(reference.substr(bracket + 1, reference.size() - bracket - 2));
  const NameId id = session_.names.id(name);
  Variable scratch;
  const Variable* variable = variables_.lookup(world, id, scratch);
  if (variable == nullptr) return named_subject(world, name);
  if (index == "@" || index == "*") return all_elements(*variable, index == "*");
  Word word;
  word.parts.push_back({Literal{index}, span, false});
  word.span = span;
  return element_subject(world, *variable, subscript(world, id, word));
}

Expander::Subject Expander::subject(World& world, const ParameterExpansion& expansion, text::Span) {
  using Form = ParameterExpansion::Subscript;
  if (expansion.subscript == Form::kNone) {
    if (auto special = special_subject(world, expansion.name)) return *std::move(special);
    return named_subject(world, expansion.name);
  }
  const NameId id = session_.names.id(expansion.name);
  Variable scratch;
  const Variable* variable = variables_.lookup(world, id, scratch);
  if (variable == nullptr) {
    if (expansion.subscript == Form::kIndex) {
      const Subscript at = subscript(world, id, *expansion.index);
      if (at.cause.empty() && at.index < 0) report_bad_subscript(world);
      if (at.cause.empty() && at.index != 0) return {};
      return named_subject(world, expansion.name);
    }
    Subject out = named_subject(world, expansion.name);
    out.is_list = true;
    out.star = expansion.subscript == Form::kStar;
    out.exempt_from_nounset = true;
    if (!out.scalar.empty()) {
      out.uncertain_count = std::string(out.scalar.cause());
      out.list.push_back(out.scalar);
    }
    return out;
  }
  if (expansion.subscript != Form::kIndex) {
    return all_elements(*variable, expansion.subscript == Form::kStar);
  }
  const Subscript at = subscript(world, id, *expansion.index);
  if (at.failed) return {};
  variable = variables_.lookup(world, id, scratch);
  return variable != nullptr ? element_subject(world, *variable, at) : Subject();
}

Expander::Subject Expander::names_with_prefix(World& world, const ParameterExpansion& expansion) {
  std::vector<std::string> names;
  world.shell.variables.for_each([&](NameId id, const Shared<Variable>& variable) {
    const std::string& name = session_.names.text(id);
    const bool is_set =
        variable->is_set || !variable->elements().empty() || !variable->entries().empty();
    if (is_set && name.starts_with(expansion.name)) names.push_back(name);
  });
  std::sort(names.begin(), names.end());
  Subject out;
  out.is_list = out.exempt_from_nounset = true;
  out.star = expansion.operand != nullptr && !expansion.operand->parts.empty() &&
             text(world, *expansion.operand).text() == "*";
  for (std::string& name : names) out.list.push_back(Value::of(std::move(name)));
  out.is_set = !out.list.empty();
  return out;
}

Expander::Subject Expander::keys(World& world, const ParameterExpansion& expansion) {
  Subject out;
  out.is_list = out.exempt_from_nounset = true;
  out.star = expansion.subscript == ParameterExpansion::Subscript::kStar;
  Variable scratch;
  const Variable* variable = variables_.lookup(world, session_.names.id(expansion.name), scratch);
  if (variable == nullptr) return out;
  session_.mark_read(*variable);
  out.uncertain_count = variable->uncertain_count;
  if (!variable->uncertain_count.empty()) {
    out.list.push_back(Value::unknown(variable->uncertain_count));
  } else if (variable->kind == Variable::Kind::kScalar) {
    if (variable->is_set) out.list.push_back(Value::of("0"));
  } else if (variable->kind == Variable::Kind::kIndexed) {
    for (const auto& [index, value] : variable->elements()) {
      out.list.push_back(Value::of(std::to_string(index), value.origin()));
    }
  } else {
    for (const auto* entry : variable->listed_entries()) {
      out.list.push_back(Value::of(entry->first, entry->second.origin()));
    }
  }
  out.is_set = !out.list.empty();
  return out;
}

}  // namespace recipelint::shell
