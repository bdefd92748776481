#include "analyzer/serving/vllm/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/command_line.h"

namespace recipelint::serving::vllm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

struct Given {
  std::string command;
  std::string image = "vllm/vllm-openai:v0.27.1";
  std::string gpu = "b200";
  std::map<std::string, shell::Value, std::less<>> environment = {};
};

ServerConfig config_of(const Given& given) {
  // Spans point into the command line.
  static std::vector<std::unique_ptr<const testing::CommandLine>> commands;
  commands.push_back(std::make_unique<const testing::CommandLine>(given.command));
  const auto& command = *commands.back();
  launch::Launch launch;
  launch.program = "vllm serve";
  launch.argv = command.argv();
  launch.arguments_index = 2;
  launch.environment = given.environment;
  Situation situation;
  situation.version = catalog().version_of(given.image, "vllm");
  situation.gpu = catalog().models().find_gpu(given.gpu);
  return decode(launch, situation, catalog());
}

/// "name = value (source)" of some settings.
std::string setting(const ServerConfig& config, std::string_view name) {
  for (const auto& entry : describe(config)) {
    if (entry.name != name) continue;
    return (entry.value ? to_string(*entry.value) : "-") + " " + std::string(to_string(entry.source)) +
           (entry.reason.empty() ? "" : ": " + std::string(entry.reason));
  }
  return "no such setting";
}

std::string setting(const Given& given, std::string_view name) {
  return setting(config_of(given), name);
}

constexpr const char* kV4 = "vllm serve deepseek-ai/DeepSeek-V4-Pro";

TEST(VllmConfig, TellsExplicitSettingsFromDefaults) {
  const auto config = config_of(
      {"vllm serve deepseek-ai/DeepSeek-V4-Pro --port 8888 -tp 4 -dp 2 -ep --max-num-seqs 64 "
       "--kv-cache-dtype fp8 --block-size 256 --no-enable-prefix-caching"});
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"model", "deepseek-ai/DeepSeek-V4-Pro explicit"},
      {"host", "- default"},
      {"port", "8888 explicit"},
      {"tensor_parallel", "4 explicit"},
      {"pipeline_parallel", "1 default"},
      {"data_parallel", "2 explicit"},
      {"expert_parallel", "8 explicit"},
      {"attention_data_parallel", "2 explicit"},
      {"all_to_all", "allgather_reducescatter default"},
      {"max_num_seqs_per_rank", "64 explicit"},
      {"step_tokens_per_rank", "8192 default: GPUs of 70 GiB and more"},
      {"model_length", "1048576 default: the length of the model"},
      {"chunked_prefill", "true default"},
      {"async_scheduling", "true default"},
      {"memory_fraction", "0.92 default"},
      {"kv_cache_bytes", "- default"},
      {"kv_dtype", "fp8 explicit"},
      {"block_size", "256 explicit"},
      {"prefix_caching", "false explicit"},
      {"eager", "false default"},
      {"graph_mode", "FULL_AND_PIECEWISE default"},
      {"speculative_method", "- default"},
      {"speculative_tokens", "0 default"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(setting(config, name), value) << name;
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(config.parallel.tensor.span.bytes(), "-tp");
  EXPECT_EQ(config.parallel.tensor.origin.span().bytes(), "4");
  EXPECT_EQ(config.parallel.tensor.word, 5u);
}

