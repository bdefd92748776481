#include "analyzer/facts/tag_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace recipelint::facts {
namespace {

/// "version=0.27.1 number=130", or "no" if it does not match, or the error.
std::string matched(const std::string& pattern, const std::string& text) {
  const auto compiled = TagPattern::compile(pattern);
  if (!compiled) return compiled.error().message;
  const auto captures = compiled->match(text);
  if (!captures) return "no";
  std::string result;
  for (const auto& [field, range] : *captures) {
    if (!result.empty()) result += ' ';
    result +=
        std::string(to_string(field)) + '=' + text.substr(range.begin, range.end - range.begin);
  }
  return result;
}

struct Case {
  std::string pattern;
  std::string text;
  std::string expected;
};

void check(const std::vector<Case>& cases) {
  for (const auto& one : cases) {
    EXPECT_EQ(matched(one.pattern, one.text), one.expected)
        << "'" << one.pattern << "' on '" << one.text << "'";
  }
}

TEST(TagPattern, MatchesTheWholeTextOrNothing) {
  check({{"latest", "latest", ""},
         {"latest", "latest-x", "no"},
         {"latest", "my-latest", "no"},
         {"latest", "", "no"}});
}

TEST(TagPattern, ReadsFields) {
  check({
      {"v{version}", "v0.27.1", "version=0.27.1"},
      {"v{version}", "v0.5.10rc0", "version=0.5.10rc0"},
      {"{version}", "1.3.0rc22.post1", "version=1.3.0rc22.post1"},
      {"{version}", "0.9.1.dev12", "version=0.9.1.dev12"},
      {"v{version}", "v7", "no"},
      {"v{version}[.post]", "v0.1.2.post", "version=0.1.2"},
      {"v{version}[-cu{number}]", "v0.27.1-cu130", "version=0.27.1 number=130"},
      {"rocm{dotted}_x{version}", "rocm7.2.4_x0.1.3", "dotted=7.2.4 version=0.1.3"},
      {"n-{date}-{short-commit}", "n-20260805-211ee642", "date=20260805 short-commit=211ee642"},
      {"n-{date}", "n-20260230", "no"},
      {"n-{date}", "n-202608051", "no"},
      {"n_{minute}", "n_202606101403", "minute=202606101403"},
      {"n_{minute}", "n_202606102403", "no"},
      {"n_{minute}", "n_202606101460", "no"},
      {"n-{commit}", "n-5e35a6f4f9bbc217c599692157ca985c894373f7",
       "commit=5e35a6f4f9bbc217c599692157ca985c894373f7"},
      {"n-{commit}", "n-5e35a6f4f9bbc217c599692157ca985c894373f", "no"},
      {"n-{commit}", "n-5E35A6F4F9BBC217C599692157CA985C894373F7", "no"},
      {"n-{short-commit}", "n-1234567", "short-commit=1234567"},
      {"n-{short-commit}", "n-123456", "no"},
      {"{any}-{hash}", "x-1234567", "no"},
      {"{any}-{hash}", "x-defaced", "no"},
      {"{any}-{hash}", "x-y-4ba0a72", "any=x-y hash=4ba0a72"},
      {"{word}-runtime", "tensorrtllm-runtime", "word=tensorrtllm"},
      {"{word}-runtime", "a-b-runtime", "no"},
  });
}

TEST(TagPattern, ReadsAlternativesAndOptionalParts) {
  check({
      {"(a|b)c", "ac", ""},
      {"(a|b)c", "bc", ""},
      {"(a|b)c", "c", "no"},
      {"[a|b]c", "c", ""},
      {"[a|b]c", "bc", ""},
      {"x[-(amd64|arm64)][-r]", "x-arm64-r", ""},
      {"x[-(amd64|arm64)][-r]", "x-r", ""},
      {"x[-(amd64|arm64)][-r]", "x-", "no"},
      {"[{any}-]dev[-{any}]", "a-dev-dev", "any=a-dev"},
      {"[{any}-]dev[-{any}]", "device", "no"},
      {"(a[b|c]|d)e", "ace", ""},
      {"(|a)b", "b", ""},
  });
}

TEST(TagPattern, SaysWhatIsWrongWithAPattern) {
  check({{"", "x", "column 1: the pattern is empty"},
         {"v{versoin}", "x", "column 2: no field is called 'versoin'"},
         {"v{version", "x", "column 2: '{' is not closed"},
         {"a(b", "x", "column 2: '(' is not closed"},
         {"a(b]", "x", "column 2: '(' is not closed"},
         {"a)b", "x", "column 2: ')' without its opening"},
         {"a}b", "x", "column 2: '}' without its opening"},
         {"a|b", "x", "column 2: '|' without its opening"},
         {std::string(257, 'a'), "x", "column 1: the pattern is too long"}});
}

// A pattern made to explode under plain backtracking.
TEST(TagPattern, HostilePatternsTakeBoundedTime) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "{any}";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(matched(pattern + "!", std::string(128, 'a')), "no");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

}  // namespace
}  // namespace recipelint::facts
