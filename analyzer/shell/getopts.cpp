#include <charconv>
#include <utility>

#include "analyzer/shell/builtins_impl.h"

namespace recipelint::shell::builtins {
namespace {

/// What one call of getopts finds.
struct Found {
  std::string name = "?";
  std::optional<Value> argument;
  bool ended = false;
};

std::size_t option_index(BuiltinCall& call) {
  const Value value =
      call.interpreter.variables().scalar(call.world, kOptionIndex).value_or(Value::of("1"));
  const std::string text = value.text();
  std::size_t index = 1;
  std::from_chars(text.data(), text.data() + text.size(), index);
  return index == 0 ? 1 : index;
}

// The option at the current place; moves `index` and the offset in the word on.
Found next_option(std::string_view options, const std::vector<Value>& arguments, std::size_t& index,
                  std::uint32_t& offset) {
  Found found;
  const bool silent = options.starts_with(':');
  if (index > arguments.size()) {
    found.ended = true;
    return found;
  }
  const std::string word = arguments[index - 1].text();
  if (offset == 0) {
    if (word.size() < 2 || word[0] != '-' || word == "--") {
      if (word == "--") ++index;
      found.ended = true;
      return found;
    }
    offset = 1;
  }
  const char letter = word[offset++];
  const auto place = letter == ':' ? std::string_view::npos : options.find(letter);
  const bool at_end = offset >= word.size();
  const bool takes =
      place != std::string_view::npos && place + 1 < options.size() && options[place + 1] == ':';
  if (place == std::string_view::npos) {
    if (silent) found.argument = Value::of(std::string(1, letter));
  } else if (!takes) {
    found.name = std::string(1, letter);
  } else if (!at_end) {
    found.name = std::string(1, letter);
    found.argument = arguments[index - 1].is_known()
                         ? arguments[index - 1].slice(offset, word.size())
                         : Value::of(word.substr(offset));
  } else if (index < arguments.size()) {
    found.name = std::string(1, letter);
    found.argument = arguments[index];
    ++index;
  } else {
    found.name = silent ? ":" : "?";
    if (silent) found.argument = Value::of(std::string(1, letter));
  }
  if (at_end || takes) {
    ++index;
    offset = 0;
  }
  return found;
}

}  // namespace

Status getopts(BuiltinCall& call) {
  if (call.count() < 3) return Status::of(2);
  World& world = call.world;
  Variables& variables = call.interpreter.variables();
  Session& session = call.interpreter.session();
  std::vector<Value> arguments = world.shell.positional->values;
  if (call.count() > 3) {
    arguments.clear();
    for (std::size_t i = 3; i < call.count(); ++i) arguments.push_back(call.value(i));
  }
  std::size_t index = option_index(call);
  if (index != world.shell.option_word) world.shell.option_offset = 0;
  const Found found = next_option(call.text(1), arguments, index, world.shell.option_offset);
  world.shell.option_word = static_cast<std::uint32_t>(index);
  variables.assign(world, session.names.id(call.text(2)), Value::of(found.name), call.span());
  variables.assign(world, kOptionIndex, Value::of(std::to_string(index)), call.span());
  const NameId argument = session.names.id("OPTARG");
  if (found.argument) {
    variables.assign(world, argument, *found.argument, call.span());
  } else {
    variables.unset(world, argument);
  }
  return Status::of(found.ended ? 1 : 0);
}

}  // namespace recipelint::shell::builtins
