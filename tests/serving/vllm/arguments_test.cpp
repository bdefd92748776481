#include "analyzer/serving/vllm/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using ::testing::IsEmpty;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

/// A command line, decoded.
class Decoded {
 public:
  explicit Decoded(const std::string& text, const std::string& tag = "v0.27.0",
                   std::vector<launch::ConfigFile> files = {})
      : command_(text), version_(catalog().version_of("vllm/vllm-openai:" + tag, "vllm")) {
    const auto frontend = frontend_of(text);
    const std::size_t first = frontend == Frontend::kServe ? 2 : 3;
    arguments_ = Arguments::parse(command_.argv(), first, frontend, files, version_, catalog());
  }

  const Arguments& operator*() const { return arguments_; }
  const Arguments* operator->() const { return &arguments_; }

  /// "error RL8001 '--x': message" for each problem; '--x' is what is underlined.
  std::vector<std::string> problems() const {
    std::vector<std::string> result;
    for (const Problem& problem : arguments_.problems()) {
      constexpr const char* kLevels[] = {"note", "warning", "error"};
      result.push_back(std::string(kLevels[static_cast<int>(problem.severity)]) + " " +
                       std::string(problem.rule) + " <" + std::string(problem.span.bytes()) + "> " +
                       problem.message);
    }
    return result;
  }

 private:
  testing::CommandLine command_;
  facts::EngineVersion version_;
  Arguments arguments_;
};

std::string value_of(const Setting<std::int64_t>& setting) {
  if (!setting.value) return setting.known() ? "none" : "unknown: " + setting.reason;
  return std::to_string(*setting.value);
}

TEST(VllmArguments, FindTheModel) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"vllm serve org/m --port 8000", "org/m"},
      {"vllm serve --port 8000 org/m", "org/m"},
      {"vllm serve --port 8000 --model org/m --enforce-eager", "org/m"},
      {"vllm serve --model=org/m", "org/m"},
      {"vllm serve /data/models/m/ -tp 8", "/data/models/m/"},
      {"python3 -m vllm.entrypoints.openai.api_server --model org/m", ""},
  };
  for (const auto& [text, model] : cases) {
    const Decoded decoded(text);
    EXPECT_EQ(decoded->model() ? decoded->model()->text : "", model) << text;
    EXPECT_THAT(decoded.problems(), IsEmpty()) << text;
  }
  EXPECT_EQ(*Decoded("python3 -m vllm.entrypoints.openai.api_server --model org/m")
                 ->string("--model")
                 .value,
            "org/m");
}

TEST(VllmArguments, TakeEverySpelling) {
  for (const char* option : {"--tensor-parallel-size 8", "--tensor-parallel-size=8",
                             "--tensor_parallel_size 8", "--tensor_parallel-size=8", "-tp 8",
                             "-tp=8", "--tensor-par 8", "--tensor-parallel-size ' 8 '"}) {
    const Decoded decoded("vllm serve m " + std::string(option));
    EXPECT_EQ(value_of(decoded->integer("--tensor-parallel-size")), "8") << option;
    EXPECT_THAT(decoded.problems(), IsEmpty()) << option;
  }
  EXPECT_EQ(value_of(Decoded("vllm serve m -n4")->integer("--nnodes")), "4");
  EXPECT_TRUE(*Decoded("vllm serve m -ep")->boolean("--enable-expert-parallel").value);
}

TEST(VllmArguments, TakeBooleansAndTheirNegations) {
  const Decoded decoded(
      "vllm serve m --no-enable-prefix-caching --no_disable-hybrid-kv-cache-manager");
  EXPECT_FALSE(*decoded->boolean("--enable-prefix-caching").value);
  EXPECT_FALSE(*decoded->boolean("--disable-hybrid-kv-cache-manager").value);
  EXPECT_FALSE(decoded->boolean("--enforce-eager").value);
  EXPECT_THAT(decoded.problems(), IsEmpty());
}

