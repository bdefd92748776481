#include "analyzer/git/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <queue>
#include <system_error>
#include <utility>

namespace recipelint::git {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestReference = 5;
constexpr int kMostPeels = 32;
constexpr std::size_t kFewestDigits = 4;

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// Names that git itself would refuse must not become paths.
bool is_reference_name(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.back() == '/') return false;
  if (name.find("..") != std::string_view::npos || name.find("//") != std::string_view::npos) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\177' && c != '\\' && c != ':' &&
           c != '~' && c != '^' && c != '?' && c != '*' && c != '[';
  });
}

/// HEAD, ORIG_HEAD and the like stand beside the configuration; nothing else there is a reference.
bool may_stand_at_the_top(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

std::string joined(const std::string& folder, std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  return (fs::path(folder) / path).lexically_normal().string();
}

/// The git directory that a ".git" stands for; empty if it is none.
std::string git_folder_of(const std::string& dot_git, const std::string& work_tree) {
  std::error_code error;
  if (fs::is_directory(dot_git, error)) return dot_git;
  const auto file = read_small_file(dot_git);
  constexpr std::string_view kPrefix = "gitdir:";
  if (!file || !file->starts_with(kPrefix)) return {};
  return joined(work_tree, trimmed(std::string_view(*file).substr(kPrefix.size())));
}

std::string text_or_empty(const std::string& path) {
  auto file = read_small_file(path);
  return file ? *std::move(file) : std::string();
}

/// `"a b" # comment` -> `a b`.
std::string configured_text(std::string_view written) {
  std::string value;
  bool quoted = false;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\\' && i + 1 < written.size()) {
      value.push_back(written[++i]);
    } else if (!quoted && (c == '#' || c == ';')) {
      break;
    } else {
      value.push_back(c);
    }
  }
  return std::string(trimmed(value));
}

/// "[Remote "origin"]" -> "remote "origin"".
std::string section_name(std::string_view line) {
  const std::string_view inside = line.substr(1, line.rfind(']') - 1);
  const auto quote = std::min(inside.find('"'), inside.size());
  return lower(inside.substr(0, quote)) + std::string(inside.substr(quote));
}

std::optional<Commit> parse_commit(std::string_view bytes) {
  Commit commit;
  while (!bytes.empty()) {
    std::string_view line = take_line(bytes);
    if (line.empty()) break;
    const auto blank = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, blank);
    const std::string_view value = line.substr(std::min(blank + 1, line.size()));
    if (name == "tree" || name == "parent") {
      const auto id = ObjectId::from_hex(value);
      if (!id) return std::nullopt;
      if (name == "tree") commit.tree = *id;
      if (name == "parent") commit.parents.push_back(*id);
    } else if (name == "committer") {
      const std::string_view after = value.substr(std::min(value.rfind('>') + 1, value.size()));
      const std::string_view digits = trimmed(after);
      std::from_chars(digits.data(), digits.data() + digits.size(), commit.time);
    }
  }
  if (commit.tree.empty()) return std::nullopt;
  return commit;
}

/// What an annotated tag is about.
std::optional<ObjectId> parse_tag(std::string_view bytes) {
  const std::string_view line = take_line(bytes);
  constexpr std::string_view kPrefix = "object ";
  if (!line.starts_with(kPrefix)) return std::nullopt;
  return ObjectId::from_hex(line.substr(kPrefix.size()));
}

text::Error unknown_revision(std::string_view revision) {
  return {fmt::format("no commit is called '{}'; name a branch, tag or commit of this repository "
                      "(in CI, fetch it first)",
                      revision),
          {}};
}

/// The number behind '~' or '^', 1 without one.
std::size_t take_number(std::string_view& text) {
  std::size_t number = 1;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec == std::errc())
    text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return number;
}

}  // namespace

std::optional<std::string> configuration_value(std::string_view text, std::string_view section,
                                               std::string_view key) {
  std::optional<std::string> found;
  std::string current;
  while (!text.empty()) {
    std::string_view line = trimmed(take_line(text));
    if (line.starts_with('[') && line.find(']') != std::string_view::npos) {
      current = section_name(line);
      line = trimmed(line.substr(line.rfind(']') + 1));
    }
    const auto equals = line.find('=');
    if (current != section || equals == std::string_view::npos) continue;
    if (lower(trimmed(line.substr(0, equals))) != key) continue;
    found = configured_text(trimmed(line.substr(equals + 1)));
  }
  return found;
}

