#include "analyzer/serving/sglang/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/command_line.h"
#include "tests/support/paths.h"

namespace recipelint::serving::sglang {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

struct Given {
  std::string options;  // behind the model
  std::string tag = "v0.5.18";
  std::string gpu = "b200";
  std::string model = "deepseek-ai/DeepSeek-R1-0528";
  launch::Role role = launch::Role::kAggregate;
  std::map<std::string, shell::Value, std::less<>> environment = {};
};

ServerConfig config_of(const Given& given) {
  // Spans point into the command line.
  static std::vector<std::unique_ptr<const testing::CommandLine>> commands;
  commands.push_back(std::make_unique<const testing::CommandLine>(
      "python3 -m sglang.launch_server --model-path " + given.model + " " + given.options));
  launch::Launch launch;
  launch.program = "python3 -m sglang.launch_server";
  launch.argv = commands.back()->argv();
  launch.role = given.role;
  launch.environment = given.environment;
  Situation situation;
  situation.version = catalog().version_of("lmsysorg/sglang:" + given.tag, "sglang");
  situation.gpu = catalog().models().find_gpu(given.gpu);
  return decode(launch, situation, catalog());
}

/// "value source: reason" of a setting.
std::string setting(const ServerConfig& config, std::string_view name) {
  for (const auto& entry : describe(config)) {
    if (entry.name != name) continue;
    return (entry.value ? to_string(*entry.value) : std::string("-")) + " " + std::string(to_string(entry.source)) +
           (entry.reason.empty() ? "" : ": " + std::string(entry.reason));
  }
  return "no such setting";
}

std::string setting(const Given& given, std::string_view name) {
  return setting(config_of(given), name);
}

std::vector<std::string> problems(const Given& given) {
  std::vector<std::string> result;
  for (const Problem& problem : config_of(given).problems) {
    if (problem.rule == kOutdatedFlagRule && problem.severity == Severity::kNote) continue;
    constexpr const char* kLevels[] = {"note", "warning", "error"};
    const std::string place(problem.span.valid() ? problem.span.bytes() : "");
    result.push_back(std::string(kLevels[static_cast<int>(problem.severity)]) + " " +
                     std::string(problem.rule) + " <" + place + "> " + problem.message);
  }
  return result;
}

constexpr const char* kV4 = "deepseek-ai/DeepSeek-V4-Pro";

TEST(SglangConfig, TellsExplicitSettingsFromDefaults) {
  const auto config = config_of(
      {"--port 8888 --tp 8 --dp 4 --enable-dp-attention --max-running-requests 130 "
       "--context-length 9Ki --page-size 64 --disable-radix-cache --mem-fraction-static 0.82"});
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"model", "deepseek-ai/DeepSeek-R1-0528 explicit"},
      {"host", "127.0.0.1 default"},
      {"port", "8888 explicit"},
      {"tensor_parallel", "8 explicit"},
      {"pipeline_parallel", "1 default"},
      {"data_parallel", "4 explicit"},
      {"expert_parallel", "1 default"},
      {"attention_data_parallel", "4 explicit"},
      {"all_to_all", "none default"},
      {"nodes", "1 default"},
      {"max_num_seqs_per_rank", "32 explicit: 130 for the server, divided by 4 attention ranks"},
      {"step_tokens_per_rank", "4096 default: 16384 for the server, divided by 4 attention ranks"},
      {"model_length", "9216 explicit"},
      {"chunked_prefill", "true default"},
      {"async_scheduling", "true default"},
      {"memory_fraction", "0.82 explicit"},
      {"block_size", "64 explicit"},
      {"prefix_caching", "false explicit"},
      {"kv_offload", " default"},
      {"eager", "false default"},
      {"graph_mode", "full default"},
      {"graph_sizes", "- default"},
      {"graph_maximum", "- default"},
      {"speculative_method", "- default"},
      {"speculative_tokens", "0 default"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(setting(config, name), value) << name;
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(config.limits.sequences.span.bytes(), "--max-running-requests");
}

TEST(SglangConfig, DividesOnlyWithDpAttention) {
  EXPECT_EQ(setting({"--tp 4 --dp 2 --max-running-requests 64"}, "max_num_seqs_per_rank"),
            "64 explicit");
  EXPECT_EQ(setting({"--tp 4 --dp 2"}, "attention_data_parallel"), "1 default");
  EXPECT_EQ(setting({"--tp 4 --enable-dp-attention"}, "attention_data_parallel"), "1 default");
  EXPECT_EQ(setting({"--tp 4 --enable-dp-attention --dp $DP"}, "attention_data_parallel"),
            "- unknown: DP");
}

TEST(SglangConfig, ExpertsFollowTheAllToAll) {
  EXPECT_THAT(setting({"--tp 8 --ep 4"}, "expert_parallel"), StartsWith("4 explicit"));
  EXPECT_THAT(setting({"--tp 8 --moe-a2a-backend deepep"}, "expert_parallel"),
              StartsWith("8 explicit: the all-to-all 'deepep'"));
  EXPECT_EQ(setting({"--enable-waterfill --tp 8"}, "all_to_all"),
            "deepep default: waterfill needs this one");
}

TEST(SglangConfig, SpeculationLimitsRequests) {
  constexpr const char* kEagle = "--tp 8 --speculative-algorithm EAGLE";
  EXPECT_EQ(setting({kEagle}, "max_num_seqs_per_rank"), "48 default: speculation");
  EXPECT_EQ(
      setting({std::string(kEagle) + " --dp 8 --enable-dp-attention"}, "max_num_seqs_per_rank"),
      "6 default: 48 for the server, divided by 8 attention ranks");
  EXPECT_EQ(setting({kEagle, "v0.5.18", "b200", kV4}, "max_num_seqs_per_rank"),
            "256 default: speculation");
  EXPECT_EQ(setting({kEagle, "v0.5.18", "b200", "/models/own"}, "max_num_seqs_per_rank"),
            "- unknown: 48 for the whole server, or 256 for DeepSeek-V4");
  EXPECT_EQ(setting({"--tp 8"}, "max_num_seqs_per_rank"),
            "- unknown: between 2048 and 4096 for the whole server, as memory allows");
}

TEST(SglangConfig, CountsTokensToVerify) {
  const auto tokens = [](const std::string& options, const char* model = kV4) {
    return setting({options, "v0.5.18", "b200", model}, "speculative_tokens");
  };
  const std::string steps = "--speculative-algorithm eagle --speculative-num-steps 3 ";
  EXPECT_EQ(tokens(steps + "--speculative-eagle-topk 1 --speculative-num-draft-tokens 4"),
            "3 explicit");
  // With one branch, the steps decide.
  EXPECT_EQ(tokens(steps + "--speculative-eagle-topk 1 --speculative-num-draft-tokens 6"),
            "3 explicit");
  EXPECT_EQ(tokens(steps + "--speculative-eagle-topk 2 --speculative-num-draft-tokens 6"),
            "5 explicit");
  EXPECT_EQ(tokens("--speculative-algorithm NEXTN"), "3 default: the architecture of the model");
  EXPECT_EQ(tokens("--speculative-algorithm NEXTN", "/models/own"),
            "- unknown: the model decides, and is unknown");
  EXPECT_EQ(tokens("--speculative-algorithm NGRAM"), "11 default");
  EXPECT_EQ(tokens("--speculative-algorithm DSPARK"), "- unknown: the draft model decides");
  EXPECT_EQ(tokens("--speculative-algorithm DFLASH --speculative-num-draft-tokens 8"),
            "7 explicit");
  EXPECT_EQ(setting({steps}, "speculative_method"), "EAGLE explicit");
}

TEST(SglangConfig, ReadsMadeUpAcceptance) {
  Given given{"--speculative-algorithm EAGLE"};
  given.environment.emplace("SGLANG_SIMULATE_ACC_LEN", shell::Value::of("2.5"));
  EXPECT_EQ(setting(given, "synthetic_acceptance"), "2.5 explicit");
  given.environment.insert_or_assign("SGLANG_SIMULATE_ACC_LEN", shell::Value::of("-1"));
  EXPECT_EQ(setting(given, "synthetic_acceptance"), "- default");
}

TEST(SglangConfig, ResolvesTheTypeOfTheCache) {
  const auto type = [](const char* model, const char* gpu) {
    return setting({"", "v0.5.18", gpu, model}, "kv_dtype");
  };
  EXPECT_THAT(type(kV4, "h200"), StartsWith("fp8_e4m3 default"));
  EXPECT_THAT(type("zai-org/GLM-5-FP8", "b200"), StartsWith("fp8_e4m3 default"));
  EXPECT_THAT(type("zai-org/GLM-5-FP8", "rtx6000pro"), StartsWith("fp8_e4m3 default"));
  EXPECT_THAT(type("zai-org/GLM-5-FP8", "h200"), StartsWith("bfloat16 default"));
  EXPECT_THAT(type("zai-org/GLM-5-FP8", "mi355x"), StartsWith("bfloat16 default"));
  EXPECT_EQ(type("zai-org/GLM-5-FP8", ""), "- unknown: the GPU is unknown");
  EXPECT_THAT(type("nvidia/Kimi-K2.5-NVFP4", "b200"), StartsWith("fp8_e4m3 default"));
  EXPECT_THAT(type("MiniMaxAI/MiniMax-M2.5", "b200"), StartsWith("bfloat16 default"));
  EXPECT_EQ(setting({"--kv-cache-dtype fp8_e5m2"}, "kv_dtype"), "fp8_e5m2 explicit");
}

TEST(SglangConfig, FindsWhatMovesTheCache) {
  EXPECT_EQ(setting({"--enable-hierarchical-cache --hicache-size 100 "
                     "--hicache-storage-backend mooncake"},
                    "kv_offload"),
            "hicache (100000000000 bytes a rank),mooncake explicit");
  EXPECT_EQ(setting({"--enable-lmcache"}, "kv_offload"), "lmcache explicit");
  EXPECT_EQ(setting({"--hicache-size 100"}, "kv_offload"), " default");
}

TEST(SglangConfig, ReadsGraphSettingsByPrecedence) {
  const std::vector<std::tuple<const char*, const char*, const char*>> cases = {
      {"--disable-cuda-graph", "graph_mode", "disabled explicit"},
      {"--disable-cuda-graph", "eager", "true explicit"},
      {"--disable-cuda-graph --cuda-graph-backend-decode full", "graph_mode", "full explicit"},
      {R"(--cuda-graph-config '{"decode":{"backend":"breakable"}}' --cuda-graph-backend-decode full)",
       "graph_mode", "breakable explicit"},
      {R"(--cuda-graph-config '{"decode":{"max_bs":64}}' --cuda-graph-max-bs 32)", "graph_maximum",
       "64 explicit"},
      {R"(--cuda-graph-config '{"decode":{"bs":[1,8]}}')", "graph_sizes", "1,8 explicit"},
      {R"(--cuda-graph-config '{"prefill":{"max_bs":64}}')", "graph_maximum", "- default"},
      {"--disaggregation-mode prefill", "graph_mode",
       "disabled default: a prefill server decodes nothing"},
      {"--disaggregation-mode decode", "graph_mode", "full default"},
  };
  for (const auto& [options, name, value] : cases) {
    EXPECT_EQ(setting({options}, name), value) << options;
  }
}

// --- What is captured ---

std::vector<std::int64_t> last_sizes(const Given& given) {
  std::vector<std::int64_t> result;
  for (const Capture& capture : config_of(given).captures) result.push_back(capture.largest);
  return result;
}

TEST(SglangConfig, CapturesByGpuAndTensorParallelism) {
  // The memory decides how many requests there are at most: two possibilities.
  EXPECT_THAT(last_sizes({"--tp 8"}), ElementsAre(512, 512));
  EXPECT_THAT(last_sizes({"--tp 2"}), ElementsAre(512, 512));
  EXPECT_THAT(last_sizes({"--tp 8", "v0.5.18", "h200"}), ElementsAre(512, 512));
  // Batches above 256 run eagerly, up to the most that memory can allow.
  const auto h200 = config_of({"--tp 2", "v0.5.18", "h200"});
  ASSERT_THAT(h200.captures, SizeIs(2));
  EXPECT_THAT(h200.captures[0].full, ElementsAre(BatchRange{1, 256}));
  EXPECT_THAT(h200.captures[0].eager, ElementsAre(BatchRange{257, 4096}));
  EXPECT_THAT(h200.captures[1].eager, ElementsAre(BatchRange{257, 2048}));
}

TEST(SglangConfig, CapturesWhatTheSpecificationComputes) {
  const auto sizes = [](const Given& given) {
    const auto config = config_of(given);
    EXPECT_THAT(config.captures, SizeIs(1)) << given.options;
    return config.captures.empty() ? std::vector<std::int64_t>() : config.captures[0].sizes;
  };
  EXPECT_THAT(sizes({"--tp 8 --max-running-requests 64 --cuda-graph-max-bs 64", "v0.5.18", "b300"}),
              ElementsAre(1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 56, 64));
  EXPECT_THAT(sizes({"--tp 8 --dp 8 --enable-dp-attention --max-running-requests 128 "
                     "--cuda-graph-max-bs 512"}),
              ElementsAre(1, 2, 4, 8, 12, 16));
  EXPECT_THAT(sizes({"--tp 8 --dp 2 --enable-dp-attention --max-running-requests 64 "
                     "--cuda-graph-max-bs 64"}),
              ElementsAre(4, 8, 12, 16, 24, 32));
  EXPECT_THAT(sizes({"--tp 8 --dp 2 --enable-dp-attention --max-running-requests 64 "
                     "--cuda-graph-max-bs 64 --speculative-algorithm EAGLE "
                     "--speculative-num-steps 3 --speculative-eagle-topk 1 "
                     "--speculative-num-draft-tokens 4"}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32));
  const auto decode =
      config_of({"--tp 8 --dp 8 --enable-dp-attention --max-running-requests 3072 "
                 "--cuda-graph-max-bs 256 --disaggregation-mode decode"});
  ASSERT_THAT(decode.captures, SizeIs(1));
  EXPECT_THAT(decode.captures[0].eager, ElementsAre(BatchRange{257, 384}));
}

TEST(SglangConfig, KeepsSlotsForRequestsOnTheirWay) {
  // 16 a rank, and twice as many slots more.
  const auto config =
      config_of({"--tp 8 --dp 8 --enable-dp-attention --max-running-requests 128 "
                 "--cuda-graph-max-bs 512 --disaggregation-mode decode"});
  ASSERT_THAT(config.captures, SizeIs(1));
  EXPECT_EQ(config.captures[0].largest, 48);
  EXPECT_THAT(config.captures[0].full, ElementsAre(BatchRange{1, 16}));
}

TEST(SglangConfig, CapturesByVersion) {
  constexpr const char* kOptions =
      "--tp 8 --dp 8 --enable-dp-attention --max-running-requests 160 --cuda-graph-max-bs 20";
  EXPECT_THAT(last_sizes({kOptions, "v0.5.9"}), ElementsAre(16));
  EXPECT_THAT(last_sizes({kOptions, "v0.5.10"}), ElementsAre(20));
  // A nightly build before and one after the change.
  EXPECT_THAT(last_sizes({kOptions, "nightly-dev-20260328-a27651d5"}), ElementsAre(16));
  EXPECT_THAT(last_sizes({kOptions, "nightly-dev-20260805-211ee642"}), ElementsAre(20));
  // The pool was not divided.
  constexpr const char* kLarge =
      "--tp 8 --dp 8 --enable-dp-attention --max-running-requests 160 --cuda-graph-max-bs 64";
  EXPECT_THAT(last_sizes({kLarge, "v0.5.9"}), ElementsAre(64));
  EXPECT_THAT(last_sizes({kLarge, "v0.5.10"}), ElementsAre(20));
}

TEST(SglangConfig, LeavesSeveralPossibilities) {
  EXPECT_THAT(last_sizes({"--tp 8 --max-running-requests 1024", "v0.5.18", ""}),
              ElementsAre(512, 160, 80, 8));
  const auto open = config_of({"--tp $TP"});
  EXPECT_THAT(open.captures, IsEmpty());
  EXPECT_EQ(open.capture_reason, "tp-size: TP");
}

TEST(SglangConfig, SurvivesAnyNumber) {
  for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808"}) {
    std::string options = "--enable-dp-attention --speculative-algorithm EAGLE";
    for (const char* option :
         {"--tp", "--dp", "--ep", "--pp-size", "--attn-cp-size", "--max-running-requests",
          "--cuda-graph-max-bs", "--cuda-graph-bs", "--page-size", "--chunked-prefill-size",
          "--speculative-num-steps", "--speculative-num-draft-tokens", "--moe-dense-tp-size",
          "--disaggregation-decode-extra-slots", "--hicache-size"}) {
      options += std::string(" ") + option + "=" + number;
    }
    for (const char* topk : {"1", "2"}) {
      const auto config = config_of({options + " --speculative-eagle-topk " + topk});
      EXPECT_EQ(config.engine, launch::Engine::kSglang) << number;
    }
  }
}

