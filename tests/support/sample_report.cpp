#include "tests/support/sample_report.h"

#include <gtest/gtest.h>

#include "analyzer/findings/collect.h"

namespace recipelint::testing {
namespace {

using findings::Finding;
using findings::Level;
using text::SourceFile;
using text::Span;

constexpr std::string_view kConfig =
    "kestrel-fp8-h200-vllm-mtp:\n"
    "  image: example/serve:latest\n"
    "  model: acme/Kestrel-120B\n"
    "  scenarios:\n"
    "    fixed-length:\n"
    "      - isl: 8192\n"
    "        osl: 1024\n"
    "        search-space:\n"
    "          - { tp: 8, conc-start: 4, conc-end: 64, spec-decoding: mtp }\n";

constexpr std::string_view kScript =
    "#!/usr/bin/env bash\n"
    "set -euo pipefail\n"
    "DRAFT_TOKENS=3\n"
    "MAX_SEQS=$CONC\n"
    "CAPTURE=\"[4,8,16]\"\n"
    "\n"
    "serve \"$MODEL\" \\\n"
    "\t--max-num-seqs \"$MAX_SEQS\" --note \"gr\u00F6\u00DFe\" \\\n"
    "\t--capture-sizes \"$CAPTURE\" --draft-tokens \"$DRAFT_TOKENS\"\n"
    "\n\n\n\n\n\n\n\n\n\n\n\n"
    "bench --concurrency \"$CONC\" --model \"$MODEL\"\n";

constexpr std::string_view kMarkedConfig =
    "\xEF\xBB\xBFheron-fp4:\r\n"
    "  model: acme/Heron\r\n"
    "  gpus:\r\n"
    "    - count: 3\r\n"
    "    - count: 5\r\n";

constexpr std::string_view kWide =
    "# \u6A21\u578B\u540D\u79F0 = \u5927\n"
    "NAME=\u6A21\u578B\u540D ; SIZE=\U0001F600big ; e\u0301nd=1\n";

constexpr std::string_view kHostile =
    "IMAGE='\x1B]0;owned\x07\x1B[31mred' # ::error file=x::no ##[error]no\n"
    "BAD=\xFF\xC3( \xE2\x80\xAE"
    "evil [click](https://evil.example) <script>alert(1)</script>\n";

std::string long_line() {
  std::string line = "ARGS=\"";
  for (int i = 0; i < 40; ++i) line += "--option-" + std::to_string(i) + "=value ";
  return line + "\"\n" + std::string(100000, 'x') + "TAIL\n";
}

Finding uncovered_batches(const SourceFile& config, const SourceFile& script) {
  Finding finding;
  finding.rule = "RL2001";
  finding.level = Level::kWarning;
  finding.message =
      "Decode batches of '17' to '64' sequences run without a captured graph. vLLM 0.99 captures "
      "[4, 8, 16] tokens, 1 + 3 tokens a sequence, so the largest graph holds 16 / 4 = 4 "
      "sequences; "
      "a rank holds min(64, 64) = 64.";
  finding.primary = find_span(script, "\"$CAPTURE\"");
  finding.related = {
      {find_span(script, "--max-num-seqs \"$MAX_SEQS\""), "64 sequences for a rank"},
      {find_span(script, "\"$DRAFT_TOKENS\""), "3 tokens drafted for a sequence"},
      {find_span(script, "CAPTURE=\"[4,8,16]\""), "captured sizes"},
      {find_span(script, "bench --concurrency"), "the load comes from here"},
      {find_span(config, "conc-end: 64"), "largest concurrency of this row"},
  };
  finding.flow = {
      {find_span(config, "conc-end: 64"), "the row asks for concurrency '64'"},
      {find_span(script, "MAX_SEQS=$CONC"), "CONC is assigned to MAX_SEQS"},
      {find_span(script, "--max-num-seqs \"$MAX_SEQS\""), "MAX_SEQS becomes --max-num-seqs"},
  };
  for (int conc = 14; conc > 0; --conc) {
    finding.cells.push_back("kestrel-fp8-h200-vllm-mtp/8k1k/tp8/conc" + std::to_string(conc));
  }
  finding.remedies = {"set CAPTURE to '[4,8,16,32,64,128,256]'",
                      "lower --max-num-seqs to '4' (4 x 4 = 16 tokens)."};
  finding.facts = {"vLLM 0.99: capture sizes count tokens (source of 0.99.0, 2026-01-01)"};
  finding.identity = "--capture-sizes";
  return finding;
}

Finding rolling_image(const SourceFile& config) {
  Finding finding;
  finding.rule = "RL3001";
  finding.level = Level::kWarning;
  finding.message = "Image 'example/serve:latest' names a rolling tag.";
  finding.primary = find_span(config, "example/serve:latest");
  finding.related = {{find_span(config, "kestrel-fp8-h200-vllm-mtp"), "used by this entry"}};
  finding.cells = {"kestrel-fp8-h200-vllm-mtp"};
  finding.remedies = {"name the version: 'example/serve:v1.2.3'"};
  finding.fixes = {{find_span(config, "latest"), "v1.2.3", "Replace 'latest' by 'v1.2.3'."}};
  finding.identity = "example/serve:latest";
  return finding;
}

Finding uneven_workers(const SourceFile& config) {
  Finding finding;
  finding.rule = "RL4007";
  finding.level = Level::kError;
  finding.message = "The worker counts 3 and 5 do not divide 8 GPUs";
  finding.primary = find_span(config, "gpus:\r\n    - count: 3\r\n    - count: 5\r\n");
  finding.related = {{find_span(config, "heron-fp4"), "this entry"},
                     {Span{}, "the pool has 8 GPUs a node"}};
  finding.fixes = {{find_span(config, "    - count: 5\r\n"), "", "Delete the line."}};
  return finding;
}

Finding wide_characters(const SourceFile& script) {
  Finding finding;
  finding.rule = "RL6001";
  finding.level = Level::kNote;
  finding.message = "The value of 'SIZE' is never used.";
  finding.primary = find_span(script, "SIZE=\U0001F600big");
  finding.related = {{find_span(script, "\u540D ;"), "part of \u6A21\u578B"},
                     {find_span(script, "nd=1"), "after a combining mark"}};
  return finding;
}

Finding hostile_text(const SourceFile& script) {
  Finding finding;
  finding.rule = "RL3001";
  finding.level = Level::kWarning;
  finding.message =
      "Image '\x1B]0;owned\x07' is odd.\n::error::no ##[error]no [click](https://evil.example) {0} "
      "100% <img src=x> `code` \xFF and a very long tail that makes the line wrap right before the "
      "next word ::error::no";
  finding.primary = find_span(script, "\x1B]0;owned\x07\x1B[31mred");
  finding.related = {{find_span(script, "BAD="), "a ]](1) \x1B[2J label"},
                     {find_span(script, "<script>"), "<b>html</b>"}};
  finding.cells = {"a/b\x07", "::error::cell"};
  finding.remedies = {"do not\r\n::error::do"};
  finding.fixes = {{find_span(script, "red"), "\xFE", "Not text."},
                   {find_span(script, "BAD="), "\x1B[31m", "Replace '\x1B'."}};
  finding.facts = {"::warning::fact"};
  return finding;
}

Finding far_apart(const SourceFile& script) {
  Finding finding;
  finding.rule = "RL6006";
  finding.level = Level::kWarning;
  finding.message = "Option '--option-30' is given twice.";
  finding.primary = find_span(script, "--option-30=value");
  finding.related = {{find_span(script, "--option-3=value"), "first given here"},
                     {find_span(script, "--option-31=value"), "next one"},
                     {find_span(script, "TAIL"), "the end of a very long line"}};
  return finding;
}

Finding without_place() {
  Finding finding;
  finding.rule = "RL9006";
  finding.level = Level::kNote;
  finding.message = "The title of the change names no entry.";
  return finding;
}

}  // namespace

Span find_span(const SourceFile& file, std::string_view needle, int occurrence) {
  auto at = file.bytes().find(needle);
  for (int i = 1; i < occurrence && at != std::string_view::npos; ++i) {
    at = file.bytes().find(needle, at + 1);
  }
  if (at == std::string_view::npos) {
    ADD_FAILURE() << file.path() << " does not contain " << needle;
    return file.span(0, 0);
  }
  return file.span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + needle.size()));
}