text::Result<Repository> Repository::find(const std::string& folder) {
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    const std::string dot_git = (at / ".git").string();
    if (fs::exists(dot_git, error)) {
      Repository repository;
      repository.work_tree_ = at.string();
      repository.git_folder_ = git_folder_of(dot_git, repository.work_tree_);
      if (repository.git_folder_.empty()) {
        return text::Error{fmt::format("'{}' is no git directory", dot_git), {}};
      }
      const std::string common = text_or_empty(repository.git_folder_ + "/commondir");
      repository.common_folder_ =
          common.empty() ? repository.git_folder_ : joined(repository.git_folder_, trimmed(common));
      repository.packed_references_ = text_or_empty(repository.common_folder_ + "/packed-refs");
      repository.configuration_ = text_or_empty(repository.common_folder_ + "/config");
      const auto storage = repository.configured("extensions", "refstorage");
      if (storage && lower(*storage) != "files") {
        return text::Error{
            fmt::format("the references of '{}' are kept as '{}', which recipelint does not read",
                        dot_git, *storage),
            {}};
      }
      const auto format = repository.configured("extensions", "objectformat");
      const bool sha256 = format && lower(*format) == "sha256";
      repository.objects_ = std::make_unique<Objects>(repository.common_folder_ + "/objects",
                                                      sha256 ? ObjectId::kSha256 : ObjectId::kSha1);
      return repository;
    }
    if (at == at.root_path()) break;
  }
  return text::Error{fmt::format("'{}' is in no git repository", folder), {}};
}

std::optional<std::string> Repository::configured(std::string_view section,
                                                  std::string_view key) const {
  return configuration_value(configuration_, section, key);
}

std::string Repository::branch() const {
  const auto head = reference_file("HEAD");
  constexpr std::string_view kPrefix = "ref: refs/heads/";
  if (!head || !head->starts_with(kPrefix)) return {};
  return std::string(trimmed(std::string_view(*head).substr(kPrefix.size())));
}

std::optional<std::string> Repository::reference_file(const std::string& name) const {
  for (const std::string& folder : {git_folder_, common_folder_}) {
    auto file = read_small_file(fmt::format("{}/{}", folder, name));
    if (file) return *std::move(file);
  }
  return std::nullopt;
}

std::optional<ObjectId> Repository::packed_reference(std::string_view name) const {
  for (std::string_view rest = packed_references_; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos || line.substr(blank + 1) != name) continue;
    return ObjectId::from_hex(line.substr(0, blank));
  }
  return std::nullopt;
}

std::optional<ObjectId> Repository::reference(const std::string& name, int depth) const {
  if (depth > kDeepestReference || !is_reference_name(name)) return std::nullopt;
  if (!name.starts_with("refs/") && !may_stand_at_the_top(name)) return std::nullopt;
  const auto file = reference_file(name);
  if (!file) return packed_reference(name);
  constexpr std::string_view kSymbolic = "ref:";
  std::string_view text = *file;
  if (text.starts_with(kSymbolic)) {
    return reference(std::string(trimmed(text.substr(kSymbolic.size()))), depth + 1);
  }
  // FETCH_HEAD says more behind the id.
  const std::string_view line = take_line(text);
  return ObjectId::from_hex(line.substr(0, line.find_first_of(" \t")));
}

