#include "analyzer/serving/trtllm/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/command_line.h"

namespace recipelint::serving::trtllm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

struct Given {
  std::string command;
  std::string file = {};  // what c.yaml holds
  std::string tag = "1.3.0rc24";
  std::map<std::string, shell::Value, std::less<>> environment = {};
};

ServerConfig config_of(const Given& given) {
  // Spans point into the command line.
  static std::vector<std::unique_ptr<const testing::CommandLine>> commands;
  commands.push_back(std::make_unique<const testing::CommandLine>(given.command));
  const auto& command = *commands.back();
  const bool foreign = given.command.starts_with("python3");
  launch::Launch launch;
  launch.program = foreign ? "python3 -m dynamo.trtllm" : "trtllm-serve";
  launch.argv = command.argv();
  launch.arguments_index = foreign ? 3 : 1;
  launch.environment = given.environment;
  if (!given.file.empty()) {
    launch.config_files.push_back({"c.yaml", shell::Value::of(given.file)});
  }
  Situation situation;
  situation.version =
      catalog().version_of("nvcr.io/nvidia/tensorrt-llm/release:" + given.tag, "trtllm");
  situation.gpu = catalog().models().find_gpu("b200");
  return decode(launch, situation, catalog());
}

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

// A decode worker of a disaggregated server.
constexpr const char* kGeneration =
    "tensor_parallel_size: 16\nmoe_expert_parallel_size: 16\nenable_attention_dp: true\n"
    "max_batch_size: 32\nmax_num_tokens: 32\nmax_seq_len: 9236\n"
    "speculative_config:\n  decoding_type: Eagle3\n  max_draft_len: 3\n"
    "  speculative_model_dir: org/draft\n"
    "cuda_graph_config:\n  enable_padding: true\n  batch_sizes: [1, 2, 4, 8, 16, 32]\n";