// --- Problems ---

TEST(SglangConfig, AcceptsWhatSglangAccepts) {
  for (const char* options :
       {"--tp 8 --dp 8 --enable-dp-attention --enable-dp-lm-head --moe-a2a-backend deepep "
        "--ep-size 8 --page-size 64 --chunked-prefill-size 65536",
        "--tp 8 --speculative-algorithm EAGLE --speculative-num-steps 3 "
        "--speculative-eagle-topk 1 --speculative-num-draft-tokens 4",
        "--tp 8 --enable-dp-lm-head", "--tp 8 --speculative-algorithm NEXTN",
        "--tp 8 --moe-runner-backend flashinfer_cutlass --ep 8",
        "--tp 8 --moe-dense-tp-size 1 --kv-cache-dtype fp8_e4m3",
        "--disaggregation-mode decode --page-size 64 --chunked-prefill-size 100",
        "--chunked-prefill-size -1 --page-size 64"}) {
    EXPECT_THAT(problems({options}), IsEmpty()) << options;
  }
}

TEST(SglangConfig, ReportsCombinationsThatAreRefused) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"--tp 8 --dp 2 --enable-dp-lm-head",
       "error RL8004 <--enable-dp-lm-head> '--enable-dp-lm-head' needs '--enable-dp-attention'."},
      {"--tp 8 --speculative-algorithm EAGLE --speculative-num-steps 3",
       "error RL8004 <--speculative-num-steps> '--speculative-num-steps' needs "
       "'--speculative-eagle-topk'."},
      {"--tp 8 --speculative-algorithm EAGLE --speculative-num-draft-tokens 4",
       "error RL8004 <--speculative-num-draft-tokens> '--speculative-num-draft-tokens' needs "
       "'--speculative-num-steps'."},
      {"--tp 8 --dp 8 --enable-dp-attention --speculative-algorithm NGRAM",
       "error RL8004 <--speculative-algorithm> 'NGRAM' does not work with DP attention."},
      {"--tp 8 --pp-size 2 --speculative-algorithm EAGLE",
       "error RL8004 <--speculative-algorithm> Speculation does not work with pipeline "
       "parallelism."},
      {"--tp 8 --moe-runner-backend flashinfer_cutlass --ep 4",
       "error RL8004 <--moe-runner-backend> 'flashinfer_cutlass' needs expert parallelism of 1 or "
       "8, the size of tensor parallelism; it is 4."},
      {"--tp 8 --moe-a2a-backend flashinfer",
       "error RL8004 <--moe-a2a-backend> The all-to-all 'flashinfer' needs DP attention with as "
       "many ranks as tensor parallelism; there are 1 of 8."},
      {"--tp 8 --moe-dense-tp-size 2",
       "error RL8004 <--moe-dense-tp-size> '--moe-dense-tp-size' is 1 or the size of tensor "
       "parallelism, 8; it is 2."},
      {"--tp 8 --dp 8 --enable-dp-attention --page-size 64 --chunked-prefill-size 8200",
       "error RL8004 <--page-size> A prefill chunk of one rank has 1025 tokens, which is no "
       "multiple of the page size 64."},
      {"--disable-cuda-graph-padding --enable-torch-compile",
       "error RL8004 <--disable-cuda-graph-padding> '--disable-cuda-graph-padding' does not work "
       "with '--enable-torch-compile'."},
      {"--kv-cache-dtype fp4_e2m1",
       "error RL8004 <--kv-cache-dtype> The KV cache has no type 'fp4_e2m1' any more; it is called "
       "'fp4_mx_block16'."},
  };
  for (const auto& [options, problem] : cases) {
    EXPECT_THAT(problems({options}), ElementsAre(problem)) << options;
  }
  EXPECT_THAT(problems({"--kv-cache-dtype fp8_e5m2", "v0.5.18", "b200", kV4}),
              ElementsAre(StartsWith("error RL8004 <--kv-cache-dtype> The KV cache of "
                                     "DeepSeek-V4")));
}

