#include "analyzer/facts/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/facts/calendar_release.h"
#include "analyzer/facts/catalog.h"

namespace recipelint::facts {
namespace {

using ::testing::ElementsAre;

constexpr std::array kEngines = {"vllm", "sglang", "trtllm", "atom"};

TEST(Vocabulary, FindsOptionsByNameAndAlias) {
  const Catalog catalog;
  const auto* words = catalog.vocabulary("vllm");
  ASSERT_NE(words, nullptr);
  const Flag* flag = words->find_flag("--tensor-parallel-size");
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(flag, words->find_flag("-tp"));
  EXPECT_THAT(flag->aliases, ElementsAre("-tp"));
  EXPECT_EQ(flag->kind, FlagKind::kInt);
  EXPECT_EQ(to_string(flag->range), ">=1");
  EXPECT_EQ(flag->default_text, "1");
  EXPECT_EQ(words->find_flag("--tensor-parallel"), nullptr);
  EXPECT_EQ(words->find_flag("--compilation-config")->json_class, "CompilationConfig");
  EXPECT_THAT(words->find_flag("--performance-mode")->values,
              ElementsAre("balanced", "interactivity", "throughput"));
}

TEST(Vocabulary, FindsKeysAndVariables) {
  const Catalog catalog;
  const auto* words = catalog.vocabulary("vllm");
  EXPECT_EQ(words->find_key("CompilationConfig", "pass_config")->type, "PassConfig");
  EXPECT_EQ(words->find_key("PassConfig", "cudagraph_mode"), nullptr);
  EXPECT_EQ(words->find_key("CompilationConfig", "traced_files"), nullptr);  // not for users
  EXPECT_EQ(words->find_variable("VLLM_ATTENTION_BACKEND")->lifetime.instead,
            "--attention-backend");
  EXPECT_EQ(words->find_variable("VLLM_ATTENTION_BACKENDS"), nullptr);
}

TEST(Vocabulary, KnowsWhenWordsCameAndWent) {
  const Catalog catalog;
  const auto* words = catalog.vocabulary("vllm");
  const std::vector<std::tuple<const char*, const char*, Presence>> cases = {
      {"--max-num-partial-prefills", "v0.26.0", Presence::kPresent},
      {"--max-num-partial-prefills", "v0.27.0", Presence::kRemoved},
      {"--cuda-graph-sizes", "v0.12.0", Presence::kPresent},
      {"--cuda-graph-sizes", "v0.13.0", Presence::kRemoved},
      {"--watermark", "v0.23.0", Presence::kNotYet},
      {"--watermark", "v0.24.0", Presence::kPresent},
      {"--max-num-active-seqs", "v0.30.0", Presence::kNotYet},
      {"--max-num-active-seqs", "v0.33.0", Presence::kPresent},
      {"--enable-mamba-fine-grained-prefix-cache", "v0.30.0", Presence::kPresent},
      {"--enable-mamba-fine-grained-prefix-cache", "v0.31.0", Presence::kRemoved},
      {"--tensor-parallel-size", "v0.10.0", Presence::kPresent},
      {"--tensor-parallel-size", "latest", Presence::kPresent},
      {"--swap-space", "latest", Presence::kMaybe},
      {"--watermark", "latest", Presence::kMaybe},
      // Commits of main: certain outside of the bracket between two looks.
      {"--swap-space", "nightly-51f22dcfd068", Presence::kRemoved},
      {"--watermark", "nightly-51f22dcfd068", Presence::kNotYet},
      {"--watermark", "nightly-b53b1c7ffe7a", Presence::kMaybe},
      {"--watermark", "nightly-4559c43a9526", Presence::kPresent},
  };
  for (const auto& [name, tag, expected] : cases) {
    const auto version = catalog.version_of(std::string("vllm/vllm-openai:") + tag, "vllm");
    const Flag* flag = words->find_flag(name);
    ASSERT_NE(flag, nullptr) << name;
    EXPECT_EQ(words->presence(flag->lifetime, version, catalog.versions()), expected)
        << name << " " << tag;
  }
}

// ATOM is followed by day: the tables name the day on which something came to main.
TEST(Vocabulary, KnowsWordsByTheirDay) {
  const Catalog catalog;
  const auto* words = catalog.vocabulary("atom");
  const std::vector<std::tuple<const char*, const char*, Presence>> cases = {
      {"--cudagraph-mode", "rocm/atom-dev:nightly_202607121530", Presence::kPresent},
      {"--cudagraph-mode", "rocm/atom-dev:nightly_202607101530", Presence::kMaybe},
      {"--cudagraph-mode", "rocm/atom-dev:nightly_202607011530", Presence::kNotYet},
      {"--cudagraph-mode", "rocm/atom:rocm7.2.4_pytorch_atom0.1.3", Presence::kNotYet},
      {"--draft-model", "rocm/atom:rocm7.2.4_pytorch_atom0.1.3", Presence::kPresent},
      {"--draft-model", "rocm/atom:rocm7.2.2_pytorch_atom0.1.2", Presence::kNotYet},
      {"--max-num-seqs", "rocm/atom:rocm7.2.2_pytorch_atom0.1.2", Presence::kPresent},
      {"--max-num-seqs", "rocm/atom-dev:latest", Presence::kMaybe},
  };
  for (const auto& [name, image, expected] : cases) {
    const auto version = catalog.version_of(image, "atom");
    EXPECT_EQ(words->presence(words->find_flag(name)->lifetime, version, catalog.versions()),
              expected)
        << name << " " << image;
  }
}

TEST(Vocabulary, KnowsWhatIsDeprecated) {
  const Catalog catalog;
  const auto* words = catalog.vocabulary("vllm");
  const auto deprecated = [&](std::string_view name, const std::string& tag) {
    return words->is_deprecated(words->find_flag(name)->lifetime,
                                catalog.version_of("vllm/vllm-openai:" + tag, "vllm"),
                                catalog.versions());
  };
  EXPECT_FALSE(deprecated("--disable-log-requests", "v0.10.0"));
  EXPECT_TRUE(deprecated("--disable-log-requests", "v0.16.0"));
  EXPECT_FALSE(deprecated("--disable-log-requests", "v0.17.0"));  // removed
  EXPECT_FALSE(deprecated("--disable-log-requests", "latest"));
  EXPECT_FALSE(deprecated("--max-num-seqs", "v0.27.0"));
}

TEST(Vocabulary, EveryTableIsWellFormed) {
  const Catalog catalog;
  for (const auto* engine : kEngines) {
    const auto* words = catalog.vocabulary(engine);
    if (words == nullptr) continue;
    EXPECT_FALSE(words->flags().empty());
    for (const Flag& flag : words->flags()) {
      EXPECT_FALSE(flag.evidence->source.empty()) << flag.name;
      EXPECT_GE(flag.evidence->date.year, 2025) << flag.name;
      EXPECT_TRUE(flag.name.find('_') == std::string_view::npos || engine != kEngines[0]);
      if (!flag.takes_value()) {
        EXPECT_TRUE(flag.default_text.empty() || flag.default_text == "true" ||
                    flag.default_text == "false")
            << flag.name;
      }
      const auto& releases = catalog.versions().releases();
      for (const auto& release :
           {flag.lifetime.since, flag.lifetime.deprecated, flag.lifetime.removed}) {
        if (!release || day_of(*release)) continue;
        EXPECT_TRUE(std::ranges::any_of(
            releases,
            [&](const auto& known) { return known.engine == engine && known.release == *release; }))
            << flag.name << " " << to_string(*release);
      }
    }
  }
}

TEST(Vocabulary, WhatReplacesAnOptionIsThere) {
  const Catalog catalog;
  for (const auto* engine : kEngines) {
    const auto* words = catalog.vocabulary(engine);
    if (words == nullptr) continue;
    for (const Flag& flag : words->flags()) {
      const auto instead = flag.lifetime.instead;
      if (!instead.starts_with("--")) continue;
      std::string name(instead.substr(0, instead.find_first_of(" .=")));
      if (name.starts_with("--no-")) name.erase(2, 3);
      EXPECT_NE(words->find_flag(name), nullptr) << flag.name << ": " << name;
    }
  }
}

TEST(Vocabulary, NamesTheLineThatIsWrong) {
  const std::string head = "@source\ts\n@date\t2026-08-17\n";
  const auto problem = [&](const std::string& flags, const std::string& keys = "",
                           const std::string& envs = "") {
    const std::string flag_text = head + flags;
    const std::string key_text = head + keys;
    const std::string env_text = head + envs;
    const auto words =
        Vocabulary::read("vllm", Table::parse(flag_text, Vocabulary::kFlagColumns).value(),
                         Table::parse(key_text, Vocabulary::kKeyColumns).value(),
                         Table::parse(env_text, Vocabulary::kVariableColumns).value());
    return words.ok() ? "" : words.error().message;
  };
  EXPECT_EQ(problem("--a\t-a\tint\t-\t>=1\t2\t-\t-\t-\t-\n"), "");
  EXPECT_EQ(problem("--a\t-\tinteger\t-\t-\t-\t-\t-\t-\t-\n"),
            "flags: line 3: there is no kind 'integer'");
  EXPECT_EQ(problem("--a\t-\tint\t-\t=>1\t-\t-\t-\t-\t-\n"), "flags: line 3: '=>1' is no range");
  EXPECT_EQ(problem("--a\t-\tenum\t-\t-\t-\t-\t-\t-\t-\n"),
            "flags: line 3: an enum, and nothing else, has values");
  EXPECT_EQ(problem("--no-a\t-\tbool\t-\t-\t-\t-\t-\t-\t-\n"),
            "flags: line 3: a name begins with '--' and is no negation");
  EXPECT_EQ(problem("--a\t-\tint\t-\t-\t-\t0.3.0\t-\t0.2.0\t-\n"),
            "flags: line 3: it was removed before it was there");
  EXPECT_EQ(problem("--a\t-\tint\t-\t-\t-\tsoon\t-\t-\t-\n"),
            "flags: line 3: 'soon' is no release");
  EXPECT_EQ(problem("--a\t-b\tint\t-\t-\t-\t-\t-\t-\t-\n--c\t-b\tint\t-\t-\t-\t-\t-\t-\t-\n"),
            "flags: '-b' is there twice");
  EXPECT_EQ(problem("--a\t-\tjson\tNone\t-\t-\t-\t-\t-\t-\n"),
            "flags: line 3: no class of keys is called 'None'");
  EXPECT_EQ(problem("", "C\tk\tinteger\t-\t-\t-\n"), "keys: there is no type 'integer'");
  EXPECT_EQ(problem("", "C\tk\tint\t-\t-\t-\nC\tk\tint\t-\t-\t-\n"),
            "keys: 'k' is there twice in C");
  EXPECT_EQ(problem("", "", "A\tint\t-\t-\t-\t-\nA\tint\t-\t-\t-\t-\n"),
            "environment: 'A' is there twice");
}

}  // namespace
}  // namespace recipelint::facts
