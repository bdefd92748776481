#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/images/images.h"
#include "tests/rules/images/image_rules_test.h"

namespace recipelint::rules {
namespace {

using ::testing::ElementsAre;
using testing::ImageLines;
using ::testing::IsEmpty;
using testing::messages;
using ::testing::SizeIs;

RuleOptions as_of(int year, int month, int day) {
  RuleOptions options;
  options.as_of = facts::Date{year, month, day};
  return options;
}

const std::string kDated = "lmsysorg/sglang:nightly-dev-cu13-20260805-211ee642";
const std::string kCommit = "vllm/vllm-openai:nightly-5e35a6f4f9bbc217c599692157ca985c894373f7";
const std::string kShort = "vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-5894fdf";
const std::string kUnknownCommit =
    "vllm/vllm-openai:nightly-ffffffffffffffffffffffffffffffffffffffff";

TEST(ExpiringImageTag, IsANoteWithoutADay) {
  ImageLines images;
  images.file("x-master.yaml", {kDated, kCommit, kShort, kUnknownCommit});
  EXPECT_THAT(
      messages(images.run(expiring_image_tag())),
      ElementsAre(
          "note: The tag 'nightly-dev-cu13-20260805-211ee642' of 'lmsysorg/sglang' has fixed "
          "content, but its publisher deletes it: after each nightly build, only the 14 newest "
          "tags with the same prefix are kept. It was built on 2026-08-05 (the day in its tag).",
          "note: The tag 'nightly-5e35a6f4f9bbc217c599692157ca985c894373f7' of 'vllm/vllm-openai' "
          "has fixed content, but its publisher deletes it: after each nightly build, only the 14 "
          "most recently updated tags with the same prefix are kept. It was built on 2026-08-03 "
          "(the time of its commit, 5e35a6f4f9bb).",
          "note: The tag 'nightly-dev-arm64-cu13.0.1-5894fdf' of 'vllm/vllm-openai' has fixed "
          "content, but its publisher deletes it: after each nightly build, only the 14 most "
          "recently updated tags with the same prefix are kept. It was built by 2026-08-15 (first "
          "recipe that names it).",
          "note: The tag 'nightly-ffffffffffffffffffffffffffffffffffffffff' of "
          "'vllm/vllm-openai' has fixed content, but its publisher deletes it: after each nightly "
          "build, only the 14 most recently updated tags with the same prefix are kept. When it "
          "was built is not known."));
}

TEST(ExpiringImageTag, IsAWarningPastTheRetention) {
  ImageLines images;
  images.file("x-master.yaml", {kDated, kShort});
  EXPECT_THAT(
      messages(images.run(expiring_image_tag(), as_of(2026, 9, 1))),
      ElementsAre(
          "warning: The tag 'nightly-dev-cu13-20260805-211ee642' of 'lmsysorg/sglang' is past the "
          "publisher's retention: it was built on 2026-08-05 (the day in its tag), 27 days before "
          "2026-09-01, and the 14 builds that are kept cover 14 days at 1 build a day, 16 days "
          "with a margin of 2.",
          "warning: The tag 'nightly-dev-arm64-cu13.0.1-5894fdf' of 'vllm/vllm-openai' is past the "
          "publisher's retention: it was built by 2026-08-15 (first recipe that names it), at "
          "least 17 days before 2026-09-01, and the 14 builds that are kept cover 14 days at 1 "
          "build a day, 16 days with a margin of 2."));
}

TEST(ExpiringImageTag, CountsDaysFromTheBuildToTheDay) {
  struct Case {
    int month;
    int day;
    std::string ending;
  };
  const std::string kept = "; the 14 builds that are kept cover 14 days at 1 build a day.";
  for (const auto& one : {
           Case{8, 4, "It was built on 2026-08-05 (the day in its tag)."},
           Case{8, 5, "(the day in its tag), 0 days before 2026-08-05" + kept},
           Case{8, 6, "(the day in its tag), 1 day before 2026-08-06" + kept},
           Case{8, 21, "(the day in its tag), 16 days before 2026-08-21" + kept},
           Case{8, 22, "16 days with a margin of 2."},
       }) {
    ImageLines images;
    const auto& found =
        images.file("x.yaml", {kDated}).run(expiring_image_tag(), as_of(2026, one.month, one.day));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].message, ::testing::EndsWith(one.ending));
    EXPECT_EQ(found[0].level == findings::Level::kWarning, one.day == 22) << one.day;
  }
}

TEST(ExpiringImageTag, StaysANoteIfTheBuildCannotBePlaced) {
  ImageLines images;
  const auto& found =
      images.file("x.yaml", {kUnknownCommit}).run(expiring_image_tag(), as_of(2027, 1, 1));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].level, findings::Level::kNote);
}

TEST(ExpiringImageTag, IsSilentOnTagsThatNobodyDeletes) {
  ImageLines images;
  images.file("x-master.yaml", {"vllm/vllm-openai:v0.27.1", "vllm/vllm-openai:nightly",
                                "vllm/vllm-openai:kimi-k3", "rocm/atom-dev:nightly_202606101403",
                                "lmsysorg/sglang-rocm:v0.5.16-rocm720-mi35x-20260730",
                                "acme/engine:5e35a6f4f9bbc217c599692157ca985c894373f7", "TBD",
                                "lmsysorg/sglang", kDated + "@sha256:" + std::string(64, '0')});
  EXPECT_THAT(images.run(expiring_image_tag(), as_of(2027, 1, 1)), IsEmpty());
}

TEST(ExpiringImageTag, SaysWhatToDoAndWhatItBelieves) {
  ImageLines images;
  images.file("x-master.yaml", {kCommit, "acme/engine:v1.0", kCommit});
  const auto& found = images.run(expiring_image_tag());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].primary.bytes(), "nightly-5e35a6f4f9bbc217c599692157ca985c894373f7");
  EXPECT_THAT(found[0].cells, ElementsAre("key-1", "key-3"));
  EXPECT_THAT(found[0].related, SizeIs(1));
  EXPECT_THAT(
      found[0].remedies,
      ElementsAre(
          "Use a release of the vLLM project, which is kept: 'vllm/vllm-openai:v<version>'.",
          "Copy the image to a registry that keeps it and name the copy by its digest: "
          "'<registry>/<repository>@sha256:<digest>'.",
          "Pin the digest: 'vllm/vllm-openai@sha256:<digest>'; it works for as long as the "
          "registry keeps the manifest."));
  EXPECT_THAT(
      found[0].facts,
      ElementsAre("'[base-|cu{number}-]nightly-{commit}[-x86_64|-aarch64]' of "
                  "docker.io/vllm/vllm-openai: after each nightly build, only the 14 most recently "
                  "updated tags with the same prefix are kept (vllm-project/vllm "
                  ".buildkite/scripts/cleanup-nightly-builds.sh (#24102; ROCm since 60af7b967b), "
                  "2026-08-17)",
                  "nightly-5e35a6f4f9bbc217c599692157ca985c894373f7: built on 2026-08-03, the time "
                  "of its commit, 5e35a6f4f9bb (git history of github.com/vllm-project/vllm, main "
                  "up to 017e9f4448b7, 2026-08-17)"));
}

}  // namespace
}  // namespace recipelint::rules
