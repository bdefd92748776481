#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/shell/parse.h"

namespace recipelint::shell {
namespace {

TEST(ParseScript, KeepsTheWordsAfterARedirection) {
  const text::SourceFile file("run.sh", "vllm serve m > log 2>&1 --port 8000\n");
  const auto script = parse_script(file);
  ASSERT_EQ(script->body.size(), 1u);
  EXPECT_TRUE(script->problems.empty());
  const auto& command = std::get<SimpleCommand>(script->body[0].command);
  EXPECT_EQ(command.words.size(), 5u);
  EXPECT_EQ(script->body[0].redirections.size(), 2u);
}

}  // namespace
}  // namespace recipelint::shell