std::optional<ObjectId> Repository::named(std::string_view name) const {
  if (name == "@") name = "HEAD";
  for (const char* folder : {"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}) {
    if (auto id = reference(fmt::format("{}{}", folder, name), 0)) return id;
  }
  return reference(fmt::format("refs/remotes/{}/HEAD", name), 0);
}

text::Result<ObjectId> Repository::base_of(std::string_view name) const {
  const std::string digits = lower(name);
  if (const auto id = ObjectId::from_hex(digits)) {
    if (objects_->has(*id)) return *id;
    return unknown_revision(name);
  }
  if (const auto id = named(name)) return *id;
  const bool is_prefix =
      digits.size() >= kFewestDigits && digits.size() < 2 * ObjectId::kSha256 &&
      std::all_of(digits.begin(), digits.end(), [](char c) { return hex_value(c) >= 0; });
  if (!is_prefix) return unknown_revision(name);
  const auto ids = objects_->with_prefix(digits);
  if (ids.empty()) return unknown_revision(name);
  if (ids.size() > 1) {
    return text::Error{fmt::format("'{}' is the start of several objects; write more of it", name),
                       {}};
  }
  return ids.front();
}

text::Result<ObjectId> Repository::peeled(ObjectId id) const {
  for (int i = 0; i < kMostPeels; ++i) {
    const auto object = objects_->read(id);
    if (!object) return object.error();
    if (object->type == ObjectType::kCommit) return id;
    const auto target = object->type == ObjectType::kTag ? parse_tag(object->bytes) : std::nullopt;
    if (!target) break;
    id = *target;
  }
  return text::Error{fmt::format("the git object {} is no commit", id.hex()), {}};
}

/// One of "~N", "^N", "^{...}" from the front of `suffix`.
text::Result<ObjectId> Repository::step(const ObjectId& id, std::string_view& suffix) const {
  const char kind = suffix.front();
  suffix.remove_prefix(1);
  for (const std::string_view type : {"{commit}", "{}"}) {
    if (kind == '^' && suffix.starts_with(type)) {
      suffix.remove_prefix(type.size());
      return id;
    }
  }
  const std::size_t number = take_number(suffix);
  const std::size_t generations = kind == '~' ? number : std::min<std::size_t>(number, 1);
  const std::size_t parent = kind == '~' ? 0 : std::max<std::size_t>(number, 1) - 1;
  ObjectId at = id;
  for (std::size_t i = 0; i < generations; ++i) {
    const auto parsed = commit(at);
    if (!parsed) return parsed.error();
    if (parent >= parsed->parents.size()) {
      return text::Error{
          fmt::format("the commit {} has no such parent; name a later one", at.hex()), {}};
    }
    at = parsed->parents[parent];
  }
  return at;
}

text::Result<ObjectId> Repository::resolve(std::string_view revision) const {
  const auto end = std::min(revision.find_first_of("~^"), revision.size());
  const auto base = base_of(revision.substr(0, end));
  if (!base) return end == revision.size() ? base.error() : unknown_revision(revision);
  auto id = peeled(*base);
  std::string_view suffix = revision.substr(end);
  while (id && !suffix.empty()) {
    if (suffix.front() != '~' && suffix.front() != '^') return unknown_revision(revision);
    id = step(*id, suffix);
  }
  if (!id) return text::Error{fmt::format("'{}': {}", revision, id.error().message), {}};
  const auto last = commit(*id);
  if (!last) return text::Error{fmt::format("'{}': {}", revision, last.error().message), {}};
  return id;
}

text::Result<Commit> Repository::commit(const ObjectId& id) const {
  const auto object = objects_->read(id);
  if (!object) return object.error();
  auto parsed = object->type == ObjectType::kCommit ? parse_commit(object->bytes) : std::nullopt;
  if (!parsed) return text::Error{fmt::format("the git object {} is no commit", id.hex()), {}};
  return *std::move(parsed);
}

// As git does it: commits are visited from the newest on, each handing down from which side it is
// reached; one that is reached from both is a common ancestor, and so are those below it, which are
// of no interest.
std::optional<ObjectId> Repository::merge_base(const ObjectId& a, const ObjectId& b) const {
  enum : unsigned { kFromA = 1, kFromB = 2, kBelow = 4, kBoth = kFromA | kFromB };
  std::map<ObjectId, unsigned> flags;
  struct Visit {
    std::int64_t time = 0;
    ObjectId id;
    bool interesting = false;  // when it was queued
    auto operator<=>(const Visit&) const = default;
  };
  std::priority_queue<Visit> queue;
  std::size_t interesting = 0;
  const auto is_interesting = [](unsigned flag) { return (flag & kBelow) == 0; };
  std::map<ObjectId, Commit> commits;
  const auto reach = [&](const ObjectId& id, unsigned flag) {
    unsigned& known = flags[id];
    if ((known & flag) == flag) return;
    if (!commits.contains(id)) {
      const auto parsed = commit(id);
      // Beyond the edge of a shallow clone.
      if (!parsed) return;
      commits.emplace(id, *parsed);
    }
    known |= flag;
    queue.push({commits[id].time, id, is_interesting(known)});
    if (is_interesting(known)) ++interesting;
  };
  reach(a, kFromA);
  reach(b, kFromB);
  std::vector<std::pair<std::int64_t, ObjectId>> found;
  std::map<ObjectId, bool> done;
  while (!queue.empty() && interesting > 0) {
    const Visit visit = queue.top();
    const ObjectId& id = visit.id;
    queue.pop();
    const unsigned flag = flags[id];
    if (visit.interesting) --interesting;
    unsigned handed_down = flag;
    if ((flag & kBoth) == kBoth) {
      if (is_interesting(flag) && !std::exchange(done[id], true))
        found.emplace_back(visit.time, id);
      handed_down |= kBelow;
    }
    for (const ObjectId& parent : commits[id].parents) reach(parent, handed_down);
  }
  std::erase_if(found, [&](const auto& each) { return !is_interesting(flags[each.second]); });
  if (found.empty()) return std::nullopt;
  return std::max_element(found.begin(), found.end())->second;
}

}  // namespace recipelint::git
