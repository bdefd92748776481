#include <algorithm>
#include <charconv>
#include <utility>

#include "analyzer/shell/builtins_impl.h"
#include "analyzer/shell/options.h"

namespace recipelint::shell::builtins {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

/// What the options of declare and its kin ask for.
struct Attributes {
  bool global = false;
  bool functions = false;
  bool prints = false;
  bool removes_export = false;
  bool inherits = false;
  bool indexed = false;
  bool associative = false;
  bool exported = false;
  bool readonly = false;
  bool integer = false;
  bool lower_case = false;
  bool upper_case = false;
  bool reference = false;
  bool clears_integer = false;
  bool clears_reference = false;
};

void read_letter(Attributes& attributes, char letter, bool on) {
  switch (letter) {
    case 'g':
      attributes.global = on;
      break;
    case 'f':
    case 'F':
      attributes.functions = on;
      break;
    case 'p':
      attributes.prints = on;
      break;
    case 'n':
      attributes.reference = on;
      attributes.clears_reference = !on;
      break;
    case 'I':
      attributes.inherits = on;
      break;
    case 'a':
      attributes.indexed = on;
      break;
    case 'A':
      attributes.associative = on;
      break;
    case 'x':
      attributes.exported = on;
      attributes.removes_export = !on;
      break;
    case 'r':
      attributes.readonly = on;
      break;
    case 'i':
      attributes.integer = on;
      attributes.clears_integer = !on;
      break;
    case 'l':
      attributes.lower_case = on;
      break;
    case 'u':
      attributes.upper_case = on;
      break;
    default:
      break;
  }
}

void apply_attributes(Variable& variable, const Attributes& attributes) {
  if (attributes.associative && variable.kind == Variable::Kind::kScalar) {
    variable.kind = Variable::Kind::kAssociative;
  } else if (attributes.indexed && variable.kind == Variable::Kind::kScalar) {
    variable.kind = Variable::Kind::kIndexed;
    if (variable.is_set) variable.element(0) = std::exchange(variable.scalar, Value());
  }
  if (attributes.integer) variable.integer = true;
  if (attributes.clears_integer) variable.integer = false;
  if (attributes.lower_case) {
    variable.lower_case = true;
    variable.upper_case = false;
  }
  if (attributes.upper_case) {
    variable.upper_case = true;
    variable.lower_case = false;
  }
  if (attributes.exported) variable.exported = true;
  if (attributes.removes_export) variable.exported = false;
}

/// One name of a declaration, with its value if it has one.
struct Declared {
  std::string name;
  const ExpandedAssignment* assignment = nullptr;
  std::optional<Value> text_value;  // from a word such as "$name=$value" or "X=1" after quotes
  bool appends = false;
};

std::optional<Declared> declared(const Argument& argument) {
  Declared out;
  if (argument.assignment) {
    out.name = argument.assignment->source->name;
    out.assignment = &*argument.assignment;
    return out;
  }
  const Value& value = argument.value();
  if (value.pieces().empty() || !value.pieces().front().known) return std::nullopt;
  std::string buffer;
  const std::string text(value.view(buffer));
  const auto equals = text.find('=');
  out.name = text.substr(0, equals);
  if (equals != std::string::npos) {
    if (out.name.ends_with('+')) {
      out.name.pop_back();
      out.appends = true;
    }
    Value rest = value;
    std::size_t to_drop = equals + 1;
    while (to_drop > 0 && !rest.pieces().empty() && rest.pieces().front().known) {
      Piece& front = rest.pieces().front();
      const std::size_t cut = std::min(to_drop, front.text.get().size());
      front.text.write().erase(0, cut);
      to_drop -= cut;
      if (front.text.empty()) rest.pieces().erase(rest.pieces().begin());
    }
    out.text_value = std::move(rest);
  }
  if (!is_name(out.name)) return std::nullopt;
  return out;
}

bool declare_one(BuiltinCall& call, const Declared& item, const Attributes& attributes,
                 bool is_local) {
  Variables& variables = call.interpreter.variables();
  World& world = call.world;
  const NameId name = call.interpreter.session().names.id(item.name);
  const bool has_value = item.assignment != nullptr || item.text_value.has_value();
  if (attributes.global) {
    // Assignments go to the visible variable, so the global one takes its place for a moment.
    Variable& global = variables.global(world, name);
    if (&global != &world.shell.variables.write(name)) {
      const Shared<Variable> hiding = world.shell.variables.find(name);
      world.shell.variables.replace(name, Shared<Variable>(global));
      Attributes here = attributes;
      here.global = false;
      const bool done = declare_one(call, item, here, false);
      variables.global(world, name) = world.shell.variables.write(name);
      world.shell.variables.replace(name, hiding);
      return done;
    }
  } else if (is_local) {
    variables.make_local(world, name, attributes.inherits);
  }
  if (attributes.reference) {
    Variable& variable = world.shell.variables.write(name);
    variable.reference = true;
    if (item.assignment != nullptr || item.text_value) {
      variable.scalar = item.assignment != nullptr ? item.assignment->scalar : *item.text_value;
      variable.is_set = true;
      if (item.assignment != nullptr) call.interpreter.session().mark_read(item.assignment->reads);
    }
    return true;
  }
  if (attributes.clears_reference) world.shell.variables.write(name).reference = false;
  apply_attributes(variables.writable(world, name), attributes);
  bool done = true;
  if (item.assignment != nullptr) {
    done = call.interpreter.apply_assignment(world, *item.assignment);
  } else if (has_value) {
    done = variables.assign(world, name, *item.text_value, call.span(), item.appends);
  }
  if (attributes.readonly) variables.writable(world, name).readonly = true;
  return done;
}

}  // namespace

