// Every constraint of the validator and of the generator, and every hole that they leave: an input
// that breaks just one, with the place and the words, beside a neighbour that is in order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/space/space_files.h"

namespace recipelint::space {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct Case {
  std::string name;
  std::string bad;
  std::vector<std::string> reports;
  std::string good;  // empty: the good neighbour is another case's
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

std::string row(const std::string& fields) {
  return "      - { " + fields + " }\n";
}

std::string single(const std::string& fields) {
  return single_node(row(fields));
}
std::string multi(const std::string& fields) {
  return multi_node(row(fields));
}
std::string single_agentic(const std::string& fields) {
  return agentic("false", row(fields));
}
std::string multi_agentic(const std::string& fields) {
  return agentic("true", row(fields));
}

std::string without_line(std::string text, int number) {
  std::size_t begin = 0;
  for (; number > 1; --number) begin = text.find('\n', begin) + 1;
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kGoodRow = "tp: 8, conc-list: [4]";
const std::string kGoodAgentic = "tp: 8, kv-offloading: none, conc-list: [4]";
const std::string kGoodMulti = kWorkers + ", conc-list: [4]";

std::vector<Case> field_cases() {
  const std::string good = single(kGoodRow);
  return {
      {"TopLevelMustBeAMapping",
       "- a\n",
       {"1: error[RL9001]: A master configuration must be a mapping, not a list."},
       good},
      {"EntryMustBeAMapping",
       "key: 5\n",
       {"1: error[RL9001]: Entry 'key' must be a mapping, not '5'."},
       {}},
      {"KeyMustBeAString",
       replaced(good, "key:", "12:"),
       {"1: error[RL9001]: The key of an entry must be a string, not '12'."},
       {}},
      {"WildcardInKey",
       replaced(good, "key:", "ke*y:"),
       {"1: error[RL9001]: '*' is not allowed in the key 'ke*y'; the changelog uses it as a "
        "wildcard."},
       {}},
      {"MissingField",
       without_line(good, 2),
       {"1: error[RL9001]: 'image' is required in entry 'key'."},
       {}},
      {"MissingMultinode",
       without_line(good, 8),
       {"1: error[RL9001]: 'multinode' is required in entry 'key'."},
       replaced(good, "multinode: false", "multinode: 0")},
      {"MultinodeThatIsTruthyButNotTrue",
       multi_node(row(kGoodMulti)).replace(multi_node("").find("true"), 4, "\"false\""),
       {"8: error[RL9001]: 'multinode' must be true, not the string 'false'."},
       multi(kGoodMulti)},
      {"StringOfAnotherType",
       replaced(good, "model: m", "model: 3"),
       {"3: error[RL9001]: 'model' must be a string, not '3'."},
       replaced(good, "model: m", "model: \"3\"")},
      {"NullString",
       replaced(good, "image: i", "image:"),
       {"2: error[RL9001]: 'image' must be a string, not null."},
       replaced(good, "image: i", "image: ''")},
      {"UnknownFieldOfAnEntry",
       replaced(good, "  image: i\n", "  image: i\n  imagee: i\n"),
       {"3: error[RL9001]: 'imagee' is not a field of entry 'key'. Did you mean 'image'?"},
       {}},
      {"KvTransferOnASingleNodeEntry",
       replaced(good, "  image: i\n", "  image: i\n  kv-p2p-transfer: nixl\n"),
       {"3: error[RL9001]: 'kv-p2p-transfer' is not a field of entry 'key'."},
       {}},
      {"DisaggOnASingleNodeEntry",
       replaced(good, "  image: i\n", "  image: i\n  disagg: true\n"),
       {"3: error[RL9001]: 'disagg' must be false, not true."},
       replaced(good, "  image: i\n", "  image: i\n  disagg: false\n")},
      {"UnknownScenario",
       replaced(good, "    fixed-seq-len:\n", "    agentic: []\n    fixed-seq-len:\n"),
       {"10: error[RL9001]: 'agentic' is not a field of 'scenarios'."},
       {}},
      {"NoScenario",
       entry_head("key", "false") + "  scenarios: { fixed-seq-len: [] }\n",
       {"9: error[RL9001]: At least one of 'fixed-seq-len' and 'agentic-coding' must have an "
        "item."},
       {}},
      {"NullScenario",
       good + "    agentic-coding:\n",
       {"15: error[RL9001]: 'agentic-coding' is null: the validator takes it for absent, but the "
        "generator fails on it."},
       good + "    agentic-coding: []\n"},
      {"ItemMustBeAMapping",
       entry_head("key", "false") + "  scenarios:\n    fixed-seq-len:\n    - 8\n",
       {"11: error[RL9001]: An item of 'fixed-seq-len' must be a mapping, not '8'."},
       {}},
      {"RowMustBeAMapping",
       single_node("      - 8\n"),
       {"14: error[RL9001]: A row of 'search-space' must be a mapping, not '8'."},
       {}},
      {"TraceSourceIsNoField",
       replaced(single_agentic(kGoodAgentic), "dram-utilization: 0.8", "trace-source: weka"),
       {"11: error[RL9001]: 'trace-source' is not a field of an item of 'agentic-coding'."},
       single_agentic(kGoodAgentic)},
  };
}

std::vector<Case> row_cases() {
  return {
      {"UnknownFieldOfARow",
       single("tp: 8, conc-lst: [4], conc-list: [4]"),
       {"14: error[RL9001]: 'conc-lst' is not a field of a single-node fixed-seq-len row. Did you "
        "mean 'conc-list'?"},
       single(kGoodRow)},
      {"MissingTp",
       single("ep: 8, conc-list: [4]"),
       {"14: error[RL9001]: 'tp' is required in a single-node fixed-seq-len row."},
       {}},
      {"TpThatIsNoNumber",
       single("tp: eight, conc-list: [4]"),
       {"14: error[RL9001]: 'tp' must be an integer of at most 64 bits, not the string 'eight'."},
       single("tp: 16, conc-list: [4]")},
      {"TpWithAFraction",
       single("tp: 8.5, conc-list: [4]"),
       {"14: error[RL9001]: 'tp' must be an integer of at most 64 bits, not the number '8.5'."},
       {}},
      {"TpBeyondSixtyFourBits",
       single("tp: 9223372036854775808, conc-list: [4]"),
       {"14: error[RL9001]: 'tp' must be an integer of at most 64 bits, not "
        "'9223372036854775808'."},
       {}},
      {"TpInQuotesIsPassedOnAsText",
       single("tp: '8', conc-list: [4]"),
       {"14: warning[RL9001]: 'tp' is the string '8', not an integer. The validator takes it for "
        "8, "
        "but the generator passes it on as it is written."},
       {}},
      {"ConcStartInQuotesFails",
       single("tp: 8, conc-start: '4', conc-end: 8"),
       {"14: error[RL9001]: 'conc-start' is the string '4', not an integer. The validator takes it "
        "for 4, but the generator calculates with it and fails."},
       single("tp: 8, conc-start: 4, conc-end: 8")},
      {"DpAttnAsAWordIsPassedOnAsText",
       single("tp: 8, dp-attn: 'yes', conc-list: [4]"),
       {"14: warning[RL9001]: 'dp-attn' is the string 'yes', not a boolean. The validator takes it "
        "for true, but the generator passes it on as it is written."},
       single("tp: 8, dp-attn: yes, conc-list: [4]")},
      {"DpAttnOfAnotherType",
       single("tp: 8, dp-attn: 2, conc-list: [4]"),
       {"14: error[RL9001]: 'dp-attn' must be true or false, not '2'."},
       {}},
      {"PpIsStrict",
       single("tp: 8, pp: '2', conc-list: [4]"),
       {"14: error[RL9001]: 'pp' must be an integer greater than 0 (without quotes), not the "
        "string "
        "'2'."},
       single("tp: 8, pp: 2, conc-list: [4]")},
      {"PcpSizeMustBePositive",
       single("tp: 8, pcp-size: 0, conc-list: [4]"),
       {"14: error[RL9001]: 'pcp-size' must be an integer greater than 0 (without quotes), not "
        "'0'."},
       {}},
      {"SpecDecodingOutsideItsSet",
       single("tp: 8, spec-decoding: mpt, conc-list: [4]"),
       {"14: error[RL9001]: 'spec-decoding' must be one of 'mtp', 'draft_model', 'none', not the "
        "string 'mpt'."},
       single("tp: 8, spec-decoding: draft_model, conc-list: [4]")},
      {"TpNotDivisibleByDcpSize",
       single("tp: 8, dcp-size: 3, conc-list: [4]"),
       {"14: error[RL9001]: 'tp' (8) must be divisible by 'dcp-size' (3)."},
       single("tp: 9, dcp-size: 3, conc-list: [4]")},
      {"WorkerTpNotDivisibleByDcpSize",
       multi("prefill: " + kWorker +
             ", decode: { num-worker: 1, tp: 8, dcp-size: 16, ep: 1, dp-attn: false }, conc-list: "
             "[4]"),
       {"14: error[RL9001]: 'tp' (8) must be divisible by 'dcp-size' (16)."},
       multi(kGoodMulti)},
      {"WorkerFieldsAreRequired",
       multi("prefill: " + kWorker + ", decode: { num-worker: 1, tp: 8 }, conc-list: [4]"),
       {"14: error[RL9001]: 'ep' is required in 'decode'.",
        "14: error[RL9001]: 'dp-attn' is required in 'decode'."},
       {}},
      {"DecodeIsRequired",
       multi("prefill: " + kWorker + ", conc-list: [4]"),
       {"14: error[RL9001]: 'decode' is required in a multi-node fixed-seq-len row."},
       {}},
      {"HardwareOfOneRoleOnly",
       multi("prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, hardware: a }, decode: " +
             kWorker + ", conc-list: [4]"),
       {"14: error[RL9001]: 'hardware' must be given for both 'prefill' and 'decode', or neither."},
       {}},
      {"EmptyHardware",
       multi("prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, hardware: '' }, decode: " +
             kWorker + ", conc-list: [4]"),
       {"14: error[RL9001]: 'hardware' must not be empty."},
       {}},
      {"SettingThatIsNoString",
       multi(
           "prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, additional-settings: [A=1, 2] "
           "}, decode: " +
           kWorker + ", conc-list: [4]"),
       {"14: error[RL9001]: An item of 'additional-settings' must be a string, not '2'."},
       {}},
      {"RouterNeedsAVersion",
       single("tp: 8, router: { name: r }, conc-list: [4]"),
       {"14: error[RL9001]: 'version' is required in 'router'."},
       single("tp: 8, router: { name: r, version: '1' }, conc-list: [4]")},
      {"RouterVersionIsNoImage",
       single("tp: 8, router: { name: r, version: 'image:v1' }, conc-list: [4]"),
       {"14: error[RL9001]: 'version' must be a release, package version or source commit of the "
        "component, not an image reference."},
       {}},
      {"RouterVersionWithoutQuotes",
       single("tp: 8, router: { name: r, version: 1.10 }, conc-list: [4]"),
       {"14: error[RL9001]: 'version' must be a string, not the number '1.1'."},
       {}},
      {"RouterAsText",
       single("tp: 8, router: r, conc-list: [4]"),
       {"14: error[RL9001]: 'router' must be a mapping with 'name' and 'version', not the string "
        "'r'."},
       single("tp: 8, router: null, conc-list: [4]")},
  };
}

std::vector<Case> concurrency_cases() {
  return {
      {"ListAndRange",
       single("tp: 8, conc-list: [4], conc-start: 4, conc-end: 8"),
       {"14: error[RL9001]: 'conc-list' cannot be combined with 'conc-start' and 'conc-end'."},
       single("tp: 8, conc-list: [4], conc-start: 4")},
      {"NeitherListNorRange",
       single("tp: 8, conc-start: 4"),
       {"14: error[RL9001]: The row needs a non-empty 'conc-list', or both 'conc-start' and "
        "'conc-end'."},
       {}},
      {"EmptyList",
       single("tp: 8, conc-list: []"),
       {"14: error[RL9001]: The row needs a non-empty 'conc-list', or both 'conc-start' and "
        "'conc-end'."},
       {}},
      {"BoundNotPositive",
       single("tp: 8, conc-start: 0, conc-end: 8"),
       {"14: error[RL9001]: 'conc-start' must be greater than 0, not 0."},
       {}},
      {"BoundsInDisorder",
       single("tp: 8, conc-start: 8, conc-end: 4"),
       {"14: error[RL9001]: 'conc-start' (8) must not be greater than 'conc-end' (4)."},
       single("tp: 8, conc-start: 8, conc-end: 8")},
      {"ListEntryNotPositive",
       single_node("      - tp: 8\n        conc-list:\n        - 4\n        - -4\n"),
       {"17: error[RL9001]: An entry of 'conc-list' must be greater than 0, not -4."},
       single("tp: 8, conc-list: [8, 4, 4096]")},
      {"ListEntryOfAnotherType",
       single("tp: 8, conc-list: [4, x]"),
       {"14: error[RL9001]: 'conc-list' must hold integers of at most 64 bits, not the string "
        "'x'."},
       {}},
      {"ListThatIsNone",
       single("tp: 8, conc-list: 4"),
       {"14: error[RL9001]: 'conc-list' must be a list of integers, not '4'."},
       {}},
      {"EmptyListBesideARange",  // H4
       single("tp: 8, conc-list: [], conc-start: 4, conc-end: 8"),
       {"14: error[RL9004]: 'conc-list' is empty beside 'conc-start' and 'conc-end'. A full sweep "
        "uses the range, but the test-config run of a pull request takes the empty list and runs "
        "nothing."},
       single("tp: 8, conc-list: null, conc-start: 4, conc-end: 8")},
  };
}

std::vector<Case> agentic_cases() {
  const std::string backend = "kv-offload-backend: { name: b }";
  return {
      {"KvOffloadingOutsideItsSet",
       single_agentic("tp: 8, kv-offloading: ssd, conc-list: [4]"),
       {"13: error[RL9001]: 'kv-offloading' must be one of 'none', 'dram', not the string 'ssd'."},
       single_agentic(kGoodAgentic)},
      {"BackendAlone",
       multi_agentic(kWorkers + ", " + backend + ", conc-list: [4]"),
       {"13: error[RL9001]: 'kv-offload-backend' requires 'kv-offloading'."},
       multi_agentic(kWorkers + ", kv-offloading: dram, " + backend + ", conc-list: [4]")},
      {"BackendWithoutOffloading",
       single_agentic("tp: 8, kv-offloading: none, " + backend + ", conc-list: [4]"),
       {"13: error[RL9001]: 'kv-offload-backend' can only be set when 'kv-offloading' is not "
        "'none'."},
       {}},
      {"OffloadingWithoutBackend",
       single_agentic("tp: 8, kv-offloading: dram, conc-list: [4]"),
       {"13: error[RL9001]: 'kv-offload-backend' is required when 'kv-offloading' is 'dram'."},
       single_agentic("tp: 8, kv-offloading: dram, " + backend + ", conc-list: [4]")},
      {"TpAndWorkers",
       multi_agentic("tp: 8, kv-offloading: none, " + kGoodMulti),
       {"13: error[RL9001]: An agentic row must specify either 'tp' or both 'prefill' and "
        "'decode'."},
       multi_agentic(kGoodMulti)},
      {"PrefillWithoutDecode",
       multi_agentic("prefill: " + kWorker + ", conc-list: [4]"),
       {"13: error[RL9001]: An agentic row must specify either 'tp' or both 'prefill' and "
        "'decode'."},
       {}},
      {"SingleNodeNeedsKvOffloading",
       single_agentic("tp: 8, conc-list: [4]"),
       {"13: error[RL9001]: A single-node agentic row must specify 'kv-offloading'."},
       {}},
      {"SizesAtTheRowOfAMultiNodeRow",
       multi_agentic("pp: 1, " + kGoodMulti),
       {"13: error[RL9001]: A multi-node agentic row cannot specify 'pp'; it belongs to 'prefill' "
        "and 'decode'."},
       {}},
      {"NullKvOffloadingOfAMultiNodeRow",
       multi_agentic("kv-offloading: null, " + kGoodMulti),
       {"13: error[RL9001]: 'kv-offloading' is null, which the generator cannot turn into a name."},
       {}},
      {"DramWithoutUtilization",
       replaced(single_agentic("tp: 8, kv-offloading: dram, " + backend + ", conc-list: [4]"),
                "dram-utilization: 0.8", "dram-utilization: null"),
       {"13: error[RL9001]: 'kv-offloading' is 'dram', which requires 'dram-utilization' in the "
        "agentic-coding item."},
       {}},
      {"UtilizationOutOfRange",
       replaced(single_agentic(kGoodAgentic), "0.8", "1.01"),
       {"11: error[RL9001]: 'dram-utilization' must be greater than 0 and at most 1."},
       replaced(single_agentic(kGoodAgentic), "0.8", "1")},
      {"RunnerThatIsNoCluster",
       replaced(single_agentic(kGoodAgentic), "cluster:lab", "lab"),
       {"7: error[RL9001]: An entry with agentic rows must use a 'cluster:<name>' runner, not "
        "'lab', "
        "so that every point runs on one fleet."},
       replaced(single(kGoodRow), "cluster:lab", "lab")},
      {"TpRowUnderAMultiNodeKey",  // H2
       multi_agentic(kGoodAgentic),
       {"13: error[RL9004]: The row has 'tp', but the entry is 'multinode: true', so its rows need "
        "'prefill' and 'decode'. The generator fails on it."},
       {}},
      {"WorkersUnderASingleNodeKey",  // H2
       single_agentic(kGoodMulti),
       {"13: error[RL9004]: The row has 'prefill' or 'decode', but the entry is not 'multinode: "
        "true', so its rows need 'tp'. The generator fails on it."},
       {}},
      {"FixedTpRowUnderAMultiNodeKey",
       multi("tp: 8, ep: 8, dp-attn: true, conc-list: [4]"),
       {"14: error[RL9001]: The row has 'tp', but the entry is 'multinode: true', so its rows need "
        "'prefill' and 'decode'. The validator refuses it."},
       {}},
      {"FixedWorkersUnderASingleNodeKey",
       single(kGoodMulti),
       {"14: error[RL9001]: The row has 'prefill' or 'decode', but the entry is not 'multinode: "
        "true', so its rows need 'tp'. The validator refuses it."},
       {}},
  };
}

std::vector<Case> entry_cases() {
  const std::string router = "router: { name: r, version: '1' }";
  const auto with_head = [](std::string text, const std::string& line) {
    return replaced(std::move(text), "  image: i\n", "  image: i\n  " + line + "\n");
  };
  return {
      {"RouterTwice",
       with_head(single("tp: 8, " + router + ", conc-list: [4]"), router),
       {"15: error[RL9001]: 'router' must be declared either at the top of the entry or in its "
        "rows, not both."},
       with_head(single(kGoodRow), router)},
      {"TransferTwice",
       with_head(multi("kv-p2p-transfer: nixl, " + kGoodMulti), "kv-p2p-transfer: nixl"),
       {"15: error[RL9001]: 'kv-p2p-transfer' must be declared either at the top of the entry or "
        "in "
        "its rows, not both."},
       with_head(multi(kGoodMulti), "kv-p2p-transfer: nixl")},
      {"TransferOnASingleNode",
       single_agentic("kv-p2p-transfer: nixl, " + kGoodAgentic),
       {"13: error[RL9001]: 'kv-p2p-transfer' is only valid when 'multinode' is true."},
       {}},
      {"DisaggWithoutTransfer",
       with_head(multi(kGoodMulti), "disagg: true"),
       {"3: error[RL9001]: 'disagg' requires 'kv-p2p-transfer' at the top of the entry or in every "
        "row."},
       with_head(multi("kv-p2p-transfer: nixl, " + kGoodMulti), "disagg: true")},
      {"DisaggWithTransferInSomeRows",
       with_head(multi_node(row("kv-p2p-transfer: nixl, " + kGoodMulti) +
                            row(kWorkers + ", conc-list: [8]")),
                 "disagg: true"),
       {"3: error[RL9001]: 'disagg' requires 'kv-p2p-transfer' at the top of the entry or in every "
        "row."},
       with_head(with_head(multi(kGoodMulti), "disagg: true"), "kv-p2p-transfer: nixl")},
      {"DisaggWithoutRows",
       with_head(replaced(multi_node(""), "search-space:", "search-space: []"), "disagg: true"),
       {"3: error[RL9001]: 'disagg' requires 'kv-p2p-transfer' at the top of the entry or in every "
        "row."},
       {}},
      {"NullTransferHidesTheEntrys",
       with_head(with_head(multi("kv-p2p-transfer: null, " + kGoodMulti), "disagg: true"),
                 "kv-p2p-transfer: nixl"),
       {"16: error[RL9001]: 'kv-p2p-transfer' is null here, which hides the value of the entry; a "
        "row with 'disagg' needs one."},
       {}},
  };
}

std::vector<Case> hole_cases() {
  const auto underscored = [](const std::string& name, const std::string& right,
                              const std::string& subject) {
    return "error[RL9001]: '" + name + "' must be spelled '" + right + "' in " + subject +
           ". The validator accepts both, but the generator reads only '" + right +
           "' and ignores this value.";
  };
  const std::string fixed = "a single-node fixed-seq-len row";
  return {
      {"UnderscoreInARow",  // H1
       single("tp: 8, dp_attn: true, conc-list: [4]"),
       {"14: " + underscored("dp_attn", "dp-attn", fixed)},
       single("tp: 8, dp-attn: true, conc-list: [4]")},
      {"UnderscoreInAConcurrency",
       single("tp: 8, conc_list: [4]"),
       {"14: " + underscored("conc_list", "conc-list", fixed)},
       {}},
      {"UnderscoreInAnEntry",
       replaced(single(kGoodRow), "model-prefix", "model_prefix"),
       {"4: " + underscored("model_prefix", "model-prefix", "entry 'key'")},
       {}},
      {"UnderscoreInAWorker",
       multi("prefill: " + kWorker +
             ", decode: { num_worker: 1, tp: 8, ep: 1, dp-attn: false }, conc-list: [4]"),
       {"14: " + underscored("num_worker", "num-worker", "'decode'")},
       {}},
      {"TpZero",  // H5
       single("tp: 0, conc-list: [4]"),
       {"14: error[RL9004]: 'tp' must be greater than 0, not 0. Neither the validator nor the "
        "generator checks this."},
       single("tp: 1, conc-list: [4]")},
      {"EpNegative",
       single("tp: 8, ep: -1, conc-list: [4]"),
       {"14: error[RL9004]: 'ep' must be greater than 0, not -1. Neither the validator nor the "
        "generator checks this."},
       single("tp: 8, ep: null, conc-list: [4]")},
      {"EpBeyondTheReplica",
       single("tp: 8, ep: 16, conc-list: [4]"),
       {"14: error[RL9004]: 'ep' (16) is greater than the 8 GPUs of the replica (tp * pp * "
        "pcp-size)."},
       single("tp: 8, pp: 2, ep: 16, conc-list: [4]")},
      {"EpOfAWorkerWithoutDpAttn",
       multi("prefill: " + kWorker +
             ", decode: { num-worker: 1, tp: 8, ep: 32, dp-attn: false }, conc-list: [4]"),
       {"14: error[RL9004]: 'ep' (32) is greater than the 8 GPUs of the replica (tp * pp * "
        "pcp-size)."},
       multi("prefill: " + kWorker +
             ", decode: { num-worker: 1, tp: 8, ep: 32, dp-attn: true }, conc-list: [4]")},
      {"IslZero",
       replaced(single(kGoodRow), "8192", "0"),
       {"11: error[RL9004]: 'isl' must be greater than 0, not 0. Neither the validator nor the "
        "generator checks this."},
       {}},
      {"NoWorkerAtAll",
       multi(
           "prefill: { num-worker: 0, tp: 8, ep: 1, dp-attn: false }, decode: { num-worker: 0, tp: "
           "8, ep: 1, dp-attn: false }, conc-list: [4]"),
       {"14: error[RL9004]: Neither 'prefill' nor 'decode' has a worker."},
       multi("prefill: " + kWorker +
             ", decode: { num-worker: 0, tp: 0, ep: 0, dp-attn: false }, conc-list: [4]")},
      {"NegativeWorkers",
       multi("prefill: " + kWorker +
             ", decode: { num-worker: -1, tp: 8, ep: 1, dp-attn: false }, conc-list: [4]"),
       {"14: error[RL9004]: 'num-worker' must not be negative, but is -1."},
       {}},
      {"RepeatedKey",  // of the YAML mapping
       single_node("      - tp: 4\n        conc-list: [4]\n        tp: 8\n"),
       {"16: error[RL9002]: The key 'tp' is repeated. The last value replaces the ones before it "
        "without a word."},
       {}},
  };
}

class Constraint : public ::testing::TestWithParam<Case> {};

TEST_P(Constraint, IsReportedWhereItIsBrokenAndOnlyThere) {
  SpaceFiles bad;
  bad.add_master(GetParam().bad);
  EXPECT_THAT(bad.reports(), ElementsAreArray(GetParam().reports)) << GetParam().bad;
  if (GetParam().good.empty()) return;
  SpaceFiles good;
  good.add_master(GetParam().good);
  EXPECT_THAT(good.reports(), IsEmpty()) << GetParam().good;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Fields, Constraint, ::testing::ValuesIn(field_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Rows, Constraint, ::testing::ValuesIn(row_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Concurrency, Constraint, ::testing::ValuesIn(concurrency_cases()),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Agentic, Constraint, ::testing::ValuesIn(agentic_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Entries, Constraint, ::testing::ValuesIn(entry_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Holes, Constraint, ::testing::ValuesIn(hole_cases()), case_name);

TEST(Problem, NamesEntryRemedyAndRelatedPlace) {
  SpaceFiles files;
  files.add_master(single("tp: 8, dcp_size: 3, conc-start: 8, conc-end: 4"));
  ASSERT_EQ(files.problems.size(), 2u);
  EXPECT_EQ(files.problems[0].span.bytes(), "dcp_size");
  EXPECT_THAT(files.problems[0].remedies, ElementsAre("dcp-size"));
  EXPECT_THAT(files.problems[0].entries, ElementsAre("key"));
  EXPECT_EQ(files.problems[0].identity, "key/dcp-size/underscore");
  EXPECT_EQ(files.problems[1].span.bytes(), "8");
  ASSERT_EQ(files.problems[1].related.size(), 1u);
  EXPECT_EQ(files.problems[1].related[0].span.bytes(), "4");
}

TEST(Problem, ExpertsOfRolesInOlderFilesAreNotCompared) {
  SpaceFiles files;
  files.add_master(
      "key:\n  image: i\n  model: m\n  model-prefix: x\n  precision: fp8\n  framework: sglang\n"
      "  runner: r\n  multinode: true\n  disagg: true\n  seq-len-configs:\n  - isl: 1\n    osl: 1\n"
      "    search-space:\n    - { prefill: " +
      kWorker + ", decode: { num-worker: 2, tp: 1, ep: 8, dp-attn: false }, conc-list: [4] }\n");
  ASSERT_EQ(files.space.masters[0].generation, Generation::kOlder);
  EXPECT_THAT(files.reports(), ::testing::Each(::testing::Not(::testing::HasSubstr("RL9004"))));
}

TEST(Problem, WrongPartsDoNotStopTheReadingOfTheRest) {
  SpaceFiles files;
  files.add_master("broken: 1\n" +
                   replaced(single("tp: x, ep: 4, conc-list: [4]"), "image: i", "image: 5"));
  ASSERT_EQ(files.space.masters[0].entries.size(), 1u);
  const Entry& entry = files.space.masters[0].entries[0];
  EXPECT_EQ(entry.model.value, "m");
  EXPECT_TRUE(entry.image.invalid());
  ASSERT_EQ(entry.scenarios.size(), 1u);
  ASSERT_EQ(entry.scenarios[0].rows.size(), 1u);
  EXPECT_TRUE(entry.scenarios[0].rows[0].tp.invalid());
  EXPECT_EQ(entry.scenarios[0].rows[0].ep.value, 4);
}

}  // namespace
}  // namespace recipelint::space
