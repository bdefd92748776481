#include "analyzer/serving/atom/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/command_line.h"

namespace recipelint::serving::atom {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kRelease012 =
    "rocm/atom:rocm7.2.2_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.2.post";
constexpr const char* kRelease013 =
    "rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3";
constexpr const char* kAugust = "rocm/atom-dev:nightly_202608201032";
constexpr const char* kByHand = "rocm/atom-dev:kimi_k3_agentic";
constexpr const char* kServer = "python3 -m atom.entrypoints.openai_server ";

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

struct Given {
  std::string options;
  std::string image = kAugust;
  std::map<std::string, shell::Value, std::less<>> environment = {};
  std::string program = "python3 -m atom.entrypoints.openai_server";
};

ServerConfig config_of(const Given& given) {
  // Spans point into the command line.
  static std::vector<std::unique_ptr<const testing::CommandLine>> commands;
  commands.push_back(std::make_unique<const testing::CommandLine>(kServer + given.options));
  const auto& command = *commands.back();
  launch::Launch launch;
  launch.program = given.program;
  launch.argv = command.argv();
  launch.arguments_index = 3;
  launch.environment = given.environment;
  Situation situation;
  situation.version = catalog().version_of(given.image, "atom");
  situation.gpu = catalog().models().find_gpu("mi355x");
  return decode(launch, situation, catalog());
}

/// "value source: reason" of one setting.
std::string setting(const ServerConfig& config, std::string_view name) {
  for (const auto& entry : describe(config)) {
    if (entry.name != name) continue;
    return (entry.value ? to_string(*entry.value) : "-") + " " +
           std::string(to_string(entry.source)) +
           (entry.reason.empty() ? "" : ": " + std::string(entry.reason));
  }
  return "no such setting";
}

std::string setting(const Given& given, std::string_view name) {
  return setting(config_of(given), name);
}

/// "error RL8001 <--x>: message" for each problem; what is underlined stands in brackets.
std::vector<std::string> problems(const Given& given) {
  constexpr const char* kLevels[] = {"note", "warning", "error"};
  std::vector<std::string> result;
  for (const Problem& problem : config_of(given).problems) {
    result.push_back(std::string(kLevels[static_cast<int>(problem.severity)]) + " " +
                     std::string(problem.rule) + " <" + std::string(problem.span.bytes()) + "> " +
                     problem.message);
  }
  return result;
}

TEST(AtomConfig, TellsExplicitSettingsFromDefaults) {
  const auto config = config_of(
      {"--model deepseek-ai/DeepSeek-R1-0528 --server-port 8888 -tp 8 --kv_cache_dtype fp8 "
       "--max-num-seqs 96 --enable-expert-parallel"});
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"model", "deepseek-ai/DeepSeek-R1-0528 explicit"},
      {"host", "0.0.0.0 default"},
      {"port", "8888 explicit"},
      {"tensor_parallel", "8 explicit"},
      {"pipeline_parallel", "1 default"},
      {"data_parallel", "1 default"},
      {"expert_parallel", "8 explicit"},
      {"attention_data_parallel", "1 default"},
      {"all_to_all", "- default"},
      {"max_num_seqs_per_rank", "96 explicit"},
      {"step_tokens_per_rank", "16384 default"},
      {"model_length", "163840 default: the length of the model"},
      {"chunked_prefill", "true default"},
      {"async_scheduling", "- default"},
      {"memory_fraction", "0.9 default"},
      {"kv_dtype", "fp8 explicit"},
      {"block_size", "16 default"},
      {"prefix_caching", "true default"},
      {"eager", "false default"},
      {"graph_mode", "FULL default"},
      {"speculative_method", "- default"},
      {"speculative_tokens", "0 default"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(setting(config, name), value) << name;
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(config.parallel.tensor.span.bytes(), "-tp");
  ASSERT_EQ(config.captures.size(), 1u);
  EXPECT_EQ(config.captures[0].largest, 64);
}

// "-tp 8 --enable-dp-attention = 8 ranks, total cap 8 x max_num_seqs."
TEST(AtomConfig, DpAttentionMakesARankOfEveryGpu) {
  const auto config = config_of({"--model m -tp 4 -dp 2 --enable-dp-attention"});
  EXPECT_EQ(setting(config, "attention_data_parallel"), "8 explicit");
  EXPECT_EQ(setting(config, "max_num_seqs_per_rank"), "512 default");
  EXPECT_EQ(setting(config, "expert_parallel"), "1 default");
}

TEST(AtomConfig, DefaultsFollowTheVersion) {
  EXPECT_EQ(setting({"--model m", kRelease012}, "prefix_caching"), "false default");
  EXPECT_EQ(setting({"--model m", kRelease013}, "prefix_caching"), "true default");
  EXPECT_EQ(setting({"--model m", kRelease012}, "chunked_prefill"),
            "false default: this version has none");
  EXPECT_EQ(setting({"--model m", kRelease013}, "chunked_prefill"), "true default");
}

TEST(AtomConfig, DeepSeekV4HasItsOwnCache) {
  const std::string model = "--model deepseek-ai/DeepSeek-V4-Pro --block-size 16";
  EXPECT_EQ(setting({model}, "block_size"), "256 default: DeepSeek-V4 has this size alone");
  EXPECT_EQ(setting({model, "rocm/atom-dev:nightly_202607231538"}, "block_size"),
            "128 default: DeepSeek-V4 has this size alone");
  EXPECT_EQ(setting({model, "rocm/atom-dev:nightly_202606101403"}, "prefix_caching"),
            "false default: this version has none for DeepSeek-V4");
  EXPECT_EQ(setting({model}, "prefix_caching"), "true default");
}

TEST(AtomConfig, ReadsSpeculation) {
  const auto config =
      config_of({"--model m --method eagle3 --draft-model org/draft --num-speculative-tokens 3 "
                 "--spec-decode-acceptance-rate 0.5"});
  EXPECT_EQ(setting(config, "speculative_method"), "eagle3 explicit");
  EXPECT_EQ(setting(config, "speculative_tokens"), "3 explicit");
  EXPECT_EQ(setting(config, "draft_model"), "org/draft explicit");
  EXPECT_EQ(setting(config, "synthetic_acceptance"), "2.5 explicit");
  EXPECT_EQ(setting({"--model m --method mtp"}, "speculative_tokens"), "1 default");
  EXPECT_EQ(setting({"--model m --method mtp --num-speculative-tokens 0"}, "speculative_method"),
            "- default");
}

TEST(AtomConfig, ReadsListsAndConnectors) {
  const auto config = config_of(
      {"--model m --cudagraph-capture-sizes '[1, 2,24]' --max-num-seqs 32 --kv-transfer-config "
       "'{\"kv_connector\":\"lmcache_offload\",\"kv_role\":\"offload\"}'"});
  EXPECT_EQ(setting(config, "graph_sizes"), "1,2,24 explicit");
  EXPECT_EQ(setting(config, "kv_offload"), "lmcache_offload explicit");
  ASSERT_EQ(config.captures.size(), 1u);
  EXPECT_THAT(config.captures[0].eager, ElementsAre(BatchRange{25, 32}));
  EXPECT_EQ(config_of({"--model m --cudagraph-capture-sizes '[1,'$X']'"}).capture_reason,
            "cudagraph-capture-sizes: X");
}

TEST(AtomConfig, AnUnknownWordLeavesTheRestOpen) {
  const auto config = config_of({"--model m -tp 8 $EXTRA"});
  EXPECT_EQ(setting(config, "tensor_parallel"), "8 explicit");
  EXPECT_EQ(setting(config, "max_num_seqs_per_rank"), "- unknown: EXTRA");
  EXPECT_EQ(config.capture_reason, "max-num-seqs: EXTRA");
}

TEST(AtomConfig, SpellingsFollowTheVersion) {
  EXPECT_THAT(
      problems({"--model m --kv-cache-dtype fp8 --no-enable-prefix-caching --max_num_seqs 8"}),
      IsEmpty());
  EXPECT_EQ(setting({"--model m --no-enable-prefix-caching"}, "prefix_caching"), "false explicit");
  EXPECT_THAT(problems({"--model m --kv-cache-dtype fp8", kRelease013}),
              ElementsAre("error RL8001 <--kv-cache-dtype> ATOM 0.1.3 has no option "
                          "'--kv-cache-dtype'."));
  // Groups keep the one spelling.
  EXPECT_EQ(problems({"--model m --eplb_enable"}).size(), 1u);
  // A spelling that could be there is no error.
  EXPECT_THAT(problems({"--model m --kv-cache-dtype fp8", "rocm/atom-dev:nightly_202607231538"}),
              IsEmpty());
}

struct ProblemCase {
  const char* image;
  const char* options;
  const char* problem;  // empty: none
};

class AtomProblems : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(AtomProblems, AreFound) {
  const auto& given = GetParam();
  const auto found = problems({given.options, given.image});
  if (*given.problem == '\0') {
    EXPECT_THAT(found, IsEmpty()) << given.options;
  } else {
    EXPECT_THAT(found, ElementsAre(given.problem)) << given.options;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AtomProblems,
    ::testing::Values(
        ProblemCase{kRelease013, "--model m --cudagraph-mode FULL",
                    "error RL8001 <--cudagraph-mode> ATOM 0.1.3 has no option '--cudagraph-mode' "
                    "yet; it came to main on 2026-07-10."},
        ProblemCase{kByHand, "--model m --state-checkpoints 5",
                    "note RL8001 <--state-checkpoints> ATOM of an unknown version has no option "
                    "'--state-checkpoints'."},
        ProblemCase{kAugust, "--model m --kv_cache_dtype auto",
                    "error RL8003 <auto> 'auto' is no value of '--kv_cache_dtype' in ATOM in a "
                    "build on 2026-08-20, which takes 'bf16', 'fp8'."},
        ProblemCase{kAugust, "--model m -tp 16",
                    "error RL8003 <16> '16' is no value of '--tensor-parallel-size' in ATOM in a "
                    "build on 2026-08-20, which takes numbers >=1 and <=8."},
        ProblemCase{kRelease013, "--model m --method dspark",
                    "error RL8003 <dspark> 'dspark' is no value of '--method' in ATOM 0.1.3 yet; "
                    "it came later."},
        ProblemCase{kAugust, "--model m --method eagle3",
                    "error RL8004 <--method> '--method eagle3' needs '--draft-model'."},
        ProblemCase{kAugust, "--model m --method mtp --draft-model d",
                    "error RL8004 <--draft-model> '--method mtp' takes the draft from the model "
                    "itself and refuses '--draft-model'."},
        ProblemCase{kAugust, "--model m --method mtp --num-speculative-tokens 5",
                    "error RL8004 <--num-speculative-tokens> ATOM in a build on 2026-08-20 takes "
                    "at most 4 speculative tokens with this method, not 5."},
        ProblemCase{kAugust, "--model m --method dspark --num-speculative-tokens 6", ""},
        ProblemCase{kAugust, "--model m --num-speculative-tokens 3",
                    "warning RL8004 <--num-speculative-tokens> '--num-speculative-tokens' has no "
                    "effect: there is no speculation without '--method'."},
        ProblemCase{kAugust, "--model m --method mtp --spec-decode-acceptance-rate 1.5",
                    "error RL8004 <--spec-decode-acceptance-rate> '--spec-decode-acceptance-rate' "
                    "has to be between 0 and 1, not 1.5."},
        ProblemCase{kAugust, "--model m --moe-backend mega",
                    "error RL8004 <--moe-backend> '--moe-backend mega' needs "
                    "'--enable-expert-parallel'."},
        ProblemCase{kAugust, "--model m --moe-backend mega --enable-expert-parallel", ""},
        ProblemCase{kAugust, "--model m -pp 2 --enable-dp-attention",
                    "error RL8004 <-pp> Pipeline parallelism and '--enable-dp-attention' exclude "
                    "each other."},
        ProblemCase{kAugust, "--model m -tp 6 -dcp 4",
                    "error RL8004 <-dcp> The tensor parallel size 6 is no multiple of the decode "
                    "context parallel size 4."},
        ProblemCase{kAugust, "--model deepseek-ai/DeepSeek-R1-0528 --max-model-len 200000",
                    "warning RL8004 <--max-model-len> '--max-model-len 200000' is cut to 163840, "
                    "the length of the model."},
        ProblemCase{kAugust, "--model m -tp 8 -tp 4",
                    "warning RL6006 <-tp> '--tensor-parallel-size' is given twice with different "
                    "values, and the last one counts."},
        ProblemCase{kAugust, "--model m --hf-overrides {a:1}",
                    "error RL6009 <a> The value of '--hf-overrides' is no JSON: a key in double "
                    "quotes is missing."}));

TEST(AtomConfig, ReadsVariables) {
  const Given given{"--model m",
                    kAugust,
                    {{"ATOM_ENABLE_EVERYTHING", shell::Value::of("1")},
                     {"ATOM_DP_MASTER_PORT", shell::Value::of("29501")}}};
  const auto config = config_of(given);
  ASSERT_EQ(config.problems.size(), 1u);
  EXPECT_EQ(config.problems[0].rule, kUnknownVariableRule);
  EXPECT_EQ(config.problems[0].subject, "ATOM_ENABLE_EVERYTHING");
  EXPECT_EQ(*config.environment.at("ATOM_DP_MASTER_PORT").value, "29501");
  Given by_hand = given;
  by_hand.image = kByHand;
  EXPECT_THAT(config_of(by_hand).problems, IsEmpty());
}

TEST(AtomConfig, OtherProgramsHaveOptionsOfTheirOwn) {
  Given given{"--model m --router-policy random"};
  EXPECT_EQ(config_of(given).problems.size(), 1u);
  given.program = "python3 -m atom.entrypoints.atomesh.server";
  EXPECT_THAT(config_of(given).problems, IsEmpty());
  given.program = "python3 -m atom.entrypoints.openai_server";
  given.environment = {{"USE_ATOMESH_ENTRYPOINTS", shell::Value::of("1")}};
  EXPECT_THAT(config_of(given).problems, IsEmpty());
}

TEST(AtomConfig, NothingCrashes) {
  for (const char* options : {"",
                              "-",
                              "--",
                              "--no-",
                              "--no_",
                              "--model",
                              "--cudagraph-capture-sizes ''",
                              "--cudagraph-capture-sizes '[]'",
                              "--cudagraph-capture-sizes '[1,'",
                              "--kv-transfer-config ''",
                              "--kv-transfer-config '[]'",
                              "--max-num-seqs 0",
                              "--max-num-seqs -5",
                              "--max-num-batched-tokens 0",
                              "--num-speculative-tokens -1",
                              "--method mtp --num-speculative-tokens 9223372036854775807",
                              "--enable-tbo",
                              "--load_dummy",
                              "--all2all-backend",
                              "-tp 0 --enable-dp-attention",
                              "$X$Y",
                              "--$X 5",
                              "--cudagraph-capture-sizes '[0,-3]'",
                              "--max-num-seqs 9223372036854775807"}) {
    const auto config = config_of({options});
    EXPECT_EQ(config.engine, launch::Engine::kAtom) << options;
  }
}

}  // namespace
}  // namespace recipelint::serving::atom