Status declare(BuiltinCall& call) {
  const std::string command = call.text(0);
  Attributes attributes;
  std::size_t first = 1;
  for (; first < call.count(); ++first) {
    const Argument& argument = call.invocation.words[first];
    if (argument.assignment || !argument.value().is_known()) break;
    const std::string word = argument.value().text();
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) break;
    if (word == "--") {
      ++first;
      break;
    }
    for (const char letter : std::string_view(word).substr(1)) {
      // "export -n" takes the attribute away, "declare -n" makes a reference.
      if (command == "export" && letter == 'n') {
        attributes.removes_export = true;
      } else {
        read_letter(attributes, letter, word[0] == '-');
      }
    }
  }
  const World& world = call.world;
  const bool in_function =
      world.shell.scopes &&
      std::any_of(world.shell.scopes->begin(), world.shell.scopes->end(),
                  [](const Scope& scope) { return scope.kind == Scope::Kind::kFunction; });
  const bool declares = command == "declare" || command == "typeset" || command == "local";
  if (command == "local" && !in_function) return Status::of(1);
  if (command == "export" && !attributes.removes_export) attributes.exported = true;
  if (command == "readonly") attributes.readonly = true;
  if (attributes.functions) {
    bool all = call.count() > first;
    for (std::size_t i = first; i < call.count(); ++i) {
      const NameId name = call.interpreter.session().names.id(call.text(i));
      const Shared<FunctionBinding>& function = world.shell.functions.find(name);
      all = all && function && function->definition != nullptr;
    }
    return Status::of(all ? 0 : 1);
  }
  if (attributes.prints) {
    call.print(Value::unknown("output of " + command + " -p"));
    bool all = true;
    for (std::size_t i = first; i < call.count(); ++i) {
      Variable scratch;
      all =
          all && call.interpreter.variables().lookup(
                     world, call.interpreter.session().names.id(call.text(i)), scratch) != nullptr;
    }
    return Status::of(all ? 0 : 1);
  }
  Status status = Status::of(0);
  for (std::size_t i = first; i < call.count(); ++i) {
    const std::optional<Declared> item = declared(call.invocation.words[i]);
    if (!item) {
      status = call.invocation.words[i].value().is_known()
                   ? Status::of(1)
                   : Status::unknown(std::string(call.invocation.words[i].value().cause()));
      continue;
    }
    if (!declare_one(call, *item, attributes, declares && in_function)) status = Status::of(1);
  }
  return status;
}