TEST(SglangConfig, ReportsWhatIsReplaced) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"--tp 8 --enable-dp-attention",
       "warning RL8004 <--enable-dp-attention> '--enable-dp-attention' has no effect: the size of "
       "data parallelism is 1, which switches it off."},
      {"--tp 8 --ep 4 --moe-a2a-backend deepep",
       "warning RL8004 <--ep> The experts are spread over 8 ranks, not 4: the all-to-all 'deepep' "
       "takes all tensor ranks."},
      {"--tp 8 --speculative-num-steps 3",
       "warning RL8004 <--speculative-num-steps> '--speculative-num-steps' has no effect without "
       "'--speculative-algorithm'."},
      {"--speculative-algorithm EAGLE --speculative-num-steps 3 --speculative-eagle-topk 1 "
       "--speculative-num-draft-tokens 6",
       "warning RL8004 <--speculative-num-draft-tokens> With one branch, 3 steps decide how many "
       "tokens a step verifies: one more, and not 6."},
  };
  for (const auto& [options, problem] : cases) {
    EXPECT_THAT(problems({options}), ElementsAre(problem)) << options;
  }
  // What a file or an unknown word holds can make all of it right.
  EXPECT_THAT(problems({"--tp 8 --enable-dp-attention $EXTRA"}), IsEmpty());
}

