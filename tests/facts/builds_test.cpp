#include "analyzer/facts/builds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {
namespace {

TEST(BuildFacts, PlacesImagesInTime) {
  const Catalog catalog;
  const std::vector<std::pair<std::string, std::string>> cases = {
      // The day in the tag wins over the commit, which is older.
      {"lmsysorg/sglang:nightly-dev-cu13-20260709-074bb928", "on 2026-07-09 (the day in its tag)"},
      {"lmsysorg/sglang-rocm:v0.5.16-rocm720-mi35x-20260730", "on 2026-07-30 (the day in its tag)"},
      {"rocm/atom-dev:nightly_202608201032", "on 2026-08-20 (the day in its tag)"},
      {"vllm/vllm-openai:nightly-5e35a6f4f9bbc217c599692157ca985c894373f7",
       "on 2026-08-03 (the time of its commit, 5e35a6f4f9bb)"},
      {"vllm/vllm-openai-rocm:nightly-09663abde0f50944a8d5ea30120666024b503faa",
       "on 2026-07-02 (the time of its commit, 09663abde0f5)"},
      {"acme/engine:311b3513af33bc29b4acb2fde2e9313e5e9966a0",
       "on 2026-08-17 (the time of its commit, 311b3513af33)"},
      {"vllm/vllm-openai:nightly-dev-x86_64-cu13.0.1-017e9f4",
       "on 2026-08-17 (the time of its commit, 017e9f4448b7)"},
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-426e59f",
       "by 2026-07-27 (first recipe that names it)"},
      {"vllm/vllm-openai:model-x-arm64-cu130-4ba0a72",
       "by 2026-07-03 (first recipe that names it)"},
      {"vllm/vllm-openai:v0.27.1", "on 2026-08-11 (release published)"},
      {"vllm/vllm-openai:v0.23.0-cu130", "between 2026-06-14 and 2026-06-22 (release published)"},
      {"lmsysorg/sglang:v0.5.17-cu130", "by 2026-08-11 (first image that names the release)"},
      // Unknown: no commit of any table, a short hash of an unknown publisher, no date at all.
      {"vllm/vllm-openai:nightly-ffffffffffffffffffffffffffffffffffffffff", "on an unknown day ()"},
      {"acme/engine:feature-x-017e9f4", "on an unknown day ()"},
      {"acme/engine:v0.27.1", "on an unknown day ()"},
      {"vllm/vllm-openai:latest", "on an unknown day ()"},
      {"vllm/vllm-openai", "on an unknown day ()"},
      {"vllm/vllm-openai@sha256:" + std::string(64, '0'), "on an unknown day ()"},
      // A hand-made tag names the version it was made from.
      {"rocm/sgl-dev:sglang-0.5.16-rocm720-mi35x-mori-0727", "on an unknown day ()"},
  };
  for (const auto& [reference, expected] : cases) {
    const auto date = catalog.builds().build_date(catalog.images().classify(reference));
    EXPECT_EQ(to_string(date) + " (" + date.basis + ")", expected) << reference;
  }
}

TEST(BuildFacts, SaysWhereADateIsFrom) {
  const Catalog catalog;
  const auto source = [&](std::string_view reference) {
    return catalog.builds().build_date(catalog.images().classify(reference)).source;
  };
  EXPECT_EQ(source("vllm/vllm-openai:nightly-5e35a6f4f9bbc217c599692157ca985c894373f7"),
            "git history of github.com/vllm-project/vllm, main up to 017e9f4448b7, 2026-08-17");
  EXPECT_EQ(source("rocm/atom-dev:nightly_202608201032"), "");
}

TEST(BuildFacts, OrdersCommitsOfOneEngine) {
  const BuildFacts builds;
  const auto boundary = builds.find_commit("vllm", "a2f713002df9fd08c0fe13272c76547421721f2d");
  const auto image = builds.find_commit("vllm", "09663abde0f50944a8d5ea30120666024b503faa");
  ASSERT_TRUE(boundary.commit && image.commit);
  EXPECT_LT(image.commit->seconds_since_epoch, boundary.commit->seconds_since_epoch);
  EXPECT_EQ(builds.find_commit("trtllm", "09663abde0f5").outcome, CommitIndex::Outcome::kUnknown);
}

std::string problem_of(const std::string& entry) {
  const text::SourceFile file("facts.yaml", "builds:\n  - " + entry + "\n");
  const auto document = yaml::Document::parse(file);
  if (!document) return "no YAML: " + document.error().message;
  BuildFacts facts;
  const auto error = facts.add((*document)->root());
  return error ? error->message : "";
}

TEST(BuildFacts, RefusesEntriesThatSayNothingOrTooMuch) {
  const std::string rest = ", basis: b, source: s, date: 2026-08-01}";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{engine: vllm, version: 1.0.0, day: 2026-08-01", ""},
      {"{engine: vllm, commit: 1a2b3c4, to: 2026-08-01", ""},
      {"{engine: atom, version: 1.0.0, day: 2026-08-01", "the engine is vllm or sglang"},
      {"{engine: vllm, day: 2026-08-01", "an entry has either a version or a commit"},
      {"{engine: vllm, version: 1.0.0, commit: 1a2b3c4, day: 2026-08-01",
       "an entry has either a version or a commit"},
      {"{engine: vllm, version: 1.0.0, from: 2026-08-01", "an entry has 'day' or 'to'"},
      {"{engine: vllm, version: 1.0.0, day: 2026-08-01, to: 2026-08-02",
       "'day' stands without 'from' and 'to'"},
      {"{engine: vllm, version: 1.0.0, from: 2026-08-03, to: 2026-08-02", "'from' lies after 'to'"},
      {"{engine: vllm, commit: 1a2b3c, to: 2026-08-01",
       "a commit has at least 7 lower-case hexadecimal digits"},
      {"{engine: vllm, commit: 1A2B3C4, to: 2026-08-01",
       "a commit has at least 7 lower-case hexadecimal digits"},
  };
  for (const auto& [entry, expected] : cases) EXPECT_EQ(problem_of(entry + rest), expected);
  EXPECT_EQ(problem_of("{engine: vllm, version: 1.0.0, day: 2026-08-01" + rest +
                       "\n  - {engine: vllm, version: 1.0.0, to: 2026-08-01" + rest),
            "this build is there twice");
}

}  // namespace
}  // namespace recipelint::facts
