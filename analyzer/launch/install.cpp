#include "analyzer/launch/install.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/shell/wrappers.h"

namespace recipelint::launch {
namespace {

using shell::Value;
using Tool = Install::Tool;

/// Options of `pip install` and `uv pip install` that take a value.
constexpr std::array<std::string_view, 46> kPipValueOptions = {
    "-b",
    "-c",
    "-C",
    "-e",
    "-f",
    "-i",
    "-p",
    "-r",
    "-t",
    "--abi",
    "--build-constraint",
    "--build-constraints",
    "--cache-dir",
    "--cert",
    "--client-cert",
    "--config-settings",
    "--constraint",
    "--constraints",
    "--default-index",
    "--editable",
    "--exclude-newer",
    "--extra-index-url",
    "--find-links",
    "--global-option",
    "--implementation",
    "--index",
    "--index-strategy",
    "--index-url",
    "--link-mode",
    "--log",
    "--no-binary",
    "--only-binary",
    "--platform",
    "--prefix",
    "--prerelease",
    "--progress-bar",
    "--proxy",
    "--python",
    "--python-version",
    "--report",
    "--requirement",
    "--retries",
    "--root",
    "--src",
    "--target",
    "--timeout",
};
/// Those whose value may pin what other words leave open.
constexpr std::array<std::string_view, 4> kConstraintOptions = {"-c", "--constraint",
                                                                "--constraints", "--exclude-newer"};
constexpr std::array<std::string_view, 12> kGitValueOptions = {
    "-b",       "-c",          "-C",       "-j",           "-o",       "--branch",
    "--config", "--depth",     "--filter", "--git-dir",    "--origin", "--reference",
};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

std::string base_name(const Value& word) {
  const std::string text = word.text();
  const auto slash = text.rfind('/');
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

bool has_text(std::span<const Value> argv, std::size_t index, std::string_view text) {
  return index < argv.size() && argv[index].is_known() && argv[index].text() == text;
}

bool is_pip(std::string_view name) {
  if (!name.starts_with("pip")) return false;
  return std::all_of(name.begin() + 3, name.end(),
                     [](char byte) { return is_digit(byte) || byte == '.'; });
}

bool is_python(std::string_view name) {
  return name == "python" || name.starts_with("python3") || name.starts_with("python2");
}

struct Found {
  Tool tool = Tool::kPip;
  std::size_t arguments = 0;  // index of the first word behind the subcommand
};

/// The first word that is no option, from `index` on.
std::size_t skip_options(std::span<const Value> argv, std::size_t index,
                         std::span<const std::string_view> with_value) {
  while (index < argv.size() && argv[index].is_known()) {
    const std::string word = argv[index].text();
    if (!word.starts_with('-')) break;
    index += contains(with_value, word) ? 2 : 1;
  }
  return index;
}

std::optional<Found> git_command(std::span<const Value> argv, std::size_t name) {
  const std::size_t verb = skip_options(argv, name + 1, kGitValueOptions);
  if (has_text(argv, verb, "clone")) return Found{Tool::kGitClone, verb + 1};
  for (const std::string_view chooser : {"checkout", "switch", "reset", "fetch"}) {
    if (has_text(argv, verb, chooser)) return Found{Tool::kGitCheckout, verb + 1};
  }
  return std::nullopt;
}

/// Whether a path leads into the folders where Python has its packages, or where images of engines
/// keep the source that they run.
bool is_installed(std::string_view path) {
  for (const std::string_view folder :
       {"/site-packages/", "/dist-packages/", "/sgl-workspace/sglang/", "/vllm-workspace/"}) {
    if (path.find(folder) != std::string_view::npos) return true;
  }
  return path.ends_with("/site-packages") || path.ends_with("/dist-packages");
}

/// The first word that names something installed; nullopt if there is none.
std::optional<std::size_t> installed_word(std::span<const Value> argv, std::size_t begin) {
  for (std::size_t i = begin; i < argv.size(); ++i) {
    if (is_installed(argv[i].text())) return i;
  }
  return std::nullopt;
}

/// A command that writes into the files of its arguments, as far as its words say.
bool writes_files(std::span<const Value> argv, std::size_t first) {
  const std::string name = base_name(argv[first]);
  if (name == "patch") return true;
  if (name == "git") return has_text(argv, first + 1, "apply") || has_text(argv, first + 1, "am");
  if (name == "cp" || name == "mv") return is_installed(argv.back().text());
  if (name != "sed" && name != "perl") return false;
  return std::any_of(argv.begin() + static_cast<std::ptrdiff_t>(first) + 1, argv.end(),
                     [](const Value& word) {
                       const std::string text = word.text();
                       return text.starts_with("-i") || text.starts_with("--in-place") ||
                              text == "-pi";
                     });
}

std::optional<Found> command_at(std::span<const Value> argv, std::size_t first) {
  // Which interpreter or environment it is often depends on the host; its name does not.
  const std::string name = base_name(argv[first]);
  if (writes_files(argv, first) && installed_word(argv, first + 1)) {
    return Found{Tool::kPatch, first + 1};
  }
  if (name == "git") return git_command(argv, first);
  std::size_t pip = first;
  if (has_text(argv, first + 1, "-m") && has_text(argv, first + 2, "pip") &&
      (is_python(name) || !argv[first].is_known())) {
    pip = first + 2;
  } else if (name == "uv" && has_text(argv, first + 1, "pip")) {
    pip = first + 1;
  } else if (!is_pip(name)) {
    return std::nullopt;
  }
  const std::size_t verb = skip_options(argv, pip + 1, kPipValueOptions);
  if (has_text(argv, verb, "install")) return Found{Tool::kPip, verb + 1};
  return std::nullopt;
}

std::optional<Found> find_install(std::span<const Value> argv) {
  std::size_t first = 0;
  while (first < argv.size()) {
    if (const auto found = command_at(argv, first)) return found;
    const auto inner = shell::unwrap(argv.subspan(first));
    if (!inner || inner->is_shell_text || inner->first == 0) return std::nullopt;
    first += inner->first;
  }
  return std::nullopt;
}

bool is_commit(std::string_view ref) {
  constexpr std::size_t kShortest = 7;
  constexpr std::size_t kLongest = 40;
  return ref.size() >= kShortest && ref.size() <= kLongest &&
         std::all_of(ref.begin(), ref.end(),
                     [](char byte) { return std::isxdigit(static_cast<unsigned char>(byte)) != 0; });
}

/// A tag with a version in it, such as "v1.2.3", "release-0.4" or "2024.06".
bool is_version(std::string_view ref) {
  for (std::size_t i = 0; i + 2 < ref.size(); ++i) {
    if (is_digit(ref[i]) && ref[i + 1] == '.' && is_digit(ref[i + 2])) return true;
  }
  return false;
}

bool is_fixed(std::string_view ref) {
  return is_commit(ref) || is_version(ref);
}

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char byte : text) {
    if (byte != ' ' && byte != '\t') result += byte;
  }
  return result;
}

/// "name @ url" without the name.
std::string_view url_of(std::string_view requirement) {
  const auto at = requirement.find("@git+");
  return at == std::string_view::npos ? requirement : requirement.substr(at + 1);
}

/// A package that pip builds from a repository.
std::optional<Unpinned> unpinned_repository(std::string_view requirement, std::size_t word) {
  std::string_view url = url_of(requirement);
  url = url.substr(0, url.find('#'));
  // The user before the host has an '@' as well.
  const auto path = url.find('/', url.find("://") + 3);
  const auto at = path == std::string_view::npos ? path : url.find('@', path);
  if (at == std::string_view::npos) {
    return Unpinned{std::string(url), std::string(url) + "@<commit>", word, {}};
  }
  const std::string_view ref = url.substr(at + 1);
  if (is_fixed(ref)) return std::nullopt;
  return Unpinned{std::string(url), std::string(url.substr(0, at)) + "@<commit>", word,
                  std::string(ref)};
}

bool is_local(std::string_view requirement) {
  return requirement.starts_with('.') || requirement.find('/') != std::string_view::npos ||
         requirement.find('\\') != std::string_view::npos || requirement.ends_with(".whl") ||
         requirement.ends_with(".gz") || requirement.ends_with(".zip");
}

std::optional<Unpinned> unpinned_package(const std::string& written, std::size_t word) {
  const std::string text = without_blanks(written.substr(0, written.find(';')));
  if (text.empty()) return std::nullopt;
  if (text.find("git+") != std::string::npos) return unpinned_repository(text, word);
  // An archive at an address has its version in its name, or a host that alone knows it.
  if (text.find("://") != std::string::npos || is_local(text)) return std::nullopt;
  if (!std::isalnum(static_cast<unsigned char>(text.front()))) return std::nullopt;
  const auto comparison = text.find_first_of("=<>!~");
  const bool exact = text.find("==") != std::string::npos && text.find('*') == std::string::npos;
  if (exact) return std::nullopt;
  return Unpinned{text, text.substr(0, comparison) + "==<version>", word, {}};
}

std::vector<Unpinned> unpinned_packages(const Install& install) {
  std::vector<Unpinned> result;
  for (std::size_t i = install.arguments_index; i < install.argv.size(); ++i) {
    const Value& word = install.argv[i];
    // Nobody knows how many words this is, or whether it is an option that takes the next one.
    if (!word.is_known()) continue;
    const std::string text = word.text();
    if (text.starts_with('-')) {
      const std::string name = text.substr(0, text.find('='));
      if (contains(kConstraintOptions, name)) return {};
      if (contains(kPipValueOptions, text)) ++i;
      continue;
    }
    if (auto package = unpinned_package(text, i)) result.push_back(std::move(*package));
  }
  return result;
}

std::vector<Unpinned> unpinned_clone(const Install& install) {
  std::optional<Unpinned> repository;
  std::string branch;
  for (std::size_t i = install.arguments_index; i < install.argv.size(); ++i) {
    const Value& word = install.argv[i];
    if (!word.is_known()) return {};
    std::string text = word.text();
    const bool is_branch = text == "-b" || text == "--branch" || text.starts_with("--branch=");
    if (is_branch) {
      if (text.starts_with("--branch=")) {
        branch = text.substr(text.find('=') + 1);
      } else if (++i < install.argv.size() && install.argv[i].is_known()) {
        branch = install.argv[i].text();
      } else {
        return {};
      }
    } else if (text.starts_with('-')) {
      if (contains(kGitValueOptions, text)) ++i;
    } else if (!repository) {
      repository = Unpinned{std::move(text), {}, i, {}};
    }
  }
  if (!repository || is_fixed(branch)) return {};
  // A folder of the machine: what is in it is not the script's to say.
  const bool is_remote = repository->what.find("://") != std::string::npos ||
                         repository->what.find('@') != std::string::npos;
  if (!is_remote) return {};
  repository->branch = branch;
  return {std::move(*repository)};
}

}  // namespace

bool is_install(std::span<const Value> argv) {
  return find_install(argv).has_value();
}

std::vector<Install> installs_of(const shell::Evaluation& evaluation) {
  std::vector<Install> installs;
  for (const shell::NotedCommand& command : evaluation.noted) {
    const auto found = find_install(command.argv);
    if (!found) continue;
    installs.push_back({found->tool, command.argv, found->arguments, command.argument_spans,
                        command.span});
  }
  return installs;
}

std::vector<Unpinned> unpinned(const Install& install) {
  switch (install.tool) {
    case Tool::kPip:
      return unpinned_packages(install);
    case Tool::kGitClone:
      return unpinned_clone(install);
    case Tool::kPatch:
      if (const auto word = installed_word(install.argv, install.arguments_index)) {
        return {Unpinned{install.argv[*word].text(), {}, *word, {}}};
      }
      break;
    case Tool::kGitCheckout:
      break;
  }
  return {};
}

bool pins_clone(const Install& later) {
  if (later.tool != Tool::kGitCheckout) return false;
  for (std::size_t i = later.arguments_index; i < later.argv.size(); ++i) {
    if (!later.argv[i].is_known() || is_fixed(later.argv[i].text())) return true;
  }
  return false;
}

}  // namespace recipelint::launch
