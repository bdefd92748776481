#include "analyzer/serving/memory/question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/decode.h"
#include "analyzer/serving/memory/host_memory.h"
#include "analyzer/serving/vllm/config.h"
#include "tests/support/command_line.h"

namespace recipelint::serving::memory {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

struct Given {
  std::string command;
  std::string image = "vllm/vllm-openai:v0.26.0";
  std::string gpu = "mi355x";
};

/// A launch of vLLM, and what was decoded from it.
class Decoded {
 public:
  explicit Decoded(const Given& given) : command_(given.command) {
    launch_.program = "vllm serve";
    launch_.engine = launch::Engine::kVllm;
    launch_.argv = command_.argv();
    launch_.arguments_index = 2;
    Situation situation;
    situation.version = catalog().version_of(given.image, "vllm");
    gpu_ = situation.gpu = catalog().models().find_gpu(given.gpu);
    config_ = vllm::decode(launch_, situation, catalog());
  }

  MemoryQuestion question() const {
    return memory_question(launch_, config_, nullptr, gpu_, catalog());
  }
  const ServerConfig& config() const { return config_; }

 private:
  testing::CommandLine command_;
  launch::Launch launch_;
  ServerConfig config_;
  const facts::Gpu* gpu_ = nullptr;
};

MemoryQuestion ask(const Given& given) {
  return Decoded(given).question();
}

const std::string kV4 = "vllm serve deepseek-ai/DeepSeek-V4-Pro ";

TEST(MemoryQuestion, TakesALaunchOfCompressedAttention) {
  const auto question =
      ask({kV4 + "--data-parallel-size 4 --enable-expert-parallel --max-model-len 1048576 "
                 "--max-num-batched-tokens 8192 --gpu-memory-utilization 0.9 --kv-cache-dtype fp8 "
                 "--speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":3}'"});
  EXPECT_THAT(question.missing, IsEmpty());
  EXPECT_EQ(question.data, 4);
  EXPECT_EQ(question.expert, 4);
  EXPECT_EQ(question.length, 1048576);
  EXPECT_THAT(question.step_tokens, ElementsAre(8192));
  EXPECT_THAT(question.steps_in_flight, ElementsAre(2));
  EXPECT_THAT(question.formats, ElementsAre(KvFormat::kFp8Scaled));
  EXPECT_THAT(question.draft_layers, ElementsAre(1));
  EXPECT_TRUE(question.loaded.mtp);
  EXPECT_EQ(question.hybrid, true);
  EXPECT_EQ(question.fraction, Interval::exactly(0.9));
  const auto fit = memory_fit(question, catalog().memory());
  EXPECT_EQ(to_string(fit.fits), "no");
  EXPECT_NEAR(fit.need.nominal / kGib, 14.88, 0.005);
  ASSERT_NE(fit.measured, nullptr);
}

TEST(MemoryQuestion, CountsStepsInFlightByVersion) {
  const std::string command = kV4 + "--max-num-batched-tokens 8192";
  EXPECT_THAT(ask({command, "vllm/vllm-openai:v0.24.0"}).steps_in_flight, ElementsAre(1));
  EXPECT_THAT(ask({command, "vllm/vllm-openai:v0.27.0"}).steps_in_flight, ElementsAre(2));
  EXPECT_THAT(ask({command + " --no-async-scheduling"}).steps_in_flight, ElementsAre(1));
  EXPECT_THAT(ask({command, "some/other:image"}).steps_in_flight, ElementsAre(2, 1));
}

TEST(MemoryQuestion, TheLayoutDependsOnTheGpu) {
  const std::string glm = "vllm serve zai-org/GLM-5.2-FP8 --kv-cache-dtype fp8";
  const std::string image = "vllm/vllm-openai:v0.26.0";
  EXPECT_THAT(ask({glm, image, "h200"}).formats, ElementsAre(KvFormat::kFp8Scaled, KvFormat::kFp8));
  EXPECT_THAT(ask({glm, image, "b300"}).formats, ElementsAre(KvFormat::kFp8, KvFormat::kFp8Scaled));
  EXPECT_THAT(ask({kV4, image, "b200"}).formats,
              ElementsAre(KvFormat::kBf16, KvFormat::kFp8Scaled));
  EXPECT_THAT(ask({"vllm serve moonshotai/Kimi-K3 --kv-cache-dtype fp8"}).formats,
              ElementsAre(KvFormat::kFp8));
  EXPECT_THAT(ask({"vllm serve nvidia/Kimi-K2.5-NVFP4", image, "b200"}).formats,
              ElementsAre(KvFormat::kFp8));
}

TEST(MemoryQuestion, ReadsWhatOnlyMemoryDependsOn) {
  const auto fp4 = ask({kV4 + "--attention-config '{\"use_fp4_indexer_cache\":true}'"});
  EXPECT_THAT(fp4.indexes, ElementsAre(IndexFormat::kFp4));
  EXPECT_THAT(ask({kV4 + "--attention_config.use_fp4_indexer_cache=True"}).indexes,
              ElementsAre(IndexFormat::kFp4));
  EXPECT_THAT(ask({kV4}).indexes, ElementsAre(IndexFormat::kFp8));
  const std::string connector =
      "--kv-transfer-config '{\"kv_connector\":\"MooncakeStoreConnector\"}'";
  EXPECT_EQ(ask({kV4 + connector}).hybrid, std::nullopt);
  EXPECT_EQ(ask({kV4 + connector + " --no-disable-hybrid-kv-cache-manager"}).hybrid, true);
  EXPECT_EQ(ask({kV4 + "--disable-hybrid-kv-cache-manager"}).hybrid, false);
  EXPECT_FALSE(ask({"vllm serve moonshotai/Kimi-K2.5 --language-model-only"}).loaded.vision);
  EXPECT_EQ(ask({kV4 + "--kv-cache-memory-bytes 8g"}).cache_bytes, 8e9);
}

TEST(MemoryQuestion, NamesWhatIsMissing) {
  EXPECT_THAT(ask({kV4 + "--max-model-len $LENGTH"}).missing,
              Contains(::testing::HasSubstr("length")));
  EXPECT_THAT(ask({kV4 + "--tensor-parallel-size $TP"}).missing,
              Contains("the size of tensor parallelism"));
  EXPECT_THAT(ask({kV4 + "--gpu-memory-utilization $FRACTION"}).missing,
              Contains("the fraction of the memory"));
  EXPECT_THAT(ask({kV4 + "--num-gpu-blocks-override 512"}).missing,
              Contains("what the given number of blocks takes"));
  EXPECT_THAT(ask({kV4 + "--kv-cache-dtype int4_per_token_head"}).missing,
              Contains(::testing::HasSubstr("KV cache dtype")));
  EXPECT_EQ(ask({"vllm serve org/unheard-of"}).model, nullptr);
}

TEST(MemoryQuestion, NeverJudgesWeightsOfUnknownRanks) {
  // On one GPU of eight it could not fit.
  for (const char* options :
       {"--tensor-parallel-size $TP", "-tp 8 --hf-overrides '{\"num_hidden_layers\":4}'",
        "-tp 8 --cpu-offload-gb $GB"}) {
    const auto question = ask({"vllm serve moonshotai/Kimi-K3 " + std::string(options),
                               "vllm/vllm-openai:v0.27.0", "b200"});
    EXPECT_THAT(question.missing_for_weights, Not(IsEmpty())) << options;
    const auto fit = memory_fit(question, catalog().memory());
    EXPECT_EQ(to_string(fit.fits), "unknown") << options;
    EXPECT_FALSE(fit.weights_too_large) << options;
  }
  const std::string bf16 = "vllm serve Qwen/Qwen3.5-397B-A17B -tp 4";
  EXPECT_THAT(ask({bf16}).missing_for_weights, IsEmpty());
  EXPECT_THAT(ask({bf16 + " --quantization fp8"}).missing_for_weights, Not(IsEmpty()));
}

TEST(MemoryQuestion, ADraftModelAddsLayers) {
  const auto eagle =
      ask({"vllm serve moonshotai/Kimi-K2.5 --speculative-config "
           "'{\"method\":\"eagle3\",\"model\":\"org/draft\",\"num_speculative_tokens\":3}'"});
  EXPECT_TRUE(eagle.loaded.external_draft);
  EXPECT_FALSE(eagle.loaded.mtp);
  EXPECT_THAT(eagle.draft_layers, ElementsAre(1, 0));
  const auto dspark =
      ask({"vllm serve moonshotai/Kimi-K3 --speculative-config "
           "'{\"method\":\"dspark\",\"model\":\"org/draft\",\"num_speculative_tokens\":2}'"});
  EXPECT_THAT(dspark.draft_layers, ElementsAre(5));
}

TEST(MemoryQuestion, LeavesOpenHowSglangDividesItsPool) {
  const auto missing = [](const std::string& options) {
    const testing::CommandLine command(
        "python3 -m sglang.launch_server --model-path zai-org/GLM-5.2-FP8 --tp-size 8 "
        "--mem-fraction-static 0.85 " +
        options);
    launch::Launch launch;
    launch.program = "python3 -m sglang.launch_server";
    launch.engine = launch::Engine::kSglang;
    launch.role = launch::Role::kAggregate;
    launch.argv = command.argv();
    launch.arguments_index = 3;
    Situation situation;
    situation.version = catalog().version_of("lmsysorg/sglang:v0.5.18", "sglang");
    situation.gpu = catalog().models().find_gpu("h200");
    const auto config = decode(launch, situation, catalog());
    return memory_question(launch, *config, nullptr, situation.gpu, catalog()).missing;
  };
  EXPECT_THAT(missing(""), IsEmpty());
  EXPECT_THAT(missing("--attn-cp-size 8 --enable-prefill-cp"),
              Contains("how context parallelism divides the KV cache"));
}

TEST(HostPools, AreCountedForEveryRank) {
  const std::string command = "vllm serve moonshotai/Kimi-K2.5 -tp 8 --kv-transfer-config ";
  const auto pools = [&](const std::string& extra) {
    return host_pools(Decoded({command + "'{\"kv_connector\":\"OffloadingConnector\"," +
                               "\"kv_connector_extra_config\":{" + extra + "}}'"})
                          .config(),
                      {});
  };
  const auto each = pools("\"cpu_bytes_to_use_per_rank\":100000000000");
  ASSERT_TRUE(each);
  EXPECT_EQ(each->total, 8e11);
  EXPECT_EQ(each->per_rank, 1e11);
  EXPECT_EQ(each->connector, "OffloadingConnector");
  EXPECT_EQ(pools("\"cpu_bytes_to_use\":100000000000")->total, 1e11);
  const auto engines =
      host_pools(Decoded({"vllm serve moonshotai/Kimi-K2.5 -dp 4 --kv-transfer-config "
                          "'{\"kv_connector\":\"SimpleCPUOffloadConnector\","
                          "\"kv_connector_extra_config\":{\"cpu_bytes_to_use\":100000000000}}'"})
                     .config(),
                 {});
  EXPECT_EQ(engines->total, 4e11);
  EXPECT_EQ(pools("").error().message, "how much host memory 'OffloadingConnector' takes");
  EXPECT_EQ(host_pools(Decoded({"vllm serve moonshotai/Kimi-K2.5 -tp 8"}).config(), {})->total, 0);
  EXPECT_FALSE(host_pools(
      Decoded({"vllm serve moonshotai/Kimi-K2.5 --kv-transfer-config $CONNECTOR"}).config(), {}));
}

TEST(HostPools, BetweenGpusNothingIsPinned) {
  const Decoded decoded(
      {"vllm serve moonshotai/Kimi-K2.5 -tp 8 --kv-transfer-config "
       "'{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"}'"});
  EXPECT_EQ(host_pools(decoded.config(), {})->total, 0);
}

/// A server of SGLang with a hierarchical cache on so many ranks.
ServerConfig hierarchical(std::int64_t ranks, std::optional<std::int64_t> bytes,
                          std::optional<double> ratio) {
  ServerConfig config;
  config.engine = launch::Engine::kSglang;
  config.parallel.tensor = Setting<std::int64_t>::by_default(ranks);
  for (auto* one : {&config.parallel.pipeline, &config.parallel.data, &config.parallel.nodes,
                    &config.parallel.attention_data}) {
    *one = Setting<std::int64_t>::by_default(1);
  }
  config.cache.offloads =
      Setting<std::vector<Offload>>::by_default({{"hicache", {}, bytes, bytes.has_value(), ratio}});
  return config;
}

TEST(HostPools, OfAServerOnSeveralMachinesThoseOfOneCount) {
  const auto config = hierarchical(16, 100, std::nullopt);
  EXPECT_EQ(host_pools(config, {})->total, 1600);
  const auto shared = host_pools(config, {4, 0});
  EXPECT_EQ(shared->total, 400);
  EXPECT_EQ(shared->ranks, 4);
  auto one_pool = config;
  one_pool.cache.offloads.value->front().bytes_per_rank = false;
  EXPECT_EQ(host_pools(one_pool, {4, 0}).error().message, "how 'hicache' lies on several machines");
  auto two_nodes = config;
  two_nodes.parallel.nodes = Setting<std::int64_t>::by_default(2);
  EXPECT_EQ(host_pools(two_nodes, {})->total, 800);
}

TEST(HostPools, ARatioNeedsTheSizeOnTheGpu) {
  const auto config = hierarchical(8, std::nullopt, 2.5);
  EXPECT_TRUE(depends_on_device_pool(config));
  EXPECT_EQ(host_pools(config, {}).error().message, "how much host memory 'hicache' takes");
  const auto pools = host_pools(config, {0, 1000});
  EXPECT_EQ(pools->total, 20000);
  EXPECT_EQ(pools->per_rank, 2500);
  EXPECT_TRUE(pools->estimated());
  EXPECT_FALSE(depends_on_device_pool(hierarchical(8, 100, std::nullopt)));
}

/// The same for a launch of SGLang.
MemoryQuestion ask_sglang(const std::string& command, const std::string& gpu) {
  const testing::CommandLine line(command);
  launch::Launch launch;
  launch.program = "python3 -m sglang.launch_server";
  launch.engine = launch::Engine::kSglang;
  launch.argv = line.argv();
  Situation situation;
  situation.version = catalog().version_of("lmsysorg/sglang:v0.5.16", "sglang");
  situation.gpu = catalog().models().find_gpu(gpu);
  const auto config = decode(launch, situation, catalog());
  return memory_question(launch, *config, nullptr, situation.gpu, catalog());
}

TEST(MemoryQuestion, SglangDividesThePoolOfCompressedAttention) {
  const std::string command =
      "python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V4-Pro --tp 8 "
      "--mem-fraction-static 0.85 --max-running-requests 64";
  const auto question = ask_sglang(command, "b300");
  EXPECT_THAT(question.missing, IsEmpty());
  EXPECT_EQ(question.window_ratio, 0.1);
  EXPECT_THAT(question.state_pools, ElementsAre(StatePool{64, 0}, StatePool{}));
  EXPECT_EQ(ask_sglang(command + " --swa-full-tokens-ratio 0.02", "b300").window_ratio, 0.02);
  EXPECT_THAT(ask_sglang(command + " --swa-full-tokens-ratio $RATIO", "b300").missing,
              Contains("the ratio of the tokens of sliding windows"));
}

TEST(MemoryQuestion, SglangKeepsStatesOfLinearAttention) {
  const std::string command =
      "python3 -m sglang.launch_server --model-path Qwen/Qwen3.5-397B-A17B-FP8 --tp 8 "
      "--mem-fraction-static 0.8 --max-running-requests 64";
  EXPECT_THAT(ask_sglang(command, "b300").state_pools,
              ElementsAre(StatePool{0, 0.9}, StatePool{1, 0}));
  const auto given = ask_sglang(command +
                                    " --max-mamba-cache-size 320 --mamba-ssm-dtype bfloat16 --dp 8 "
                                    "--enable-dp-attention",
                                "b300");
  EXPECT_THAT(given.state_pools, ElementsAre(StatePool{40, 0}, StatePool{1, 0}));
  EXPECT_EQ(given.state_element, 2);
  // Each of 64 requests keeps a state for each of 4 tokens that it verifies.
  const auto speculative =
      ask_sglang(command +
                     " --max-mamba-cache-size 320 --speculative-algorithm EAGLE "
                     "--speculative-num-steps 3 --speculative-eagle-topk 1 "
                     "--speculative-num-draft-tokens 4",
                 "b300");
  EXPECT_EQ(speculative.state_pools.front(), (StatePool{320 + 64 * 4, 0}));
  EXPECT_THAT(ask_sglang(command + " --max-mamba-cache-size $SIZE", "b300").missing,
              Contains("what the states of linear attention take"));
}

}  // namespace
}  // namespace recipelint::serving::memory
