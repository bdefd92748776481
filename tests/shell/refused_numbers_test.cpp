#include "analyzer/shell/text_commands/refused_numbers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recipelint::shell {
namespace {

std::string refused(const std::string& name, const std::vector<std::string>& arguments) {
  return refused_numbers(name, arguments);
}

TEST(RefusedNumbers, SaysWhatTheCommandRefuses) {
  EXPECT_EQ(refused("seq", {"1", "0", "8"}), "'seq' cannot count in steps of '0'");
  EXPECT_EQ(refused("seq", {"1", "-0.0", "8"}), "'seq' cannot count in steps of '-0.0'");
  EXPECT_EQ(refused("seq", {"", "8"}), "'seq' cannot count with ''");
  EXPECT_EQ(refused("seq", {"fp", "8"}), "'seq' cannot count with 'fp'");
  EXPECT_EQ(refused("head", {"-n", "fp"}), "'head' cannot count 'fp' lines");
  EXPECT_EQ(refused("tail", {"--lines="}), "'tail' cannot count '' lines");
}

TEST(RefusedNumbers, IsSilentAboutWhatMayBeANumber) {
  EXPECT_EQ(refused("seq", {"0", "0"}), "");
  EXPECT_EQ(refused("seq", {"0", "0.5", "1"}), "");
  EXPECT_EQ(refused("seq", {"1", "-1", "0"}), "");
  EXPECT_EQ(refused("seq", {"1", "0x0", "8"}), "") << "another spelling is not looked at";
  EXPECT_EQ(refused("seq", {"inf"}), "");
  EXPECT_EQ(refused("seq", {"-s", "x", "8"}), "");
  EXPECT_EQ(refused("head", {"-n", "2K"}), "");
  EXPECT_EQ(refused("head", {"-c", "x"}), "");
  EXPECT_EQ(refused("tail", {"-n", "+1"}), "");
  EXPECT_EQ(refused("sort", {"-n", "x"}), "");
}

}  // namespace
}  // namespace recipelint::shell
