#include "analyzer/shell/text_commands/text_commands.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

using Words = std::vector<std::string>;

struct Invocation {
  Words words;  // the name and its arguments
  std::string input;
};

text::Result<TextCommandResult> run(const Invocation& invocation) {
  const std::span<const std::string> words = invocation.words;
  return run_text_command(words[0], words.subspan(1), {invocation.input, {}});
}

std::string spell(const Invocation& invocation) {
  std::string command;
  for (const std::string& word : invocation.words) command += testing::shell_word(word) + " ";
  return command;
}

/// Compares every invocation that is modelled with the real command and gives their number.
int compare_with_real(const std::vector<Invocation>& invocations) {
  std::vector<std::string> snippets;
  std::vector<TextCommandResult> ours;
  std::vector<const Invocation*> modelled;
  for (const Invocation& invocation : invocations) {
    auto result = run(invocation);
    if (!result.ok()) continue;
    ours.push_back(std::move(*result));
    modelled.push_back(&invocation);
    snippets.push_back("printf %s " + testing::shell_word(invocation.input) + " | " +
                       spell(invocation));
  }
  const std::vector<testing::ShellRun> real = testing::run_bash_snippets(snippets);
  for (std::size_t i = 0; i < real.size(); ++i) {
    EXPECT_EQ(ours[i].output, real[i].output)
        << spell(*modelled[i]) << "\n on " << testing::shell_word(modelled[i]->input);
    EXPECT_EQ(ours[i].status, real[i].status)
        << spell(*modelled[i]) << "\n on " << testing::shell_word(modelled[i]->input);
  }
  return static_cast<int>(real.size());
}

/// Splits at blanks; "_" stands for an empty word.
Words words_of(const char* command) {
  std::istringstream stream(command);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word == "_" ? "" : word);
  return words;
}

struct Example {
  const char* command;
  const char* input;
  const char* output;
  int status = 0;
};

class TextCommandExamples : public ::testing::TestWithParam<Example> {};

TEST_P(TextCommandExamples, GiveTheOutputOfTheRealCommand) {
  const Example& example = GetParam();
  const Invocation invocation{words_of(example.command), example.input};
  const auto result = run(invocation);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->output, example.output);
  EXPECT_EQ(result->status, example.status);
}

