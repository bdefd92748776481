#include "analyzer/facts/engine_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "analyzer/facts/catalog.h"

namespace recipelint::facts {
namespace {

using Answer = EngineVersion::Answer;

std::string commit_image(std::string_view hash) {
  return "vllm/vllm-openai:nightly-" + std::string(hash);
}

const std::string kAugust3 = commit_image("5e35a6f4f9bbc217c599692157ca985c894373f7");
const std::string kJuly2 = commit_image("09663abde0f50944a8d5ea30120666024b503faa");

TEST(EngineVersion, PlacesImagesOnTheTimeLine) {
  const Catalog catalog;
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"vllm/vllm-openai:v0.27.1", "vllm", "0.27.1"},
      {"vllm/vllm-openai-rocm:v0.26.0-base", "vllm", "0.26.0"},
      {"vllm/vllm-openai:v0.28.0rc1", "vllm", "0.28.0rc1"},
      {kAugust3, "vllm", "main of 2026-08-03 (5e35a6f4f9bb)"},
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "vllm",
       "a build by 2026-07-27, custom"},
      {"vllm/vllm-openai:vllm-x86_64-cu13-0.25.1-7a33ba9", "vllm", "a build by 2026-07-28, custom"},
      {"vllm/vllm-openai:kimi-k3", "vllm", "unknown, custom"},
      {"vllm/vllm-openai:latest", "vllm", "unknown, custom"},
      {"lmsysorg/sglang:v0.5.16-cu130", "vllm", "unknown"},
      {"lmsysorg/sglang:v0.5.16-cu130", "sglang", "0.5.16"},
      {"nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc22.post1", "trtllm", "1.3.0rc22.post1"},
      {"nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.2.0", "sglang", "0.5.11"},
      {"nvcr.io#nvidia/ai-dynamo/tensorrtllm-runtime:1.1.0", "trtllm", "1.3.0rc11"},
      {"nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.2.0", "vllm", "unknown, custom"},
      {"acme/engine:v0.27.1", "vllm", "unknown, custom"},
      {"acme/engine:5e35a6f4f9bbc217c599692157ca985c894373f7", "vllm",
       "main of 2026-08-03 (5e35a6f4f9bb), custom"},
      {"not a reference", "vllm", "unknown, custom"},
  };
  for (const auto& [image, engine, expected] : cases) {
    const auto version = catalog.version_of(image, engine);
    EXPECT_EQ(version.name() + (version.custom() ? ", custom" : ""), expected) << image;
  }
}

struct HasCase {
  std::string image;
  const char* change;
  Answer answer;
};

TEST(EngineVersion, KnowsWhatItHas) {
  const Catalog catalog;
  const std::vector<HasCase> cases = {
      // A release by its number, whatever the moment of its cut.
      {"vllm/vllm-openai:v0.13.0", "graph-maximum-counts-speculation", Answer::kYes},
      {"vllm/vllm-openai:v0.12.0", "graph-maximum-counts-speculation", Answer::kNo},
      {"vllm/vllm-openai:v0.27.1", "graph-default-1024", Answer::kNo},
      {"vllm/vllm-openai:v0.28.0", "graph-default-1024", Answer::kYes},
      {"vllm/vllm-openai:v0.28.0rc1", "graph-default-1024", Answer::kYes},
      {"vllm/vllm-openai:v0.40.0", "graph-default-1024", Answer::kYes},
      // A release the cut of which is only bracketed, and a change whose release nobody saw.
      {"vllm/vllm-openai:v0.20.0", "memory-fraction-0.92", Answer::kMaybe},
      {"vllm/vllm-openai:v0.19.0", "memory-fraction-0.92", Answer::kNo},
      {"vllm/vllm-openai:v0.21.0", "memory-fraction-0.92", Answer::kYes},
      // A commit: by the minute.
      {kJuly2, "v2-all-dense", Answer::kNo},
      {kAugust3, "v2-all-dense", Answer::kYes},
      {kAugust3, "graph-default-1024", Answer::kNo},
      {commit_image("3ee2df30337a"), "graph-default-1024", Answer::kYes},
      // A build of an unknown commit.
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "graph-default-1024", Answer::kNo},
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "v2-all-dense", Answer::kMaybe},
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "graph-maximum", Answer::kYes},
      {"vllm/vllm-openai:latest", "graph-maximum", Answer::kMaybe},
  };
  for (const auto& [image, id, answer] : cases) {
    const auto version = catalog.version_of(image, "vllm");
    const auto* change = catalog.versions().find_change("vllm", id);
    ASSERT_NE(change, nullptr) << id;
    EXPECT_EQ(version.has(*change), answer) << image << " " << id;
  }
}

