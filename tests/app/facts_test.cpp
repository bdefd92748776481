#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/command.h"

namespace recipelint {
namespace {

using testing::run_command;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string facts(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"facts"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = run_command(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return result.out;
}

TEST(Facts, ListsItsTopics) {
  for (const char* topic : {"engines", "flags", "gpus", "images", "models"}) {
    EXPECT_THAT(facts({}), HasSubstr(topic));
    EXPECT_FALSE(facts({topic}).empty());
  }
}

TEST(Facts, EveryTopicNamesSourceAndDate) {
  EXPECT_THAT(facts({"gpus", "B200"}), AllOf(HasSubstr("sm_100"), HasSubstr("source: ")));
  EXPECT_THAT(facts({"models", "DeepSeek-V4-Pro"}),
              AllOf(HasSubstr("deepseek-ai/DeepSeek-V4-Pro"), HasSubstr("source: "),
                    HasSubstr("source of the shape: ")));
  EXPECT_THAT(facts({"engines", "vllm"}), AllOf(HasSubstr("0.27.0"), HasSubstr("source: ")));
  EXPECT_THAT(facts({"flags", "max-num-seqs"}),
              AllOf(HasSubstr("vllm --max-num-seqs"), HasSubstr("source: ")));
  EXPECT_THAT(facts({"flags", "VLLM_USE_V2_MODEL_RUNNER"}), HasSubstr("(variable)"));
  EXPECT_THAT(facts({"images", "vllm/vllm-openai:v0.27.1"}), HasSubstr("class: "));
}

TEST(Facts, OptionsAreFoundByAliasAndWithoutDashes) {
  EXPECT_THAT(facts({"flags", "tp"}), HasSubstr("vllm --tensor-parallel-size"));
  EXPECT_THAT(facts({"flags", "--", "-tp"}), HasSubstr("vllm --tensor-parallel-size"));
}

TEST(Facts, UnknownNamesAreWrongUsage) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"facts", "weather"}, {"facts", "gpus", "z9"},
        {"facts", "flags", "no-such-option"}, {"facts", "engines", "llama.cpp"},
        {"facts", "models", "acme/Nothing"}}) {
    const auto result = run_command(arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(arguments.back()));
  }
}

}  // namespace
}  // namespace recipelint
