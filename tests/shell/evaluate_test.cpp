#include "analyzer/shell/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Words = std::vector<std::string>;

/// One evaluation with all that its result refers to.
class Evaluated {
 public:
  explicit Evaluated(const std::string& script, std::map<std::string, std::string> files = {},
                     EvaluationInput input = {})
      : files_(tree_), scripts_(files_) {
    tree_.add("main.sh", script);
    for (auto& [path, text] : files) tree_.add(path, text);
    input.scripts = &scripts_;
    input.script = input.invoked_as = "main.sh";
    input.working_directory = "/work";
    input.mounts = {{"/work", ""}};
    if (!input.wanted) {
      input.wanted = [](std::span<const Value> argv) { return argv[0].text() == "vllm"; };
    }
    result_ = evaluate(input, pool_);
  }

  const Evaluation* operator->() const { return &result_; }
  const Evaluation& operator*() const { return result_; }

  /// The words of each recorded command after its name.
  std::vector<Words> commands() const {
    std::vector<Words> out;
    for (const Shared<Execution>& execution : result_.executions) {
      Words words;
      for (std::size_t i = 1; i < execution->argv.size(); ++i) {
        words.push_back(execution->argv[i].text());
      }
      out.push_back(std::move(words));
    }
    return out;
  }

  std::vector<std::string> messages(DiagnosticKind kind) const {
    std::vector<std::string> out;
    for (const Diagnostic& diagnostic : result_.diagnostics) {
      if (diagnostic.kind == kind) out.push_back(diagnostic.message);
    }
    return out;
  }

 private:
  text::MemoryTree tree_;
  text::SourceStore files_;
  ScriptCache scripts_;
  text::OriginPool pool_;
  Evaluation result_;
};

std::uint32_t line_of(const text::Origin& origin) {
  return origin.span().file->position(origin.span().begin).line;
}

// ------------------------------------------------------------------------------------- unknowns

TEST(Evaluate, CallsTheOutputOfAnUnmodelledCommandUnknownWithItsName) {
  const Evaluated run("N=$(nvidia-smi -L | frobnicate)\nvllm serve --n=\"$N\"\n");
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "--n=${output of frobnicate}")));
  EXPECT_EQ(run->outcome, Evaluation::Outcome::kPartial);
}

TEST(Evaluate, TakesBothWaysOfAConditionThatOnlyTheHostKnows) {
  const Evaluated run("if [ -d /models ]; then M=local; else M=hub; fi\nvllm serve $M\n");
  EXPECT_THAT(run.commands(),
              ElementsAre(ElementsAre("serve", "local"), ElementsAre("serve", "hub")));
  EXPECT_THAT(run->certain, ElementsAre(false, false));
}

TEST(Evaluate, TakesAllVariablesForUnknownAfterCodeThatOnlyTheHostKnows) {
  const Evaluated run(
      "set -u\nSIZE=8\neval \"$(size-tool)\"\nvllm serve \"$SIZE\" \"$LIMIT\" \"${OTHER:-4}\"\n");
  const std::string cause = "${eval of output of size-tool}";
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", cause, cause, cause)));
  EXPECT_THAT(run.messages(DiagnosticKind::kUnsetVariable), IsEmpty());
}

TEST(Evaluate, AFileOfTheHostMaySetWhatTheScriptDoesNotHave) {
  const Evaluated run(
      "set -u\nSIZE=8\nsource /opt/venv/activate\nvllm serve \"$SIZE\" \"$LIMIT\" "
      "\"${OTHER:-4}\"\n");
  EXPECT_THAT(run.commands(),
              ElementsAre(ElementsAre("serve", "8", "${content of /opt/venv/activate}", "4")));
  EXPECT_THAT(run.messages(DiagnosticKind::kUnsetVariable), IsEmpty());
}

TEST(Evaluate, UnknownWordsOfAKnownCommandAreNoUnknownCode) {
  const Evaluated run("N=$(size-tool)\nSIZE=8\neval \"X=$N\"\neval \"$N run\"\nvllm serve $SIZE\n");
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "8")));
}

std::vector<std::string> unread(const Evaluated& run) {
  std::vector<std::string> names;
  for (const AssignmentUse& use : run->assignments) {
    if (!use.read) names.push_back(use.name);
  }
  return names;
}

