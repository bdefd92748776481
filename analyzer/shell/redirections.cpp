#include <charconv>
#include <utility>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {
namespace {

constexpr int kFirstFreeDescriptor = 10;

bool writes(Redirection::Kind kind) {
  switch (kind) {
    case Redirection::Kind::kWrite:
    case Redirection::Kind::kAppend:
    case Redirection::Kind::kWriteBoth:
    case Redirection::Kind::kAppendBoth:
    case Redirection::Kind::kDuplicateOut:
      return true;
    default:
      return false;
  }
}

std::optional<int> descriptor_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

int first_free(const World& world) {
  int number = kFirstFreeDescriptor;
  while (world.shell.descriptors && world.shell.descriptors->contains(number)) ++number;
  return number;
}

}  // namespace

bool Interpreter::apply_redirections(World& world, const std::vector<Redirection>& redirections) {
  for (const Redirection& redirection : redirections) {
    if (!apply_redirection(world, redirection) || !world.is_running()) return false;
  }
  return true;
}

bool Interpreter::apply_redirection(World& world, const Redirection& redirection) {
  using Kind = Redirection::Kind;
  int number = redirection.descriptor.value_or(writes(redirection.kind) ? 1 : 0);
  if (!redirection.descriptor_variable.empty()) {
    number = first_free(world);
    variables_.assign(world, session_.names.id(redirection.descriptor_variable),
                      Value::of(std::to_string(number)), redirection.span);
  }
  if (redirection.kind == Kind::kHereDocument || redirection.kind == Kind::kHereString) {
    Value text = expander_.text(world, redirection.target);
    if (!world.is_running()) return false;
    if (redirection.kind == Kind::kHereString) text.append(Piece{"\n", true, {}, {}});
    Io::set_descriptor(world, number, Io::open_input(world, std::move(text)));
    return true;
  }
  const Value target = expander_.text(world, redirection.target);
  if (!world.is_running()) return false;
  if (redirection.kind == Kind::kDuplicateIn || redirection.kind == Kind::kDuplicateOut) {
    return duplicate_descriptor(world, number, target);
  }
  return open_file(world, number, target, redirection);
}

bool Interpreter::duplicate_descriptor(World& world, int number, const Value& target) {
  std::string buffer;
  std::string_view text = target.view(buffer);
  Descriptor copy;
  if (!target.is_known()) {
    copy.kind = Descriptor::Kind::kHost;
    copy.path = std::string(target.cause());
    Io::set_descriptor(world, number, copy);
    return true;
  }
  if (text == "-") {
    copy.kind = Descriptor::Kind::kClosed;
    Io::set_descriptor(world, number, copy);
    return true;
  }
  const bool moves = text.ends_with('-');
  if (moves) text.remove_suffix(1);
  const std::optional<int> source = descriptor_number(text);
  if (!source) return false;
  copy = Io::descriptor(world, *source);
  if (copy.kind == Descriptor::Kind::kClosed) return false;
  Io::set_descriptor(world, number, std::move(copy));
  if (moves) {
    Descriptor closed;
    closed.kind = Descriptor::Kind::kClosed;
    Io::set_descriptor(world, *source, closed);
  }
  return true;
}

bool Interpreter::open_file(World& world, int number, const Value& target,
                            const Redirection& redirection) {
  using Kind = Redirection::Kind;
  Descriptor opened;
  if (!target.is_known()) {
    opened.kind = Descriptor::Kind::kHost;
    opened.path = std::string(target.cause());
  } else if (const std::string path = io_.absolute(world, target.text()); path == "/dev/null") {
    opened.kind = Descriptor::Kind::kNull;
  } else if (path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr") {
    opened = Io::descriptor(world, path == "/dev/stdin" ? 0 : path == "/dev/stdout" ? 1 : 2);
  } else if (path.starts_with("/dev/") && !path.starts_with(Io::kProcessFilePrefix)) {
    opened.kind = Descriptor::Kind::kHost;
    opened.path = "device " + path;
  } else if (redirection.kind == Kind::kRead) {
    std::optional<Value> content = io_.read_file(world, path);
    if (!content) return false;
    opened = Io::open_input(world, *std::move(content));
  } else {
    if (target.empty() || io_.entry(world, path).is_folder) return false;
    const bool appends = redirection.kind == Kind::kAppend || redirection.kind == Kind::kAppendBoth;
    if (!appends && redirection.kind != Kind::kReadWrite) {
      io_.write_file(world, path, {}, redirection.span, false);
    } else if (io_.entry(world, path).exists != Answer::kYes) {
      io_.write_file(world, path, {}, redirection.span, true);
    }
    opened.kind = Descriptor::Kind::kFile;
    opened.path = path;
  }
  Io::set_descriptor(world, number, opened);
  if (redirection.kind == Kind::kWriteBoth || redirection.kind == Kind::kAppendBoth) {
    Io::set_descriptor(world, 2, std::move(opened));
  }
  return true;
}

}  // namespace recipelint::shell