TEST(VllmConfig, LimitsDependOnVersionAndGpu) {
  const std::vector<std::tuple<const char*, const char*, const char*, const char*>> cases = {
      {"v0.27.1", "h200", "1024", "8192"},    {"v0.28.0", "h200", "1024", "8192"},
      {"v0.27.1", "b200", "1024", "8192"},    {"v0.28.0", "b200", "1024", "16384"},
      {"v0.28.0", "mi300x", "1024", "16384"}, {"latest", "b200", "1024", "16384"},
  };
  for (const auto& [tag, gpu, sequences, tokens] : cases) {
    const auto config = config_of({kV4, std::string("vllm/vllm-openai:") + tag, gpu, {}});
    EXPECT_THAT(setting(config, "max_num_seqs_per_rank"), ::testing::StartsWith(sequences)) << tag;
    EXPECT_THAT(setting(config, "step_tokens_per_rank"), ::testing::StartsWith(tokens)) << tag;
  }
  EXPECT_EQ(setting({kV4, "vllm/vllm-openai:v0.28.0", "", {}}, "max_num_seqs_per_rank"),
            "- unknown: the GPU is unknown");
  // A build of August 11 or so.
  EXPECT_EQ(setting({kV4, "vllm/vllm-openai:nightly-dev-x86_64-cu13.0.1-5894fdf", "b200", {}},
                    "step_tokens_per_rank"),
            "- unknown: 8192 or 16384, the version leaves it open");
}

TEST(VllmConfig, LimitsBoundEachOther) {
  EXPECT_EQ(setting({std::string(kV4) + " --max-num-batched-tokens 512"}, "max_num_seqs_per_rank"),
            "512 default: no more than the tokens of a step");
  EXPECT_THAT(setting({std::string(kV4) + " --max-num-seqs 2 --max-model-len 1000"},
                      "step_tokens_per_rank"),
              ::testing::StartsWith("2000 default"));
  EXPECT_THAT(setting({std::string(kV4) + " --no-enable-chunked-prefill --max-model-len 100k"},
                      "step_tokens_per_rank"),
              ::testing::StartsWith("100000 default"));
  EXPECT_THAT(
      setting({std::string(kV4) + " --performance-mode throughput"}, "step_tokens_per_rank"),
      ::testing::StartsWith("16384 default"));
  EXPECT_THAT(setting({std::string(kV4) + " -dp 8 -ep --all2all-backend deepep_low_latency"},
                      "step_tokens_per_rank"),
              ::testing::StartsWith("256 default"));
}

TEST(VllmConfig, ResolvesDefaultsByVersion) {
  const auto with = [](const char* tag, std::string_view name) {
    return setting({kV4, std::string("vllm/vllm-openai:") + tag, "b200", {}}, name);
  };
  EXPECT_EQ(with("v0.19.0", "memory_fraction"), "0.9 default");
  EXPECT_EQ(with("v0.21.0", "memory_fraction"), "0.92 default");
  EXPECT_EQ(with("v0.20.0", "memory_fraction"),
            "- unknown: 0.9 or 0.92, the version leaves it open");
  EXPECT_EQ(with("v0.13.0", "async_scheduling"), "false default");
  EXPECT_EQ(with("v0.14.0", "async_scheduling"), "true default");
  EXPECT_EQ(with("v0.11.0", "all_to_all"), "- default");
}

TEST(VllmConfig, ResolvesTheKvDtypeOfTheCheckpoint) {
  const auto dtype = [](const char* model, const char* tag) {
    return setting(
        {std::string("vllm serve ") + model, std::string("vllm/vllm-openai:") + tag, "b200", {}},
        "kv_dtype");
  };
  EXPECT_EQ(dtype("nvidia/Kimi-K2.5-NVFP4", "v0.27.1"),
            "fp8 default: the quantization settings of the checkpoint");
  EXPECT_EQ(dtype("nvidia/Kimi-K2.5-NVFP4", "v0.13.0"),
            "bfloat16 default: the checkpoint says nothing else");
  EXPECT_EQ(dtype("moonshotai/Kimi-K2.5", "v0.27.1"),
            "bfloat16 default: the checkpoint says nothing else");
  EXPECT_EQ(dtype("org/unheard-of", "v0.27.1"), "auto default");
}

