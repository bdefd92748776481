#include "analyzer/shell/externals.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/shell/text_commands/refused_numbers.h"
#include "analyzer/shell/text_commands/text_commands.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {
namespace {

using Model = std::optional<Status> (*)(ExternalCall&);

std::string base_name(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Words of a command apart from its options.
struct Operands {
  std::vector<std::size_t> indices;
  std::string letters;  // of all short options
  bool has_long_options = false;
};

Operands operands_of(const ExternalCall& call) {
  Operands out;
  bool ended = false;
  for (std::size_t i = 1; i < call.argv.size(); ++i) {
    const std::string word = call.argv[i].text();
    if (!ended && word == "--") {
      ended = true;
    } else if (!ended && word.starts_with("--")) {
      out.has_long_options = true;
    } else if (!ended && word.size() > 1 && word[0] == '-') {
      out.letters += word.substr(1);
    } else {
      out.indices.push_back(i);
    }
  }
  return out;
}

std::string path_of(const ExternalCall& call, std::size_t index) {
  return call.interpreter.io().absolute(call.world, call.argv[index].text());
}

void print(ExternalCall& call, Value output) {
  call.interpreter.io().write(call.world, 1, std::move(output), call.span);
}

Value host_fact(const ExternalCall& call, const std::string& cause, Shape shape) {
  Value value = Value::unknown(cause, call.interpreter.session().origin(call.span, cause), shape);
  value.append(Piece{"\n", true, {}, {}});
  return value;
}

std::optional<Status> model_cat(ExternalCall& call) {
  const Operands operands = operands_of(call);
  if (!operands.letters.empty() || operands.has_long_options) return std::nullopt;
  Io& io = call.interpreter.io();
  if (operands.indices.empty()) {
    print(call, io.read_all(call.world, 0));
    return Status::of(0);
  }
  Status status = Status::of(0);
  for (const std::size_t index : operands.indices) {
    if (call.argv[index].text() == "-") {
      print(call, io.read_all(call.world, 0));
      continue;
    }
    std::optional<Value> content = io.read_file(call.world, path_of(call, index));
    if (!content) {
      status = Status::of(1);
    } else {
      if (!content->is_known() && status.known && status.value == 0) {
        status = Status::unknown("whether " + call.argv[index].text() + " exists");
      }
      print(call, *std::move(content));
    }
  }
  return status;
}

std::optional<Status> model_tee(ExternalCall& call) {
  const Operands operands = operands_of(call);
  const bool appends = operands.letters.find('a') != std::string::npos;
  const Value text = call.interpreter.io().read_all(call.world, 0);
  for (const std::size_t index : operands.indices) {
    call.interpreter.io().write_file(call.world, path_of(call, index), text, call.span, appends);
  }
  print(call, text);
  return Status::of(0);
}

std::optional<Status> model_mkdir(ExternalCall& call) {
  const Operands operands = operands_of(call);
  const bool makes_parents = operands.letters.find('p') != std::string::npos;
  Io& io = call.interpreter.io();
  Status status = Status::of(0);
  for (const std::size_t index : operands.indices) {
    const std::string path = path_of(call, index);
    const Io::Entry entry = io.entry(call.world, path);
    if (entry.exists == Answer::kYes) {
      if (!makes_parents || entry.is_file) status = Status::of(1);
      continue;
    }
    io.make_folder(call.world, path, call.span);
    // Outside of the tree it could fail for lack of rights.
    if (!io.tree_path(path)) status = Status::unknown("exit status of mkdir");
  }
  return status;
}

std::optional<Status> model_touch(ExternalCall& call) {
  Io& io = call.interpreter.io();
  for (const std::size_t index : operands_of(call).indices) {
    const std::string path = path_of(call, index);
    if (io.entry(call.world, path).exists == Answer::kYes) continue;
    io.write_file(call.world, path, {}, call.span, true);
  }
  return Status::of(0);
}

std::optional<Status> model_rm(ExternalCall& call) {
  const Operands operands = operands_of(call);
  const bool forced = operands.letters.find('f') != std::string::npos;
  Io& io = call.interpreter.io();
  Status status = Status::of(0);
  for (const std::size_t index : operands.indices) {
    const std::string path = path_of(call, index);
    const Answer exists = io.entry(call.world, path).exists;
    if (!forced && exists == Answer::kNo) status = Status::of(1);
    if (!forced && exists == Answer::kUnknown) status = Status::unknown("exit status of rm");
    io.remove(call.world, path, call.span);
  }
  return status;
}

// cp and mv of one file.
std::optional<Status> model_copy(ExternalCall& call) {
  const Operands operands = operands_of(call);
  if (operands.indices.size() != 2) return std::nullopt;
  Io& io = call.interpreter.io();
  const std::string from = path_of(call, operands.indices[0]);
  std::string to = path_of(call, operands.indices[1]);
  const Io::Entry source = io.entry(call.world, from);
  if (!source.is_file) return std::nullopt;
  if (io.entry(call.world, to).is_folder) to += "/" + base_name(from);
  const std::optional<Value> content = io.read_file(call.world, from);
  if (!content) return std::nullopt;
  io.write_file(call.world, to, *content, call.span, false);
  if (base_name(call.argv[0].text()) == "mv") io.remove(call.world, from, call.span);
  return Status::of(0);
}

std::optional<Status> model_mktemp(ExternalCall& call) {
  std::uint32_t line = 0;
  if (call.span.valid()) line = call.span.file->position(call.span.begin).line;
  // One name for each place, so that what is written to it is found again.
  const std::string cause = "temporary file of line " + std::to_string(line);
  const Operands operands = operands_of(call);
  Value name = Value::of("/tmp/");
  name.append(host_fact(call, cause, Shape::kNotEmpty));
  const std::string path = "/tmp/${" + cause + "}";
  if (operands.letters.find('d') != std::string::npos) {
    call.interpreter.io().make_folder(call.world, path, call.span);
  } else {
    call.interpreter.io().write_file(call.world, path, {}, call.span, false);
  }
  print(call, std::move(name));
  return Status::of(0);
}

std::optional<Status> model_ls(ExternalCall& call) {
  const Operands operands = operands_of(call);
  if (operands.indices.size() > 1 || operands.has_long_options ||
      operands.letters.find_first_not_of("1A") != std::string::npos) {
    return std::nullopt;
  }
  Io& io = call.interpreter.io();
  const std::string path =
      operands.indices.empty() ? *call.world.shell.directory : path_of(call, operands.indices[0]);
  const Io::Entry entry = io.entry(call.world, path);
  if (entry.exists == Answer::kNo) return Status::of(2);
  if (!entry.is_folder) return std::nullopt;
  const auto names = io.list(call.world, path);
  if (!names) return std::nullopt;
  std::string text;
  for (const std::string& name : *names) {
    if (name.starts_with('.') && operands.letters.find('A') == std::string::npos) continue;
    text.append(name).append("\n");
  }
  print(call, Value::of(std::move(text), call.interpreter.session().origin(call.span)));
  return Status::of(0);
}

std::optional<Status> model_realpath(ExternalCall& call) {
  const Operands operands = operands_of(call);
  if (operands.indices.size() != 1 || !call.argv[operands.indices[0]].is_known()) {
    return std::nullopt;
  }
  const bool is_readlink = base_name(call.argv[0].text()) == "readlink";
  if (is_readlink && operands.letters.find_first_of("fem") == std::string::npos) {
    return std::nullopt;
  }
  const std::string path = path_of(call, operands.indices[0]);
  if (!call.interpreter.io().tree_path(path)) return std::nullopt;
  print(call, Value::of(path + "\n", call.argv[operands.indices[0]].origin()));
  return Status::of(0);
}

std::optional<Status> model_printenv(ExternalCall& call) {
  if (call.argv.size() != 2 || !call.argv[1].is_known()) return std::nullopt;
  Session& session = call.interpreter.session();
  const NameId name = session.names.id(call.argv[1].text());
  Variable scratch;
  const Variable* variable = call.interpreter.variables().lookup(call.world, name, scratch);
  if (variable == nullptr || !variable->exported || !variable->is_set) {
    if (variable == nullptr && (session.input.absent == EvaluationInput::Absent::kUnknown ||
                                call.world.shell.unknown_code)) {
      return std::nullopt;
    }
    return Status::of(1);
  }
  session.mark_read(*variable);
  Value value = variable->scalar;
  value.append(Piece{"\n", true, {}, {}});
  print(call, std::move(value));
  return Status::of(0);
}

std::optional<Status> model_which(ExternalCall& call) {
  Invocation invocation;
  invocation.span = call.span;
  for (const Value& value : call.argv) invocation.words.push_back({{value, {}, {}}, std::nullopt});
  const Operands operands = operands_of(call);
  return call.interpreter.locate_command(
      call.world, invocation, operands.indices.empty() ? call.argv.size() : operands.indices[0]);
}

std::optional<Status> model_nothing(ExternalCall&) {
  return Status::of(0);
}

std::optional<Status> model_number(ExternalCall& call) {
  print(call, host_fact(call, "output of " + base_name(call.argv[0].text()), Shape::kNumber));
  return Status::of(0);
}

std::optional<Status> model_text(ExternalCall& call) {
  print(call, host_fact(call, "output of " + base_name(call.argv[0].text()), Shape::kNotEmpty));
  return Status::of(0);
}

struct NamedModel {
  std::string_view name;
  Model run;
};

// Commands on files and facts of the host. Adding a model is one entry.
constexpr std::array<NamedModel, 27> kModels = {{
    {"arch", model_text},         {"cat", model_cat},
    {"chmod", model_nothing},     {"chown", model_nothing},
    {"clear", model_nothing},     {"cp", model_copy},
    {"date", model_text},         {"hostname", model_text},
    {"id", model_text},           {"ls", model_ls},
    {"mkdir", model_mkdir},       {"mktemp", model_mktemp},
    {"mv", model_copy},           {"nproc", model_number},
    {"printenv", model_printenv}, {"readlink", model_realpath},
    {"realpath", model_realpath}, {"rm", model_rm},
    {"rmdir", model_rm},          {"sleep", model_nothing},
    {"stty", model_nothing},      {"sync", model_nothing},
    {"tee", model_tee},           {"touch", model_touch},
    {"uname", model_text},        {"which", model_which},
    {"whoami", model_text},
}};

constexpr std::array<std::string_view, 18> kCommonCommands = {
    "bash", "chgrp", "cmp", "comm", "df", "diff", "du",  "env",  "find",
    "kill", "ln",    "ps",  "shuf", "sh", "stat", "tar", "test", "timeout"};

const NamedModel* find_model(std::string_view name) {
  const auto* found = std::find_if(kModels.begin(), kModels.end(),
                                   [&](const NamedModel& m) { return m.name == name; });
  return found != kModels.end() ? found : nullptr;
}

// sed -i and its kin: the files they name are no longer what they were.
bool edits_in_place(const ExternalCall& call, const std::string& name) {
  if (name != "sed" && name != "perl" && name != "yq" && name != "ruby") return false;
  return std::any_of(call.argv.begin() + 1, call.argv.end(), [](const Value& word) {
    const std::string text = word.text();
    return text.starts_with("-i") || text.starts_with("--in-place") || text.starts_with("-pi");
  });
}

std::optional<Status> model_edit(ExternalCall& call, const std::string& name) {
  Io& io = call.interpreter.io();
  std::vector<std::string> arguments;
  std::vector<std::string> files;
  bool known = name == "sed";
  for (std::size_t i = 1; i < call.argv.size(); ++i) {
    const std::string text = call.argv[i].text();
    const std::string path = io.absolute(call.world, text);
    if (call.world.files && call.world.files->contains(path)) {
      files.push_back(path);
    } else if (text != "-i" && text != "--in-place") {
      arguments.push_back(text);
    }
    known = known && call.argv[i].is_known();
  }
  if (files.empty()) return std::nullopt;
  for (const std::string& path : files) {
    const Value content = io.read_file(call.world, path).value_or(Value());
    Value edited = Value::unknown("file edited by " + name, content.origin());
    if (known && content.is_known()) {
      const std::string text = content.text();
      const auto result = run_text_command(name, arguments, {text, {}});
      if (result) edited = Value::of(result->output, content.origin());
    }
    io.write_file(call.world, path, std::move(edited), call.span, false);
  }
  return Status::of(0);
}

std::optional<Status> model_text_command(ExternalCall& call, const std::string& name) {
  Io& io = call.interpreter.io();
  Session& session = call.interpreter.session();
  std::vector<std::string> arguments;
  text::Origin earlier;
  std::string cause;
  for (std::size_t i = 1; i < call.argv.size(); ++i) {
    const Value& word = call.argv[i];
    if (!word.is_known() && cause.empty()) cause = std::string(word.cause());
    if (word.origin().known() && word.origin().nearest()->earlier != nullptr) {
      earlier = word.origin();
    }
    arguments.push_back(word.text());
  }
  const auto unknown = [&](const std::string& why) {
    if (Io::descriptor(call.world, 1).kind == Descriptor::Kind::kCapture ||
        Io::descriptor(call.world, 1).kind == Descriptor::Kind::kFile) {
      print(call, Value::unknown(why, session.origin(call.span, "output of " + name, earlier)));
    }
    return Status::unknown("exit status of " + name);
  };
  if (!cause.empty()) return unknown(cause);
  const std::string refused = refused_numbers(name, arguments);
  if (!refused.empty()) {
    session.report(call.world, DiagnosticKind::kArithmetic, call.span, refused);
    return Status::of(1);
  }
  const Descriptor source = Io::descriptor(call.world, 0);
  const Value input =
      source.kind == Descriptor::Kind::kInput ? io.read_all(call.world, 0) : Value();
  const bool input_known = source.kind != Descriptor::Kind::kTerminal &&
                           source.kind != Descriptor::Kind::kHost && input.is_known();
  if (!earlier.known()) earlier = input.origin();
  std::string buffer;
  TextCommandInput in;
  if (input_known) in.standard_input = input.view(buffer);
  in.read_file = [&](std::string_view path) -> std::optional<std::string> {
    const auto content = io.read_file(call.world, io.absolute(call.world, path));
    if (!content || !content->is_known()) return std::nullopt;
    return content->text();
  };
  const auto result = run_text_command(name, arguments, in);
  if (!result) {
    return unknown(input.is_known() ? "output of " + name : std::string(input.cause()));
  }
  print(call, Value::of(result->output, session.origin(call.span, "output of " + name, earlier)));
  return Status::of(result->status);
}

}  // namespace

std::optional<Status> run_modelled(ExternalCall& call) {
  if (!call.argv.front().is_known()) return std::nullopt;
  const std::string name = base_name(call.argv.front().text());
  if (edits_in_place(call, name)) return model_edit(call, name);
  if (const NamedModel* model = find_model(name)) return model->run(call);
  if (is_text_command(name)) return model_text_command(call, name);
  return std::nullopt;
}

bool is_on_every_host(std::string_view name) {
  return find_model(name) != nullptr || is_text_command(name) ||
         std::find(kCommonCommands.begin(), kCommonCommands.end(), name) != kCommonCommands.end();
}

}  // namespace recipelint::shell