TEST(VllmArguments, ReadNumbersAsVllmReadsThem) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"--max-model-len 128k", "--max-model-len", "128000"},
      {"--max-model-len 128K", "--max-model-len", "131072"},
      {"--max-model-len 25.6k", "--max-model-len", "25600"},
      {"--max-model-len auto", "--max-model-len", "-1"},
      {"--max-model-len AUTO", "--max-model-len", "-1"},
      {"--max-model-len -1", "--max-model-len", "-1"},
      {"--max-num-batched-tokens 8K", "--max-num-batched-tokens", "8192"},
      {"--max-num-seqs 1_024", "--max-num-seqs", "1024"},
      {"--max-num-seqs 99999999999999999999", "--max-num-seqs", "unknown: vLLM refuses the value"},
      {"--seed -5", "--seed", "-5"},
      {"", "--max-num-seqs", "none"},
  };
  for (const auto& [option, name, value] : cases) {
    EXPECT_EQ(value_of(Decoded("vllm serve m " + option)->integer(name)), value) << option;
  }
  EXPECT_EQ(*Decoded("vllm serve m --gpu-memory-utilization 9e-1")
                 ->number("--gpu-memory-utilization")
                 .value,
            0.9);
}

TEST(VllmArguments, ReadLists) {
  const Decoded decoded("vllm serve m --cudagraph-capture-sizes 1 2 4 --served-model-name a b");
  EXPECT_THAT(*decoded->integers("--cudagraph-capture-sizes").value, ElementsAre(1, 2, 4));
  EXPECT_THAT(decoded.problems(), IsEmpty());
}

TEST(VllmArguments, ReadJson) {
  const Decoded decoded(
      "vllm serve m -sc '{\"method\":\"mtp\",\"num_speculative_tokens\":3}' "
      "--compilation-config '{\"cudagraph_mode\":\"FULL\",\"cudagraph_capture_sizes\":[4,8]}'");
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(value_of(decoded->json_integer("--speculative-config", "num_speculative_tokens")), "3");
  EXPECT_EQ(*decoded->json_string("--compilation-config", "cudagraph_mode").value, "FULL");
  const auto setting = decoded->json_string("--speculative-config", "method");
  EXPECT_EQ(setting.span.bytes(), "\"mtp\"");
  EXPECT_EQ(setting.word, 4u);
}

TEST(VllmArguments, MergeDottedKeys) {
  const Decoded decoded(
      "vllm serve m -cc.mode 0 -cc.cudagraph_mode=FULL_DECODE_ONLY "
      "-cc.cudagraph_capture_sizes+ 1,2 -cc.cudagraph_capture_sizes+=4 "
      "-cc.pass_config.enable_sp true --speculative_config.num_speculative_tokens 2");
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(value_of(decoded->json_integer("--compilation-config", "mode")), "0");
  EXPECT_EQ(*decoded->json_string("--compilation-config", "cudagraph_mode").value,
            "FULL_DECODE_ONLY");
  EXPECT_EQ(decoded->json("--compilation-config", {"cudagraph_capture_sizes"})->items.size(), 3u);
  EXPECT_TRUE(decoded->json("--compilation-config", {"pass_config", "enable_sp"})->boolean);
  EXPECT_EQ(value_of(decoded->json_integer("--speculative-config", "num_speculative_tokens")), "2");
}

TEST(VllmArguments, DottedKeysReplaceJson) {
  const Decoded decoded(
      "vllm serve m -cc.mode 0 --compilation-config '{\"cudagraph_mode\":\"FULL\"}'");
  EXPECT_EQ(decoded->json("--compilation-config", {"cudagraph_mode"}), nullptr);
  EXPECT_EQ(value_of(decoded->json_integer("--compilation-config", "mode")), "0");
  EXPECT_THAT(decoded.problems(),
              ElementsAre("warning RL8004 <-cc> The keys of '--compilation-config' that are given "
                          "with dots replace the whole value that is given without; vLLM does not "
                          "merge the two."));
}

TEST(VllmArguments, TakeOptimizationLevels) {
  for (const char* option : {"-O3", "-O 3", "-O=3", "--optimization-level 3"}) {
    const Decoded decoded("vllm serve m " + std::string(option));
    EXPECT_EQ(*decoded->string("--optimization-level").value, "3") << option;
    EXPECT_THAT(decoded.problems(), IsEmpty());
  }
  // Before there were levels, it was short for the compilation configuration.
  const Decoded early("vllm serve m -O3", "v0.11.0");
  EXPECT_EQ(early->find("--optimization-level"), nullptr);
  EXPECT_EQ(early->json("--compilation-config")->integer, 3);
  const Decoded dotted("vllm serve m -O.level 3", "v0.11.0");
  EXPECT_EQ(value_of(dotted->json_integer("--compilation-config", "level")), "3");
  EXPECT_THAT(dotted.problems(), IsEmpty());
}