const Example kRecipeExamples[] = {
    Example{"seq 16 8 40", "", "16\n24\n32\n40\n"},
    Example{"seq -s, 1 4", "", "1,2,3,4\n"},
    Example{"seq 3 1", "", ""},
    Example{"seq -w 8 10", "", "08\n09\n10\n"},
    Example{"seq 0.5 0.25 1", "", "0.50\n0.75\n1.00\n"},
    Example{"seq -f %02g 1 2", "", "01\n02\n"},
    Example{"seq 2 -2 -3", "", "2\n0\n-2\n"},
    Example{"sort -n -u", "10\n9\n10\n1\n", "1\n9\n10\n"},
    Example{"sort -V", "1.10\n1.9\n", "1.9\n1.10\n"},
    Example{"sort -t: -k2,2nr", "a:1\nb:3\nc:2\n", "b:3\nc:2\na:1\n"},
    Example{"uniq -c", "a\na\nb\n", "      2 a\n      1 b\n"},
    Example{"paste -sd, -", "1\n2\n4\n", "1,2,4\n"},
    Example{"paste - -", "a\nb\nc\n", "a\tb\nc\t\n"},
    Example{"tr [:upper:] [:lower:]", "DeepSeek-V3", "deepseek-v3"},
    Example{"tr -cs A-Za-z0-9_.- -", "a/b:c  d\n", "a-b-c-d-"},
    Example{"tr x \\n", "1x2x4", "1\n2\n4"},
    Example{"tr -d [:space:]", " a b\n", "ab"},
    Example{"cut -d, -f1", "a,b\n", "a\n"},
    Example{"cut -c1-3", "abcdef\n", "abc\n"},
    Example{"head -1", "a\nb\n", "a\n"},
    Example{"head -n -1", "a\nb\n", "a\n"},
    Example{"tail -n +2", "a\nb\nc\n", "b\nc\n"},
    Example{"tail -1", "a\nb", "b"},
    Example{"wc -l", "a\nb\n", "2\n"},
    Example{"basename /a/b.sh .sh", "", "b\n"},
    Example{"dirname /a/b/c", "", "/a/b\n"},
    Example{"dirname c", "", ".\n"},
    Example{"rev", "a\u00E9\n",
            "\u00E9"
            "a\n"},
    Example{"grep -oE [0-9]+", "a1b22\n", "1\n22\n"},
    Example{"grep -q x", "abc\n", "", 1},
    Example{"grep -c a", "a\nb\na\n", "2\n"},
    Example{"grep -qxF -- --x", "--x\n", ""},
    Example{"expr 3 + 4 * 2", "", "11\n"},
    Example{"expr 1 - 1", "", "0\n", 1},
    Example{"expr abc : a\\(.*\\)", "", "bc\n"},
    Example{"xargs", " a  b\nc\n", "a b c\n"},
    Example{"sed s/[\\/:@#]/_/g", "a/b:c\n", "a_b_c\n"},
    Example{"sed s|nvcr.io/||", "nvcr.io/x\n", "x\n"},
    Example{"sed -n s/.*_\\([0-9]*\\)_.*/\\1/p", "a_12_b\nno\n", "12\n"},
    Example{"sed /^$/d", "a\n\nb\n", "a\nb\n"},
    Example{"sed $d", "a\nb\n", "a\n"},
    Example{"sed -n 2,3p", "a\nb\nc\nd\n", "b\nc\n"},
    Example{"bc", "7/2\n", "3\n"},
    Example{"bc", "scale=2; 7/3\n", "2.33\n"},
    Example{"bc", "scale=3;-1/4\n", "-.250\n"},
    Example{"awk {print$2}", "a b c\n", "b\n"},
    Example{"awk BEGIN{print(4-1)/3}", "", "1\n"},
    Example{"awk BEGIN{print(3.3-1)/3}", "", "0.766667\n"},
    Example{"awk BEGIN{printf\"%.2f\",1+7/9}", "", "1.78"},
    Example{"awk -F: {print$NF}", "a:b:c\n", "c\n"},
    Example{"awk -v s=5 -v cap=3 BEGIN{exit!(s>cap)}", "", ""},
    Example{"awk {if($NF>m)m=$NF}END{print(m+0)}", "a 3\nb 12\n", "12\n"},
    Example{"jq -r .a.b", "{\"a\":{\"b\":\"x\"}}", "x\n"},
    Example{"jq -cn --arg m x --argjson n 3 {method:$m}+{n:$n}", "",
            "{\"method\":\"x\",\"n\":3}\n"},
    Example{"true", "", ""},
    Example{"false", "", "", 1},
    Example{"sleep 60", "", ""}};

INSTANTIATE_TEST_SUITE_P(Recipes, TextCommandExamples, ::testing::ValuesIn(kRecipeExamples));

TEST(TextCommands, TheExamplesAreWhatTheRealCommandsDo) {
  std::vector<Invocation> invocations;
  for (const Example& example : kRecipeExamples) {
    const Words words = words_of(example.command);
    if (words[0] == "sleep" || !testing::has_program(words[0])) continue;
    invocations.push_back({words, example.input});
  }
  EXPECT_EQ(compare_with_real(invocations), static_cast<int>(invocations.size()));
}

