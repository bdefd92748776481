#include <algorithm>
#include <utility>

#include "analyzer/shell/escapes.h"
#include "analyzer/shell/expander.h"
#include "analyzer/shell/parameter_operators.h"
#include "analyzer/text/utf8.h"

namespace recipelint::shell {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9');
         });
}

// What ${!v} can lead to: a variable, an element, a positional or special parameter.
bool is_reference(std::string_view text) {
  constexpr std::string_view kSpecial = "@*#?-$!_";
  if (text.size() == 1 && kSpecial.find(text[0]) != std::string_view::npos) return true;
  const auto bracket = text.find('[');
  if (bracket != std::string_view::npos && !text.ends_with(']')) return false;
  return is_digits(text) || is_name(text.substr(0, bracket));
}

Value number(std::size_t value) {
  return Value::of(std::to_string(value));
}

bool is_unset_or_empty(const Expander::Subject& subject, bool empty_counts) {
  if (!subject.is_set) return true;
  if (!empty_counts) return false;
  if (!subject.is_list) return subject.scalar.empty();
  return subject.list.empty() || (subject.list.size() == 1 && subject.list.front().empty());
}

template <typename Change>
void change_each(Expander::Subject& subject, const Change& change) {
  subject.scalar = change(subject.scalar);
  for (Value& value : subject.list) value = change(value);
}

Value length_of(const Value& value) {
  if (!value.is_known()) {
    return Value::unknown(std::string(value.cause()), value.origin(), Shape::kNumber);
  }
  std::string buffer;
  return Value::of(std::to_string(text::count_characters(value.view(buffer))), value.origin());
}

}  // namespace

void Expander::emit(World& world, Subject subject, bool is_quoted, ExpansionSink& sink) {
  if (!subject.is_list) {
    if (is_quoted) {
      sink.quoted(std::move(subject.scalar));
    } else {
      sink.unquoted(std::move(subject.scalar));
    }
    return;
  }
  if (!subject.star || (!is_quoted && sink.splits())) {
    sink.separate(std::move(subject.list), is_quoted, subject.uncertain_count);
    return;
  }
  const std::string ifs = separators(world);
  Value joined;
  for (std::size_t i = 0; i < subject.list.size(); ++i) {
    if (i != 0 && !ifs.empty()) joined.append(Piece{ifs.substr(0, 1), true, {}, {}});
    joined.append(std::move(subject.list[i]));
  }
  if (!subject.uncertain_count.empty()) joined = Value::unknown(subject.uncertain_count);
  if (is_quoted) {
    sink.quoted(std::move(joined));
  } else {
    sink.unquoted(std::move(joined));
  }
}

void Expander::report_unset(World& world, std::string_view name, text::Span span) {
  session_.report(world, DiagnosticKind::kUnsetVariable, span,
                  "'" + std::string(name) + "' is not set", std::string(name));
  world.status = Status::of(1);
  world.flow = Flow::kExit;
  world.exit_reason = "'" + std::string(name) + "' is not set (set -u)";
  world.exit_span = span;
}

// The length of an array is the one place where bash does not leave the script for it, unless
// "set -e" makes every complaint the end.
void Expander::abort_unset(World& world, std::string_view name, text::Span span) {
  report_unset(world, name, span);
  if (world.shell.options.errexit) return;
  world.flow = Flow::kAbort;
  world.exit_reason.clear();
}

void Expander::require(World& world, const ParameterExpansion& expansion, text::Span span) {
  std::string message = expansion.operand != nullptr ? text(world, *expansion.operand).text() : "";
  if (message.empty()) message = "parameter null or not set";
  session_.report(world, DiagnosticKind::kRequiredVariable, span,
                  "'" + expansion.name + "': " + message, expansion.name);
  world.status = Status::of(1);
  world.flow = Flow::kExit;
  world.exit_reason = "'" + expansion.name + "' is required: " + message;
  world.exit_span = span;
}

