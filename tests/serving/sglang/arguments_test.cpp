#include "analyzer/serving/sglang/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/command_line.h"

namespace recipelint::serving::sglang {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

/// The options behind "python3 -m sglang.launch_server --model-path m", decoded.
class Decoded {
 public:
  explicit Decoded(const std::string& options, const std::string& tag = "v0.5.18",
                   const std::string& program = "python3 -m sglang.launch_server")
      : command_(program + " --model-path m " + options),
        version_(catalog().version_of("lmsysorg/sglang:" + tag, "sglang")),
        arguments_(Arguments::parse(command_.argv(), program.find("serve") == 7 ? 2 : 3,
                                    frontend_of(program), version_, catalog())) {}

  const Arguments* operator->() const { return &arguments_; }

  /// "error RL8001 <--x> message" for each problem; <--x> is what is underlined.
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

TEST(SglangArguments, AcceptAbbreviationsAndAliases) {
  const Decoded decoded("--tp 8 --dp=4 --ep 2 --mem-fraction 0.8 --speculative-algo EAGLE");
  EXPECT_EQ(decoded->integer("--tp-size").value, 8);
  EXPECT_EQ(decoded->integer("--dp-size").value, 4);
  EXPECT_EQ(decoded->integer("--ep-size").value, 2);
  EXPECT_EQ(decoded->number("--mem-fraction-static").value, 0.8);
  EXPECT_EQ(decoded->string("--speculative-algorithm").value, "EAGLE");
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_EQ(Decoded("--tensor-parallel-size 8")->integer("--tp-size").value, 8);
}

TEST(SglangArguments, RefuseAmbiguousAbbreviations) {
  EXPECT_THAT(Decoded("--quant fp8").problems(),
              ElementsAre("error RL8001 <--quant> '--quant' is short for several options of "
                          "SGLang 0.5.18."));
}

TEST(SglangArguments, PutDeprecatedSpellingsUnderTheirDestination) {
  const Decoded decoded("--cuda-graph-max-bs 64 --cuda-graph-bs 1 2 4", "v0.5.9");
  EXPECT_EQ(decoded->integer("--cuda-graph-max-bs-decode").value, 64);
  EXPECT_EQ(decoded->integers("--cuda-graph-bs-decode").value,
            (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_THAT(decoded.problems(), IsEmpty());
  EXPECT_THAT(Decoded("--cuda-graph-max-bs 64").problems(),
              ElementsAre("note RL8002 <--cuda-graph-max-bs> '--cuda-graph-max-bs' is deprecated "
                          "in SGLang 0.5.18."));
  const Decoded both("--cuda-graph-max-bs-decode 32 --cuda-graph-max-bs 64", "v0.5.16");
  EXPECT_EQ(both->integer("--cuda-graph-max-bs-decode").value, 64);
  EXPECT_THAT(both.problems(),
              ElementsAre("warning RL6006 <--cuda-graph-max-bs> '--cuda-graph-max-bs-decode' is "
                          "given twice with different values, and the last one counts."));
}

TEST(SglangArguments, KnowOptionsByVersion) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> cases = {
      // Not yet: seen missing at 0.5.6, and there at 0.5.18. Between them nobody knows.
      {"v0.5.6",
       {"error RL8001 <--cuda-graph-config> SGLang 0.5.6 has no option '--cuda-graph-config' yet; "
        "0.5.18 has it."}},
      {"v0.5.9", {}},
      {"v0.5.18", {}},
      {"v0.5.22", {}},
      {"kimi-k3", {}},
  };
  for (const auto& [tag, problems] : cases) {
    EXPECT_EQ(Decoded("--cuda-graph-config {}", tag).problems(), problems) << tag;
  }
  EXPECT_THAT(Decoded("--torchao-config x", "v0.5.6").problems(), IsEmpty());
  EXPECT_THAT(Decoded("--torchao-config x", "v0.5.12").problems(), IsEmpty());
  EXPECT_THAT(Decoded("--torchao-config x").problems(),
              ElementsAre("error RL8002 <--torchao-config> SGLang 0.5.18 has no option "
                          "'--torchao-config' any more; it was gone by 0.5.18."));
}

TEST(SglangArguments, DoubtUnknownOptionsWhereNobodyLooked) {
  const auto problem = [](const char* tag) { return Decoded("--max-num-seqs 8", tag).problems(); };
  EXPECT_THAT(problem("v0.5.18"),
              ElementsAre("error RL8001 <--max-num-seqs> SGLang 0.5.18 has no option "
                          "'--max-num-seqs'."));
  EXPECT_THAT(problem("v0.5.12"),
              ElementsAre("warning RL8001 <--max-num-seqs> SGLang 0.5.12 has no option "
                          "'--max-num-seqs'."));
  EXPECT_THAT(problem("v0.5.21"),
              ElementsAre("warning RL8001 <--max-num-seqs> SGLang 0.5.21 has no option "
                          "'--max-num-seqs'."));
  // Older than the first list: an option that was removed before is in none.
  EXPECT_THAT(problem("v0.5.3rc1"), IsEmpty());
  EXPECT_THAT(Decoded("--enable-flashinfer-trtllm-moe --tp 8", "v0.5.3rc1").problems(), IsEmpty());
  EXPECT_THAT(Decoded("--max-num-seqs 8", "v0.5.18", "python3 -m dynamo.sglang").problems(),
              IsEmpty());
}

TEST(SglangArguments, CheckValuesWhereTheyWereRead) {
  EXPECT_THAT(Decoded("--disaggregation-mode both --tp x").problems(),
              ElementsAre("error RL8003 <both> 'both' is no value of '--disaggregation-mode' in "
                          "SGLang 0.5.18, which takes 'null', 'prefill', 'decode'.",
                          "error RL8003 <x> 'x' is no value of '--tp-size' in SGLang 0.5.18, which "
                          "takes a whole number."));
  EXPECT_THAT(Decoded("--disaggregation-mode both", "v0.5.12").problems(), IsEmpty());
}

TEST(SglangArguments, ReadGraphConfigurations) {
  const Decoded decoded(R"(--cuda-graph-config '{"decode":{"max_bs":64,"backends":"full"}}')");
  EXPECT_EQ(decoded->json("--cuda-graph-config", {"decode", "max_bs"})->integer, 64);
  EXPECT_THAT(decoded.problems(), ElementsAre("error RL8003 <\"backends\"> SGLang 0.5.18 knows no "
                                              "key 'backends' in CudaGraphPhase."));
  EXPECT_THAT(Decoded("--cuda-graph-config {decode:1}").problems(),
              ElementsAre(::testing::StartsWith("error RL6009 <d> ")));
}

TEST(SglangArguments, ReadObjectsWhereTheyAreGiven) {
  constexpr const char* kStorage = "--hicache-storage-backend-extra-config ";
  EXPECT_THAT(Decoded(std::string(kStorage) + R"('{"a": 1}')").problems(), IsEmpty());
  EXPECT_THAT(Decoded(std::string(kStorage) + "@storage.json").problems(), IsEmpty());
  EXPECT_THAT(Decoded(std::string(kStorage) + R"('{"a": 1')").problems(),
              ElementsAre(::testing::StartsWith("error RL6009 ")));
  EXPECT_THAT(Decoded("--model-loader-extra-config fast").problems(),
              ElementsAre(::testing::StartsWith("error RL6009 ")));
  EXPECT_THAT(Decoded("--model-loader-extra-config $CONFIG").problems(), IsEmpty());
}

TEST(SglangArguments, ReadNumbersWithSuffixes) {
  EXPECT_EQ(parse_suffixed_int("128k"), 128000);
  EXPECT_EQ(parse_suffixed_int("128Ki"), 131072);
  EXPECT_EQ(parse_suffixed_int("1.5M"), 1500000);
  EXPECT_EQ(parse_suffixed_int("131072"), 131072);
  EXPECT_EQ(parse_suffixed_int("k"), std::nullopt);
  EXPECT_EQ(parse_suffixed_int("9999999Ti"), std::nullopt);
  EXPECT_EQ(parse_suffixed_int("many"), std::nullopt);
  EXPECT_EQ(Decoded("--context-length 128Ki")->suffixed_integer("--context-length").value, 131072);
  EXPECT_FALSE(Decoded("")->suffixed_integer("--context-length").value);
  EXPECT_TRUE(Decoded("")->suffixed_integer("--context-length").known());
  EXPECT_FALSE(Decoded("--context-length x")->suffixed_integer("--context-length").known());
}

TEST(SglangArguments, SayWhatMayHoldMore) {
  EXPECT_EQ(Decoded("$EXTRA --tp 8")->open(), "EXTRA");
  EXPECT_EQ(Decoded("--config server.yaml")->open(), "the configuration file server.yaml");
  EXPECT_FALSE(Decoded("$EXTRA")->integer("--dp-size").known());
  // The value of an option of Dynamo hides nothing.
  const Decoded dynamo("--request-plane $PLANE --tp 8", "v0.5.18", "python3 -m dynamo.sglang");
  EXPECT_EQ(dynamo->open(), "");
  EXPECT_EQ(dynamo->integer("--tp-size").value, 8);
}

}  // namespace
}  // namespace recipelint::serving::sglang