TEST(TextCommands, SayWhatIsNotModelled) {
  for (const char* command : {"sort --parallel=2",
                              "sort -k1.2",
                              "seq 1e3",
                              "seq a",
                              "seq 1 0 2",
                              "tr a [:upper:]",
                              "tr a",
                              "cut -f",
                              "head -n 1K",
                              "wc",
                              "grep -P a",
                              "grep -r a",
                              "grep \\(a\\)\\1",
                              "sed -i s/a/b/",
                              "sed s/a/\\U&/",
                              "sed a\\x",
                              "sed s/a",
                              "awk {print>\"f\"}",
                              "awk {system(\"x\")}",
                              "awk {a[1]=2}",
                              "awk BEGIN{getline}",
                              "awk BEGIN{print(1/0)}",
                              "awk BEGIN{while(1);}",
                              "expr 1 /",
                              "expr 1 / 0",
                              "bc -s",
                              "xargs rm",
                              "nvidia-smi",
                              "sed s/x/\\1/"}) {
    const auto result = run({words_of(command), "x\n"});
    EXPECT_FALSE(result.ok()) << command;
    if (!result.ok()) {
      EXPECT_NE(result.error().message, "") << command;
    }
  }
}

TEST(TextCommands, ReadKnownFilesAndOnlyThose) {
  const auto read = [](std::string_view path) -> std::optional<std::string> {
    if (path == "list") return "b\na\n";
    return std::nullopt;
  };
  const auto sorted =
      run_text_command("sort", std::vector<std::string>{"list"}, {std::nullopt, read});
  ASSERT_TRUE(sorted.ok());
  EXPECT_EQ(sorted->output, "a\nb\n");
  const std::vector<std::string> other{"other"};
  EXPECT_FALSE(run_text_command("sort", other, {std::nullopt, read}).ok());
  EXPECT_FALSE(run_text_command("sort", {}, {}).ok());
  const std::vector<std::string> count{"3"};
  EXPECT_TRUE(run_text_command("seq", count, {}).ok());
}

TEST(TextCommands, BoundTheirOutput) {
  const std::vector<std::string> many{"1", "999999999"};
  EXPECT_FALSE(run_text_command("seq", many, {}).ok());
  const std::vector<std::string> endless{"BEGIN{for(;;)print}"};
  EXPECT_FALSE(run_text_command("awk", endless, {}).ok());
}

TEST(TextCommands, AreFoundByTheLastComponentOfTheirName) {
  EXPECT_TRUE(is_text_command("/usr/bin/sort"));
  EXPECT_FALSE(is_text_command("sorted"));
  const auto names = text_command_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const std::string_view name : names) EXPECT_TRUE(is_text_command(name)) << name;
}

// ---------------------------------------------------------------------------------- random judges

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t count) { return engine_() % count; }
  std::string pick(const std::vector<std::string>& choices) {
    return choices[below(choices.size())];
  }
  std::string join(const std::vector<std::string>& choices, std::size_t most) {
    std::string out;
    for (std::size_t n = below(most + 1); n > 0; --n) out += pick(choices);
    return out;
  }
  /// One of the words, or several, or none.
  void append(Words& words, const std::vector<std::string>& choices, std::size_t most) {
    for (std::size_t n = below(most + 1); n > 0; --n) words.push_back(pick(choices));
  }

 private:
  std::mt19937 engine_;
};

/// Runs `count` random invocations; at least a third must be modelled.
template <typename Make>
void judge(const char* program, int count, Make make) {
  if (!testing::has_program(program)) GTEST_SKIP() << program << " is not installed";
  Random random(41);
  std::vector<Invocation> invocations;
  for (int i = 0; i < count; ++i) invocations.push_back(make(random));
  EXPECT_GT(compare_with_real(invocations), count / 3);
}

std::string random_lines(Random& random, const std::vector<std::string>& tokens) {
  std::string text;
  for (std::size_t n = random.below(6); n > 0; --n) text += random.join(tokens, 5) + "\n";
  if (!text.empty() && random.below(6) == 0) text.pop_back();
  return text;
}

const std::vector<std::string> kTokens{"a", "b", "ab", "c", " ",  "  ", "1", "2", "10",  "-",
                                       ".", "_", "/",  ":", "\t", "A",  "B", "0", "x=1", "\u00E9"};