void Expander::assign_default(World& world, const ParameterExpansion& expansion, Value value,
                              text::Span span) {
  const NameId id = session_.names.id(expansion.name);
  if (expansion.subscript != ParameterExpansion::Subscript::kIndex) {
    variables_.assign(world, id, std::move(value), span);
    return;
  }
  const Subscript at = subscript(world, id, *expansion.index);
  if (at.failed) return;
  if (!at.cause.empty()) {
    variables_.make_unknown(world, id, at.cause, span);
  } else if (at.is_key) {
    variables_.assign_entry(world, id, at.key, std::move(value), span);
  } else {
    variables_.assign_element(world, id, at.index, std::move(value), span);
  }
}

bool Expander::use_operand(World& world, const ParameterExpansion& expansion, Subject& subject,
                           text::Span span, bool is_quoted, ExpansionSink& sink) {
  const bool missing = is_unset_or_empty(subject, expansion.empty_counts_as_unset);
  const auto expand_operand = [&] {
    if (expansion.operand != nullptr) {
      operand_parts(world, *expansion.operand, is_quoted, sink);
    }
    if (is_quoted && (expansion.operand == nullptr || expansion.operand->parts.empty())) {
      sink.quoted({});
    }
  };
  switch (expansion.op) {
    case ParameterOperator::kDefault:
      if (!missing) return false;
      expand_operand();
      return true;
    case ParameterOperator::kAlternative:
      if (!missing) {
        expand_operand();
      } else if (is_quoted && !subject.is_list) {
        sink.quoted({});
      }
      return true;
    case ParameterOperator::kAssignDefault: {
      if (!missing) return false;
      Value value =
          expansion.operand != nullptr ? assigned_text(world, *expansion.operand) : Value();
      if (!world.is_running()) return true;
      assign_default(world, expansion, value, span);
      subject.is_set = true;
      subject.is_list = false;
      subject.scalar = std::move(value);
      return false;
    }
    case ParameterOperator::kErrorIfUnset:
      if (!missing) return false;
      if (!subject.scalar.empty()) return false;  // unknown: the caller has to give it
      require(world, expansion, span);
      return true;
    default:
      return false;
  }
}

std::optional<std::int64_t> Expander::offset_operand(World& world, const Word& word,
                                                     text::Span span, std::string& cause) {
  const Value expression = text(world, word);
  if (!world.is_running()) return std::nullopt;
  const ArithmeticResult result = variables_.arithmetic(world, expression, span);
  if (result.kind == ArithmeticResult::Kind::kUnknown) cause = result.message;
  if (result.kind == ArithmeticResult::Kind::kError) {
    world.flow = Flow::kAbort;
    world.status = Status::of(1);
    return std::nullopt;
  }
  return result.value;
}

// The position of the element that a slice starts with: in an array, the first one whose index is
// not below the offset.
std::int64_t Expander::first_of_slice(const World& world, const ParameterExpansion& expansion,
                                      std::int64_t offset, std::int64_t count) {
  Variable scratch;
  const Variable* variable = variables_.lookup(world, session_.names.id(expansion.name), scratch);
  if (variable == nullptr || variable->kind != Variable::Kind::kIndexed) {
    return offset < 0 ? offset + count : offset;
  }
  if (offset < 0) offset += variable->next_index();
  if (offset < 0) return -1;
  const auto& elements = variable->elements();
  return std::count_if(elements.begin(), elements.end(),
                       [&](const auto& element) { return element.first < offset; });
}