TEST(Evaluate, TellsWhichAssignmentsNothingUses) {
  EXPECT_THAT(unread(Evaluated("A=1\nB=$((A + 1))\nvllm serve $A\n")), ElementsAre("B"));
  EXPECT_THAT(unread(Evaluated("L=\nfor i in 1 2; do L=\"$L,$i\"; done\nvllm serve\n")),
              ElementsAre("L", "i", "L"));
  EXPECT_THAT(unread(Evaluated("L=()\nL+=(a)\nL+=(b)\nvllm serve ${L[@]}\n")), IsEmpty());
  EXPECT_THAT(unread(Evaluated("A=1\n(( A++ ))\nB=$((A++))\nvllm serve $A $B\n")), IsEmpty());
}

TEST(Evaluate, AValueThatOneOfSeveralWaysGivesIsUsedIfTheirJoinIs) {
  EXPECT_THAT(
      unread(Evaluated("if probe; then A=1; else A=2; fi\n[ \"$A\" = 3 ] && x\nvllm serve\n")),
      IsEmpty());
  EXPECT_THAT(unread(Evaluated("if probe; then A=1; else A=1; fi\nvllm serve $A\n")), IsEmpty());
}

TEST(Evaluate, SaysWhichUnsetVariablesShapeACommand) {
  const Evaluated run("A=\"--n $X\"\necho $Y\nvllm serve $A --m $Z\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kUnsetExpansion),
              ElementsAre("'X' is not set", "'Z' is not set"));
  const Evaluated set("[ -n \"$1\" ] && X=1\nif probe; then X=2; fi\nvllm serve $X\n");
  EXPECT_THAT(set.messages(DiagnosticKind::kUnsetExpansion), IsEmpty());
}

TEST(Evaluate, KnowsFromTheirBodiesWhatFunctionsRefuseAndDemand) {
  const std::string functions =
      "run() {\n  while [[ $# -gt 0 ]]; do\n    case $1 in\n      --port) port=$2; shift 2 ;;\n"
      "      *) echo \"unknown: $1\"; return 1 ;;\n    esac\n  done\n"
      "  if [[ -z \"$port\" ]]; then echo 'port?'; return 1; fi\n}\n"
      "demand() { for n in \"$@\"; do [ -n \"${!n}\" ] || exit 1; done; }\n";
  const Evaluated run(functions +
                      "A=1\ndemand A\nuntil curl x; do :; done\nrun EXTRA\nrun\nrun --port 1\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kRefusedArgument), ElementsAre("unknown: EXTRA"));
  EXPECT_THAT(run.messages(DiagnosticKind::kMissingArgument), ElementsAre("port?"));
  ASSERT_THAT(run->demands, SizeIs(1));
  EXPECT_EQ(run->demands[0].name, "A");
  EXPECT_EQ(run->demands[0].function, "demand");
}

TEST(Evaluate, TakesFoldersForPossibleThatACommandBeforeMayHaveMade) {
  const auto status = [](const std::string& before) {
    const Evaluated run("set -e\n" + before + "cd Tool/src\nvllm serve\n");
    return run->executions.size();
  };
  EXPECT_EQ(status("git clone https://host/someone/Tool.git\n"), 1u);
  EXPECT_EQ(status("tar xf pack.tar --directory=Tool\n"), 1u);
  EXPECT_EQ(status("git clone https://host/someone/Tools.git\n"), 0u);
  EXPECT_EQ(status("echo Tool\n"), 0u);
  EXPECT_EQ(status(""), 0u);
}

TEST(Evaluate, KnowsWhichOptionsOfACallFunctionsDrop) {
  const auto dropped = [](const std::string& before, const std::string& last_arm,
                          const std::string& calls) {
    return Evaluated("run() {\n" + before +
                     "  while [[ $# -gt 0 ]]; do\n    case \"$1\" in\n"
                     "      --port) port=$2; shift 2 ;;\n      *) " +
                     last_arm + " ;;\n    esac\n  done\n}\n" + calls)
        .messages(DiagnosticKind::kIgnoredArgument);
  };
  EXPECT_THAT(dropped("", "shift", "run --port 1 --model x -v\n"), ElementsAre("run", "run"));
  EXPECT_THAT(dropped("", "shift 1", "run --m x\n"), ElementsAre("run"));
  EXPECT_THAT(dropped("", "shift", "run --port 1 word -5 -- -\n"), IsEmpty());
  EXPECT_THAT(dropped("", "rest+=(\"$1\"); shift", "run --model x\n"), IsEmpty());
  EXPECT_THAT(dropped("  local all=(\"$@\")\n", "shift", "run --model x\n"), IsEmpty());
  EXPECT_THAT(dropped("  local first=${1:-}\n", "shift", "run --model x\n"), IsEmpty());
  EXPECT_THAT(dropped("  for each; do use $each; done\n", "shift", "run --model x\n"), IsEmpty());
  EXPECT_THAT(dropped("", "shift", "A=(--model x)\nrun \"${A[@]}\"\n"), IsEmpty());
  EXPECT_THAT(dropped("", "shift", "both() { run \"$@\"; }\nboth --model x\n"), IsEmpty());
}

TEST(Evaluate, JoinsWaysThatLaunchTheSame) {
  const Evaluated run(
      "for i in 1 2 3 4 5 6 7 8; do\n"
      "  if probe $i; then eval \"V$i=yes\"; else eval \"V$i=no\"; fi\n"
      "done\n"
      "vllm serve m\n");
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "m")));
  EXPECT_THAT(run->certain, ElementsAre(true));
  EXPECT_LE(run->most_worlds, 4u);
}