TEST(SglangConfig, ChecksVariables) {
  const auto with = [](const char* name, const char* tag) {
    Given given{"", tag};
    given.environment.emplace(name, shell::Value::of("1"));
    return problems(given);
  };
  EXPECT_THAT(with("SGLANG_OPT_DEEPGEMM_MEGA_MOE", "v0.5.18"),
              ElementsAre("note RL8005 <> SGLang 0.5.18 does not read the variable "
                          "'SGLANG_OPT_DEEPGEMM_MEGA_MOE'."));
  EXPECT_THAT(with("SGLANG_OPT_DEEPGEMM_MEGA_MOE", "v0.5.12"), IsEmpty());
  EXPECT_THAT(with("SGLANG_ENABLE_FLASHINFER_GEMM", "v0.5.12"),
              ElementsAre("note RL8005 <> SGLang 0.5.12 does not read the variable "
                          "'SGLANG_ENABLE_FLASHINFER_GEMM' any more; 0.5.10 removed it."));
  EXPECT_THAT(with("SGLANG_ENABLE_FLASHINFER_GEMM", "v0.5.9"), IsEmpty());
  EXPECT_THAT(with("SGLANG_SIMULATE_ACC_LEN", "v0.5.18"), IsEmpty());
  EXPECT_THAT(with("NCCL_DEBUG", "v0.5.18"), IsEmpty());
  Given given;
  given.environment.emplace("SGLANG_SIMULATE_ACC_LEN", shell::Value::of("2"));
  EXPECT_EQ(config_of(given).environment.at("SGLANG_SIMULATE_ACC_LEN").value, "2");
}

/// Every id in the sources exists: a misspelt one would silently mean "no".
TEST(SglangConfig, AsksForChangesThatExist) {
  const std::regex question(R"re((?:has|decided)\(\s*"([a-z][^"]+)"\))re");
  std::size_t found = 0;
  const auto folder = testing::source_dir() + "/analyzer/serving/sglang";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), question), end; at != end; ++at) {
      EXPECT_NE(catalog().versions().find_change("sglang", (*at)[1].str()), nullptr)
          << file.path().filename() << ": " << (*at)[1];
      ++found;
    }
  }
  EXPECT_GT(found, 3u);
}

}  // namespace
}  // namespace recipelint::serving::sglang