TEST(TrtllmConfig, ReadsTheFileOverTheCommandLine) {
  const auto config =
      config_of({"trtllm-serve nvidia/MiniMax-M3-NVFP4 --port 8001 --tp_size 16 --ep_size 16 "
                 "--extra_llm_api_options=c.yaml",
                 kGeneration});
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"model", "nvidia/MiniMax-M3-NVFP4 explicit"},
      {"host", "localhost default"},
      {"port", "8001 explicit"},
      {"tensor_parallel", "16 explicit"},
      {"pipeline_parallel", "1 default"},
      {"expert_parallel", "16 explicit"},
      {"attention_data_parallel", "16 explicit"},
      {"max_num_seqs_per_rank", "32 explicit"},
      {"step_tokens_per_rank", "32 explicit"},
      {"model_length", "9236 explicit"},
      {"chunked_prefill", "false default"},
      {"async_scheduling", "true default"},
      {"memory_fraction", "0.9 default: of what is free after the weights"},
      {"kv_dtype", "bfloat16 default: the checkpoint says nothing else"},
      {"block_size", "32 default"},
      {"prefix_caching", "true default"},
      {"kv_offload", " default"},
      {"eager", "false default"},
      {"graph_sizes", "1,2,4,8,16,32 explicit"},
      {"speculative_method", "eagle3 explicit"},
      {"speculative_tokens", "3 explicit"},
      {"draft_model", "org/draft explicit"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(setting(config, name), value) << name;
  EXPECT_THAT(config.problems, IsEmpty());
  // 32 tokens hold 8 requests of 4.
  ASSERT_EQ(config.captures.size(), 1u);
  EXPECT_THAT(config.captures[0].sizes, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(config.captures[0].full, ElementsAre(BatchRange{1, 8}));
}

TEST(TrtllmConfig, HasDefaults) {
  const auto config =
      config_of({"trtllm-serve serve org/m --kv_cache_free_gpu_memory_fraction .8"});
  EXPECT_EQ(setting(config, "model"), "org/m explicit");
  EXPECT_EQ(setting(config, "max_num_seqs_per_rank"), "2048 default");
  EXPECT_EQ(setting(config, "step_tokens_per_rank"), "8192 default");
  EXPECT_EQ(setting(config, "expert_parallel"), "1 default");
  EXPECT_EQ(setting(config, "attention_data_parallel"), "1 default");
  EXPECT_EQ(setting(config, "memory_fraction"), "0.8 explicit");
  EXPECT_EQ(setting(config, "speculative_tokens"), "0 default");
  ASSERT_EQ(config.captures.size(), 1u);
  EXPECT_EQ(config.captures[0].largest, 128);
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST(TrtllmConfig, ReadsCacheGraphsAndScheduler) {
  const auto config = config_of(
      {"trtllm-serve m --config c.yaml",
       "kv_cache_config:\n  dtype: fp8\n  enable_block_reuse: false\n  tokens_per_block: 128\n"
       "  free_gpu_memory_fraction: 0.94\n  host_cache_size: 214748364800\n"
       "enable_chunked_prefill: true\ndisable_overlap_scheduler: true\ncuda_graph_config: null\n"
       "moe_tensor_parallel_size: 2\ntensor_parallel_size: 8\n"});
  EXPECT_EQ(setting(config, "kv_dtype"), "fp8 explicit");
  EXPECT_EQ(setting(config, "prefix_caching"), "false explicit");
  EXPECT_EQ(setting(config, "block_size"), "128 explicit");
  EXPECT_EQ(setting(config, "memory_fraction"), "0.94 explicit");
  EXPECT_EQ(setting(config, "kv_offload"), "host_cache (214748364800 bytes a rank) explicit");
  EXPECT_EQ(setting(config, "chunked_prefill"), "true explicit");
  EXPECT_EQ(setting(config, "async_scheduling"), "false explicit");
  EXPECT_EQ(setting(config, "eager"), "true explicit");
  EXPECT_EQ(setting(config, "expert_parallel"), "4 default: moe_tensor_parallel_size");
  EXPECT_THAT(config.problems, IsEmpty());
  ASSERT_EQ(config.captures.size(), 1u);
  EXPECT_THAT(config.captures[0].sizes, IsEmpty());
  EXPECT_THAT(config.captures[0].eager, ElementsAre(BatchRange{1, 2048}));
}

TEST(TrtllmConfig, ReadsMtpUnderBothNames) {
  for (const char* key : {"max_draft_len", "num_nextn_predict_layers"}) {
    const std::string file =
        "speculative_config:\n  decoding_type: MTP\n  " + std::string(key) + ": 2\n";
    const Given given{"trtllm-serve m --config c.yaml",
                      file,
                      "1.3.0rc14",
                      {{"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", shell::Value::of("1.78")}}};
    const auto config = config_of(given);
    EXPECT_EQ(setting(config, "speculative_method"), "mtp explicit");
    EXPECT_EQ(setting(config, "speculative_tokens"), "2 explicit");
    EXPECT_EQ(setting(config, "synthetic_acceptance"), "2.78 explicit");
    EXPECT_THAT(config.problems, IsEmpty());
  }
}

TEST(TrtllmConfig, GeneratedSizesFollowTheVersion) {
  const std::string command = "trtllm-serve m --max_batch_size 512 --config c.yaml";
  const std::string file = "cuda_graph_config:\n  enable_padding: true\n  max_batch_size: 512\n";
  const auto sizes = [&](const char* tag) {
    std::vector<std::size_t> counts;
    for (const auto& capture : config_of({command, file, tag}).captures) {
      counts.push_back(capture.sizes.size());
    }
    return counts;
  };
  // 1, 2, 4, 16 multiples of 8, then 6 of 64, or 256 and 512.
  EXPECT_THAT(sizes("1.3.0rc24"), ElementsAre(25));
  EXPECT_THAT(sizes("1.3.0rc7"), ElementsAre(21));
}

TEST(TrtllmConfig, TakesTheOptionsOfDynamo) {
  const auto config = config_of(
      {"python3 -m dynamo.trtllm --model-path org/m --served-model-name m --tensor-parallel-size 4 "
       "--expert-parallel-size 2 --max-batch-size 64 --extra-engine-args c.yaml "
       "--disaggregation-mode decode --request-plane $PLANE",
       "max_num_tokens: 100\n"});
  EXPECT_EQ(setting(config, "model"), "org/m explicit");
  EXPECT_EQ(setting(config, "tensor_parallel"), "4 explicit");
  EXPECT_EQ(setting(config, "expert_parallel"), "2 explicit");
  EXPECT_EQ(setting(config, "max_num_seqs_per_rank"), "64 explicit");
  EXPECT_EQ(setting(config, "step_tokens_per_rank"), "100 explicit");
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(setting({"python3 -m dynamo.trtllm --model m --enable-attention-dp"},
                    "attention_data_parallel"),
            "- unknown: the option --enable-attention-dp");
}

TEST(TrtllmConfig, AnUnknownFileCanHoldAnything) {
  const auto config = config_of({"trtllm-serve m --tp_size 8 --config other.yaml"});
  EXPECT_EQ(setting(config, "tensor_parallel"), "- unknown: the configuration file other.yaml");
  EXPECT_EQ(config.captures.size(), 0u);
  EXPECT_EQ(setting({"trtllm-serve disaggregated_mpi_worker -c c.yaml"}, "tensor_parallel"),
            "- unknown: trtllm-serve disaggregated_mpi_worker has a configuration of its own");
  EXPECT_EQ(setting({"trtllm-serve m $EXTRA"}, "max_num_seqs_per_rank"), "- unknown: EXTRA");
}

struct ProblemCase {
  const char* command;
  const char* file;
  const char* problem;  // empty: none
  const char* tag = "1.3.0rc24";
};

class TrtllmProblems : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(TrtllmProblems, AreFound) {
  const auto& given = GetParam();
  const auto found = problems({given.command, given.file, given.tag});
  if (*given.problem == '\0') {
    EXPECT_THAT(found, IsEmpty()) << given.command << given.file;
  } else {
    EXPECT_THAT(found, ElementsAre(given.problem)) << given.command << given.file;
  }
}

// Other releases can have words that the tables lack: a warning, not an error.
INSTANTIATE_TEST_SUITE_P(
    Cases, TrtllmProblems,
    ::testing::Values(
        ProblemCase{"trtllm-serve m --max-batch-size 8", "",
                    "warning RL8001 <--max-batch-size> TensorRT-LLM 1.3.0rc24 has no option "
                    "'--max-batch-size'."},
        // Click takes no abbreviations.
        ProblemCase{"trtllm-serve m --max_batch 8", "",
                    "warning RL8001 <--max_batch> TensorRT-LLM 1.3.0rc24 has no option "
                    "'--max_batch'."},
        ProblemCase{"trtllm-serve m --max_batch_size many", "",
                    "error RL8003 <many> 'many' is no value of '--max_batch_size' in TensorRT-LLM "
                    "1.3.0rc24, which takes a whole number."},
        ProblemCase{"trtllm-serve m --tp_size 8 --tensor_parallel_size 4", "",
                    "warning RL6006 <--tensor_parallel_size> '--tensor_parallel_size' is given "
                    "twice with different values, and the last one counts."},
        ProblemCase{"trtllm-serve m --config c.yaml", "max_batchsize: 8\n",
                    "warning RL8003 <> TensorRT-LLM 1.3.0rc24 knows no key 'max_batchsize' in "
                    "LlmArgs."},
        ProblemCase{"trtllm-serve m --config c.yaml", "max_batch_size: many\n",
                    "error RL8003 <> 'many' is no value of the key 'max_batch_size' in "
                    "TensorRT-LLM 1.3.0rc24, which takes a whole number."},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "kv_cache_config:\n  block_reuse_policy: per_conversation\n",
                    "warning RL8003 <> TensorRT-LLM 1.3.0rc24 knows no key 'block_reuse_policy' "
                    "in KvCacheConfig any more; 1.3.0rc24 removed it."},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "kv_cache_config:\n  block_reuse_policy: per_conversation\n", "",
                    "1.3.0rc23.post1"},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "cuda_graph_config:\n  batch_sizes: [1, 2]\n  max_batch_size: 4\n",
                    "warning RL8004 <> 'max_batch_size' 4 in 'cuda_graph_config' is not the "
                    "largest of 'batch_sizes', 2."},
        ProblemCase{"trtllm-serve m --tp_size 8 --ep_size 3", "",
                    "warning RL8004 <--ep_size> The expert parallel size 3 does not divide the "
                    "tensor parallel size 8."},
        ProblemCase{"trtllm-serve m --tp_size 8 --ep_size 4 --config c.yaml",
                    "moe_tensor_parallel_size: 4\n",
                    "warning RL8004 <> The sizes 4 and 4 of 'moe_tensor_parallel_size' and "
                    "'moe_expert_parallel_size' do not make the tensor parallel size 8."},
        ProblemCase{"trtllm-serve m --tp_size 8 --ep_size 4 --config c.yaml",
                    "moe_tensor_parallel_size: 2\n", ""},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "speculative_config:\n  decoding_type: MTP\n  max_draft_len: 0\n",
                    "warning RL8004 <> 'max_draft_len' has to be at least 1, not 0."},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "speculative_config:\n  decoding_type: Medusa\n  max_draft_len: 1\n",
                    "warning RL8004 <> TensorRT-LLM 1.3.0rc24 has no decoding type 'Medusa'."},
        ProblemCase{"trtllm-serve m --config c.yaml",
                    "speculative_config:\n  decoding_type: MTP\n  max_draft_len: 3\n"
                    "  num_nextn_predict_layers: 1\n",
                    "note RL8004 <> 'num_nextn_predict_layers' has no effect: 'max_draft_len' is "
                    "given, too."},
        ProblemCase{"trtllm-serve m --max_num_tokens 8192 --config c.yaml",
                    "max_num_tokens: 4096\n",
                    "note RL8004 <--max_num_tokens> '--max_num_tokens' has no effect: the "
                    "configuration file says 4096."},
        ProblemCase{"trtllm-serve m --max_num_tokens 4096 --config c.yaml",
                    "max_num_tokens: 4096\n", ""}));

