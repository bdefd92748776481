#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/evaluate.h"
#include "analyzer/shell/value.h"
#include "analyzer/text/span.h"

namespace recipelint::launch {

/// A command that puts software on the machine before the benchmark runs, that chooses the version
/// of it, or that changes what is installed: pip install, git clone, git checkout, sed -i.
struct Install {
  enum class Tool { kPip, kGitClone, kGitCheckout, kPatch };
  Tool tool = Tool::kPip;
  std::vector<shell::Value> argv;
  /// Index in argv of the first word behind "install", "clone", "checkout" or the name.
  std::size_t arguments_index = 0;
  /// For each word of argv where it stands; single ones may be invalid.
  std::vector<text::Span> argument_spans;
  text::Span span;
};

/// Something that an installation takes in whatever version is there on the day of the run.
struct Unpinned {
  /// "datasets", "transformers>=5.4.0", "https://host/org/project.git".
  std::string what;
  /// How it reads pinned: "datasets==<version>"; empty if no spelling of the word itself pins it.
  std::string pinned;
  /// Index in argv.
  std::size_t word = 0;
  /// The branch that is asked for; empty if none is.
  std::string branch;
};

/// Whether installs_of() wants the command.
bool is_install(std::span<const shell::Value> argv);

/// The installations of an evaluation that noted what is_install() knows.
std::vector<Install> installs_of(const shell::Evaluation& evaluation);

/// What an installation takes without a version or commit. Words that are not known, local paths
/// and files of requirements say nothing: they are left out. For git that is the repository; see
/// pins_clone(). For a patch it is the installed file.
std::vector<Unpinned> unpinned(const Install& install);

/// Whether `later` chooses a commit or version, or something that is not known, of a clone.
bool pins_clone(const Install& later);

}  // namespace recipelint::launch
