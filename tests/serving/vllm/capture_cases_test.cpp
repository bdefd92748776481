// Every row of data/vllm_capture_cases.tsv, which vLLM's own functions computed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/facts/split.h"
#include "analyzer/facts/table.h"
#include "analyzer/serving/vllm/capture.h"
#include "tests/support/paths.h"

namespace recipelint::serving::vllm {
namespace {

enum Column : std::size_t {
  kCommit,
  kLabel,
  kRunner,
  kSm10x,
  kSequences,
  kSpeculativeTokens,
  kMode,
  kGivenMaximum,
  kGivenSizes,
  kGraphSizes,
  kStepTokens,
  kTensorParallel,
  kSequenceParallelism,
  kPerformanceMode,
  kSizes,
  kLargest,
  kDecodeSizes,
  kFull,
  kPiecewise,
  kEager,
  kFailure,
  kColumns
};

std::string read_cases() {
  std::ifstream in(testing::source_dir() + "/tests/data/vllm_capture_cases.tsv");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "1,2,4,8-216/8".
std::vector<std::int64_t> numbers(std::string_view text) {
  std::vector<std::int64_t> result;
  if (text == "[]") return result;
  for (const auto part : facts::split(text, ',')) {
    const auto dash = part.find('-');
    if (dash == std::string_view::npos) {
      result.push_back(number(part));
      continue;
    }
    const auto slash = part.find('/');
    const auto last = number(part.substr(dash + 1, slash - dash - 1));
    for (auto n = number(part.substr(0, dash)); n <= last; n += number(part.substr(slash + 1))) {
      result.push_back(n);
    }
  }
  return result;
}

/// "1-40,49-50".
std::vector<BatchRange> ranges(std::string_view text) {
  std::vector<BatchRange> result;
  if (text == "[]") return result;
  for (const auto part : facts::split(text, ',')) {
    const auto dash = part.find('-');
    result.push_back({number(part.substr(0, dash)), number(part.substr(dash + 1))});
  }
  return result;
}

Capture::Failure failure(std::string_view text) {
  static const std::map<std::string_view, Capture::Failure> names = {
      {"", Capture::Failure::kNone},
      {"maximum-below-one", Capture::Failure::kMaximumBelowOne},
      {"empty-list", Capture::Failure::kEmptyList},
      {"maximum-and-list-disagree", Capture::Failure::kMaximumAndListDisagree},
      {"no-size-left", Capture::Failure::kNoSizeLeft},
  };
  return names.at(text);
}

CaptureInput input_of(const facts::Table::Row& row) {
  const auto& cells = row.cells;
  CaptureInput input;
  input.runner = cells[kRunner] == "V2" ? Runner::kV2 : Runner::kV1;
  input.mode = parse_graph_mode(cells[kMode]).value();
  input.max_sequences = number(cells[kSequences]);
  input.speculative_tokens = number(cells[kSpeculativeTokens]);
  input.step_tokens = number(cells[kStepTokens]);
  input.tensor_parallel = number(cells[kTensorParallel]);
  input.sequence_parallelism = cells[kSequenceParallelism] == "1";
  input.sm_10x = cells[kSm10x] == "1";
  input.interactivity = cells[kPerformanceMode] == "interactivity";
  if (!cells[kGivenMaximum].empty()) input.given_maximum = number(cells[kGivenMaximum]);
  if (!cells[kGivenSizes].empty()) input.given_sizes = numbers(cells[kGivenSizes]);
  if (!cells[kGraphSizes].empty()) input.given_graph_sizes = numbers(cells[kGraphSizes]);
  return input;
}

std::string describe(const facts::Table::Row& row) {
  std::string text = "line " + std::to_string(row.line) + ":";
  for (std::size_t i = kLabel; i < kSizes; ++i) text += " " + std::string(row.cells[i]);
  return text;
}

void expect_row(const facts::Table::Row& row, const Capture& got) {
  const auto& cells = row.cells;
  EXPECT_EQ(got.failure, failure(cells[kFailure])) << got.failure_text;
  if (!cells[kFailure].empty()) {
    EXPECT_FALSE(got.failure_text.empty());
    return;
  }
  EXPECT_EQ(got.sizes, numbers(cells[kSizes]));
  EXPECT_EQ(got.largest, number(cells[kLargest]));
  EXPECT_EQ(got.decode_sizes, numbers(cells[kDecodeSizes]));
  EXPECT_EQ(got.full, ranges(cells[kFull]));
  EXPECT_EQ(got.piecewise, ranges(cells[kPiecewise]));
  EXPECT_EQ(got.eager, ranges(cells[kEager]));
}

class CaptureCases : public ::testing::Test {
 protected:
  CaptureCases() : bytes_(read_cases()), table_(facts::Table::parse(bytes_, kColumns)) {}

  CaptureRules rules_of(const std::string& tag) const {
    return capture_rules(catalog_.version_of("vllm/vllm-openai:" + tag, "vllm"),
                         catalog_.versions());
  }

  std::string bytes_;
  text::Result<facts::Table> table_;
  facts::Catalog catalog_;
};

TEST_F(CaptureCases, AgreeWithVllmAtEveryCommit) {
  ASSERT_TRUE(table_.ok()) << table_.error().message;
  ASSERT_EQ(table_->size(), 610u);
  for (std::size_t i = 0; i < table_->size(); ++i) {
    const auto row = table_->row(i);
    SCOPED_TRACE(describe(row));
    // Tags and release branches are not on main; their labels are exact.
    const std::string label(row.cells[kLabel]);
    const std::string tag = label.starts_with("v") ? label.substr(0, label.find("-branch"))
                                                   : "nightly-" + std::string(row.cells[kCommit]);
    expect_row(row, capture(rules_of(tag), input_of(row)));
    if (HasFailure()) return;
  }
}

TEST_F(CaptureCases, AgreeWithTheReleasesThatTheCommitsStandFor) {
  ASSERT_TRUE(table_.ok()) << table_.error().message;
  for (std::size_t i = 0; i < table_->size(); ++i) {
    const auto row = table_->row(i);
    SCOPED_TRACE(describe(row));
    const std::string label(row.cells[kLabel]);
    if (!label.starts_with("~")) continue;
    expect_row(row, capture(rules_of(label.substr(1)), input_of(row)));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace recipelint::serving::vllm