TEST(Evaluate, AWayThatFailsLeavesTheLaunchCertain) {
  const Evaluated run("probe || exit 1\nvllm serve m\n");
  EXPECT_THAT(run->certain, ElementsAre(true));
  EXPECT_THAT(run->ends, SizeIs(2));
}

TEST(Evaluate, SuccessOfUnmodelledCommandsIsAssumedUnderErrexit) {
  const Evaluated run("set -e\npip install x\nvllm serve m\n");
  EXPECT_THAT(run.commands(), SizeIs(1));
  EXPECT_THAT(run->certain, ElementsAre(true));
}

TEST(Evaluate, ALoopThatWaitsForAServerEnds) {
  const Evaluated run(
      "vllm serve m &\nPID=$!\n"
      "until curl -sf localhost; do kill -0 $PID || exit 1; sleep 5; done\n"
      "while true; do if curl -sf localhost; then break; fi; sleep 1; done\n"
      "vllm bench\n");
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "m"), ElementsAre("bench")));
  EXPECT_TRUE((*run).executions[0]->background);
  EXPECT_THAT(run.messages(DiagnosticKind::kLimit), IsEmpty());
}

TEST(Evaluate, AnArgumentKeepsWhatIsKnownAroundAnUnknownPart) {
  const Evaluated run("vllm serve /data/$(hostname)/m\n");
  const Value& word = run->executions[0]->argv[2];
  EXPECT_EQ(word.text(), "/data/${output of hostname}/m");
  EXPECT_FALSE(word.is_known());
}

TEST(Evaluate, AVariableThatNobodyGaveIsUnknownOnlyWhereItHasNoDefault) {
  EvaluationInput input;
  input.absent = EvaluationInput::Absent::kUnknown;
  const Evaluated run("vllm serve \"$MODEL\" --port ${PORT:-8000}\n", {}, std::move(input));
  EXPECT_THAT(run.commands(),
              ElementsAre(ElementsAre("serve", "${environment variable MODEL}", "--port", "8000")));
}

// ------------------------------------------------------------------------------- ends and faults

TEST(Evaluate, AScriptThatRefusesEveryWayIsRejectedWithTheReason) {
  const Evaluated run("set -e\n[ \"$TP\" = 8 ]\nvllm serve m\n");
  EXPECT_EQ(run->outcome, Evaluation::Outcome::kRejected);
  EXPECT_THAT(run->ends[0].reason, HasSubstr("set -e after '[ \"$TP\" = 8 ]'"));
}

TEST(Evaluate, TellsAnUnsetVariableAndARequiredOne) {
  const Evaluated unset("set -u\nvllm serve $NOPE\n");
  EXPECT_THAT(unset.messages(DiagnosticKind::kUnsetVariable), ElementsAre("'NOPE' is not set"));
  const Evaluated required("vllm serve ${NOPE:?give it}\n");
  EXPECT_THAT(required.messages(DiagnosticKind::kRequiredVariable), ElementsAre("'NOPE': give it"));
  EXPECT_EQ(required->outcome, Evaluation::Outcome::kRejected);
}