TEST(VllmArguments, TheLastOneCounts) {
  const Decoded decoded("vllm serve m --max-num-seqs 8 -tp 2 --max-num-seqs 16 --max_num_seq 16");
  EXPECT_EQ(value_of(decoded->integer("--max-num-seqs")), "16");
  EXPECT_THAT(decoded.problems(),
              ElementsAre("warning RL6006 <--max-num-seqs> '--max-num-seqs' is given twice with "
                          "different values, and the last one counts."));
  EXPECT_EQ(decoded->problems()[0].related[0].span.begin, 13u);
}

TEST(VllmArguments, ABooleanAndItsNegationAreARepetition) {
  EXPECT_EQ(Decoded("vllm serve m --enforce-eager --no-enforce-eager").problems().size(), 1u);
  EXPECT_THAT(Decoded("vllm serve m --enforce-eager --enforce-eager").problems(), IsEmpty());
}

struct ProblemCase {
  const char* tag;
  const char* options;
  const char* problem;  // all but the first one are left out
};

class VllmArgumentProblems : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(VllmArgumentProblems, AreToldWithTheirPlace) {
  const auto& [tag, options, problem] = GetParam();
  const Decoded decoded("vllm serve m " + std::string(options), tag);
  if (std::string_view(problem).empty()) {
    EXPECT_THAT(decoded.problems(), IsEmpty());
  } else {
    EXPECT_THAT(decoded.problems(), ElementsAre(problem));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, VllmArgumentProblems,
    ::testing::Values(
        ProblemCase{"v0.23.0", "-language-model-only",
                    "error RL8001 <-language-model-only> vLLM 0.23.0 has no option "
                    "'-language-model-only'."},
        ProblemCase{"v0.27.0", "--enforce-eagerly --port 8000",
                    "error RL8001 <--enforce-eagerly> vLLM 0.27.0 has no option "
                    "'--enforce-eagerly'."},
        ProblemCase{"v0.27.0", "--no-max-num-seqs",
                    "error RL8001 <--no-max-num-seqs> vLLM 0.27.0 has no option "
                    "'--no-max-num-seqs'."},
        ProblemCase{"kimi-k3", "--enforce-eagerly",
                    "note RL8001 <--enforce-eagerly> vLLM of an unknown version has no option "
                    "'--enforce-eagerly'."},
        ProblemCase{"v0.30.0", "--enforce-eagerly",
                    "warning RL8001 <--enforce-eagerly> vLLM 0.30.0 has no option "
                    "'--enforce-eagerly'."},
        ProblemCase{"v0.27.0", "--enforce-eager true",
                    "error RL8001 <true> No option takes the word 'true'. '--enforce-eager' takes "
                    "none."},
        ProblemCase{"v0.27.0", "--enforce-eager=true",
                    "error RL8003 <--enforce-eager=true> '--enforce-eager' takes no value."},
        ProblemCase{"v0.27.0", "--max-num-seqs",
                    "error RL8003 <--max-num-seqs> '--max-num-seqs' has no value."},
        ProblemCase{"v0.27.0", "--max-num-seqs --port 1",
                    "error RL8003 <--max-num-seqs> '--max-num-seqs' has no value."},
        ProblemCase{"v0.27.0", "--max-num- 5",
                    "error RL8001 <--max-num-> '--max-num-' is short for several options of vLLM "
                    "0.27.0."},
        ProblemCase{"v0.27.0", "--max-num-partial-prefills 2",
                    "error RL8002 <--max-num-partial-prefills> vLLM 0.27.0 has no option "
                    "'--max-num-partial-prefills' any more; 0.27.0 removed it."},
        ProblemCase{"v0.23.0", "--watermark 0.1",
                    "error RL8001 <--watermark> vLLM 0.23.0 has no option '--watermark' yet; "
                    "0.24.0 is the first release with it."},
        ProblemCase{"v0.16.0", "--disable-log-requests",
                    "note RL8002 <--disable-log-requests> '--disable-log-requests' is deprecated "
                    "since vLLM 0.10.2."},
        ProblemCase{"latest", "--swap-space 4", ""},
        ProblemCase{"v0.27.0", "--max-num-seqs 8k",
                    "error RL8003 <8k> '8k' is no value of '--max-num-seqs' in vLLM 0.27.0, which "
                    "takes a whole number."},
        ProblemCase{"v0.27.0", "-tp 0",
                    "error RL8003 <0> '0' is no value of '--tensor-parallel-size' in vLLM 0.27.0, "
                    "which takes numbers >=1."},
        ProblemCase{"v0.27.0", "--gpu-memory-utilization 95%",
                    "error RL8003 <95%> '95%' is no value of '--gpu-memory-utilization' in vLLM "
                    "0.27.0, which takes a number."},
        ProblemCase{"v0.27.0", "--gpu-memory-utilization=1.2",
                    "error RL8003 <1.2> '1.2' is no value of '--gpu-memory-utilization' in vLLM "
                    "0.27.0, which takes numbers >0 and <=1."},
        ProblemCase{"v0.27.0", "--performance-mode fast",
                    "error RL8003 <fast> 'fast' is no value of '--performance-mode' in vLLM "
                    "0.27.0, which takes 'balanced', 'interactivity', 'throughput'."},
        ProblemCase{"v0.27.0", "--attention-backend FANCY_PLUGIN", ""},
        ProblemCase{"v0.27.0", "-sc '{\"method\":\"mtp\",num:3}'",
                    "error RL6009 <n> The value of '--speculative-config' is no JSON: a key in "
                    "double quotes is missing."},
        ProblemCase{"v0.27.0", "-sc '{\"method\":\"mtp\",\"num_spec_tokens\":3}'",
                    "error RL8003 <\"num_spec_tokens\"> vLLM 0.27.0 knows no key 'num_spec_tokens' "
                    "in SpeculativeConfig."},
        ProblemCase{
            "v0.27.0", "-cc.level 3",
            "error RL8003 <level> vLLM 0.27.0 knows no key 'level' in CompilationConfig any "
            "more; 0.18.0 removed it."},
        ProblemCase{"v0.11.1", "-O.cudagraph_mode FULL", ""},
        ProblemCase{"v0.20.0", "-sc '{\"synthetic_acceptance_length\":2.5}'",
                    "note RL8003 <\"synthetic_acceptance_length\"> vLLM 0.20.0 knows no key "
                    "'synthetic_acceptance_length' in SpeculativeConfig yet; 0.21.0 is the first "
                    "release with it."},
        ProblemCase{"v0.27.0", "-cc '{\"cudagraph_mode\":\"FULL_DECODE\"}'",
                    "error RL8003 <\"FULL_DECODE\"> '\"FULL_DECODE\"' is no value of the key "
                    "'cudagraph_mode' in vLLM 0.27.0, which takes 'NONE', 'PIECEWISE', 'FULL', "
                    "'FULL_DECODE_ONLY' or 'FULL_AND_PIECEWISE'."},
        ProblemCase{"v0.27.0", "-cc '{\"pass_config\":{\"enable_noop\":true}}'",
                    "error RL8003 <\"enable_noop\"> vLLM 0.27.0 knows no key 'enable_noop' in "
                    "PassConfig any more; 0.13.0 removed it."},
        ProblemCase{"v0.27.0", "-cc '{\"cudagraph_capture_sizes\":[1,\"x\"]}'",
                    "error RL8003 <[1,\"x\"]> '[1,\"x\"]' is no value of the key "
                    "'cudagraph_capture_sizes' in vLLM 0.27.0, which takes a list of whole "
                    "numbers."}));

TEST(VllmArguments, AnUnknownPieceMakesOnlyItsSettingUnknown) {
  const Decoded decoded(
      "vllm serve $MODEL --max-num-seqs $SEQS -tp 8 -sc "
      "'{\"method\":\"mtp\",\"num_speculative_tokens\":'$N'}' --kv-cache-dtype fp8$X");
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(value_of(decoded->integer("--max-num-seqs")), "unknown: SEQS");
  EXPECT_EQ(value_of(decoded->integer("--tensor-parallel-size")), "8");
  EXPECT_EQ(value_of(decoded->json_integer("--speculative-config", "num_speculative_tokens")),
            "unknown: N");
  EXPECT_EQ(*decoded->json_string("--speculative-config", "method").value, "mtp");
  EXPECT_EQ(decoded->string("--kv-cache-dtype").reason, "X");
  EXPECT_EQ(decoded->open(), "");
  EXPECT_EQ(value_of(decoded->integer("--port")), "none");
}

TEST(VllmArguments, AnUnknownWordCanHoldAnyOption) {
  const Decoded decoded("vllm serve m -tp 8 $EXTRA");
  EXPECT_EQ(decoded->open(), "EXTRA");
  EXPECT_EQ(value_of(decoded->integer("--tensor-parallel-size")), "8");
  EXPECT_EQ(value_of(decoded->integer("--max-num-seqs")), "unknown: EXTRA");
}

TEST(VllmArguments, ReadTheConfigurationFile) {
  const launch::ConfigFile file{
      "serve.yaml", shell::Value::of("port: 9000\ntensor-parallel-size: 4\nenforce-eager: true\n"
                                     "enable-prefix-caching: false\n"
                                     "cudagraph-capture-sizes: [1, 2]\n"
                                     "compilation-config:\n  cudagraph_mode: FULL\n")};
  const Decoded decoded("vllm serve m --config serve.yaml -tp 8", "v0.27.0", {file});
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(value_of(decoded->integer("--port")), "9000");
  EXPECT_EQ(value_of(decoded->integer("--tensor-parallel-size")), "8");  // the command line wins
  EXPECT_TRUE(*decoded->boolean("--enforce-eager").value);
  EXPECT_FALSE(*decoded->boolean("--enable-prefix-caching").value);
  EXPECT_THAT(*decoded->integers("--cudagraph-capture-sizes").value, ElementsAre(1, 2));
  EXPECT_EQ(*decoded->json_string("--compilation-config", "cudagraph_mode").value, "FULL");
}

TEST(VllmArguments, AnUnknownConfigurationFileCanHoldAnyOption) {
  EXPECT_EQ(Decoded("vllm serve m --config serve.yaml")->open(),
            "the configuration file serve.yaml");
  shell::Value content = shell::Value::of("port: 9000\n");
  content.append(shell::Value::unknown("EXTRA"));
  const Decoded partly("vllm serve m --config c.yaml", "v0.27.0", {{"c.yaml", content}});
  EXPECT_EQ(partly->open(), "EXTRA");
}

TEST(VllmArguments, TellWhatIsWrongWithTheConfigurationFile) {
  const Decoded broken("vllm serve m --config c.yaml", "v0.27.0",
                       {{"c.yaml", shell::Value::of("port: [1\n")}});
  ASSERT_EQ(broken->problems().size(), 1u);
  EXPECT_EQ(broken->problems()[0].rule, kInvalidDocumentRule);
  EXPECT_EQ(broken->problems()[0].word, 4u);
  const Decoded unknown("vllm serve m --config c.yaml", "v0.27.0",
                        {{"c.yaml", shell::Value::of("max-sequences: 5\n")}});
  EXPECT_THAT(unknown.problems(),
              ElementsAre("error RL8001 <> vLLM 0.27.0 has no option 'max-sequences'."));
}

TEST(VllmArguments, OtherProgramsHaveOptionsOfTheirOwn) {
  const Decoded decoded(
      "python3 -m dynamo.vllm --model m --is-prefill-worker --connector nixl -tp 8");
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(value_of(decoded->integer("--tensor-parallel-size")), "8");
}

TEST(VllmArguments, NothingCrashes) {
  for (const char* options : {"-",
                              "--",
                              "-- x",
                              "---",
                              "-=",
                              "--=",
                              "-.",
                              "--.",
                              "-.a",
                              "--a.",
                              "--a..b 1",
                              "-cc. 1",
                              "-cc.+ 1",
                              "-cc.a",
                              "-O",
                              "-O=",
                              "-O.",
                              "''",
                              "--config",
                              "--config x",
                              "--model",
                              "--max-num-seqs ''",
                              "--cudagraph-capture-sizes",
                              "-sc ''",
                              "-sc None",
                              "-sc '['",
                              "--no-",
                              "-tp= 8",
                              "=",
                              "$X$Y",
                              "--$X 5",
                              "-cc.$X 5",
                              "--max-num-seqs=$X"}) {
    const Decoded decoded("vllm serve m " + std::string(options));
    for (const auto& argument : decoded->all()) EXPECT_NE(argument.flag, nullptr) << options;
  }
  const Decoded nothing("vllm serve");
  EXPECT_FALSE(nothing->model());
}

}  // namespace
}  // namespace recipelint::serving::vllm
