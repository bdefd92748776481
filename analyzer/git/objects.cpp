#include "analyzer/git/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "analyzer/git/inflate.h"

namespace recipelint::git {
namespace {

namespace fs = std::filesystem;

/// As deep as git follows alternates.
constexpr int kDeepestAlternate = 5;
constexpr std::size_t kLongestHeader = 32;
constexpr std::size_t kEnoughToBeAmbiguous = 2;

std::string loose_path(const std::string& folder, const ObjectId& id) {
  const std::string digits = id.hex();
  return fmt::format("{}/{}/{}", folder, digits.substr(0, 2), digits.substr(2));
}

/// The names in a folder, sorted; none if it cannot be listed.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<ObjectType> type_named(std::string_view word) {
  if (word == "commit") return ObjectType::kCommit;
  if (word == "tree") return ObjectType::kTree;
  if (word == "blob") return ObjectType::kBlob;
  if (word == "tag") return ObjectType::kTag;
  return std::nullopt;
}

/// "blob 12\0..." without the header.
std::optional<Object> parse_loose(std::string bytes) {
  const auto end = bytes.find('\0');
  const auto blank = bytes.find(' ');
  if (end == std::string::npos || blank > end) return std::nullopt;
  const auto type = type_named(std::string_view(bytes).substr(0, blank));
  const std::string size = bytes.substr(blank + 1, end - blank - 1);
  if (!type || size != std::to_string(bytes.size() - end - 1)) return std::nullopt;
  return Object{*type, bytes.substr(end + 1)};
}

}  // namespace

Objects::Objects(const std::string& folder, std::size_t id_size) : id_size_(id_size) {
  add_folder(folder, 0);
}

void Objects::add_folder(const std::string& folder, int depth) {
  const bool known = std::find(folders_.begin(), folders_.end(), folder) != folders_.end();
  if (known || depth > kDeepestAlternate) return;
  folders_.push_back(folder);
  const std::string pack_folder = folder + "/pack";
  for (const std::string& name : names_in(pack_folder)) {
    if (!name.ends_with(".idx")) continue;
    auto pack =
        Pack::open(fmt::format("{}/{}", pack_folder, name.substr(0, name.size() - 4)), id_size_);
    if (pack) packs_.push_back(std::move(*pack));
  }
  const auto alternates = read_small_file(folder + "/info/alternates");
  if (!alternates) return;
  for (std::string_view rest = *alternates; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    add_folder(line.front() == '/' ? line : fmt::format("{}/{}", folder, line), depth + 1);
  }
}

std::optional<Object> Objects::read_loose(const ObjectId& id) const {
  for (const std::string& folder : folders_) {
    const auto file = File::open(loose_path(folder, id));
    if (!file) continue;
    auto bytes = inflate_all(**file, kLargestObject + kLongestHeader);
    auto object = bytes ? parse_loose(*std::move(bytes)) : std::nullopt;
    if (object) return object;
  }
  return std::nullopt;
}

text::Result<Object> Objects::read(const ObjectId& id) const {
  for (const std::unique_ptr<Pack>& pack : packs_) {
    const auto offset = pack->find(id);
    auto object = offset ? pack->read(*offset) : std::nullopt;
    if (object) return *std::move(object);
  }
  if (auto object = read_loose(id)) return *std::move(object);
  return text::Error{
      fmt::format("the git object {} is missing or damaged; fetch it (a shallow or partial clone "
                  "does not have all objects)",
                  id.hex()),
      {}};
}

bool Objects::has(const ObjectId& id) const {
  if (std::any_of(packs_.begin(), packs_.end(),
                  [&id](const auto& pack) { return pack->find(id).has_value(); })) {
    return true;
  }
  std::error_code error;
  return std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
    return fs::is_regular_file(loose_path(folder, id), error);
  });
}

std::vector<ObjectId> Objects::with_prefix(std::string_view digits) const {
  std::set<ObjectId> found;
  for (const std::unique_ptr<Pack>& pack : packs_) {
    const auto ids = pack->with_prefix(digits, kEnoughToBeAmbiguous);
    found.insert(ids.begin(), ids.end());
  }
  const std::string first(digits.substr(0, 2));
  for (const std::string& folder : folders_) {
    for (const std::string& name : names_in(fmt::format("{}/{}", folder, first))) {
      const auto id = ObjectId::from_hex(first + name);
      if (id && (first + name).starts_with(digits)) found.insert(*id);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace recipelint::git