TEST(VllmConfig, PrefixCachingDependsOnTheModel) {
  const auto caching = [](const char* model, const char* tag) {
    return setting(
        {std::string("vllm serve ") + model, std::string("vllm/vllm-openai:") + tag, "b200", {}},
        "prefix_caching");
  };
  EXPECT_EQ(caching("deepseek-ai/DeepSeek-R1-0528", "v0.27.1"), "true default");
  EXPECT_EQ(caching("moonshotai/Kimi-K3", "v0.27.1"), "false default: models with state layers");
  EXPECT_EQ(caching("moonshotai/Kimi-K3", "v0.28.0"), "true default: models with state layers");
  EXPECT_EQ(caching("org/unheard-of", "v0.28.0"), "- unknown: the model decides, and is unknown");
}

TEST(VllmConfig, ReadsSpeculation) {
  const auto config = config_of(
      {std::string(kV4) + " --speculative-config '{\"method\":\"eagle3\",\"model\":\"org/draft\","
                          "\"num_speculative_tokens\":3,\"rejection_sample_method\":\"synthetic\","
                          "\"synthetic_acceptance_length\":2.5}'"});
  EXPECT_EQ(setting(config, "speculative_method"), "eagle3 explicit");
  EXPECT_EQ(setting(config, "speculative_tokens"), "3 explicit");
  EXPECT_EQ(setting(config, "draft_model"), "org/draft explicit");
  EXPECT_EQ(setting(config, "synthetic_acceptance"), "2.5 explicit");
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(setting({std::string(kV4) + " -sc.method ngram -sc.num_speculative_tokens 4"},
                    "async_scheduling"),
            "false default: the speculative method forbids it");
  EXPECT_EQ(setting({std::string(kV4) + " -sc None"}, "speculative_tokens"), "0 default");
  EXPECT_EQ(setting({std::string(kV4) + " -sc '{\"model\":\"org/draft\"}'"}, "speculative_tokens"),
            "- unknown: the draft model decides");
}

TEST(VllmConfig, ReadsOffloading) {
  const auto config = config_of(
      {std::string(kV4) +
       " --kv-offloading-size 2 --cpu-offload-gb 1.5 --kv-transfer-config "
       "'{\"kv_connector\":\"MultiConnector\",\"kv_connector_extra_config\":{\"connectors\":["
       "{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"},"
       "{\"kv_connector\":\"SimpleCPUOffloadConnector\",\"kv_connector_extra_config\":"
       "{\"cpu_bytes_to_use_per_rank\":80m}}]}}'"});
  ASSERT_TRUE(config.cache.offloads.value);
  EXPECT_THAT(*config.cache.offloads.value,
              ElementsAre(Offload{"native", "", std::int64_t{2} << 30, false, {}},
                          Offload{"NixlConnector", "kv_both", std::nullopt, false, {}},
                          Offload{"SimpleCPUOffloadConnector", "", 80'000'000, true, {}}));
  EXPECT_EQ(setting(config, "weight_offload_gib"), "1.5 explicit");
  EXPECT_EQ(setting({kV4}, "kv_offload"), " default");
}

TEST(VllmConfig, PlansTheCapture) {
  // Example 5 of the worked ones: all 112 sequences are covered.
  const auto covered =
      config_of({"vllm serve org/m --max-num-seqs 112 -sc.method mtp "
                 "-sc.num_speculative_tokens 3 -cc.cudagraph_mode FULL_DECODE_ONLY",
                 "vllm/vllm-openai:v0.26.0",
                 "h200",
                 {}});
  ASSERT_FALSE(covered.captures.empty());
  for (const auto& capture : covered.captures) EXPECT_EQ(capture.covered(), 112);
  const auto early =
      config_of({"vllm serve org/m --max-num-seqs 112 -sc.method mtp "
                 "-sc.num_speculative_tokens 3 -cc.cudagraph_mode FULL_DECODE_ONLY",
                 "vllm/vllm-openai:v0.12.0",
                 "h200",
                 {}});
  ASSERT_EQ(early.captures.size(), 1u);
  EXPECT_EQ(early.captures[0].covered(), 56);
  EXPECT_THAT(early.captures[0].eager, ElementsAre(BatchRange{57, 112}));
}

