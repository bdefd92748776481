#include "analyzer/shell/io.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/shell/witness.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {
namespace {

bool is_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string host_cause(const std::string& path) {
  return "file " + path + " of the host";
}

/// The name of the first part of a path that the tree does not have: who makes it may make all of
/// the path.
std::string_view first_missing(std::string_view path, const text::FileTree& tree) {
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (tree.kind(path.substr(0, end)) == text::EntryKind::kMissing) {
      return path.substr(begin, end - begin);
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::string clean_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string out;
  for (const std::string_view part : parts) out.append("/").append(part);
  return out.empty() ? "/" : out;
}

std::string Io::absolute(const World& world, std::string_view path) const {
  if (path.starts_with('/')) return clean_path(path);
  return clean_path(*world.shell.directory + "/" + std::string(path));
}

std::optional<std::string> Io::tree_path(std::string_view absolute_path) const {
  const Mount* best = nullptr;
  for (const Mount& mount : session_.input.mounts) {
    if (is_below(absolute_path, mount.path) &&
        (best == nullptr || mount.path.size() > best->path.size())) {
      best = &mount;
    }
  }
  if (best == nullptr) return std::nullopt;
  std::string_view rest = absolute_path;
  if (best->path != "/") rest.remove_prefix(best->path.size());
  while (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.empty()) return best->folder;
  return text::join_path(best->folder, rest);
}

Io::Entry Io::entry(const World& world, const std::string& path) const {
  if (world.files) {
    if (const auto found = world.files->find(path); found != world.files->end()) {
      const VirtualFile::Kind kind = found->second->kind;
      if (kind == VirtualFile::Kind::kRemoved) return {Answer::kNo, false, false};
      return {Answer::kYes, kind == VirtualFile::Kind::kFile, kind == VirtualFile::Kind::kFolder};
    }
    // A file in it shows that a folder exists.
    const std::string prefix = path == "/" ? path : path + "/";
    for (auto below = world.files->lower_bound(prefix);
         below != world.files->end() && below->first.starts_with(prefix); ++below) {
      if (below->second->kind != VirtualFile::Kind::kRemoved) return {Answer::kYes, false, true};
    }
  }
  if (path == "/dev/null") return {Answer::kYes, false, false};
  const std::optional<std::string> inside = tree_path(path);
  if (!inside) return {};
  switch (session_.input.scripts->tree().kind(*inside)) {
    case text::EntryKind::kFile:
      return {Answer::kYes, true, false};
    case text::EntryKind::kFolder:
      return {Answer::kYes, false, true};
    case text::EntryKind::kMissing:
      if (session_.may_have_made(first_missing(*inside, session_.input.scripts->tree()))) return {};
      return {Answer::kNo, false, false};
    case text::EntryKind::kSpecial:
    case text::EntryKind::kOutside:
    case text::EntryKind::kUnreadable:
      break;
  }
  return {};
}

std::optional<Value> Io::read_file(const World& world, const std::string& path) {
  if (world.files) {
    if (const auto found = world.files->find(path); found != world.files->end()) {
      if (found->second->kind != VirtualFile::Kind::kFile) return std::nullopt;
      session_.charge_bytes(found->second->content.size());
      return found->second->content;
    }
  }
  if (path == "/dev/null") return Value();
  const std::optional<std::string> inside = tree_path(path);
  if (!inside) return Value::unknown(host_cause(path));
  const text::EntryKind kind = session_.input.scripts->tree().kind(*inside);
  if (kind != text::EntryKind::kFile && kind != text::EntryKind::kUnreadable) return std::nullopt;
  const auto file = session_.load_file(*inside);
  if (!file) return Value::unknown(file.error().message);
  session_.charge_bytes((*file)->bytes().size());
  return Value::of(std::string((*file)->bytes()),
                   session_.origin((*file)->whole(), "content of this file"));
}

std::optional<std::vector<std::string>> Io::list(const World& world,
                                                 const std::string& path) const {
  const std::optional<std::string> inside = tree_path(path);
  const std::string prefix = path == "/" ? path : path + "/";
  std::set<std::string> names;
  bool known = inside.has_value();
  if (inside) {
    for (const text::FolderEntry& entry : session_.input.scripts->tree().list(*inside)) {
      names.insert(entry.name);
    }
  }
  if (world.files) {
    if (const auto self = world.files->find(path); self != world.files->end()) {
      known = known || self->second->kind == VirtualFile::Kind::kFolder;
    }
    for (auto below = world.files->lower_bound(prefix);
         below != world.files->end() && below->first.starts_with(prefix); ++below) {
      const std::string rest = below->first.substr(prefix.size());
      const auto slash = rest.find('/');
      if (below->second->kind == VirtualFile::Kind::kRemoved) {
        if (slash == std::string::npos) names.erase(rest);
      } else {
        names.insert(rest.substr(0, slash));
      }
    }
  }
  if (!known) return std::nullopt;
  return std::vector<std::string>(names.begin(), names.end());
}

void Io::write_file(World& world, const std::string& path, Value content, text::Span writer,
                    bool appends) {
  session_.charge_bytes(content.size());
  if (appends) {
    const auto found = world.files ? world.files->find(path) : VirtualFiles::const_iterator();
    if (!world.files || found == world.files->end()) {
      // What the file had before belongs to it.
      Value before = read_file(world, path).value_or(Value());
      before.append(std::move(content));
      content = std::move(before);
    } else if (found->second->kind == VirtualFile::Kind::kFile) {
      VirtualFile& file = world.files.write().find(path)->second.write();
      file.content.append(std::move(content));
      file.writer = writer;
      return;
    }
  }
  VirtualFile file{VirtualFile::Kind::kFile, std::move(content), writer};
  world.files.write().insert_or_assign(path, Shared<VirtualFile>(std::move(file)));
}

void Io::make_folder(World& world, const std::string& path, text::Span writer) {
  VirtualFile folder{VirtualFile::Kind::kFolder, {}, writer};
  world.files.write().insert_or_assign(path, Shared<VirtualFile>(std::move(folder)));
}

void Io::remove(World& world, const std::string& path, text::Span writer) {
  VirtualFiles& files = world.files.write();
  const std::string prefix = path + "/";
  for (auto below = files.lower_bound(prefix);
       below != files.end() && below->first.starts_with(prefix);) {
    below = files.erase(below);
  }
  VirtualFile removed{VirtualFile::Kind::kRemoved, {}, writer};
  files.insert_or_assign(path, Shared<VirtualFile>(std::move(removed)));
}

void Io::remove_process_files(World& world) {
  if (!world.files) return;
  const auto is_process_file = [](const auto& entry) {
    return entry.first.starts_with(kProcessFilePrefix);
  };
  if (std::any_of(world.files->begin(), world.files->end(), is_process_file)) {
    std::erase_if(world.files.write(), is_process_file);
  }
}

Descriptor Io::descriptor(const World& world, int number) {
  if (world.shell.descriptors) {
    const auto found = world.shell.descriptors->find(number);
    if (found != world.shell.descriptors->end()) return found->second;
  }
  Descriptor out;
  out.kind = number >= 0 && number <= 2 ? Descriptor::Kind::kTerminal : Descriptor::Kind::kClosed;
  return out;
}

void Io::set_descriptor(World& world, int number, Descriptor descriptor) {
  world.shell.descriptors.write()[number] = std::move(descriptor);
}

void Io::write(World& world, int number, Value text, text::Span writer) {
  if (text.empty()) return;
  const Descriptor target = descriptor(world, number);
  switch (target.kind) {
    case Descriptor::Kind::kCapture:
      session_.charge_bytes(text.size());
      world.captures.write()[target.index].write().append(std::move(text));
      return;
    case Descriptor::Kind::kFile:
      write_file(world, target.path, std::move(text), writer, true);
      return;
    case Descriptor::Kind::kTerminal:
      world.printed = Shared<Value>(std::move(text));
      return;
    default:
      return;
  }
}

std::uint32_t Io::open_capture(World& world) {
  auto& captures = world.captures.write();
  captures.emplace_back(Value());
  return static_cast<std::uint32_t>(captures.size() - 1);
}

Value Io::close_capture(World& world) {
  auto& captures = world.captures.write();
  Value text = std::move(captures.back().write());
  captures.pop_back();
  return text;
}

Descriptor Io::open_input(World& world, Value text) {
  auto& inputs = world.inputs.write();
  inputs.push_back({std::move(text), 0, 0});
  Descriptor out;
  out.kind = Descriptor::Kind::kInput;
  out.index = static_cast<std::uint32_t>(inputs.size() - 1);
  return out;
}

void Io::close_inputs(World& world, std::size_t count) {
  if (input_count(world) > count) world.inputs.write().resize(count);
}

Value Io::read_all(World& world, int number) {
  const Descriptor source = descriptor(world, number);
  switch (source.kind) {
    case Descriptor::Kind::kInput: {
      InputSource& input = world.inputs.write()[source.index];
      Value rest;
      for (; input.piece < input.text.pieces().size(); ++input.piece, input.offset = 0) {
        Piece piece = input.text.pieces()[input.piece];
        if (piece.known && input.offset != 0) piece.text.write().erase(0, input.offset);
        rest.append(std::move(piece));
      }
      session_.charge_bytes(rest.size());
      return rest;
    }
    case Descriptor::Kind::kTerminal:
      return Value::unknown("standard input");
    case Descriptor::Kind::kHost:
      return Value::unknown(source.path);
    default:
      return {};
  }
}

Io::Line Io::read_line(World& world, int number, char delimiter) {
  const Descriptor source = descriptor(world, number);
  if (source.kind != Descriptor::Kind::kInput) {
    Line line;
    line.text = read_all(world, number);
    line.unknown = !line.text.empty();
    return line;
  }
  InputSource& input = world.inputs.write()[source.index];
  Line line;
  while (input.piece < input.text.pieces().size()) {
    const Piece& piece = input.text.pieces()[input.piece];
    if (!piece.known) {
      // How many lines this is cannot be said: it counts as one, and as the last.
      line.text.append(piece);
      line.unknown = true;
      ++input.piece;
      input.offset = 0;
      continue;
    }
    if (piece.text.parameter() != 0 && input.offset == 0 &&
        kParameterAlphabet.find(delimiter) == std::string_view::npos) {
      line.text.append(piece);
      ++input.piece;
      continue;
    }
    const std::string& text = piece.text.get();
    const auto end = text.find(delimiter, input.offset);
    const std::size_t stop = end == std::string::npos ? text.size() : end;
    line.text.append(Piece{text.substr(input.offset, stop - input.offset), true, piece.origin, {}});
    if (end != std::string::npos) {
      input.offset = end + 1;
      line.complete = true;
      break;
    }
    ++input.piece;
    input.offset = 0;
  }
  session_.charge_bytes(line.text.size());
  return line;
}

}  // namespace recipelint::shell
