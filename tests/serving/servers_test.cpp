#include "analyzer/serving/servers.h"

#include <gtest/gtest.h>

#include "analyzer/facts/catalog.h"

namespace recipelint::serving {
namespace {

std::string_view gpu(std::string_view name) {
  static const facts::Catalog catalog;
  const auto* found = find_named_gpu(catalog.models(), name);
  return found == nullptr ? "none" : found->name;
}

TEST(NamedGpu, IsAWholeWordOfALabel) {
  EXPECT_EQ(gpu("b200"), "b200");
  EXPECT_EQ(gpu("cluster:gb200-nv"), "gb200");
  EXPECT_EQ(gpu("H200-dgxc-slurm_00"), "h200");
  EXPECT_EQ(gpu("mi355x-amds"), "mi355x");
  EXPECT_EQ(gpu("rtx6000pro-lat"), "rtx6000pro");
}

TEST(NamedGpu, IsUnknownIfNoneOrSeveralAreNamed) {
  EXPECT_EQ(gpu(""), "none");
  EXPECT_EQ(gpu("b200x"), "none");
  EXPECT_EQ(gpu("xb200"), "none");
  EXPECT_EQ(gpu("b200-or-h200"), "none");
  EXPECT_EQ(gpu("b200-b200"), "b200");
}

}  // namespace
}  // namespace recipelint::serving