TEST(TrtllmConfig, TellsWhatIsWrongWithTheFile) {
  const auto config = config_of({"trtllm-serve m --config c.yaml", "a: [1\n"});
  ASSERT_EQ(config.problems.size(), 1u);
  EXPECT_EQ(config.problems[0].rule, kInvalidDocumentRule);
  EXPECT_EQ(config.problems[0].word, 3u);
  EXPECT_EQ(setting(config, "tensor_parallel"),
            "- unknown: a configuration file that cannot be read");
}

TEST(TrtllmConfig, NothingCrashes) {
  for (const char* options :
       {"", "-", "--", "-x", "--config", "--config c.yaml", "m --tp_size", "m --tp_size ''",
        "serve", "disaggregated", "m --max_batch_size 0", "m --max_batch_size -1",
        "m --max_num_tokens 0", "m n", "$X", "m --$X 1"}) {
    for (const char* file :
         {"", "a", "[1]", "null", "cuda_graph_config: 5\n",
          "cuda_graph_config:\n  batch_sizes: 5\n",
          "cuda_graph_config:\n  batch_sizes: [0, -1]\n  max_batch_size: 9223372036854775807\n",
          "speculative_config:\n  decoding_type: PARD\n  max_draft_len: 0\n",
          "speculative_config:\n  max_draft_len: 9223372036854775807\n  decoding_type: MTP\n"}) {
      const auto config = config_of({"trtllm-serve " + std::string(options), file});
      EXPECT_EQ(config.engine, launch::Engine::kTensorRtLlm);
    }
  }
}

}  // namespace
}  // namespace recipelint::serving::trtllm