TEST(Evaluate, TellsAFlagThatBecameACommand) {
  const Evaluated run("vllm serve m \\\n  # comment\n  --port 8000\n");
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "m")));
  EXPECT_THAT(run.messages(DiagnosticKind::kCommandNotFound),
              ElementsAre("'--port' is not a command"));
}

TEST(Evaluate, TellsDivisionByZeroAndTextWhereANumberBelongs) {
  const Evaluated run("X=$((1 / 0))\n[ \"$TP\" -gt 1 ]\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kArithmetic), SizeIs(1));
  EXPECT_THAT(run.messages(DiagnosticKind::kIntegerExpected), SizeIs(1));
}

TEST(Evaluate, NotesWhichAssignmentsAreRead) {
  const Evaluated run("USED=1\nDEAD=2\nvllm serve $USED\n");
  ASSERT_THAT(run->assignments, SizeIs(2));
  EXPECT_TRUE(run->assignments[0].read);
  EXPECT_EQ(run->assignments[1].name, "DEAD");
  EXPECT_FALSE(run->assignments[1].read);
}

// --------------------------------------------------------------------------------------- files

TEST(Evaluate, FindsSourcedFilesThroughTheMount) {
  const Evaluated run("source \"$(dirname \"$0\")/lib/common.sh\"\nhelper\n",
                      {{"lib/common.sh", "helper() { vllm serve \"${BASH_SOURCE[0]}\"; }\n"}});
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "./lib/common.sh")));
}

TEST(Evaluate, TellsASourcedFileThatIsNotThere) {
  const Evaluated run(". ./missing.sh\nvllm serve m\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kMissingSource),
              ElementsAre("'./missing.sh' does not exist"));
  EXPECT_THAT(run.commands(), SizeIs(1));
}

TEST(Evaluate, NeverLeavesTheRoot) {
  const Evaluated run(
      "source /workspace/../etc/passwd\ncat ../../secret | vllm serve -\nvllm serve m\n");
  EXPECT_THAT(run.commands(), SizeIs(2));
}

TEST(Evaluate, ShowsTheFilesThatALaunchFinds) {
  const Evaluated run(
      "cat > c.yaml <<EOF\nsize: $N\nEOF\ncat >> c.yaml <<EOF\nmore: 1\nEOF\n"
      "vllm serve --config c.yaml\ncat > c.yaml <<< later\n");
  const VirtualFile* file = run->executions[0]->find_file("c.yaml");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->content.text(), "size: \nmore: 1\n");
}

TEST(Evaluate, RunsScriptsThatTheScriptWroteOrStarts) {
  const Evaluated run(
      "printf '#!/bin/bash\\nvllm serve \"$1\"\\n' > run.sh\nbash run.sh written\n"
      "X=lost\nexport Y=kept\nbash other.sh\n"
      "docker exec c bash -lc \"vllm serve $(printf %q 'a b')\"\n",
      {{"other.sh", "vllm serve \"[$X]\" \"$Y\"\n"}});
  EXPECT_THAT(run.commands(),
              ElementsAre(ElementsAre("serve", "written"), ElementsAre("serve", "[]", "kept"),
                          ElementsAre("serve", "a b")));
}

// ------------------------------------------------------------------------------------- origins

TEST(Evaluate, FollowsAnArgumentBackToItsSource) {
  const Evaluated run("CONC=64\nSEQS=$((CONC * 2))\nvllm serve --max-num-seqs \"$SEQS\"\n");
  const text::Origin origin = run->executions[0]->argv[3].origin();
  EXPECT_EQ(line_of(origin), 2u);
  EXPECT_EQ(origin.nearest()->note, "assigned to SEQS");
  const text::OriginLink* earlier = origin.nearest()->earlier;
  ASSERT_NE(earlier, nullptr);
  EXPECT_EQ(earlier->note, "assigned to CONC");
}

TEST(Evaluate, KeepsOriginsThroughPrintf) {
  const Evaluated run("N=3\nJ=$(printf '{\"n\":%s}' \"$N\")\nvllm serve \"$J\"\n");
  const Value& word = run->executions[0]->argv[2];
  ASSERT_THAT(word.pieces(), SizeIs(3));
  EXPECT_EQ(word.text(), "{\"n\":3}");
  EXPECT_EQ(word.pieces()[1].origin.nearest()->earlier->note, "assigned to N");
}