TEST(VllmConfig, SaysWhatThePlanIsMissing) {
  const auto reason = [](const std::string& options, const std::string& gpu = "b200") {
    const auto config = config_of({kV4 + options, "vllm/vllm-openai:v0.27.1", gpu, {}});
    EXPECT_THAT(config.captures, IsEmpty());
    return config.capture_reason;
  };
  EXPECT_EQ(reason("", ""), "max-num-seqs: the GPU is unknown");
  EXPECT_EQ(reason(" --max-num-seqs $SEQS"), "max-num-seqs: SEQS");
  EXPECT_EQ(reason(" -sc '{\"method\":\"mtp\",\"num_speculative_tokens\":'$N'}'"),
            "num_speculative_tokens: N");
  EXPECT_EQ(reason(" $EXTRA"), "max-num-seqs: EXTRA");
  EXPECT_EQ(reason(" -cc.cudagraph_mode SOMETIMES"), "cudagraph_mode: vLLM refuses the value");
}

TEST(VllmConfig, GivesEveryCaptureThatIsPossible) {
  // The GPU decides between 512 and 1024 tokens.
  const auto config =
      config_of({std::string(kV4) + " --max-num-seqs 800 --max-num-batched-tokens 8192",
                 "vllm/vllm-openai:v0.28.0",
                 "",
                 {}});
  ASSERT_EQ(config.captures.size(), 2u);
  EXPECT_EQ(config.captures[0].largest, 1024);
  EXPECT_EQ(config.captures[1].largest, 512);
  EXPECT_EQ(config.capture_reason, "version, model or GPU leave several possibilities");
}

TEST(VllmConfig, PlansForEveryBudgetThatTheGpuLeavesOpen) {
  const auto config =
      config_of({"vllm serve org/m --max-num-seqs 6 -sc.method mtp "
                 "-sc.num_speculative_tokens 6 --max-cudagraph-capture-size 42 "
                 "-cc.cudagraph_mode FULL_DECODE_ONLY",
                 "vllm/vllm-openai:v0.28.0",
                 "",
                 {}});
  EXPECT_EQ(setting(config, "step_tokens_per_rank"), "- unknown: the GPU is unknown");
  ASSERT_FALSE(config.captures.empty());
  for (const auto& capture : config.captures) EXPECT_EQ(capture.covered(), 5);
  EXPECT_EQ(setting({"vllm serve org/m --max-num-seqs 1 --max-model-len 1000",
                     "vllm/vllm-openai:v0.28.0",
                     "",
                     {}},
                    "step_tokens_per_rank"),
            "1000 default: any GPU");
}

