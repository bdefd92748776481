#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/space/decimal.h"
#include "analyzer/space/problem.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/span.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

enum class FieldState : std::uint8_t {
  kAbsent,
  kNull,     // written as null where null is allowed: counts as absent
  kInvalid,  // not a value of this type, or a misspelled name that nothing reads; a problem says so
  kValid,
};

/// One field of a mapping: the value that the reader of these files takes from it, and where it
/// stands. Strings are views into the document.
template <class T>
struct Field {
  FieldState state = FieldState::kAbsent;
  std::optional<T> value;  // set exactly if kValid
  yaml::Node key_node;     // empty if kAbsent
  /// The value as written, which is what the generator copies into its rows: `tp: "8"` counts as 8
  /// and is put out as "8".
  yaml::Node node;

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
  T value_or(T fallback) const { return value ? *value : std::move(fallback); }

  bool written() const { return state != FieldState::kAbsent; }
  bool invalid() const { return state == FieldState::kInvalid; }
  /// Of the key and of the value; invalid spans if the field is absent.
  text::Span key() const { return key_node ? key_node.span() : text::Span{}; }
  text::Span span() const { return node ? node.span() : text::Span{}; }
};

using Integer = Field<std::int64_t>;
using Boolean = Field<bool>;
using String = Field<std::string_view>;

/// A router or a KV offload backend.
struct Component {
  String name;
  String version;
};

/// One string of `additional-settings`, which the workflow pastes behind `export`: NAME=VALUE. A
/// string without '=' is all name. The spans lie inside the quotes; for a string with escapes they
/// all cover the whole node, since its text does not stand in the file.
struct Setting {
  std::string_view name;
  std::optional<std::string_view> value;
  yaml::Node node;
  text::Span span;
  text::Span name_span;
  text::Span value_span;  // invalid without '='
};

/// What one role of a multi-node row runs.
struct Worker {
  Integer num_worker;
  Integer tp;
  Integer pp;
  Integer dcp_size;
  Integer pcp_size;
  Integer ep;
  Boolean dp_attn;
  String hardware;
  Field<std::vector<Setting>> additional_settings;

  /// The last setting of that name, as `export` would have it; null if there is none.
  const Setting* setting(std::string_view name) const;
};

/// One row of a `search-space` list. A single-node row has tp, a multi-node row prefill and decode;
/// every field that is written is read, so a row that mixes the two has both.
struct Row {
  yaml::Node node;

  Integer tp;
  Integer pp;
  Integer dcp_size;
  Integer pcp_size;
  Integer ep;
  Boolean dp_attn;
  Field<Worker> prefill;
  Field<Worker> decode;

  String spec_decoding;
  Field<Component> router;
  String kv_p2p_transfer;
  String kv_offloading;
  Field<Component> kv_offload_backend;

  Integer conc_start;
  Integer conc_end;
  Field<std::vector<Integer>> conc_list;

  text::Span span() const { return node.span(); }
};

enum class ScenarioKind : std::uint8_t { kFixedSeqLen, kAgenticCoding };
/// "fixed-seq-len" or "agentic-coding".
std::string_view to_string(ScenarioKind kind);

/// One item of a scenario's list.
struct Scenario {
  ScenarioKind kind = ScenarioKind::kFixedSeqLen;
  yaml::Node node;
  Integer isl;                      // fixed-seq-len only
  Integer osl;                      // fixed-seq-len only
  Field<Decimal> dram_utilization;  // agentic-coding only
  std::vector<Row> rows;

  text::Span span() const { return node.span(); }
};

/// One key of a master configuration.
struct Entry {
  std::string_view key;
  yaml::Node key_node;
  yaml::Node node;

  String image;
  String model;
  String model_prefix;
  String precision;
  String framework;
  String runner;
  Boolean multinode;
  Boolean disagg;
  Field<Component> router;
  String kv_p2p_transfer;
  /// In the order in which the generator visits them: all fixed-seq-len items, then agentic ones.
  std::vector<Scenario> scenarios;

  /// Whether the generator treats the entry as multi-node (the truth value of `multinode`).
  bool is_multinode = false;

  text::Span key_span() const { return key_node.span(); }
};

/// Which rules a file is held to. InferenceX kept its configurations in `.github/configs` until
/// July 2026, with `seq-len-configs` until April; newer constraints do not apply to such a file.
enum class Generation : std::uint8_t { kCurrent, kOlder };

/// One master configuration file. Moving it keeps its entries where they are.
struct MasterConfig {
  std::shared_ptr<const yaml::Document> document;
  Generation generation = Generation::kCurrent;
  std::vector<Entry> entries;  // in the order of the file

  const text::SourceFile& file() const { return document->file(); }
  const Entry* find(std::string_view key) const;
};

struct RunnerNode {
  std::string_view name;
  text::Span span;
};

struct RunnerLabel {
  std::string_view name;
  text::Span span;
  std::vector<RunnerNode> nodes;
};

struct RunnerHardware {
  std::string_view label;
  text::Span span;
  Integer available_cpu_dram_mib;
  Integer gpus_per_node;
};

/// `runners.yaml`: which machines a runner label stands for, and what they have.
struct Runners {
  std::shared_ptr<const yaml::Document> document;
  Generation generation = Generation::kCurrent;
  std::vector<RunnerLabel> labels;  // in the order of the file
  std::vector<RunnerHardware> hardware;

  const RunnerLabel* find_label(std::string_view label) const;
  const RunnerHardware* find_hardware(std::string_view label) const;
};

/// One named adjustment of the priority score.
struct Adjustment {
  std::string_view name;
  text::Span span;
  Field<Decimal> score;
};

/// `ci-priority.yaml`: in which order the jobs run. It does not change what they launch.
struct CiPriority {
  std::shared_ptr<const yaml::Document> document;
  Field<Decimal> base_score;
  Field<Decimal> multi_node;
  Field<Decimal> agentic;
  Field<Decimal> eval_only;
  std::vector<Adjustment> event;
  std::vector<Adjustment> precision;
  std::vector<Adjustment> spec_decoding;
  std::vector<Adjustment> framework_prefix;
  std::vector<Adjustment> model_prefix;
};

/// One entry of `perf-changelog.yaml`.
struct ChangelogEntry {
  yaml::Node node;
  std::vector<String> config_keys;
  std::vector<String> description;
  String pr_link;
  Boolean evals_only;
  Boolean all_evals;
  Boolean append_only;
  Integer eval_min_prefill_ep;
  std::vector<ScenarioKind> scenario_types;  // empty: all

  text::Span span() const { return node.span(); }
};

struct Changelog {
  std::shared_ptr<const yaml::Document> document;
  std::vector<ChangelogEntry> entries;
};

/// Everything that decides which points are run.
struct SearchSpace {
  /// In the order in which the generator is given them.
  std::vector<MasterConfig> masters;
  std::optional<Runners> runners;
  std::optional<CiPriority> ci_priority;
  std::optional<Changelog> changelog;

  /// The first entry with that key; null if there is none.
  const Entry* find(std::string_view key) const;
};

}  // namespace recipelint::space