// -------------------------------------------------------------------------------------- limits

TEST(Evaluate, EndsHostileScriptsWithAVisibleLimit) {
  const std::vector<std::string> scripts = {
      "while true; do x=$((x + 1)); done\nvllm serve m\n",
      "x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; done\n",
      "f() { f; f; }; f\n",
      "f() { x=$(f); }; f\n",
      ": {1..99999}{1..99999}\n",
      "for ((;;)); do vllm serve m; done\n",
      "eval 'x=\"eval \\\"\\$x\\\"\"; eval \"$x\"'\nwhile :; do i+=x; done\n",
  };
  for (const std::string& script : scripts) {
    EvaluationInput input;
    input.limits.steps = 300'000;
    input.limits.total_bytes = 8u << 20u;
    const Evaluated run(script, {}, std::move(input));
    EXPECT_THAT(run.messages(DiagnosticKind::kLimit), Not(IsEmpty())) << script;
  }
}

TEST(Evaluate, ElementsOfAListAreWhereTheyAreWritten) {
  const Evaluated run("CMD=(vllm serve m\n  --port 8000\n  --flag)\n\"${CMD[@]}\"\n");
  ASSERT_EQ(run->executions.size(), 1u);
  const auto& argv = run->executions[0]->argv;
  const auto line = [&](std::size_t word) {
    const text::Span span = argv[word].origin().span();
    return span.file->position(span.begin).line;
  };
  EXPECT_EQ(line(0), 1u);
  EXPECT_EQ(line(3), 2u);
  EXPECT_EQ(line(5), 3u);
}

TEST(Evaluate, ReachesNoLimitInAnEndlessLoopThatChangesNothing) {
  const Evaluated run("vllm serve m &\nwhile true; do sleep 60; done\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kLimit), IsEmpty());
  EXPECT_EQ(run->ends[0].reason, "waits for ever");
}

TEST(Evaluate, IsDeterministic) {
  const std::string script =
      "for i in 1 2 3; do if p$i; then A+=($i); else exit $i; fi; done\nvllm serve ${A[@]}\n";
  const Evaluated first(script);
  const Evaluated second(script);
  EXPECT_EQ(first.commands(), second.commands());
  EXPECT_EQ(first->steps, second->steps);
}

TEST(Evaluate, AsksTheHostModelsFirst) {
  class Models final : public HostModels {
   public:
    bool knows(std::string_view name) const override { return name == "native_length"; }
    std::optional<HostAnswer> answer(const HostQuestion& question) const override {
      return HostAnswer{Value::of(question.arguments[0].text() + "=4096\n"), Status::of(0)};
    }
  };
  const Models models;
  EvaluationInput input;
  input.host = &models;
  const Evaluated run("native_length() { python3 -c 'x'; }\nvllm serve $(native_length m)\n", {},
                      std::move(input));
  EXPECT_THAT(run.commands(), ElementsAre(ElementsAre("serve", "m=4096")));
}

// ---------------------------------------------------------------------- what diagnostics say

TEST(EvaluateDiagnostics, TakesNamesOfVariablesInCapitalsForLostArguments) {
  const Evaluated run("EP_SIZE=8\nEP_SIZE\nUNSET_NAME\nlower=1\nlower\nTP() { :; }\nTP=1\nTP\n");
  EXPECT_THAT(run.messages(DiagnosticKind::kCommandNotFound),
              ElementsAre("'EP_SIZE' is not a command"));
}

TEST(EvaluateDiagnostics, SayWhetherTheScriptIsPreparedForThem) {
  const Evaluated run(
      "source ./a.sh\nsource ./b.sh || true\n"
      "[ x -eq 1 ] 2>/dev/null\n{ [ y -eq 1 ]; } 2>/dev/null\n[ z -eq 1 ]\n");
  std::vector<bool> tested;
  std::vector<bool> silenced;
  for (const Diagnostic& diagnostic : run->diagnostics) {
    const bool is_source = diagnostic.kind == DiagnosticKind::kMissingSource;
    (is_source ? tested : silenced).push_back(is_source ? diagnostic.tested : diagnostic.silenced);
  }
  EXPECT_THAT(tested, ElementsAre(false, true));
  EXPECT_THAT(silenced, ElementsAre(true, true, false));
}

}  // namespace
}  // namespace recipelint::shell
