#include "analyzer/shell/shared_evaluations.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"
#include "tests/support/program_generator.h"

namespace recipelint::shell {
namespace {

using Environment = std::map<std::string, std::string>;

std::string place(text::Span span) {
  return span.valid() ? fmt::format("{}:{}-{}", span.file->path(), span.begin, span.end) : "-";
}

std::string describe(const Value& value) {
  // Pieces of one place may be one or several.
  std::vector<Piece> pieces;
  for (const Piece& piece : value.pieces()) {
    if (!pieces.empty() && pieces.back().known && piece.known &&
        pieces.back().origin == piece.origin) {
      pieces.back().text.write() += piece.text.get();
    } else {
      pieces.push_back(piece);
    }
  }
  std::string out;
  for (const Piece& piece : pieces) {
    out += fmt::format("[{}{}", piece.known ? "" : "?", piece.text.get());
    for (const text::OriginLink* link = piece.origin.nearest(); link != nullptr;
         link = link->earlier) {
      out += fmt::format(" <- {} {}", place(link->span), link->note);
    }
    out += ']';
  }
  return out;
}

std::string describe(const std::vector<Assumption>& assumptions) {
  std::string out;
  for (const Assumption& each : assumptions) {
    out += fmt::format(" if {} {} {}", place(each.span), each.cause, each.outcome);
  }
  return out;
}

/// Everything that somebody could learn from an evaluation but its cost.
std::string describe(const Evaluation& evaluation) {
  std::string out = fmt::format("outcome {}\n", static_cast<int>(evaluation.outcome));
  for (std::size_t i = 0; i < evaluation.executions.size(); ++i) {
    const Execution& execution = *evaluation.executions[i];
    out += fmt::format("{} {} in {}{}\n", evaluation.certain[i] ? "runs" : "may run",
                       place(execution.span), execution.working_directory,
                       describe(execution.assumptions));
    for (const Value& word : execution.argv) out += "  " + describe(word) + "\n";
    for (const auto& [name, value] : execution.environment) {
      out += fmt::format("  {}={}\n", name, describe(value));
    }
    if (!execution.files) continue;
    for (const auto& [path, file] : *execution.files) {
      out += fmt::format("  {}: {}\n", path, describe(file->content));
    }
  }
  for (const WorldEnd& end : evaluation.ends) {
    out += fmt::format("ends {} {} {} {} {}{}\n", end.status.value, end.status.cause, end.reason,
                       place(end.span), end.printed, describe(end.assumptions));
  }
  for (const Diagnostic& diagnostic : evaluation.diagnostics) {
    out += fmt::format("{} {} {} {}\n", static_cast<int>(diagnostic.kind), place(diagnostic.span),
                       diagnostic.message, diagnostic.certain);
  }
  for (const AssignmentUse& use : evaluation.assignments) {
    out += fmt::format("{} {} {}\n", use.name, place(use.span), use.read);
  }
  for (const CommandUse& use : evaluation.commands) out += use.name + " " + place(use.span) + "\n";
  return out;
}

/// A script in several environments, each value with a place of its own in "rows".
class Runs {
 public:
  explicit Runs(const std::string& script) : files_(tree_), scripts_(files_) {
    tree_.add("main.sh", script);
    tree_.add("rows", std::string(4096, '.'));
  }

  EvaluationInput input(const Environment& environment) {
    EvaluationInput input;
    input.scripts = &scripts_;
    input.script = input.invoked_as = "main.sh";
    input.working_directory = "/work";
    input.mounts = {{"/work", ""}};
    input.limits.steps = 100'000;
    input.wanted = [](std::span<const Value> argv) {
      const std::string name = argv[0].text();
      return name == "vllm" || name == "engine" || name == "server";
    };
    const text::SourceFile* rows = *files_.load("rows");
    for (const auto& [name, value] : environment) {
      const text::Origin row = pool_.add({rows, next_, next_ + 1}, "field of this row");
      input.environment.push_back(
          {name, Value::of(value, pool_.add({rows, next_, next_ + 2}, "environment", row))});
      next_ = (next_ + 3) % 4000;
    }
    return input;
  }

  /// Evaluates it both ways and expects the same of both.
  void expect_same(const Environment& environment) {
    const EvaluationInput given = input(environment);
    const Evaluation evaluation = shared_.evaluate(given, origins_);
    EXPECT_EQ(describe(evaluation), describe(evaluate(given, pool_)));
    // Parameters mean nothing to others.
    for (const Shared<Execution>& execution : evaluation.executions) {
      const auto& argv = execution->argv;
      EXPECT_TRUE(std::none_of(argv.begin(), argv.end(), has_parameters));
    }
  }
  std::size_t evaluated() const { return shared_.evaluated(); }

