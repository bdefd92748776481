#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analyzer/shell/builtins_impl.h"
#include "analyzer/shell/conditions.h"
#include "analyzer/shell/externals.h"
#include "analyzer/shell/options.h"

namespace recipelint::shell::builtins {
namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The status that exit and return give: their argument, or that of the last command.
Status given_status(BuiltinCall& call) {
  if (call.count() < 2) return call.world.status;
  const Value& value = call.value(1);
  if (!value.is_known()) return Status::unknown(std::string(value.cause()));
  const auto number = integer(value.text());
  return Status::of(number ? static_cast<int>(*number & 0xff) : 2);
}

std::string signal_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  if (name.starts_with("SIG")) name.erase(0, 3);
  return name == "0" ? "EXIT" : name;
}

Status move_to(BuiltinCall& call, const std::string& path) {
  World& world = call.world;
  const std::string absolute = call.interpreter.io().absolute(world, path);
  const Io::Entry entry = call.interpreter.io().entry(world, absolute);
  if (entry.exists == Answer::kNo || (entry.exists == Answer::kYes && !entry.is_folder)) {
    return Status::of(1);
  }
  world.shell.previous_directory = world.shell.directory;
  world.shell.directory = Shared<std::string>(absolute);
  // A folder of the host is taken to exist: whether it does is another matter than where it is.
  return entry.exists == Answer::kYes ? Status::of(0)
                                      : Status::unknown("whether " + path + " exists");
}

}  // namespace

Status succeed(BuiltinCall&) {
  return Status::of(0);
}

Status fail(BuiltinCall&) {
  return Status::of(1);
}

Status exit(BuiltinCall& call) {
  Status status = given_status(call);
  call.world.status = status;
  call.world.flow = Flow::kExit;
  call.world.exit_span = call.span();
  if (status.is_failure()) call.interpreter.note_refusal(call.world, call.span());
  return status;
}

Status leave_function(BuiltinCall& call) {
  const auto& frames = *call.world.shell.frames;
  if (frames.size() < 2) return Status::of(2);
  Status status = given_status(call);
  call.world.status = status;
  call.world.flow = Flow::kReturn;
  if (status.is_failure()) call.interpreter.note_refusal(call.world, call.span());
  return status;
}

Status leave_loop(BuiltinCall& call) {
  const int depth = call.interpreter.loop_depth();
  if (depth == 0) return Status::of(0);
  int levels = 1;
  if (call.count() > 1) {
    const auto number = integer(call.text(1));
    if (!number || *number < 1) return Status::of(1);
    levels = static_cast<int>(std::min<std::int64_t>(*number, depth));
  }
  call.world.status = Status::of(0);
  call.world.flow = call.text(0) == "break" ? Flow::kBreak : Flow::kContinue;
  call.world.flow_levels = levels;
  return Status::of(0);
}

Status test(BuiltinCall& call) {
  std::vector<Value> words = call.invocation.values();
  const bool bracket = words.front().text() == "[";
  words.erase(words.begin());
  if (bracket) {
    if (words.empty() || !words.back().is_known() || words.back().text() != "]") {
      return Status::of(2);
    }
    words.pop_back();
  }
  // A word that may be several, or none, changes what is tested.
  for (const Argument& word : call.invocation.words) {
    if (!word.field.uncertain_count.empty()) return Status::unknown(word.field.uncertain_count);
  }
  return to_status(evaluate_test(call.interpreter, call.world, words, call.span()), 2);
}

Status trap(BuiltinCall& call) {
  std::size_t first = 1;
  if (call.count() > 1 && call.text(1) == "--") ++first;
  if (call.count() <= first || call.text(first) == "-p" || call.text(first) == "-l") {
    return Status::of(0);
  }
  auto& traps = call.world.shell.traps.write();
  if (call.count() == first + 1) {
    traps.erase(signal_name(call.text(first)));
    return Status::of(0);
  }
  for (std::size_t i = first + 1; i < call.count(); ++i) {
    const std::string name = signal_name(call.text(i));
    if (call.text(first) == "-") {
      traps.erase(name);
    } else {
      traps[name] = call.value(first);
    }
  }
  return Status::of(0);
}

Status change_directory(BuiltinCall& call) {
  std::size_t first = 1;
  while (first < call.count()) {
    const std::string option = call.text(first);
    if (option.size() < 2 || option[0] != '-') break;
    ++first;
    if (option == "--") break;
  }
  Value target;
  if (first >= call.count()) {
    target = call.interpreter.variables()
                 .scalar(call.world, kHome)
                 .value_or(Value::unknown("home directory"));
  } else {
    target = call.value(first);
  }
  if (!target.is_known()) {
    // Paths from here on lie somewhere on the host.
    call.world.shell.previous_directory = call.world.shell.directory;
    call.world.shell.directory = Shared<std::string>("/" + target.text());
    return Status::unknown("whether " + target.text() + " exists");
  }
  const std::string path = target.text();
  if (path == "-") {
    if (!call.world.shell.previous_directory) return Status::of(1);
    const std::string previous = *call.world.shell.previous_directory;
    call.print(Value::of(previous + "\n"));
    return move_to(call, previous);
  }
  return path.empty() ? Status::of(0) : move_to(call, path);
}

Status print_directory(BuiltinCall& call) {
  const text::Origin origin = call.interpreter.session().origin(call.span());
  call.print(Value::of(*call.world.shell.directory + "\n", origin));
  return Status::of(0);
}

// The stack of directories is kept as the directory before, which covers pushd X ... popd.
Status push_directory(BuiltinCall& call) {
  if (call.text(0) == "popd") {
    if (!call.world.shell.previous_directory) return Status::of(1);
    return move_to(call, *call.world.shell.previous_directory);
  }
  if (call.count() < 2 || !call.value(1).is_known()) return Status::unknown("directory stack");
  return move_to(call, call.text(1));
}

Status shell_options(BuiltinCall& call) {
  bool value = true;
  bool changes = false;
  bool long_options = false;
  bool known = true;
  Status status = Status::of(0);
  for (std::size_t i = 1; i < call.count(); ++i) {
    const std::string word = call.text(i);
    if (word.starts_with('-')) {
      changes = changes || word.find_first_of("su") != std::string::npos;
      if (word.find('u') != std::string::npos) value = false;
      if (word.find('o') != std::string::npos) long_options = true;
      continue;
    }
    Options& options = call.world.shell.options;
    if (changes) {
      known = long_options ? set_long_option(options, word, value)
                           : set_shell_option(options, word, value);
      if (!known) status = Status::of(1);
    } else {
      status = Status::of(option_value(options, word).value_or(false) ? 0 : 1);
    }
  }
  return status;
}

Status type(BuiltinCall& call) {
  std::size_t first = 1;
  while (first < call.count() && call.text(first).starts_with('-')) ++first;
  return call.interpreter.locate_command(call.world, call.invocation, first);
}

// What only the host can answer: processes, limits, jobs.
Status of_the_host(BuiltinCall& call) {
  const std::string name = call.text(0);
  if (name == "wait" && call.count() == 1) return Status::of(0);
  if (name == "hash" || name == "umask" || name == "ulimit") {
    if (Io::descriptor(call.world, 1).kind == Descriptor::Kind::kCapture) {
      call.print(Value::unknown("output of " + name));
    }
    return Status::of(0);
  }
  if (Io::descriptor(call.world, 1).kind == Descriptor::Kind::kCapture) {
    call.print(Value::unknown("output of " + name));
  }
  return Status::unknown("exit status of " + name);
}

}  // namespace recipelint::shell::builtins
