#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analyzer/report/report.h"
#include "tests/support/sample_report.h"

namespace recipelint::report {
namespace {

struct Golden {
  const char* file;
  const char* format;
  TextOptions options;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.file;
}

std::string written(const Golden& golden, const Report& report) {
  std::ostringstream out;
  find_format(golden.format)->write(report, golden.options, out);
  return out.str();
}

const Golden kGoldens[] = {
    {"text-100.txt", "text", {}},
    {"text-80.txt", "text", {80, Color::kNever, 2}},
    {"text-100-color.txt", "text", {100, Color::kAlways, 5}},
    {"text-80-color.txt", "text", {80, Color::kAlways, 2}},
    {"unix.txt", "unix", {}},
    {"report.json", "json", {}},
    {"report.sarif", "sarif", {}},
    {"github.txt", "github", {}},
    {"gitlab.json", "gitlab", {}},
    {"junit.xml", "junit", {}},
};

class GoldenReport : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenReport, IsUnchanged) {
  const testing::SampleReport sample;
  EXPECT_TRUE(testing::matches_golden(written(GetParam(), sample.report()),
                                      std::string("report/") + GetParam().file));
}

TEST_P(GoldenReport, IsUnchangedForACleanRun) {
  EXPECT_TRUE(testing::matches_golden(written(GetParam(), testing::clean_report()),
                                      std::string("report/clean/") + GetParam().file));
}

INSTANTIATE_TEST_SUITE_P(AllFormats, GoldenReport, ::testing::ValuesIn(kGoldens),
                         [](const auto& instance) {
                           std::string name = instance.param.file;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(Formats, AreFoundByName) {
  for (const Format& format : formats()) EXPECT_EQ(find_format(format.name), &format);
  EXPECT_EQ(formats().size(), 7u);
  EXPECT_EQ(find_format("xml"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
}

}  // namespace
}  // namespace recipelint::report
