#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "analyzer/layout/workspace.h"
#include "analyzer/text/file_tree.h"
#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/references/references.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL5005";
constexpr std::array kKinds = {DiagnosticKind::kMissingSource, DiagnosticKind::kOutsideSource};

/// What is there but is not read: a link out of the repository, a device or a pipe.
Finding outside(const PlacedDiagnostic& placed, text::EntryKind kind) {
  Finding finding = finding_at(placed, kId, Level::kWarning);
  finding.message =
      kind == text::EntryKind::kSpecial
          ? fmt::format("The script sources '{}', which {} and is not read.",
                        placed.diagnostic.subject, text::in_words(kind))
          : fmt::format(
                "The script sources '{}', which leads out of the repository and is not "
                "read: a checkout on another machine does not have what it points to.",
                placed.diagnostic.subject);
  finding.remedies = {
      fmt::format("Make '{}' a file of the repository.", placed.diagnostic.subject)};
  return finding;
}

// Where even the folder is missing, a command may make both ("git clone", "python3 -m venv").
bool may_be_made(const text::FileTree& tree, const std::string& path) {
  return tree.kind(std::string(text::parent_path(path))) != text::EntryKind::kFolder;
}

Finding missing(const PlacedDiagnostic& placed, const text::FileTree& tree) {
  const std::string& path = placed.diagnostic.subject;
  const bool is_sure = placed.diagnostic.certain && !placed.by_hand && !may_be_made(tree, path);
  Finding finding = finding_at(placed, kId, is_sure ? Level::kError : Level::kNote);
  finding.message = fmt::format("The script sources '{}', which does not exist", path);
  if (!placed.diagnostic.certain) {
    finding.message += " (reached only if the host decides so).";
  } else if (placed.by_hand) {
    finding.message += " seen from the top folder or from that of the script.";
  } else if (!is_sure) {
    finding.message +=
        " in the repository, nor does its folder: a command of the script must make "
        "it first.";
  } else {
    finding.message += ".";
  }
  finding.remedies = {fmt::format("Add '{}'.", path), "Source a file that exists."};
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  const text::FileTree& tree = context.workspace.sources().tree();
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    if (placed.diagnostic.tested || placed.diagnostic.silenced) continue;
    if (placed.diagnostic.kind == DiagnosticKind::kMissingSource) {
      sink.report(missing(placed, tree));
      continue;
    }
    // What may not be read is no defect of the script; the run says so itself.
    const text::EntryKind kind = tree.kind(placed.diagnostic.subject);
    const bool unreadable = kind == text::EntryKind::kFile || kind == text::EntryKind::kUnreadable;
    if (!unreadable) sink.report(outside(placed, kind));
  }
}

}  // namespace

Rule missing_sourced_file() {
  return {kId,
          "missing-sourced-file",
          Level::kError,
          Precision::kHigh,
          "A launch script sources a file that does not exist, or that lies outside of the "
          "repository.",
          embedded_pages("missing_sourced_file.md"),
          run};
}

}  // namespace recipelint::rules
