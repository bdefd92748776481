#include "analyzer/app/revision.h"

#include <fmt/format.h>

#include <utility>

namespace recipelint::app {
namespace {

/// `root` below the top of the work tree, without a leading '/'; "" for the top.
std::string prefix_of(const std::string& root, const std::string& work_tree) {
  std::string_view rest = std::string_view(root).substr(work_tree.size());
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return std::string(rest);
}

/// What to compare with: the commit, or why there is none.
text::Result<git::ObjectId> base_commit(const git::Repository& repository, const std::string& name,
                                        std::string& note) {
  const auto wanted = repository.resolve(name);
  if (!wanted) return text::Error{fmt::format("--diff-base: {}", wanted.error().message), {}};
  const auto head = repository.resolve("HEAD");
  if (!head) return *wanted;
  if (const auto base = repository.merge_base(*wanted, *head)) return *base;
  note = fmt::format(
      "recipelint: this clone does not have the history that '{}' and HEAD share; comparing with "
      "'{}' itself\n",
      name, name);
  return *wanted;
}

}  // namespace

text::Result<std::unique_ptr<Revision>> load_revision(const LoadedRepository& now,
                                                      const CheckOptions& options) {
  auto repository = git::Repository::find(now.root);
  if (!repository) {
    return text::Error{
        fmt::format("--diff-base needs git: {}; use --baseline there", repository.error().message),
        {}};
  }
  auto revision = std::make_unique<Revision>();
  revision->git = std::make_unique<git::Repository>(std::move(*repository));
  const auto commit = base_commit(*revision->git, options.diff_base, revision->note);
  if (!commit) return commit.error();
  auto tree =
      git::GitTree::open(*revision->git, *commit, prefix_of(now.root, revision->git->work_tree()));
  if (!tree) return text::Error{fmt::format("--diff-base: {}", tree.error().message), {}};
  LoadedRepository& old = revision->repository;
  old.root = now.root;
  old.tree = std::move(*tree);
  old.sources = std::make_unique<text::SourceStore>(*old.tree);
  old.configuration = now.configuration;
  if (auto error = load_older_workspace(old, now, options.shared)) return *error;
  return revision;
}

std::string repository_uri(std::string_view remote) {
  constexpr std::string_view kScheme = "://";
  std::string host_and_path;
  if (const auto scheme = remote.find(kScheme); scheme != std::string_view::npos) {
    const std::string_view protocol = remote.substr(0, scheme);
    if (protocol != "https" && protocol != "http" && protocol != "ssh" && protocol != "git")
      return {};
    host_and_path = remote.substr(scheme + kScheme.size());
  } else {
    const auto colon = remote.find(':');
    const bool is_path = colon == std::string_view::npos || remote.find('/') < colon;
    if (is_path) return {};
    host_and_path = fmt::format("{}/{}", remote.substr(0, colon), remote.substr(colon + 1));
  }
  const auto path = host_and_path.find('/');
  if (path == std::string::npos) return {};
  const auto user = host_and_path.rfind('@', path);
  if (user != std::string::npos) host_and_path.erase(0, user + 1);
  if (host_and_path.ends_with('/')) host_and_path.pop_back();
  if (host_and_path.ends_with(".git")) host_and_path.resize(host_and_path.size() - 4);
  return fmt::format("https://{}", host_and_path);
}

std::optional<report::VersionControl> version_control_of(const std::string& root) {
  const auto repository = git::Repository::find(root);
  if (!repository || repository->work_tree() != root) return std::nullopt;
  const auto remote = repository->configured("remote \"origin\"", "url");
  const auto head = repository->resolve("HEAD");
  if (!remote || !head) return std::nullopt;
  report::VersionControl found{repository_uri(*remote), head->hex(), repository->branch()};
  if (found.repository_uri.empty()) return std::nullopt;
  return found;
}

}  // namespace recipelint::app
