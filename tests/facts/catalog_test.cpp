#include "analyzer/facts/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/facts/embedded.h"
#include "analyzer/facts/split.h"
#include "analyzer/text/source_file.h"

namespace recipelint::facts {
namespace {

/// The text of a literal block.
std::string block(const std::vector<std::string>& lines) {
  std::string text = "|\n  @source\tour own test\n  @date\t2026-09-01\n";
  for (const auto& line : lines) text += "  " + line + "\n";
  return text;
}

TEST(CatalogOverrides, AddAndReplaceRowsOfTables) {
  const text::SourceFile file(
      "facts.yaml", "vllm_flags: " +
                        block({"--our-flag\t-\tint\t-\t>=1\t-\t-\t-\t-\t-",
                               "--seed\t-\tint\t-\t>=5\t-\t-\t-\t-\t-"}) +
                        "gpus: " + block({"b200\tsm_100\t123\t8\t8", "z100\tsm_130\t456\t4\t4"}) +
                        "engine_releases: " + block({"vllm\t0.40.0\t2027-01-01\t2027-01-02"}));
  const auto catalog = Catalog::with_overrides(file);
  ASSERT_TRUE(catalog.ok()) << catalog.error().message;
  const auto* words = (*catalog)->vocabulary("vllm");
  ASSERT_NE(words->find_flag("--our-flag"), nullptr);
  EXPECT_EQ(to_string(*words->find_flag("--our-flag")->evidence), "our own test, 2026-09-01");
  EXPECT_EQ(to_string(words->find_flag("--seed")->range), ">=5");
  EXPECT_NE(words->find_flag("--max-num-seqs"), nullptr);
  EXPECT_EQ((*catalog)->models().find_gpu("b200")->bytes, 123);
  EXPECT_EQ((*catalog)->models().find_gpu("z100")->per_node, 4);
  EXPECT_NE((*catalog)->models().find_gpu("h200"), nullptr);
  EXPECT_EQ((*catalog)->versions().releases().back().release, *parse_release("0.40.0"));
}

TEST(CatalogOverrides, ReplaceFormatsAndMeasurements) {
  const text::SourceFile file(
      "facts.yaml",
      "weight_formats: " + block({"mxfp4\t0.6\tany\t256", "fp6\t0.78\tsame\t-"}) +
          "memory_measurements: " +
          block({"vllm\tKimi-K3\tmxfp4\tb300\t0.27.1\t8\t1\t1\t0.9\t8192\tnone\t190\t-\t40\t-"}));
  const auto catalog = Catalog::with_overrides(file);
  ASSERT_TRUE(catalog.ok()) << catalog.error().message;
  const MemoryFacts& facts = (*catalog)->memory();
  EXPECT_EQ(facts.find_format("mxfp4")->bytes_per_parameter, 0.6);
  EXPECT_EQ(to_string(*facts.find_format("fp6")->evidence), "our own test, 2026-09-01");
  EXPECT_NE(facts.find_format("nvfp4"), nullptr);
  EXPECT_EQ(facts.measurements().front().available, 40);
  EXPECT_GT(facts.measurements().size(), 1u);
}

TEST(CatalogOverrides, NameWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"tpus: x\n", "the key 'tpus' is not known here"},
      {"vllm_gpus: x\n", "the key 'vllm_gpus' is not known here"},
      {"vllm: x\n", "the key 'vllm' is not known here"},
      {"- gpus\n", "a mapping from topics to facts is needed"},
      {"gpus: " + block({"b200\tsm_100\t123"}), "line 3: 3 cells instead of 5"},
      {"gpus: b200\n", "line 1: a source and a date come first"},
      {"vllm_flags: " + block({"--x\t-\tinteger\t-\t-\t-\t-\t-\t-\t-"}),
       "flags: line 3: there is no kind 'integer'"},
      {"models: " + block({"o/m\tF\tfp8\t1\t2\tcomputed\t-\t-\t-"}),
       "models: line 3: no family is 'F'"},
      {"weight_formats: " + block({"fp6\tlittle\tsame\t-"}),
       "weight formats: line 3: 'fp6': bytes is a number"},
  };
  for (const auto& [bytes, message] : cases) {
    const text::SourceFile file("facts.yaml", bytes);
    const auto catalog = Catalog::with_overrides(file);
    ASSERT_FALSE(catalog.ok()) << bytes;
    EXPECT_EQ(catalog.error().message, message);
    EXPECT_TRUE(catalog.error().where.valid());
  }
}

/// Within a block of one source, so that additions have one place.
TEST(EmbeddedTables, AreSorted) {
  for (const char* name :
       {"atom_envs.tsv", "atom_flags.tsv", "engine_changes.tsv", "engine_matrix.tsv", "gpus.tsv",
        "models.tsv", "vllm_envs.tsv", "vllm_flags.tsv", "vllm_keys.tsv"}) {
    std::vector<std::string_view> rows;
    ASSERT_FALSE(embedded_data(name).empty()) << name;
    for (const auto line : split(embedded_data(name), '\n')) {
      if (line.empty() || line.starts_with('#')) continue;
      if (line.starts_with("@source")) {
        if (std::string_view(name) != "gpus.tsv" && std::string_view(name) != "models.tsv") {
          rows.clear();
        }
      } else if (!line.starts_with('@')) {
        EXPECT_TRUE(rows.empty() || rows.back() < line) << name << ": " << line;
        rows.push_back(line);
      }
    }
  }
}

}  // namespace
}  // namespace recipelint::facts
