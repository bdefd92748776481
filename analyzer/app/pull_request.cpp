#include "analyzer/app/pull_request.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "analyzer/app/read_anywhere.h"
#include "analyzer/layout/profile.h"
#include "analyzer/text/file_tree.h"

namespace recipelint::app {
namespace {

namespace fs = std::filesystem;

std::string shown_path(const std::string& path, const std::string& root) {
  std::error_code error;
  const std::string relative =
      fs::weakly_canonical(path, error).lexically_relative(root).generic_string();
  const bool is_outside = error || relative.empty() || relative.starts_with("..");
  return is_outside ? path : relative;
}

/// Whether the tree says itself what the profile knows of repositories of its kind.
bool is_stated(const layout::PullRequestContract& contract, const layout::Site& site,
               text::SourceStore& sources) {
  const std::string path = text::join_path(site.files.root, contract.stated_in);
  if (sources.tree().kind(path) != text::EntryKind::kFile) return false;
  const auto file = sources.load(path);
  return file && (*file)->bytes().find(contract.marker) != std::string_view::npos;
}

}  // namespace

text::Result<PullRequestText> read_pull_request(const CheckOptions& options,
                                                const std::string& root) {
  PullRequestText result;
  if (options.pull_request_title) {
    result.title = std::make_unique<const text::SourceFile>(std::string(kTitleName),
                                                            *options.pull_request_title);
  }
  if (!options.pull_request_body.empty()) {
    auto bytes = read_anywhere(options.pull_request_body);
    if (!bytes) return text::Error{fmt::format("--pr-body: {}", bytes.error().message), {}};
    result.body = std::make_unique<const text::SourceFile>(
        shown_path(options.pull_request_body, root), std::move(bytes).value());
  }
  return result;
}

layout::PullRequestContract pull_request_contract(const LoadedRepository& repository) {
  if (repository.configuration.pull_request) return *repository.configuration.pull_request;
  for (const layout::Site& site : repository.workspace->sites()) {
    if (site.profile == nullptr) continue;
    const layout::PullRequestContract& contract = site.profile->pull_request;
    if (!contract.empty() && is_stated(contract, site, *repository.sources)) return contract;
  }
  return {};
}

}  // namespace recipelint::app