TEST(EngineVersion, ComparesCommitsWithReleases) {
  const Catalog catalog;
  const auto has = [&](const std::string& image, std::string_view release) {
    const auto change = catalog.versions().change_of("vllm", *parse_release(release));
    return catalog.version_of(image, "vllm").has(change);
  };
  EXPECT_EQ(has(kAugust3, "0.27.0"), Answer::kMaybe);  // inside the bracket of the cut
  EXPECT_EQ(has(kAugust3, "0.26.0"), Answer::kYes);
  EXPECT_EQ(has(kAugust3, "0.28.0"), Answer::kMaybe);
  EXPECT_EQ(has(kAugust3, "0.29.0"), Answer::kNo);
  EXPECT_EQ(has("vllm/vllm-openai:v0.27.1", "0.27.0"), Answer::kYes);
  EXPECT_EQ(has("vllm/vllm-openai:v0.27.1", "0.28.0"), Answer::kNo);
}

TEST(EngineVersion, AlternativesDecideEveryChange) {
  const Catalog catalog;
  const auto& versions = catalog.versions();
  for (const std::string image :
       {"vllm/vllm-openai:v0.28.0", "vllm/vllm-openai:v0.31.0", "vllm/vllm-openai:v0.20.0",
        "vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f", "vllm/vllm-openai:latest"}) {
    const auto version = catalog.version_of(image, "vllm");
    const auto alternatives = versions.alternatives("vllm", version);
    ASSERT_FALSE(alternatives.empty());
    for (const auto* change : versions.changes("vllm")) {
      bool with = false;
      bool without = false;
      for (const auto& alternative : alternatives) {
        ASSERT_NE(alternative.has(*change), Answer::kMaybe) << image << " " << change->id;
        (alternative.certainly_has(*change) ? with : without) = true;
      }
      if (!version.known()) continue;
      const bool open = version.has(*change) == Answer::kMaybe;
      EXPECT_EQ(with && without, open) << image << " " << change->id;
    }
  }
}

TEST(EngineVersion, AKnownVersionHasOneAlternative) {
  const Catalog catalog;
  const auto version = catalog.version_of("vllm/vllm-openai:v0.26.0", "vllm");
  EXPECT_EQ(catalog.versions().alternatives("vllm", version).size(), 1u);
}

TEST(EngineVersion, AnUnknownVersionCountsAsTheNewest) {
  const Catalog catalog;
  const auto alternatives = catalog.versions().alternatives("vllm", EngineVersion());
  ASSERT_EQ(alternatives.size(), 1u);
  for (const auto* change : catalog.versions().changes("vllm")) {
    EXPECT_TRUE(alternatives[0].certainly_has(*change)) << change->id;
  }
}

TEST(VersionFacts, RefusesBrokenTables) {
  const std::string head = "@source\ts\n@date\t2026-08-17\n";
  const auto problem = [&](const std::string& releases, const std::string& changes) {
    const std::string release_text = head + releases;
    const std::string change_text = head + changes;
    const auto facts = VersionFacts::read(
        Table::parse(release_text, VersionFacts::kReleaseColumns).value(),
        Table::parse(change_text, VersionFacts::kChangeColumns).value(), Table());
    return facts.ok() ? "" : facts.error().message;
  };
  EXPECT_EQ(problem("vllm\t0.2.0\t2026-01-01\t2026-01-02\n", ""), "");
  EXPECT_EQ(problem("tgi\t0.2.0\t2026-01-01\t2026-01-02\n", ""),
            "releases: line 3: no engine has this name");
  EXPECT_EQ(problem("vllm\tnew\t2026-01-01\t2026-01-02\n", ""),
            "releases: line 3: this is no release");
  EXPECT_EQ(problem("vllm\t0.2.0\t2026-01-03\t2026-01-02\n", ""),
            "releases: line 3: the branch left main between two moments");
  EXPECT_EQ(
      problem("vllm\t0.2.0\t2026-01-01\t2026-01-02\nvllm\t0.2.0\t2026-01-01\t2026-01-02\n", ""),
      "releases: line 4: this release is there twice");
  EXPECT_EQ(problem("", "vllm\ta\t-\t2026-01-01T24:00\t-\tx\n"),
            "changes: line 3: a change came between two moments");
}

}  // namespace
}  // namespace recipelint::facts
