#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/session.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

/// Files and descriptors of a world: those it wrote, those of the tree, and the rest of the host,
/// about which nothing is known.
class Io {
 public:
  explicit Io(Session& session) : session_(session) {}

  /// `path` as seen from the working directory, without ".", ".." and double slashes.
  std::string absolute(const World& world, std::string_view path) const;
  /// Where an absolute path lies in the tree, if a mount covers it.
  std::optional<std::string> tree_path(std::string_view absolute_path) const;

  struct Entry {
    Answer exists = Answer::kUnknown;
    bool is_file = false;
    bool is_folder = false;
  };
  /// What is at an absolute path.
  Entry entry(const World& world, const std::string& absolute_path) const;
  /// The content of the file at an absolute path; nullopt if there is certainly none.
  std::optional<Value> read_file(const World& world, const std::string& absolute_path);
  /// Names in a folder, sorted; nullopt if they are not known.
  std::optional<std::vector<std::string>> list(const World& world,
                                               const std::string& absolute_path) const;

  void write_file(World& world, const std::string& absolute_path, Value content, text::Span writer,
                  bool appends);
  void make_folder(World& world, const std::string& absolute_path, text::Span writer);
  void remove(World& world, const std::string& absolute_path, text::Span writer);

  /// The files behind <(...): names that no script can write to by accident.
  static constexpr const char* kProcessFilePrefix = "/dev/fd/recipelint-";
  void remove_process_files(World& world);

  /// Writes to a descriptor.
  void write(World& world, int descriptor, Value text, text::Span writer);
  static Descriptor descriptor(const World& world, int number);
  static void set_descriptor(World& world, int number, Descriptor descriptor);

  /// A new buffer; output with a descriptor of kind kCapture and this index goes there.
  static std::uint32_t open_capture(World& world);
  /// Takes what was written to the buffer opened last.
  static Value close_capture(World& world);
  static Descriptor open_input(World& world, Value text);
  static std::size_t input_count(const World& world) {
    return world.inputs ? world.inputs->size() : 0;
  }
  /// Forgets all sources but the first `count`.
  static void close_inputs(World& world, std::size_t count);

  /// All that is left to read.
  Value read_all(World& world, int descriptor);
  struct Line {
    Value text;
    /// The delimiter was found; without it the text is what was left at the end.
    bool complete = false;
    /// Only the host knows whether there is a line, and what it says.
    bool unknown = false;
  };
  Line read_line(World& world, int descriptor, char delimiter);

 private:
  Session& session_;
};

/// An absolute path without ".", ".." and double slashes.
std::string clean_path(std::string_view absolute_path);

}  // namespace recipelint::shell