bool Expander::substring(World& world, const ParameterExpansion& expansion, Subject& subject,
                         text::Span span) {
  std::string cause;
  const auto offset = offset_operand(world, *expansion.operand, span, cause);
  if (!offset) return false;
  std::optional<std::int64_t> length;
  if (expansion.second_operand != nullptr) {
    length = offset_operand(world, *expansion.second_operand, span, cause);
    if (!length) return false;
  }
  if (!cause.empty()) {
    subject.scalar = Value::unknown(cause, subject.scalar.origin());
    if (subject.is_list) {
      subject.list = {subject.scalar};
      subject.uncertain_count = cause;
    }
    return true;
  }
  if (!subject.is_list) {
    subject.scalar = substring_of(subject.scalar, *offset, length ? &*length : nullptr);
    return true;
  }
  std::vector<Value> all = std::move(subject.list);
  subject.list.clear();
  // Offset 0 of the positional parameters is $0.
  const bool positional = expansion.name == "@" || expansion.name == "*";
  if (positional) all.insert(all.begin(), world.shell.zeroth);
  const auto count = static_cast<std::int64_t>(all.size());
  const std::int64_t begin = first_of_slice(world, expansion, *offset, count);
  if (begin < 0 || begin >= count) return true;
  const std::int64_t end =
      length ? std::min(count, begin + std::max<std::int64_t>(*length, 0)) : count;
  for (std::int64_t i = begin; i < end; ++i) {
    subject.list.push_back(std::move(all[static_cast<std::size_t>(i)]));
  }
  return true;
}

bool Expander::transform(World& world, const ParameterExpansion& expansion, Subject& subject,
                         text::Span span) {
  const std::string letter =
      expansion.operand != nullptr ? text(world, *expansion.operand).text() : std::string();
  if (letter == "a") {
    Variable scratch;
    const Variable* variable = variables_.lookup(world, session_.names.id(expansion.name), scratch);
    std::string attributes;
    if (variable != nullptr) {
      if (variable->kind == Variable::Kind::kIndexed) attributes += 'a';
      if (variable->kind == Variable::Kind::kAssociative) attributes += 'A';
      if (variable->integer) attributes += 'i';
      if (variable->readonly) attributes += 'r';
      if (variable->exported) attributes += 'x';
    }
    subject.scalar = Value::of(attributes);
    return true;
  }
  if (letter == "P" || letter == "A" || letter == "K" || letter == "k" || letter.size() != 1) {
    session_.report(world, DiagnosticKind::kUnmodelled, span, "${...@" + letter + "}");
    subject.scalar = Value::unknown("${" + expansion.name + "@" + letter + "}");
    if (subject.is_list) subject.list = {subject.scalar};
    return true;
  }
  change_each(subject, [&](const Value& value) { return transform_value(value, letter.front()); });
  return true;
}

// Whether a variable or array has ever got a value, be it an empty one.
bool Expander::is_assigned(const World& world, std::string_view name) {
  Variable scratch;
  const Variable* variable = variables_.lookup(world, session_.names.id(name), scratch);
  if (variable == nullptr) {
    return session_.input.absent == EvaluationInput::Absent::kUnknown || world.shell.unknown_code;
  }
  return variable->is_set || !variable->elements().empty() || !variable->entries().empty();
}

void Expander::length(World& world, const ParameterExpansion& expansion, text::Span span,
                      bool is_quoted, ExpansionSink& sink) {
  Subject measured = subject(world, expansion, span);
  if (!world.is_running()) return;
  Subject out;
  if (measured.is_list && world.shell.options.nounset && expansion.name != "@" &&
      expansion.name != "*" && !is_assigned(world, expansion.name)) {
    abort_unset(world, expansion.name, span);
    return;
  }
  if (measured.is_list) {
    out.scalar = measured.uncertain_count.empty()
                     ? number(measured.list.size())
                     : Value::unknown(measured.uncertain_count, {}, Shape::kNumber);
  } else {
    if (!measured.is_set && !measured.exempt_from_nounset && world.shell.options.nounset) {
      if (expansion.subscript == ParameterExpansion::Subscript::kNone) {
        report_unset(world, expansion.name, span);
      } else {
        abort_unset(world, expansion.name, span);
      }
      return;
    }
    out.scalar = length_of(measured.scalar);
  }
  emit(world, std::move(out), is_quoted, sink);
}