TEST(TextCommands, SurviveNonsense) {
  Random random(47);
  const std::vector<std::string> tokens{
      "a",  "1",    "0",  "-",  "--", "(",  ")",     "[",
      "]",  "{",    "}",  "\\", "/",  "'",  "\"",    "$",
      "|",  "&",    ";",  ",",  "=",  "+",  "*",     "^",
      ".",  ":",    "\n", " ",  "s/", "y/", "BEGIN", "print",
      "if", "\xFF", "%",  "%d", "[:", ":]", "-n",    "-e",
      "-F", "\\(",  "!",  "~",  "<",  "?",  "#",     "99999999999999999999",
      "//"};
  for (const std::string_view name : text_command_names()) {
    for (int i = 0; i < 400; ++i) {
      Invocation invocation{{std::string(name)}, random.join(tokens, 12)};
      for (std::size_t n = random.below(4); n > 0; --n) {
        invocation.words.push_back(random.join(tokens, 8));
      }
      const auto result = run(invocation);
      EXPECT_TRUE(result.ok() || !result.error().message.empty()) << name;
    }
  }
}

TEST(TextCommandsAgainstReal, Seq) {
  judge("seq", 150, [](Random& random) {
    Invocation invocation{{"seq"}, ""};
    random.append(invocation.words, {"-w", "-s,", "-s", "-f%g", "-f%.2f", "-f%03.0fx"}, 1);
    if (invocation.words.back() == "-s") invocation.words.push_back(", ");
    const std::vector<std::string> numbers{"1",  "2",   "10",  "-3", "0",    "007", "5",
                                           "25", "1.5", "0.1", "-1", "0.25", "12",  "1.05"};
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      invocation.words.push_back(random.pick(numbers));
    }
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Sort) {
  judge("sort", 200, [](Random& random) {
    Invocation invocation{{"sort"}, random_lines(random, kTokens)};
    random.append(invocation.words,
                  {"-n", "-u", "-r", "-s", "-nu", "-t:", "-k2", "-k1,1", "-k2,2n", "-k2nr", "-V",
                   "-b", "-k2,3", "-t_"},
                  3);
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, SortVersions) {
  judge("sort", 150, [](Random& random) {
    return Invocation{{"sort", "-V"},
                      random_lines(random, {"1", "2", "10", ".", ".", "-", "rc", "a", "0", "~", "v",
                                            "_", "+", "09", "post"})};
  });
}

TEST(TextCommandsAgainstReal, Uniq) {
  judge("uniq", 100, [](Random& random) {
    Invocation invocation{{"uniq"}, random_lines(random, {"a", "b"})};
    random.append(invocation.words, {"-c", "-d", "-u", "--count"}, 2);
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Paste) {
  judge("paste", 200, [](Random& random) {
    Invocation invocation{{"paste"}, random_lines(random, kTokens)};
    random.append(invocation.words, {"-s", "-d,", "-d:;", "-sd\\n", "-d\\t,", "-sd", "-"}, 3);
    if (invocation.words.back() == "-sd") invocation.words.push_back(",");
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Tr) {
  judge("tr", 250, [](Random& random) {
    Invocation invocation{{"tr"}, random_lines(random, kTokens)};
    random.append(invocation.words, {"-d", "-s", "-c", "-cs", "-cd", "-ds"}, 2);
    const std::vector<std::string> sets{
        "a", "ab",  "a-c", "[:upper:]", "[:lower:]", "[:space:]", "[:digit:]", "\\n",
        "-", "A-Z", " ",   "0-9_.",     "[:alnum:]", "\\t ",      "[a]"};
    for (std::size_t n = 1 + random.below(2); n > 0; --n)
      invocation.words.push_back(random.pick(sets));
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Cut) {
  judge("cut", 150, [](Random& random) {
    Invocation invocation{{"cut"}, random_lines(random, kTokens)};
    random.append(invocation.words, {"-d:", "-d ", "-s", "--output-delimiter=+", "-d_"}, 2);
    invocation.words.push_back(
        random.pick({"-f1", "-f2", "-f2-", "-f-2", "-f1,3", "-c1", "-c2-3", "-b1,3-", "-f3,1"}));
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, HeadTailWcRev) {
  const std::vector<std::string> counts{"-n2",  "-n-1", "-1",   "-n0",       "-c3", "-c-2",
                                        "-n+2", "-c+2", "-n+0", "--lines=1", "-3",  "-q"};
  for (const char* program : {"head", "tail"}) {
    judge(program, 100, [&counts, program](Random& random) {
      Invocation invocation{{program}, random_lines(random, kTokens)};
      random.append(invocation.words, counts, 1);
      return invocation;
    });
  }
  judge("wc", 100, [](Random& random) {
    return Invocation{{"wc", random.pick({"-l", "-w", "-c", "-m"})}, random_lines(random, kTokens)};
  });
  judge("rev", 100, [](Random& random) {
    return Invocation{{"rev"}, random_lines(random, kTokens)};
  });
}

TEST(TextCommandsAgainstReal, BasenameAndDirname) {
  const std::vector<std::string> tokens{"/", "a", "b.sh", ".", "..", "//", " ", "-x"};
  judge("basename", 200, [&tokens](Random& random) {
    Invocation invocation{{"basename", "--", random.join(tokens, 5)}, ""};
    random.append(invocation.words, {".sh", "a", "sh"}, 1);
    return invocation;
  });
  judge("dirname", 200, [&tokens](Random& random) {
    return Invocation{{"dirname", "--", random.join(tokens, 5)}, ""};
  });
}

TEST(TextCommandsAgainstReal, Grep) {
  judge("grep", 300, [](Random& random) {
    Invocation invocation{{"grep"}, random_lines(random, kTokens)};
    random.append(invocation.words, {"-E", "-F", "-v", "-i", "-o", "-c", "-x", "-n", "-q", "-m1"},
                  3);
    invocation.words.push_back("-e");
    invocation.words.push_back(random.join({"a", "b", "[0-9]", "*", "+", "\\+", "^", "$", ".",
                                            "\\.", "(a|b)", "\\(a\\|b\\)", "1", ":"},
                                           3));
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Expr) {
  judge("expr", 300, [](Random& random) {
    Invocation invocation{{"expr"}, ""};
    const std::vector<std::string> operands{"1", "0",  "-3",  "7",  "abc",
                                            "",  "10", "007", "a1", "-0"};
    const std::vector<std::string> operators{
        "+", "-", "*", "/", "%", "<", "<=", "=", "!=", ">", ">=", "&", "|", ":"};
    invocation.words.push_back(random.pick(operands));
    for (std::size_t n = random.below(3); n > 0; --n) {
      invocation.words.push_back(random.pick(operators));
      if (invocation.words.back() == ":") {
        invocation.words.push_back(random.pick({"[a-z]*", "\\([0-9]\\)", ".*", "a\\(.\\)"}));
      } else {
        invocation.words.push_back(random.pick(operands));
      }
    }
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Sed) {
  judge("sed", 400, [](Random& random) {
    const std::vector<std::string> patterns{"a",   "b*",  "[0-9]*", "^",  "$",
                                            ".",   "x*",  "\\.",    " +", "\\(a\\)",
                                            "(a)", "ab*", "[/:]",   "^$", "\u00E9"};
    const std::vector<std::string> replacements{"",    "X",     "<&>",   "\\1",
                                                "\\&", "a\\nb", "[\\0]", "\u00E9"};
    Invocation invocation{{"sed"}, random_lines(random, kTokens)};
    random.append(invocation.words, {"-n", "-E"}, 2);
    std::string script;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      script += random.pick({"", "", "", "1", "2", "$", "/a/", "2,3", "/a/,/b/", "2,$", "/1/,1"});
      script += random.pick({"", "", "", "!"});
      const std::size_t kind = random.below(5);
      if (kind < 3) {
        script += "s/" + random.pick(patterns) + "/" + random.pick(replacements) + "/" +
                  random.pick({"", "g", "p", "2", "gp", "I", "2g"});
      } else if (kind == 3) {
        script += random.pick({"d", "p", "q"});
      } else {
        script += "y/ab/BA/";
      }
      script += random.pick({";", "\n", " ; "});
    }
    invocation.words.push_back(script);
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Xargs) {
  judge("xargs", 150, [](Random& random) {
    Invocation invocation{{"xargs"},
                          random_lines(random, {"a", "b", " ", "1", "\t", "'q r'", "\"s\""})};
    random.append(invocation.words, {"-n1", "-n2", "-r"}, 1);
    random.append(invocation.words, {"echo"}, 1);
    return invocation;
  });
}

TEST(TextCommandsAgainstReal, Bc) {
  judge("bc", 250, [](Random& random) {
    const std::vector<std::string> numbers{"1",   "2",   "7",       "10", "0",
                                           "1.5", ".25", "3.14159", "100"};
    std::string text = random.pick({"", "scale=2;", "scale=4\n", "scale=0;"});
    for (std::size_t lines = 1 + random.below(2); lines > 0; --lines) {
      text += random.pick({"", "", "x=", "-", "("});
      const bool open = text.ends_with('(');
      text += random.pick(numbers);
      for (std::size_t n = random.below(4); n > 0; --n) {
        text += random.pick({"+", "-", "*", "/", "%", "^2", " < ", " + ", "==", "^-1", "/x*"});
        if (std::isdigit(static_cast<unsigned char>(text.back())) != 0) continue;
        text += random.pick({"", "", "-"}) + random.pick(numbers);
      }
      text += open ? ")\n" : "\n";
    }
    return Invocation{{"bc"}, text};
  });
}

std::string random_jq_filter(Random& random, int depth) {
  switch (random.below(depth > 0 ? 14 : 4)) {
    case 0:
      return random.pick({"1", "2", "0.5", "\"s\"", "null", "true", "7"});
    case 1:
      return random.pick({".", ".a", ".b", ".c", ".a[0]", ".a[]", ".b.c", ".\"a\"", ".c[-1]"});
    case 2:
      return random.pick({"$n", "$s", "{$n}", "[]", "{}"});
    case 3:
      return random.pick({"length", "keys", "tostring", "not", "empty", "add"});
    case 4:
      return random_jq_filter(random, depth - 1) + " | " + random_jq_filter(random, depth - 1);
    case 5:
      return "(" + random_jq_filter(random, depth - 1) + ")";
    case 6:
      return "[" + random_jq_filter(random, depth - 1) + "]";
    case 7:
      return "{a: (" + random_jq_filter(random, depth - 1) +
             "), \"k y\": " + random_jq_filter(random, 0) + "}";
    case 8:
      return random_jq_filter(random, depth - 1) + ", " + random_jq_filter(random, depth - 1);
    case 9:
      return random_jq_filter(random, depth - 1) + " // " + random_jq_filter(random, depth - 1);
    case 10:
      return "map(" + random_jq_filter(random, depth - 1) + ")";
    case 11:
      return "select(" + random_jq_filter(random, depth - 1) + ")";
    case 12:
      return random_jq_filter(random, 0) + random.pick({" == ", " != ", " < "}) +
             random_jq_filter(random, 0);
    default:
      return random_jq_filter(random, depth - 1) + random.pick({" + ", " + ", " - ", " * ", "+"}) +
             random_jq_filter(random, depth - 1);
  }
}

TEST(TextCommandsAgainstReal, Jq) {
  if (!testing::has_program("jq")) GTEST_SKIP() << "jq is not installed";
  Random random(43);
  const std::vector<std::string> inputs{
      "{\"a\":[1,2,{\"c\":3}],\"b\":{\"c\":\"x\"},\"c\":\"text\\n\"}",
      "[1,2,3]",
      "\"text\"",
      "{\"b\":1,\"a\":null,\"c\":[\"p\",\"q\"]}",
      "5",
      "null",
      "{\"a\":[true,0.25]}"};
  std::vector<Invocation> invocations;
  for (int i = 0; i < 250; ++i) {
    Invocation invocation{{"jq", "--arg", "s", "a\"b", "--argjson", "n", "{\"x\":[1]}"},
                          random.pick(inputs)};
    random.append(invocation.words, {"-c", "-r", "-n", "-cr", "-j"}, 2);
    invocation.words.push_back(random_jq_filter(random, 2));
    invocations.push_back(invocation);
  }
  // Most random filters are errors for jq, and not modelled.
  EXPECT_GT(compare_with_real(invocations), 60);
}

std::string random_awk_expression(Random& random, int depth) {
  switch (random.below(depth > 0 ? 16 : 5)) {
    case 0:
      return random.pick({"1", "2", "0.5", "10", "3", "1e3", "100000", "1234567", "0"});
    case 1:
      return random.pick({"$1", "$2", "$NF", "NF", "NR", "$0"});
    case 2:
      return random.pick({"x", "y", "v"});
    case 3:
      return random.pick({"\"a\"", "\"10\"", "\" \"", "\"\""});
    case 4:
      return random.pick({"length($1)", "int($2)", "toupper($1)", "index($0, \"b\")"});
    case 5:
      return "(" + random_awk_expression(random, depth - 1) + ")";
    case 6:
      return random.pick({"x", "y"}) + random.pick({" = ", " += ", " -= "}) +
             random_awk_expression(random, depth - 1);
    case 7:
      return random_awk_expression(random, depth - 1) + " ? " +
             random_awk_expression(random, depth - 1) + " : " +
             random_awk_expression(random, depth - 1);
    case 8:
      return random_awk_expression(random, depth - 1) + " " +
             random_awk_expression(random, depth - 1);
    case 9:
      return "(" + random_awk_expression(random, depth - 1) +
             random.pick({" < ", " == ", " >= ", " != ", " > "}) +
             random_awk_expression(random, depth - 1) + ")";
    case 10:
      return random_awk_expression(random, depth - 1) + random.pick({" && ", " || "}) +
             random_awk_expression(random, depth - 1);
    case 11:
      return random.pick({"-", "!"}) + random_awk_expression(random, depth - 1);
    case 12:
      return random.pick({"x++", "++y", "y--", "$1 ~ /a/", "$0 !~ /[0-9]$/"});
    case 13:
      return "substr(" + random_awk_expression(random, depth - 1) + ", 2, 2)";
    default:
      return random_awk_expression(random, depth - 1) +
             random.pick({" + ", " - ", " * ", " / ", " % ", "^", "+", "*"}) +
             random_awk_expression(random, depth - 1);
  }
}

std::string random_awk_statement(Random& random) {
  const std::string expression = random_awk_expression(random, 2);
  switch (random.below(7)) {
    case 0:
      return "print " + expression;
    case 1:
      return "print " + expression + ", " + random_awk_expression(random, 1);
    case 2:
      return "printf \"" + random.pick({"%d", "%s", "%.2f", "%5.1f|", "%g", "%03d", "%-4s|"}) +
             "\\n\", " + expression;
    case 3:
      return "if (" + expression + ") print 1; else print 2";
    case 4:
      return "for (i = 0; i < 3; i++) x = x + " + expression;
    case 5:
      return random.pick({"$2 = ", "$3 = ", "x = "}) + expression + "; print";
    default:
      return random.pick({"next", "exit 3", "print", "print NF"});
  }
}

TEST(TextCommandsAgainstReal, Awk) {
  judge("awk", 500, [](Random& random) {
    Invocation invocation{{"awk"},
                          random_lines(random, {"a", "b", "ab", " ", " ", "1", "20", "3.5", ":"})};
    random.append(invocation.words, {"-F:", "-F ", "-vv=5", "-vv=abc", "-vx=1.5"}, 2);
    std::string program = random.pick({"", "", "BEGIN { x = 2 } ", "BEGIN { OFS = \"-\" } "});
    program += random.pick({"", "", "/a/ ", "NR > 1 ", "$1 == \"a\" ", "x++ "});
    program += "{ " + random_awk_statement(random) + "; " + random_awk_statement(random) + " }";
    program += random.pick({"", "", " END { print x, y, NR }"});
    invocation.words.push_back(program);
    return invocation;
  });
}

}  // namespace
}  // namespace recipelint::shell
