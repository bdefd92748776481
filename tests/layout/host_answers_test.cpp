#include "analyzer/layout/host_answers.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"

namespace recipelint::layout {
namespace {

using shell::Value;

Value context_of(const Value& model, const std::map<std::string, Value>& variables = {},
                 const ModelFolder& folder = {}) {
  static const facts::Catalog facts;
  const HostAnswers answers(facts.models(), folder);
  shell::HostQuestion question;
  question.name = "get_native_max_context_length";
  const std::vector<Value> arguments = {model};
  question.arguments = arguments;
  question.variable = [&](std::string_view name) -> std::optional<Value> {
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  EXPECT_TRUE(answers.knows(question.name));
  return answers.answer(question)->output;
}

TEST(HostAnswers, TakeTheContextOfAModelFromTheCatalogue) {
  EXPECT_EQ(context_of(Value::of("deepseek-ai/DeepSeek-R1-0528")).text(), "163840");
  EXPECT_EQ(context_of(Value::of("/models/DeepSeek-R1-0528")).text(), "163840");
}

TEST(HostAnswers, DoNotGuessTheContextOfAnotherModel) {
  const Value context = context_of(Value::of("acme/Secret-1"));
  EXPECT_EQ(context.cause(), "native context length of model 'acme/Secret-1'");
  EXPECT_FALSE(context.may_be_empty());
  EXPECT_FALSE(context_of(Value::unknown("environment variable MODEL")).is_known());
  EXPECT_FALSE(context_of(Value()).is_known());
}

TEST(HostAnswers, LetAFolderOfTheModelTakePart) {
  const Value named = Value::of("deepseek-ai/DeepSeek-R1-0528");
  const auto with_path = [](const char* path) {
    return std::map<std::string, Value>{{"MODEL_PATH", Value::of(path)}};
  };
  EXPECT_EQ(context_of(named, with_path("")).text(), "163840");
  EXPECT_EQ(context_of(named, with_path("/data/DeepSeek-R1-0528")).text(), "163840");
  EXPECT_FALSE(context_of(named, with_path("/data/gpt-oss-120b")).is_known());
  EXPECT_FALSE(context_of(named, with_path("/data/secret")).is_known());
}

TEST(HostAnswers, KnowTheModelInTheFolderOfTheLauncher) {
  const Value path = Value::of("/data/dsr1");
  const ModelFolder folder{"/data/dsr1", "deepseek-ai/DeepSeek-R1-0528"};
  EXPECT_EQ(context_of(path, {{"MODEL_PATH", path}}, folder).text(), "163840");
  EXPECT_FALSE(context_of(Value::of("/data/other"), {}, folder).is_known());
}

TEST(HostAnswers, KnowNothingElse) {
  const facts::Catalog facts;
  EXPECT_FALSE(HostAnswers(facts.models()).knows("nvidia-smi"));
}

}  // namespace
}  // namespace recipelint::layout