void Expander::parameter(World& world, const ParameterExpansion& expansion, text::Span span,
                         bool is_quoted, ExpansionSink& sink) {
  using Form = ParameterExpansion::Form;
  if (expansion.form == Form::kLength) {
    length(world, expansion, span, is_quoted, sink);
    return;
  }
  Subject found;
  switch (expansion.form) {
    case Form::kNames:
      emit(world, names_with_prefix(world, expansion), is_quoted, sink);
      return;
    case Form::kKeys:
      emit(world, keys(world, expansion), is_quoted, sink);
      return;
    case Form::kIndirect: {
      Subject pointer = subject(world, expansion, span);
      if (!world.is_running()) return;
      const Shared<Variable>& raw = world.shell.variables.find(session_.names.id(expansion.name));
      if (raw && raw->reference) {
        found.is_set = true;
        found.scalar = raw->scalar;
      } else if (!pointer.scalar.is_known()) {
        found.is_set = true;
        found.scalar = Value::unknown(std::string(pointer.scalar.cause()), pointer.scalar.origin());
      } else {
        std::string buffer;
        const std::string_view target = pointer.scalar.view(buffer);
        if (!pointer.is_set || !is_reference(target)) {
          session_.report(world, DiagnosticKind::kUnsetVariable, span,
                          "'" + expansion.name + "' does not name a variable", expansion.name);
          world.flow = Flow::kAbort;
          world.status = Status::of(1);
          return;
        }
        found = read_reference(world, target, span);
      }
      break;
    }
    default:
      found = subject(world, expansion, span);
  }
  if (!world.is_running()) return;
  if (use_operand(world, expansion, found, span, is_quoted, sink)) return;
  if (!found.is_set && !found.exempt_from_nounset && world.shell.options.nounset &&
      expansion.op != ParameterOperator::kAssignDefault) {
    report_unset(world, expansion.name, span);
    return;
  }
  if (!found.is_set && !found.exempt_from_nounset && expansion.form == Form::kValue &&
      expansion.op == ParameterOperator::kNone) {
    session_.note_unset(expansion.name, span);
  }
  const PatternOptions options = pattern_options(world);
  const auto operand_pattern = [&] {
    return expansion.operand != nullptr ? pattern(world, *expansion.operand) : PatternText();
  };
  switch (expansion.op) {
    case ParameterOperator::kRemoveShortestPrefix:
    case ParameterOperator::kRemoveLongestPrefix:
    case ParameterOperator::kRemoveShortestSuffix:
    case ParameterOperator::kRemoveLongestSuffix: {
      const PatternText removed = operand_pattern();
      change_each(found, [&](const Value& value) {
        return remove_pattern(value, removed, expansion.op, options);
      });
      break;
    }
    case ParameterOperator::kReplaceFirst:
    case ParameterOperator::kReplaceAll:
    case ParameterOperator::kReplacePrefix:
    case ParameterOperator::kReplaceSuffix: {
      const PatternText replaced = operand_pattern();
      const Value replacement =
          expansion.second_operand != nullptr ? text(world, *expansion.second_operand) : Value();
      change_each(found, [&](const Value& value) {
        return replace_pattern(value, replaced, replacement, expansion.op, options);
      });
      break;
    }
    case ParameterOperator::kUpperFirst:
    case ParameterOperator::kUpperAll:
    case ParameterOperator::kLowerFirst:
    case ParameterOperator::kLowerAll: {
      const PatternText characters = operand_pattern();
      change_each(found, [&](const Value& value) {
        return change_case(value, characters, expansion.op, options);
      });
      break;
    }
    case ParameterOperator::kSubstring:
      if (!substring(world, expansion, found, span)) return;
      break;
    case ParameterOperator::kTransform:
      if (!found.is_set) {
        found.scalar = Value();
        break;
      }
      if (!transform(world, expansion, found, span)) return;
      break;
    default:
      break;
  }
  if (world.is_running()) emit(world, std::move(found), is_quoted, sink);
}

}  // namespace recipelint::shell
