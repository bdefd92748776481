#include "analyzer/facts/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/facts/catalog.h"

namespace recipelint::facts {
namespace {

TEST(ModelFacts, FindsModelsByRepositoryAndPath) {
  const Catalog catalog;
  const auto& facts = catalog.models();
  const Model* model = facts.find_model("deepseek-ai/DeepSeek-V4-Pro");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(facts.find_model("/data/models/DeepSeek-V4-Pro/"), model);
  EXPECT_THAT(model->family->architectures, ::testing::ElementsAre("DeepseekV4ForCausalLM"));
  EXPECT_TRUE(model->family->mixture_of_experts);
  EXPECT_EQ(model->family->number("max_position_embeddings"), 1048576);
  EXPECT_EQ(model->family->number("no_such_number"), std::nullopt);
  EXPECT_EQ(facts.find_model("org/unheard-of"), nullptr);
  EXPECT_EQ(facts.find_model(""), nullptr);
}

TEST(ModelFacts, FindsGpusInAnyCase) {
  const Catalog catalog;
  const Gpu* gpu = catalog.models().find_gpu("B300");
  ASSERT_NE(gpu, nullptr);
  EXPECT_TRUE(gpu->is_sm_10x());
  EXPECT_FALSE(gpu->is_rocm());
  EXPECT_TRUE(catalog.models().find_gpu("mi355x")->is_rocm());
  EXPECT_FALSE(catalog.models().find_gpu("rtx6000pro")->is_sm_10x());
  EXPECT_EQ(catalog.models().find_gpu("b30"), nullptr);
}

TEST(ModelFacts, EveryEntryHasASourceAndADate) {
  const Catalog catalog;
  for (const auto& family : catalog.models().families()) {
    EXPECT_FALSE(family.evidence->source.empty()) << family.name;
    EXPECT_TRUE(family.number("max_position_embeddings")) << family.name;
  }
  for (const auto& model : catalog.models().models()) {
    EXPECT_FALSE(model.evidence->source.empty()) << model.repository;
    EXPECT_GE(model.evidence->date.year, 2025) << model.repository;
  }
  for (const auto& gpu : catalog.models().gpus()) {
    EXPECT_FALSE(gpu.evidence->source.empty()) << gpu.name;
    EXPECT_GT(gpu.bytes, std::int64_t{16} << 30) << gpu.name;
  }
}

TEST(ModelFacts, NamesTheFamilyWhoseShapeIsWrong) {
  const auto problem = [&](const std::string& attention, const std::string& experts,
                           const std::string& shape) {
    const std::string text = "@source\ts\n@date\t2026-08-17\nF\tFForCausalLM\t" + attention + "\t" +
                             experts + "\t" + shape + "\t-\n";
    const std::string none = "@source\ts\n@date\t2026-08-17\n";
    const auto facts = ModelFacts::read(Table::parse(text, ModelFacts::kFamilyColumns).value(),
                                        Table::parse(none, ModelFacts::kModelColumns).value(),
                                        Table::parse(none, ModelFacts::kGpuColumns).value());
    return facts.ok() ? "" : facts.error().message;
  };
  const std::string rest = " max_position_embeddings=1 mtp_expert_params=0 nonexpert_params=10 ";
  const std::string gqa = "expert_params=90 head_dim=128" + rest + "num_hidden_layers=3 ";
  const auto wrong = [](const std::string& what) { return "families: line 3: 'F': " + what; };
  EXPECT_EQ(problem("gqa", "moe", gqa + "num_key_value_heads=8 total_params=100"), "");
  EXPECT_EQ(problem("hyena", "moe", gqa + "total_params=100"), wrong("no attention is 'hyena'"));
  EXPECT_EQ(problem("gqa", "moe", gqa + "total_params=100"),
            wrong("gqa attention needs num_key_value_heads"));
  EXPECT_EQ(problem("gqa", "moe", gqa + "num_key_value_heads=8"),
            wrong("gqa attention needs total_params"));
  EXPECT_EQ(problem("gqa", "moe", gqa + "num_key_value_heads=8 total_params=120"),
            wrong("the parameters do not add up"));
  EXPECT_EQ(problem("gqa", "dense", gqa + "num_key_value_heads=8 total_params=100"),
            wrong("a mixture of experts has expert_params, and nothing else has"));
  EXPECT_EQ(problem("gqa", "moe", gqa + "num_key_value_heads=0 total_params=100"),
            wrong("num_key_value_heads is 0"));
  EXPECT_EQ(problem("gqa_swa", "moe",
                    gqa + "num_key_value_heads=8 sliding_attention_layers=4 sliding_window=128 "
                          "total_params=100"),
            wrong("sliding_attention_layers is more than num_hidden_layers"));
  EXPECT_EQ(problem("gqa_swa", "moe",
                    "expert_params=90 full_attention_layers=2 head_dim=128" + rest +
                        "num_hidden_layers=3 num_key_value_heads=8 sliding_attention_layers=2 "
                        "sliding_window=128 total_params=100"),
            wrong("the kinds of layers do not add up to num_hidden_layers"));
}

TEST(ModelFacts, NamesTheLineThatIsWrong) {
  const std::string head = "@source\ts\n@date\t2026-08-17\n";
  const std::string shape =
      "expert_params=90 head_dim=128 max_position_embeddings=1 mtp_expert_params=0 "
      "nonexpert_params=10 num_hidden_layers=3 num_key_value_heads=8 total_params=100";
  const std::string family = "F\tFForCausalLM\tgqa\tmoe\t" + shape + "\t-\n";
  const auto problem = [&](const std::string& families, const std::string& models,
                           const std::string& gpus) {
    const std::string family_text = head + families;
    const std::string model_text = head + models;
    const std::string gpu_text = head + gpus;
    const auto facts =
        ModelFacts::read(Table::parse(family_text, ModelFacts::kFamilyColumns).value(),
                         Table::parse(model_text, ModelFacts::kModelColumns).value(),
                         Table::parse(gpu_text, ModelFacts::kGpuColumns).value());
    return facts.ok() ? "" : facts.error().message;
  };
  EXPECT_EQ(problem(family, "o/m\tF\tfp8\t1\t2\tcomputed\tfp8\tfp8\t-\n", ""), "");
  EXPECT_EQ(problem("F\tA\tgqa\tmoe\tb=1 a=2\t-\n", "", ""),
            "families: line 3: a shape is sorted name=number pairs");
  EXPECT_EQ(problem("F\tA\tgqa\tmoe\ta=1 a=2\t-\n", "", ""),
            "families: line 3: a shape is sorted name=number pairs");
  EXPECT_EQ(problem("F\tA\tgqa\tsparse\ta=2\t-\n", "", ""), "families: line 3: moe or dense");
  EXPECT_EQ(problem(family + family, "", ""), "families: line 4: this family is there twice");
  EXPECT_EQ(problem(family, "o/m\tG\tfp8\t1\t2\tcomputed\t-\t-\t-\n", ""),
            "models: line 3: no family is 'G'");
  EXPECT_EQ(problem(family, "o/m\tF\tfp8\t3\t2\tcomputed\t-\t-\t-\n", ""),
            "models: line 3: low is at most high");
  EXPECT_EQ(problem("", "", "g\tvolta\t1\t1\t1\n"), "gpus: line 3: sm_NNN or gfxNNN");
}

}  // namespace
}  // namespace recipelint::facts