SampleReport::SampleReport() {
  report_.version = "1.2.3";
  report_.root = ".";
  add_rules();
  add_findings();
  report_.summary.files = 6;
  report_.summary.cells = 1172;
  report_.summary.cells_evaluated = 1169;
  report_.summary.cells_partial = 3;
  report_.summary.suppressed = 1;
  report_.summary.unevaluated = {{"RL2003", "the layers of 'acme/Heron' are not known", 12},
                                 {"RL2004", "the GPU of '\x1B[1m' is not known", 1}};
  report_.category = "nightly";
  report_.rule_page_base = "https://example.org/rules/";
  report_.home_page = "https://example.org/recipelint";
  report_.version_control = {"https://example.org/recipes.git",
                             "0123456789abcdef0123456789abcdef01234567", "main"};
}

const SourceFile& SampleReport::add_file(std::string path, std::string bytes) {
  files_.push_back(std::make_unique<SourceFile>(std::move(path), std::move(bytes)));
  return *files_.back();
}

void SampleReport::add_rules() {
  const auto add = [this](std::string id, std::string name, std::string group, Level level,
                          std::string summary) {
    const std::string page = "# " + id + " " + name +
                             "\n\nLevel: as given.\n\n## What it finds\n\n" + summary +
                             "\nA second line.\n\n## Example\n\n```sh\nserve\n```\n";
    report_.rules.push_back({std::move(id), std::move(name), std::move(group), level, "high",
                             std::move(summary), page});
  };
  add("RL2001", "spec-decode-cudagraph-coverage", "capacity", Level::kWarning,
      "Decode batches that no captured graph covers.");
  add("RL3001", "mutable-image-tag", "images", Level::kWarning,
      "An image tag whose content can change.");
  add("RL4007", "topology-arithmetic", "labels", Level::kError, "GPUs that do not add up.");
  add("RL6001", "dead-value", "shell", Level::kWarning, "A value that reaches nothing.");
  add("RL6006", "repeated-flag", "shell", Level::kWarning, "A flag that is given twice.");
  add("RL9006", "change-title", "changes", Level::kNote, "A title that names no entry.");
}

