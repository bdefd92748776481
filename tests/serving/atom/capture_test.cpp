#include "analyzer/serving/atom/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "analyzer/facts/catalog.h"

namespace recipelint::serving::atom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Capture captured(std::int64_t sequences, std::int64_t speculative, std::int64_t tokens,
                 std::optional<std::vector<std::int64_t>> sizes = std::nullopt,
                 Oversized oversized = Oversized::kDropped) {
  CaptureInput input;
  input.max_sequences = sequences;
  input.speculative_tokens = speculative;
  input.step_tokens = tokens;
  input.given_sizes = std::move(sizes);
  return capture({oversized, true}, input);
}

// "--max-num-seqs 96 with the default list captures up to 64; batches 65..96 are eager."
TEST(AtomCapture, DoesNotAddTheMaximum) {
  const auto capture = captured(96, 0, 16384);
  EXPECT_EQ(capture.unit, Capture::Unit::kSequences);
  EXPECT_THAT(capture.sizes, ElementsAre(1, 2, 4, 8, 16, 32, 48, 64));
  EXPECT_THAT(capture.full, ElementsAre(BatchRange{1, 64}));
  EXPECT_THAT(capture.eager, ElementsAre(BatchRange{65, 96}));
  EXPECT_EQ(capture.covered(), 64);
}

TEST(AtomCapture, StopsAtWhatAStepHolds) {
  // mtp_k=3 turns 256 sequences into 1024 tokens.
  const auto capture = captured(512, 3, 1024);
  EXPECT_EQ(capture.largest, 256);
  EXPECT_THAT(capture.full, ElementsAre(BatchRange{1, 256}));
  EXPECT_THAT(capture.eager, IsEmpty());
  const auto narrow = captured(512, 3, 400);
  EXPECT_EQ(narrow.largest, 64);
  EXPECT_THAT(narrow.eager, ElementsAre(BatchRange{65, 100}));
}

TEST(AtomCapture, TakesAnExplicitList) {
  EXPECT_THAT(captured(64, 0, 16384, {{64, 1, 24, 24}}).sizes, ElementsAre(1, 24, 64));
  // An empty list stands for 1, 2, 4, 8 and the multiples of 16 up to 512.
  const auto capture = captured(1024, 0, 16384, std::vector<std::int64_t>());
  EXPECT_EQ(capture.sizes.size(), 36u);
  EXPECT_EQ(capture.largest, 512);
  EXPECT_THAT(capture.eager, ElementsAre(BatchRange{513, 1024}));
}

TEST(AtomCapture, RefusesAListOfWhichNothingIsLeft) {
  const auto capture = captured(4, 0, 16384, {{8, 16}});
  EXPECT_EQ(capture.failure, Capture::Failure::kNoSizeLeft);
  EXPECT_THAT(capture.failure_text, HasSubstr("within the 4 sequences"));
}

TEST(AtomCapture, OlderVersionsDoNotStartWithSizesThatAreTooLarge) {
  EXPECT_EQ(captured(96, 0, 16384, std::nullopt, Oversized::kRefused).failure,
            Capture::Failure::kSizeTooLarge);
  EXPECT_EQ(captured(512, 0, 16384, std::nullopt, Oversized::kRefused).failure,
            Capture::Failure::kNone);
  EXPECT_EQ(captured(96, 0, 16384, std::nullopt, Oversized::kSequencesOnly).largest, 64);
  // 256 * 4 tokens.
  EXPECT_EQ(captured(256, 3, 512, std::nullopt, Oversized::kSequencesOnly).failure,
            Capture::Failure::kSizeTooLarge);
  EXPECT_EQ(captured(256, 3, 1024, std::nullopt, Oversized::kSequencesOnly).largest, 256);
}

TEST(AtomCapture, CapturesNothingEagerly) {
  CaptureInput input;
  input.max_sequences = 8;
  input.step_tokens = 16384;
  input.eager = true;
  const auto capture = atom::capture({}, input);
  EXPECT_THAT(capture.sizes, IsEmpty());
  EXPECT_THAT(capture.eager, ElementsAre(BatchRange{1, 8}));
}

TEST(AtomCapture, CapturesPiecesUpToALimit) {
  CaptureInput input;
  input.max_sequences = 512;
  input.step_tokens = 16384;
  input.speculative_tokens = 3;
  input.piecewise = true;
  input.most_piece_tokens = 512;
  const auto capture = atom::capture({}, input);
  EXPECT_THAT(capture.piecewise, ElementsAre(BatchRange{1, 128}));
  EXPECT_THAT(capture.decode_sizes, IsEmpty());
  EXPECT_THAT(capture.full, IsEmpty());
}

TEST(AtomCapture, RulesFollowTheVersion) {
  const facts::Catalog catalog;
  const std::vector<std::tuple<const char*, Oversized, bool>> cases = {
      {"rocm/atom:rocm7.2.2_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.2.post",
       Oversized::kRefused, false},
      {"rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3",
       Oversized::kSequencesOnly, true},
      {"rocm/atom-dev:nightly_202607231538", Oversized::kSequencesOnly, true},
      {"rocm/atom-dev:nightly_202608201032", Oversized::kDropped, true},
  };
  for (const auto& [image, oversized, default_512] : cases) {
    const auto version = catalog.version_of(image, "atom");
    const auto rules = capture_rules(TurningPoints("atom", version, catalog.versions()));
    EXPECT_EQ(rules.oversized, oversized) << image;
    EXPECT_EQ(rules.default_512, default_512) << image;
  }
}

}  // namespace
}  // namespace recipelint::serving::atom