TEST(VllmConfig, FindsItsArgumentsBehindTheProgram) {
  const testing::CommandLine command("numactl -N 0 python3 -m dynamo.vllm --model org/m -tp 4");
  launch::Launch launch;
  launch.program = "python3 -m dynamo.vllm";
  launch.program_index = 3;
  launch.argv = command.argv();
  const auto config = decode(launch, Situation(), catalog());
  EXPECT_EQ(setting(config, "model"), "org/m explicit");
  EXPECT_EQ(setting(config, "tensor_parallel"), "4 explicit");
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(VllmConfig, AServedNameNeedsAModel) {
  EXPECT_EQ(config_of({"vllm serve --served-model-name m"}).problems.size(), 1u);
  EXPECT_THAT(config_of({"vllm serve org/m --served-model-name m"}).problems, IsEmpty());
}

TEST(VllmConfig, TheEnvironmentDecides) {
  const auto mode = [](const char* value) {
    return setting({std::string(kV4) + " -cc.mode 0 -cc.cudagraph_mode FULL_AND_PIECEWISE",
                    "vllm/vllm-openai:v0.25.0",
                    "b200",
                    {{"VLLM_USE_BREAKABLE_CUDAGRAPH", shell::Value::of(value)}}},
                   "graph_mode");
  };
  EXPECT_EQ(mode("1"), "FULL_AND_PIECEWISE explicit");
  EXPECT_THAT(mode("0"), HasSubstr("breakable graphs are off"));
  const auto config = config_of({kV4,
                                 "vllm/vllm-openai:v0.28.0",
                                 "b200",
                                 {{"VLLM_USE_FLASHINFER_MOE_FP4", shell::Value::of("1")},
                                  {"VLLM_NO_SUCH_THING", shell::Value::of("1")},
                                  {"NCCL_DEBUG", shell::Value::of("INFO")}}});
  ASSERT_EQ(config.problems.size(), 2u);
  EXPECT_EQ(config.problems[0].message,
            "vLLM 0.28.0 does not read the variable 'VLLM_NO_SUCH_THING'.");
  EXPECT_EQ(config.problems[1].message,
            "vLLM 0.28.0 does not read the variable 'VLLM_USE_FLASHINFER_MOE_FP4' any more; 0.24.0 "
            "removed it.");
  EXPECT_THAT(config.problems[1].remedies, ElementsAre("Use --moe-backend."));
  EXPECT_EQ(config.problems[1].severity, Severity::kNote);
  EXPECT_EQ(config.environment.size(), 1u);
}

struct Conflict {
  const char* options;
  const char* message;  // nullptr: none
};

class VllmConflicts : public ::testing::TestWithParam<Conflict> {};

TEST_P(VllmConflicts, AreRefused) {
  const auto config = config_of({std::string(kV4) + " " + GetParam().options});
  if (GetParam().message == nullptr) {
    EXPECT_THAT(config.problems, IsEmpty());
    return;
  }
  ASSERT_EQ(config.problems.size(), 1u);
  EXPECT_EQ(config.problems[0].message, GetParam().message);
  EXPECT_EQ(config.problems[0].rule, kConflictRule);
  EXPECT_EQ(config.problems[0].severity, Severity::kError);
  EXPECT_TRUE(config.problems[0].span.valid());
}

INSTANTIATE_TEST_SUITE_P(
    All, VllmConflicts,
    ::testing::Values(
        Conflict{"--max-cudagraph-capture-size 8 -cc.max_cudagraph_capture_size 8",
                 "'--max-cudagraph-capture-size' and the key 'max_cudagraph_capture_size' of "
                 "'--compilation-config' exclude each other."},
        Conflict{"--max-cudagraph-capture-size 8 -cc.cudagraph_capture_sizes+ 8", nullptr},
        Conflict{"-sc.method magic -sc.num_speculative_tokens 2",
                 "vLLM 0.27.1 has no speculative method 'magic'."},
        Conflict{"-sc.method qwen3_next_mtp -sc.num_speculative_tokens 2", nullptr},
        Conflict{"-sc.method mtp -sc.num_speculative_tokens 0",
                 "'num_speculative_tokens' has to be at least 1."},
        Conflict{"-sc.method mtp -sc.num_speculative_tokens 2 -sc.tensor_parallel_size 1",
                 "The key 'tensor_parallel_size' is refused in '--speculative-config'; "
                 "'draft_tensor_parallel_size' is the one that is meant."},
        Conflict{"-sc.method mtp -sc.num_speculative_tokens 2 -sc.synthetic_acceptance_length 2",
                 "Synthetic acceptance needs 'rejection_sample_method' to be 'synthetic'."},
        Conflict{
            "-sc.method mtp -sc.num_speculative_tokens 2 -sc.rejection_sample_method synthetic",
            "The method 'synthetic' needs 'synthetic_acceptance_length' or "
            "'synthetic_acceptance_rates'."},
        Conflict{
            "-sc.method mtp -sc.num_speculative_tokens 2 -sc.rejection_sample_method synthetic "
            "-sc.synthetic_acceptance_length 3.5",
            "'synthetic_acceptance_length' is 3.5, and lies between 1 and 3 with 2 "
            "speculative tokens."},
        Conflict{
            "-sc.method mtp -sc.num_speculative_tokens 2 -sc.rejection_sample_method synthetic "
            "-sc.synthetic_acceptance_rates [0.9]",
            "There are 1 acceptance rates for 2 speculative tokens."},
        Conflict{
            "-sc.method mtp -sc.num_speculative_tokens 2 -sc.rejection_sample_method synthetic "
            "-sc.synthetic_acceptance_rates [0.8,0.9]",
            "Acceptance rates lie between 0 and 1 and do not rise."},
        Conflict{
            "-sc.method mtp -sc.num_speculative_tokens 2 -sc.rejection_sample_method synthetic "
            "-sc.synthetic_acceptance_rates [0.9,0.9]",
            nullptr},
        Conflict{"--async-scheduling -sc.method ngram -sc.num_speculative_tokens 2",
                 "'--async-scheduling' does not work with the speculative method 'ngram'."},
        Conflict{"--async-scheduling -sc.method mtp -sc.num_speculative_tokens 2", nullptr},
        Conflict{"--enable-auto-tool-choice",
                 "'--enable-auto-tool-choice' needs '--tool-call-parser'."},
        Conflict{"--enable-auto-tool-choice --tool-call-parser deepseek_v4", nullptr},
        Conflict{"--enable-auto-tool-choice $EXTRA", nullptr},
        Conflict{"-tp 8 -dcp 3",
                 "Tensor parallelism 8 is no multiple of decode context parallelism 3."},
        Conflict{"-tp 8 -dcp 4", nullptr}));

TEST(VllmConfig, SurvivesHostileSettings) {
  for (const char* options :
       {"-tp 9223372036854775807 -dp 9223372036854775807 -ep",
        "--max-num-seqs -9223372036854775808",
        "--max-model-len 9223372036854775807 --max-num-seqs 9223372036854775807",
        "--kv-offloading-size 1e300", "--kv-offloading-size nan",
        "-sc.num_speculative_tokens 1e999", "--max-num-batched-tokens 0",
        "--cudagraph-capture-sizes 9223372036854775807 -5 0", "-sc '[1,2]'", "-cc 5",
        "--kv-transfer-config '[]'", "--kv-transfer-config '{\"kv_connector\":5}'"}) {
    const auto config = config_of({std::string(kV4) + " " + options});
    EXPECT_EQ(config.engine, launch::Engine::kVllm) << options;
  }
}

TEST(VllmConfig, CountsTheSlotsThatDraftingTakes) {
  const auto slots = [](const std::string& speculation) {
    return config_of({std::string(kV4) + " --speculative-config '" + speculation + "'"})
        .speculation.draft_slots.value;
  };
  EXPECT_EQ(config_of({kV4}).speculation.draft_slots.value, 0);
  EXPECT_EQ(slots(R"({"method": "mtp", "num_speculative_tokens": 8})"), 0);
  EXPECT_EQ(slots(R"({"method": "draft_model", "num_speculative_tokens": 8})"), 1);
  EXPECT_EQ(slots(R"({"method": "dflash", "num_speculative_tokens": 8})"), 8);
  EXPECT_EQ(slots(R"({"method": "dspark", "num_speculative_tokens": 8})"), 7);
  const std::string parallel = R"(, "num_speculative_tokens": 8, "parallel_drafting": true})";
  EXPECT_EQ(slots(R"({"method": "eagle3")" + parallel), 7);
  EXPECT_EQ(slots(R"({"method": "draft_model")" + parallel), 8);
  EXPECT_EQ(slots(R"({"method": "eagle3", "num_speculative_tokens": "$N"})"), std::nullopt);
}

TEST(VllmConfig, KnowsWhetherAdaptersAreServed) {
  EXPECT_EQ(config_of({kV4}).lora.value, false);
  EXPECT_EQ(config_of({std::string(kV4) + " --enable-lora"}).lora.value, true);
}

}  // namespace
}  // namespace recipelint::serving::vllm