void SampleReport::add_findings() {
  const SourceFile& config = add_file("configs/vllm.yaml", std::string(kConfig));
  const SourceFile& script = add_file("scripts/kestrel_mtp.sh", std::string(kScript));
  const SourceFile& marked = add_file("configs/heron.yaml", std::string(kMarkedConfig));
  const SourceFile& wide = add_file("scripts/wide.sh", std::string(kWide));
  const SourceFile& hostile = add_file("scripts/o d:d,%[x]\x1B.sh", std::string(kHostile));
  const SourceFile& long_file = add_file("scripts/long.sh", long_line());
  findings::Collector collector;
  collector.report(uncovered_batches(config, script));
  collector.report(rolling_image(config));
  collector.report(uneven_workers(marked));
  collector.report(wide_characters(wide));
  collector.report(hostile_text(hostile));
  collector.report(far_apart(long_file));
  collector.report(without_place());
  report_.findings = collector.take();
  report_.notifications = {
      {findings::NotificationKind::kUnreadable,
       Level::kError,
       "Cannot read 'secret\x1B.sh': permission denied.",
       "scripts/secret\x1B.sh",
       {}},
      {findings::NotificationKind::kLimit, Level::kWarning, "The evaluation ended after 10 steps",
       "scripts/kestrel_mtp.sh", find_span(script, "bench")},
      {findings::NotificationKind::kNotAnalysed,
       Level::kNote,
       "No search space was found.",
       "",
       {}},
  };
  findings::normalize(report_.notifications);
}

report::Report clean_report() {
  report::Report report;
  report.version = "1.2.3";
  report.root = ".";
  report.home_page = "https://example.org/recipelint";
  report.rules = {{"RL3001", "mutable-image-tag", "images", Level::kWarning, "high",
                   "An image tag whose content can change.", ""}};
  report.summary.files = 1;
  report.summary.cells = 1;
  report.summary.cells_evaluated = 1;
  return report;
}

}  // namespace recipelint::testing
