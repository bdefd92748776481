#include "tests/support/git_repository.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace recipelint::testing {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string out;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    out.append(buffer.data(), got);
  }
  if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + command + "\n" + out);
  return out;
}

}  // namespace

GitRepository::GitRepository(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"init", "-q", "-b", "main"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  git(all);
}

std::string GitRepository::git(const std::vector<std::string>& arguments) const {
  // Commits are a minute apart, so that their order is known.
  const std::string date = fmt::format("2026-01-01T10:{:02}:00Z", commits_ % 60);
  std::string command = fmt::format(
      "env -i PATH=\"$PATH\" HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a "
      "GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a "
      "GIT_COMMITTER_EMAIL=a@example.org GIT_AUTHOR_DATE={} GIT_COMMITTER_DATE={} git -C {}",
      date, date, quoted(path()));
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  std::string out = output_of(command + " 2>&1");
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string GitRepository::commit(const std::string& message) const {
  ++commits_;
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  return git({"rev-parse", "HEAD"});
}

std::string GitRepository::commit_folder(const std::string& folder) const {
  replace_files(folder);
  return commit();
}

void GitRepository::replace_files(const std::string& folder) const {
  for (const auto& entry : fs::directory_iterator(path())) {
    if (entry.path().filename() != ".git") fs::remove_all(entry.path());
  }
  fs::copy(folder, path(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

}  // namespace recipelint::testing