 private:
  text::MemoryTree tree_;
  text::SourceStore files_;
  ScriptCache scripts_;
  text::OriginPool pool_;
  text::OriginInterner origins_{pool_};
  SharedEvaluations shared_;
  std::uint32_t next_ = 0;
};

/// How many evaluations the script takes for these values of CONC.
std::size_t evaluations_for(const std::string& script, const std::vector<std::string>& values) {
  Runs runs(script);
  for (const std::string& value : values) runs.expect_same({{"CONC", value}, {"TP", "8"}});
  return runs.evaluated();
}

struct Case {
  const char* what;
  const char* script;
  std::size_t evaluations;  // for 4, 8, 64 and 100
};

TEST(SharedEvaluations, AreMadeOnceAsLongAsValuesAreOnlyPassedOn) {
  const std::vector<std::string> values = {"4", "8", "64", "100"};
  const Case cases[] = {
      {"a word", "vllm serve --n \"$CONC\" --m=$CONC", 1},
      {"a part of a text", "X=\"a-$CONC-b\"; vllm serve \"$X\" 'x'$X", 1},
      {"a product", "vllm serve $((CONC * 10)) $(( $CONC + TP ))", 1},
      {"a sum of sums", "N=$((CONC * 10)); M=$((N + 1)); vllm serve $M", 1},
      {"a test whether it is there", "[ -n \"$CONC\" ] && vllm serve \"${CONC:-1}\"", 1},
      {"a here-document", "cat > f <<EOF\nn: $CONC\nEOF\nvllm serve --config f", 1},
      {"arguments of a function",
       "f() { while [ $# -gt 0 ]; do case $1 in --n) N=$2; shift 2;;"
       " esac; done; vllm serve $N; }\nf --n \"$CONC\"",
       1},
      {"the output of echo", "X=$(echo \"$CONC\"); vllm serve $X", 1},
      {"an array", "A=(--n \"$CONC\"); A+=(--t $TP); vllm serve \"${A[@]}\"", 1},
      {"exported again", "export N=$CONC; vllm serve", 1},
      {"a comparison", "if [ \"$CONC\" -ge 64 ]; then vllm serve big; else vllm serve; fi", 2},
      {"a comparison in brackets", "[[ $CONC -ge 64 ]] && vllm serve big $CONC", 2},
      {"an arithmetic comparison", "if ((CONC > 8)); then vllm serve big; fi", 2},
      {"a choice by arithmetic", "vllm serve $((CONC > 8 ? CONC : 8))", 1},
      {"both worlds of a decision", "if foo; then X=1; else X=2; fi; vllm serve $X $((CONC * 2))",
       1},
      {"a value that is looked at", "case $CONC in 4) vllm serve four;; *) vllm serve;; esac", 4},
      {"its length", "vllm serve ${#CONC}", 4},
      {"a piece of it", "vllm serve ${CONC%0}", 4},
      {"an index", "A=(1 2 3 4 5); vllm serve ${A[CONC]}", 4},
      {"a separator of words", "IFS=4; vllm serve $CONC", 4},
      {"a file name", "echo x > f$CONC; vllm serve --config f4", 4},
      {"another shell", "bash -c 'vllm serve $CONC'", 1},
      {"a text that is evaluated", "eval \"vllm serve $CONC\"", 4},
      {"a count of turns", "for ((i = 0; i < CONC; i++)); do X+=a; done; vllm serve $X", 4},
      {"a divisor", "vllm serve $((100 / (CONC - 8)))", 3},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.what);
    EXPECT_LE(evaluations_for(each.script, values), each.evaluations);
  }
}

TEST(SharedEvaluations, TellValuesOfOtherKindsApart) {
  const std::string script = "[ \"$CONC\" -gt 3 ] && vllm serve $CONC \"${CONC:-none}\"";
  Runs runs(script);
  for (const char* value : {"4", "007", "", "a b", "*", "x", "-1", "4", "99999999999999999999"}) {
    runs.expect_same({{"CONC", value}});
  }
}

TEST(SharedEvaluations, KeepApartWhatComesFromOnePlaceOnlyInSomeRuns) {
  Runs runs("vllm serve $A$B");
  runs.expect_same({{"A", "1"}, {"B", "2"}});
  runs.expect_same({{"A", "3"}, {"B", "4"}});
  EXPECT_EQ(runs.evaluated(), 1u);
  runs.expect_same({{"A", "3"}});
  EXPECT_EQ(runs.evaluated(), 2u);
}

// Whatever a program does with its variables, sharing must not be noticed.
TEST(SharedEvaluations, GiveWhatEvaluationsOfTheirOwnGive) {
  const char* const words[] = {"x", "Foo", "a:b:c", "x/y.z", "k-v", "b"};
  const char* const numbers[] = {"1", "2", "7", "12", "0", "64"};
  const char* const names[] = {"a", "b", "c", "E_A", "E_B", "n", "m"};
  std::size_t shared = 0;
  std::size_t all = 0;
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    // Without the line at the start that gives the variables their values.
    std::string script = "p=a\n";
    const auto blocks = testing::ProgramGenerator(seed).blocks();
    const std::size_t preamble = testing::ProgramGenerator::kPreamble;
    for (std::size_t i = 1; i < std::min(blocks.size(), preamble + 1 + seed % 6); ++i) {
      script += blocks[i] + "\n";
    }
    script += "vllm serve \"$a\" $b pre$c \"$((n * 2 + m))\" ${A[@]}\n";
    SCOPED_TRACE(script);
    Runs runs(script);
    std::uint32_t at = seed;
    Environment environment;
    for (int run = 0; run < 5; ++run) {
      // All of them for the first run, then one or two for each.
      for (std::size_t i = 0; i < std::size(names); ++i) {
        at = at * 37 + 11;
        const bool is_number = i > 3;
        if (run != 0 && at / 7 % 4 != 0) continue;
        environment[names[i]] = (is_number ? numbers : words)[at % 6];
      }
      runs.expect_same(environment);
      ++all;
    }
    shared += 5 - runs.evaluated();
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(shared, all / 20) << "of " << all;
}

}  // namespace
}  // namespace recipelint::shell