Status unset(BuiltinCall& call) {
  bool functions = false;
  bool variables_only = false;
  std::size_t first = 1;
  for (; first < call.count() && call.text(first).starts_with('-'); ++first) {
    functions = functions || call.text(first) == "-f";
    variables_only = variables_only || call.text(first) == "-v";
  }
  Session& session = call.interpreter.session();
  Variables& variables = call.interpreter.variables();
  for (std::size_t i = first; i < call.count(); ++i) {
    if (!call.value(i).is_known()) continue;
    const std::string word = call.text(i);
    const auto bracket = word.find('[');
    const NameId name = session.names.id(word.substr(0, bracket));
    const Shared<Variable>& found = call.world.shell.variables.find(name);
    const bool has_variable = found && (found->is_set || found->is_array());
    if (functions || (!has_variable && !variables_only && bracket == std::string::npos &&
                      call.world.shell.functions.find(name))) {
      call.world.shell.functions.replace(name, {});
      continue;
    }
    if (found && found->readonly) {
      variables.assign(call.world, name, {}, call.span());
      return Status::of(1);
    }
    if (bracket == std::string::npos) {
      variables.unset(call.world, name);
      continue;
    }
    Word index;
    index.span = call.span();
    index.parts.push_back(
        {Literal{word.substr(bracket + 1, word.size() - bracket - 2)}, call.span(), false});
    const Expander::Subscript at = call.interpreter.expander().subscript(call.world, name, index);
    if (at.failed || !found) continue;
    if (!at.cause.empty()) {
      variables.make_unknown(call.world, name, at.cause, call.span());
    } else if (at.is_key) {
      variables.writable(call.world, name).erase(std::string_view(at.key));
    } else {
      Variable& variable = variables.writable(call.world, name);
      variable.erase(at.index < 0 ? at.index + variable.next_index() : at.index);
    }
  }
  return Status::of(0);
}

Status shift(BuiltinCall& call) {
  const Positional& positional = *call.world.shell.positional;
  std::size_t count = 1;
  if (call.count() > 1) {
    if (!call.value(1).is_known()) return Status::unknown(std::string(call.value(1).cause()));
    const std::string text = call.text(1);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return Status::of(1);
    count = number;
  }
  if (count > positional.values.size()) {
    return positional.uncertain_count.empty() ? Status::of(1)
                                              : Status::unknown(positional.uncertain_count);
  }
  auto& values = call.world.shell.positional.write().values;
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  return Status::of(0);
}

Status set(BuiltinCall& call) {
  std::size_t i = 1;
  bool replaces = false;
  for (; i < call.count(); ++i) {
    if (!call.value(i).is_known()) break;
    const std::string word = call.text(i);
    if (word == "--" || word == "-") {
      ++i;
      replaces = word == "--" || i < call.count();
      break;
    }
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) break;
    const bool value = word[0] == '-';
    for (const char letter : std::string_view(word).substr(1)) {
      if (letter == 'o' && i + 1 < call.count()) {
        if (!set_long_option(call.world.shell.options, call.text(++i), value)) return Status::of(2);
      } else if (letter != 'o' && !set_short_option(call.world.shell.options, letter, value)) {
        return Status::of(2);
      }
    }
  }
  if (i >= call.count() && !replaces) return Status::of(0);
  Positional positional;
  for (; i < call.count(); ++i) {
    const Field& field = call.invocation.words[i].field;
    if (positional.uncertain_count.empty()) positional.uncertain_count = field.uncertain_count;
    positional.values.push_back(field.value);
  }
  call.world.shell.positional = Shared<Positional>(std::move(positional));
  return Status::of(0);
}

Status let(BuiltinCall& call) {
  Status status = Status::of(1);
  for (std::size_t i = 1; i < call.count(); ++i) {
    const ArithmeticResult result =
        call.interpreter.variables().arithmetic(call.world, call.value(i), call.span());
    switch (result.kind) {
      case ArithmeticResult::Kind::kValue:
        status = Status::of(result.value != 0 ? 0 : 1);
        break;
      case ArithmeticResult::Kind::kUnknown:
        status = Status::unknown(result.message);
        break;
      case ArithmeticResult::Kind::kError:
        return Status::of(1);
    }
  }
  return status;
}

}  // namespace recipelint::shell::builtins
