#include "analyzer/shell/printf_format.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

using ::testing::ElementsAre;
using Source = PrintfPiece::Source;
using Arguments = std::vector<std::optional<std::string>>;

PrintfOutput run(std::string_view format, const Arguments& arguments) {
  return format_printf(format, arguments).value();
}

std::string text_of(const PrintfOutput& output) {
  std::string text;
  for (const PrintfPiece& piece : output.pieces) text += piece.text;
  return text;
}

TEST(Printf, SaysWhichArgumentEachPieceCameFrom) {
  EXPECT_THAT(
      run("{\"n\":%s,\"w\":%03d}", {"3", "7"}).pieces,
      ElementsAre(PrintfPiece{Source::kFormat, "{\"n\":", 0},
                  PrintfPiece{Source::kVerbatim, "3", 0},
                  PrintfPiece{Source::kFormat, ",\"w\":", 0},
                  PrintfPiece{Source::kArgument, "007", 1}, PrintfPiece{Source::kFormat, "}", 0}));
}

TEST(Printf, ReusesTheFormat) {
  EXPECT_EQ(text_of(run("%s, ", {"1", "2", "3"})), "1, 2, 3, ");
  EXPECT_EQ(text_of(run("%s-%s;", {"a", "b", "c"})), "a-b;c-;");
  EXPECT_EQ(text_of(run("%s, ", {})), ", ");
  EXPECT_EQ(text_of(run("no conversion\\n", {"a", "b"})), "no conversion\n");
}

TEST(Printf, AnUnknownArgumentPassesThroughAStringConversionOnly) {
  EXPECT_THAT(
      run("a%sb", {std::nullopt}).pieces,
      ElementsAre(PrintfPiece{Source::kFormat, "a", 0}, PrintfPiece{Source::kVerbatim, "", 0},
                  PrintfPiece{Source::kFormat, "b", 0}));
  for (const char* format : {"%d", "%5s", "%.2s", "%q", "%b", "%c", "%f"}) {
    EXPECT_THAT(run(format, {std::nullopt}).pieces,
                ElementsAre(PrintfPiece{Source::kUnknown, "", 0}))
        << format;
  }
  EXPECT_FALSE(format_printf("%*d", Arguments{std::nullopt, "1"}).ok());
}

TEST(Printf, ABadNumberIsReportedAndCountsAsFarAsItGoes) {
  const PrintfOutput output = run("%d %d\\n", {"12abc", "4"});
  EXPECT_EQ(text_of(output), "12 4\n");
  EXPECT_EQ(output.status, 1);
  EXPECT_THAT(output.warnings, ElementsAre("12abc: invalid number"));
}

TEST(Printf, StopsAtABadDirective) {
  const PrintfOutput output = run("a%yb", {"1", "2"});
  EXPECT_EQ(text_of(output), "a");
  EXPECT_EQ(output.status, 1);
}

TEST(Printf, RefusesWhatDependsOnTheHostOrIsTooLarge) {
  EXPECT_FALSE(format_printf("%(%F)T", {}).ok());
  EXPECT_FALSE(format_printf("%n", {}).ok());
  EXPECT_FALSE(format_printf("%2000000000d", {}).ok());
  EXPECT_FALSE(format_printf("%.99999999999d", {}).ok());
  EXPECT_FALSE(format_printf("%900000d", Arguments(1000, "1")).ok());
}

TEST(Echo, ReadsItsOptions) {
  const auto parse = [](Arguments arguments) {
    const EchoOptions options = parse_echo_options(arguments);
    return std::to_string(options.first_argument) + (options.newline ? "" : "n") +
           (options.escapes ? "e" : "");
  };
  EXPECT_EQ(parse({}), "0");
  EXPECT_EQ(parse({"-n", "x"}), "1n");
  EXPECT_EQ(parse({"-neE", "-e", "x", "-n"}), "2ne");
  EXPECT_EQ(parse({"-"}), "0");
  EXPECT_EQ(parse({"--"}), "0");
  EXPECT_EQ(parse({"-nx"}), "0");
  EXPECT_EQ(parse({std::nullopt, "-n"}), "0");
}

std::string random_directive(std::mt19937& random) {
  const auto pick = [&random](std::vector<const char*> choices) {
    return std::string(choices[random() % choices.size()]);
  };
  return "%" + pick({"", "", "", "-", "0", "+", " ", "#", "-0", "+ "}) +
         pick({"", "", "", "5", "12", "*"}) + pick({"", "", "", ".", ".0", ".3", ".*"}) +
         pick({"", "", "", "l", "h"}) +
         pick({"s", "s", "d", "d", "i", "u", "o", "x", "X", "c", "b", "q", "f", "e", "g", "E", "G",
               "%", "y"});
}

TEST(Printf, AgreesWithBashOnRandomFormats) {
  std::mt19937 random(17);
  const std::vector<std::string> texts{"",
                                       "a",
                                       "a b",
                                       "it's",
                                       "12",
                                       "-7",
                                       "0x1f",
                                       "010",
                                       "08",
                                       "3.7",
                                       "1e",
                                       "'A",
                                       "12x",
                                       " 5",
                                       "5 ",
                                       "\\tx",
                                       "a\\cb",
                                       "\u00E9",
                                       "+3",
                                       "-",
                                       "\\0101",
                                       "x\ny",
                                       "99999999999999999999",
                                       "-99999999999999999999",
                                       "0x",
                                       "0.1",
                                       "2.675",
                                       "inf",
                                       "100000",
                                       "1000000",
                                       "1e300",
                                       "'\u00E9"};
  constexpr std::size_t kSmall = 22;
  const std::vector<std::string> literals{"", " ", "%Q", "\\n", "%%", "\\101", "\\", ","};
  std::vector<std::pair<std::string, Arguments>> cases;
  std::string script;
  for (int i = 0; i < 6000; ++i) {
    std::string format;
    for (auto n = random() % 4; n > 0; --n) {
      format += literals[random() % literals.size()] + random_directive(random);
    }
    format += literals[random() % literals.size()];
    std::string command = "printf -- " + testing::shell_word(format);
    Arguments arguments;
    // A width from an argument had better be small.
    const std::size_t usable = format.find('*') == std::string::npos ? texts.size() : kSmall;
    for (auto n = random() % 5; n > 0; --n) {
      arguments.emplace_back(texts[random() % usable]);
      command += " " + testing::shell_word(*arguments.back());
    }
    cases.emplace_back(format, arguments);
    script += command + "; printf '\\2%d\\2' $?\n";
  }
  const std::string output = testing::run_bash(script).output;
  std::size_t at = 0;
  for (const auto& [format, arguments] : cases) {
    const std::size_t middle = output.find('\2', at);
    const std::size_t end = output.find('\2', middle + 1);
    ASSERT_NE(end, std::string::npos);
    const PrintfOutput ours = run(format, arguments);
    std::string joined;
    for (const auto& argument : arguments) joined += " <" + *argument + ">";
    EXPECT_EQ(text_of(ours), output.substr(at, middle - at)) << format << joined;
    EXPECT_EQ(std::to_string(ours.status), output.substr(middle + 1, end - middle - 1))
        << format << joined;
    at = end + 1;
  }
}

}  // namespace
}  // namespace recipelint::shell
