// A git directory whose every file is made up. The input has one file in each part between lines
// "%"; the first line of a part says what the rest is:
//
//     HEAD, config, packed-refs, alternates   that file
//     idx, pack                               a pack and its index, as they are
//     loose                                   the compressed file of an object, as it is
//     commit, tree, blob, tag                 an object
//     delta                                   one for the object before it, in a pack
//
// The line break at the end of a part does not belong to it.
//
// The name of the n-th object is the byte n, 20 times: reading does not look at more than names.

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/git/git_tree.h"
#include "analyzer/git/pack.h"
#include "analyzer/git/repository.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temporary_folder.h"

namespace recipelint::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostParts = 32;
constexpr std::size_t kMostReads = 200;
constexpr int kDeepest = 8;

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string out(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(out.data()), &size,
             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  out.resize(size);
  return out;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(number >> static_cast<unsigned>(shift) & 0xFFu));
  }
  return bytes;
}

git::ObjectId id_of(std::size_t number) {
  return git::ObjectId::from_bytes(
      std::string(git::ObjectId::kSha1, static_cast<char>(number & 0xFFu)));
}

/// A pack with entries in the order of their names.
class PackWriter {
 public:
  void add(std::size_t number, unsigned type, std::string_view bytes) {
    const auto offset = static_cast<std::uint32_t>(data_.size());
    std::string head(1, static_cast<char>(0x80u | type << 4u | (bytes.size() & 15u)));
    for (std::size_t size = bytes.size() >> 4u;; size >>= 7u) {
      head.push_back(static_cast<char>((size & 0x7Fu) | (size > 0x7Fu ? 0x80u : 0u)));
      if (size <= 0x7Fu) break;
    }
    data_ += head;
    if (type == kReferenceDelta) data_ += id_of(number - 1).bytes();
    data_ += deflated(bytes);
    entries_.emplace_back(number, offset);
  }
  bool empty() const { return entries_.empty(); }
  const std::string& data() const { return data_; }
  std::string index() const {
    std::string out("\377tOc\0\0\0\2", 8);
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const auto upto = std::count_if(entries_.begin(), entries_.end(),
                                      [byte](const auto& entry) { return entry.first <= byte; });
      out += big_endian(static_cast<std::uint32_t>(upto));
    }
    for (const auto& entry : entries_) out += id_of(entry.first).bytes();
    out.append(entries_.size() * 4, '\0');
    for (const auto& entry : entries_) out += big_endian(entry.second);
    return out.append(40, '\0');
  }

  static constexpr unsigned kReferenceDelta = 7;

 private:
  std::string data_ = std::string("PACK\0\0\0\2\0\0\0\1", 12);
  std::vector<std::pair<std::size_t, std::uint32_t>> entries_;
};

void write(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

class GitFolder {
 public:
  explicit GitFolder(const fs::path& root) : git_(root / ".git"), objects_(git_ / "objects") {
    fs::remove_all(git_);
    fs::create_directories(objects_ / "pack");
    write(git_ / "HEAD", id_of(1).hex());
  }

  void add(std::string_view kind, std::string_view bytes) {
    if (kind == "HEAD" || kind == "config" || kind == "packed-refs") {
      write(git_ / kind, bytes);
    } else if (kind == "alternates") {
      write(objects_ / "info" / "alternates", bytes);
    } else if (kind == "idx" || kind == "pack") {
      write(objects_ / "pack" / ("pack-raw." + std::string(kind)), bytes);
    } else if (kind == "loose") {
      write(loose(++count_), bytes);
    } else if (kind == "delta") {
      if (count_ > 0) pack_.add(++count_, PackWriter::kReferenceDelta, bytes);
    } else {
      add_object(kind, bytes);
    }
  }
  void finish() {
    if (pack_.empty()) return;
    write(objects_ / "pack" / "pack-made.idx", pack_.index());
    write(objects_ / "pack" / "pack-made.pack", pack_.data());
  }

 private:
  fs::path loose(std::size_t number) const {
    const std::string digits = id_of(number).hex();
    return objects_ / digits.substr(0, 2) / digits.substr(2);
  }
  /// In the pack, so that a delta can be for it, and every other one as a file of its own.
  void add_object(std::string_view kind, std::string_view bytes) {
    static constexpr std::string_view kTypes[] = {"commit", "tree", "blob", "tag"};
    const auto type = std::find(std::begin(kTypes), std::end(kTypes), kind);
    if (type == std::end(kTypes)) return;
    ++count_;
    if (count_ % 2 == 0) {
      pack_.add(count_, static_cast<unsigned>(type - std::begin(kTypes)) + 1, bytes);
      return;
    }
    const std::string head = std::string(kind) + " " + std::to_string(bytes.size());
    write(loose(count_), deflated(head + '\0' + std::string(bytes)));
  }

  fs::path git_;
  fs::path objects_;
  std::size_t count_ = 0;
  PackWriter pack_;
};

void read_all(const git::GitTree& tree, const std::string& folder, int depth, std::size_t& left) {
  for (const text::FolderEntry& entry : tree.list(folder)) {
    if (left == 0) return;
    --left;
    const std::string path = text::join_path(folder, entry.name);
    demand(entry.name.find('/') == std::string::npos, "a name has no slash");
    static_cast<void>(tree.kind(path));
    static_cast<void>(tree.read(path).ok());
    if (entry.kind == text::EntryKind::kFolder && depth < kDeepest) {
      read_all(tree, path, depth + 1, left);
    }
  }
}

void read_repository(const std::string& folder) {
  const auto repository = git::Repository::find(folder);
  if (!repository) return;
  static_cast<void>(repository->branch());
  static_cast<void>(repository->configured("remote \"origin\"", "url"));
  const auto head = repository->resolve("HEAD");
  for (const char* revision : {"main~2^2", "0303", "v1^{commit}"}) {
    const auto other = repository->resolve(revision);
    if (!other) demand(!other.error().message.empty(), "a failure has a message");
    if (head && other) static_cast<void>(repository->merge_base(*head, *other));
  }
  if (!head) return;
  static_cast<void>(repository->merge_base(*head, id_of(3)));
  const auto tree = git::GitTree::open(*repository, *head, "");
  std::size_t left = kMostReads;
  if (tree) read_all(**tree, "", 0, left);
}

}  // namespace

void git_objects(std::string_view input) {
  static const testing::TemporaryFolder folder;
  GitFolder git(folder.path());
  std::string_view before;
  for (const std::string_view part : parts_of(input, kMostParts)) {
    const auto end = std::min(part.find('\n'), part.size());
    auto bytes = part.substr(std::min(end + 1, part.size()));
    if (bytes.ends_with('\n')) bytes.remove_suffix(1);
    git.add(part.substr(0, end), bytes);
    const auto changed = git::apply_delta(before, bytes);
    demand(!changed || changed->size() <= git::kLargestObject, "an object is not too large");
    before = bytes;
  }
  git.finish();
  read_repository(folder.path().string());
}

}  // namespace recipelint::fuzz
