#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/space/coerce.h"
#include "analyzer/space/constraints.h"
#include "analyzer/space/field_reader.h"
#include "analyzer/space/read.h"
#include "analyzer/space/read_support.h"

namespace recipelint::space {
namespace {

/// Entries, items and rows of one file, which cost much more memory than the text that makes them.
constexpr std::size_t kMostItems = 50'000;

constexpr std::array<std::string_view, 3> kSpecDecoding = {"mtp", "draft_model", "none"};
constexpr std::array<std::string_view, 2> kKvOffloading = {"none", "dram"};

/// The part of a node's span that is its text; the whole node if the text is not written as such.
text::Span text_span(yaml::Node node) {
  const text::Span whole = node.span();
  if (whole.bytes() == node.text()) return whole;
  if (whole.length() < 2) return whole;
  const text::Span inner = whole.file->span(whole.begin + 1, whole.end - 1);
  return inner.bytes() == node.text() ? inner : whole;
}

Setting read_setting(yaml::Node node) {
  Setting setting;
  setting.node = node;
  setting.span = text_span(node);
  setting.name_span = setting.span;
  const std::string_view text = node.text();
  const std::size_t equals = text.find('=');
  setting.name = text.substr(0, equals);
  if (equals == std::string_view::npos) return setting;
  setting.value = text.substr(equals + 1);
  setting.value_span = setting.span;
  if (setting.span.bytes() != text) return setting;
  const auto split = setting.span.begin + static_cast<std::uint32_t>(equals);
  setting.name_span.end = split;
  setting.value_span.begin = split + 1;
  return setting;
}

void check_version(const String& version, Reporter& reporter) {
  if (!version || !version->starts_with("image:")) return;
  reporter.report(version.span(),
                  "'version' must be a release, package version or source commit of the component, "
                  "not an image reference.",
                  "version/image");
}

/// True for the `multinode` that Python's `if` takes.
bool is_truthy_node(yaml::Node node) {
  if (!node) return false;
  return node.is_scalar() ? is_truthy(node.scalar()) : node.size() != 0;
}

class MasterReader {
 public:
  MasterReader(MasterConfig& config, std::vector<Problem>& problems)
      : config_(config), reporter_(problems, kSchemaRule) {}

  void read();

 private:
  bool older() const { return config_.generation == Generation::kOlder; }
  void detect_generation(yaml::Node root);
  void note_older_layout(text::Span span, std::string_view evidence);
  /// False, after a report, when the file has more items than are read.
  bool count_item(yaml::Node node);

  /// Whether it is a mapping under a string; attributes what follows to it.
  bool check_shape(const yaml::Node::Entry& written);
  void read_entry(const yaml::Node::Entry& written);
  void read_multinode(FieldReader& fields, Entry& entry);
  void read_scenarios(FieldReader& fields, Entry& entry);
  void read_scenario_list(FieldReader& fields, ScenarioKind kind, Entry& entry);
  void read_scenario_items(yaml::Node list, ScenarioKind kind, Entry& entry);
  void read_scenario(yaml::Node node, ScenarioKind kind, Entry& entry);
  void read_rows(yaml::Node list, const RowContext& context, Scenario& scenario);
  void read_row(yaml::Node node, const RowContext& context, Row& row);
  void read_topology(FieldReader& fields, const RowContext& context, Row& row);
  void report_wrong_shape(const RowContext& context, const Row& row);
  void read_worker(FieldReader& fields, std::string_view name, Need need, Field<Worker>& field);
  void read_settings(FieldReader& fields, Worker& worker);
  enum class Version { kRequired, kNullable };
  void read_component(FieldReader& fields, std::string_view name, Version version,
                      Field<Component>& field);

  MasterConfig& config_;
  Reporter reporter_;
  std::size_t items_ = 0;
};

void MasterReader::read() {
  const yaml::Node root = config_.document->root();
  if (!root.is_mapping()) {
    reporter_.report(
        root.span(),
        fmt::format("A master configuration must be a mapping, not {}.", describe(root)),
        "root/type");
    return;
  }
  detect_generation(root);
  config_.entries.reserve(std::min(root.entries().size(), kMostItems));
  for (const auto& written : root.entries()) {
    if (!count_item(written.key)) return;
    read_entry(written);
  }
}

void MasterReader::note_older_layout(text::Span span, std::string_view evidence) {
  config_.generation = Generation::kOlder;
  auto& problem = reporter_.report(
      span,
      fmt::format("The file follows an older layout of the search space ({}). It is read as such, "
                  "and constraints that came later are not checked.",
                  evidence),
      "older-layout");
  problem.severity = Severity::kNote;
}

void MasterReader::detect_generation(yaml::Node root) {
  constexpr std::size_t kNoCoincidence = 3;
  const text::SourceFile& file = config_.file();
  std::size_t disaggregated = 0;
  yaml::Node first;
  for (const auto& [key, entry] : root.entries()) {
    if (const yaml::Node old = entry.find_key("seq-len-configs")) {
      return note_older_layout(old.span(), "'seq-len-configs' instead of 'scenarios'");
    }
    if (!is_truthy_node(entry.find("disagg"))) continue;
    if (!first) first = entry.find_key("disagg");
    ++disaggregated;
  }
  if (file.path().starts_with(".github/configs/")) {
    return note_older_layout(head_of(root), "in '.github/configs'");
  }
  if (disaggregated < kNoCoincidence) return;
  if (file.bytes().find("kv-p2p-transfer") != std::string_view::npos) return;
  note_older_layout(first.span(), "no entry with 'disagg' has 'kv-p2p-transfer'");
}

bool MasterReader::count_item(yaml::Node node) {
  ++items_;
  if (items_ == kMostItems + 1) {
    reporter_.report_limit(
        node.span(),
        fmt::format("The file has more than {} entries, items and rows; those from here "
                    "on are not read.",
                    kMostItems));
  }
  return items_ <= kMostItems;
}

bool MasterReader::check_shape(const yaml::Node::Entry& written) {
  reporter_.enter({});
  if (!written.key.as_string()) {
    reporter_.report(
        written.key.span(),
        fmt::format("The key of an entry must be a string, not {}.", describe(written.key)),
        "key/type");
    return false;
  }
  const std::string_view key = written.key.text();
  reporter_.enter(key);
  if (key.find('*') != std::string_view::npos) {
    reporter_.report(written.key.span(),
                     fmt::format("'*' is not allowed in the key '{}'; the changelog uses it as a "
                                 "wildcard.",
                                 key),
                     "key/wildcard");
  }
  if (!written.value.is_mapping()) {
    reporter_.report(
        written.key.span(),
        fmt::format("Entry '{}' must be a mapping, not {}.", key, describe(written.value)),
        "entry/type");
    return false;
  }
  return true;
}

void MasterReader::read_entry(const yaml::Node::Entry& written) {
  if (!check_shape(written)) return;
  Entry& entry = config_.entries.emplace_back();
  entry.key = written.key.text();
  entry.key_node = written.key;
  entry.node = written.value;
  FieldReader fields(reporter_, entry.node, fmt::format("entry '{}'", entry.key),
                     written.key.span());
  fields.string("image", entry.image, Need::kRequired);
  fields.string("model", entry.model, Need::kRequired);
  fields.string("model-prefix", entry.model_prefix, Need::kRequired);
  fields.string("precision", entry.precision, Need::kRequired);
  fields.string("framework", entry.framework, Need::kRequired);
  fields.string("runner", entry.runner, Need::kRequired);
  read_multinode(fields, entry);
  read_component(fields, "router", Version::kRequired, entry.router);
  read_scenarios(fields, entry);
  fields.finish();
  check_entry(entry, config_.generation, reporter_);
}

void MasterReader::read_multinode(FieldReader& fields, Entry& entry) {
  entry.is_multinode = is_truthy_node(entry.node.find("multinode"));
  const Need need = older() ? Need::kOptional : Need::kRequired;
  fields.literal("multinode", entry.multinode, need, entry.is_multinode);
  if (entry.is_multinode) {
    fields.boolean("disagg", entry.disagg, Need::kOptional);
    fields.nonempty_string("kv-p2p-transfer", entry.kv_p2p_transfer, Need::kNullable);
  } else {
    fields.literal("disagg", entry.disagg, Need::kOptional, false);
  }
}

void MasterReader::read_scenarios(FieldReader& fields, Entry& entry) {
  if (older()) {
    const yaml::Node list = fields.list("seq-len-configs", Need::kOptional);
    if (list) {
      fields.ignore("scenarios");
      return read_scenario_items(list, ScenarioKind::kFixedSeqLen, entry);
    }
  }
  const yaml::Node scenarios = fields.mapping("scenarios", Need::kRequired);
  if (!scenarios) return;
  const text::Span where = fields.key_of("scenarios").span();
  FieldReader kinds(reporter_, scenarios, "'scenarios'", where);
  read_scenario_list(kinds, ScenarioKind::kFixedSeqLen, entry);
  read_scenario_list(kinds, ScenarioKind::kAgenticCoding, entry);
  kinds.finish();
  const bool any = std::ranges::any_of(scenarios.entries(),
                                       [](const auto& kind) { return is_truthy_node(kind.value); });
  if (any) return;
  reporter_.report(where, "At least one of 'fixed-seq-len' and 'agentic-coding' must have an item.",
                   "scenarios/empty");
}

void MasterReader::read_scenario_list(FieldReader& fields, ScenarioKind kind, Entry& entry) {
  const std::string_view name = to_string(kind);
  const yaml::Node list = fields.list(name, Need::kNullable);
  if (!list) return;
  if (!list.is_null()) return read_scenario_items(list, kind, entry);
  reporter_.report(
      fields.key_of(name).span(),
      fmt::format("'{}' is null: the validator takes it for absent, but the generator fails on it.",
                  name),
      fmt::format("{}/null", name));
}

void MasterReader::read_scenario_items(yaml::Node list, ScenarioKind kind, Entry& entry) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!count_item(list.item(i))) return;
    read_scenario(list.item(i), kind, entry);
  }
}

void MasterReader::read_scenario(yaml::Node node, ScenarioKind kind, Entry& entry) {
  const std::string_view name = to_string(kind);
  if (!node.is_mapping()) {
    reporter_.report(
        node.span(),
        fmt::format("An item of '{}' must be a mapping, not {}.", name, describe(node)),
        fmt::format("{}/type", name));
    return;
  }
  Scenario& scenario = entry.scenarios.emplace_back();
  scenario.kind = kind;
  scenario.node = node;
  FieldReader fields(reporter_, node, fmt::format("an item of '{}'", name), head_of(node));
  if (kind == ScenarioKind::kFixedSeqLen) {
    fields.integer("isl", scenario.isl, Need::kRequired, Use::kComputed);
    fields.integer("osl", scenario.osl, Need::kRequired, Use::kComputed);
  } else {
    fields.decimal("dram-utilization", scenario.dram_utilization, Need::kNullable);
    if (older()) fields.ignore("duration");
  }
  const yaml::Node rows = fields.list("search-space", Need::kRequired);
  read_rows(rows, {kind, entry.is_multinode, config_.generation}, scenario);
  fields.finish();
  check_scenario(scenario, config_.generation, reporter_);
}

void MasterReader::read_rows(yaml::Node list, const RowContext& context, Scenario& scenario) {
  scenario.rows.reserve(std::min(list.size(), kMostItems));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const yaml::Node node = list.item(i);
    if (!count_item(node)) return;
    if (!node.is_mapping()) {
      reporter_.report(
          node.span(),
          fmt::format("A row of 'search-space' must be a mapping, not {}.", describe(node)),
          "search-space/type");
      continue;
    }
    read_row(node, context, scenario.rows.emplace_back());
  }
}

void MasterReader::read_row(yaml::Node node, const RowContext& context, Row& row) {
  row.node = node;
  const bool agentic = context.scenario == ScenarioKind::kAgenticCoding;
  const std::string_view nodes = context.multinode ? "multi-node" : "single-node";
  FieldReader fields(reporter_, node,
                     agentic ? "an agentic row" : fmt::format("a {} fixed-seq-len row", nodes),
                     head_of(node));
  read_topology(fields, context, row);
  fields.choice("spec-decoding", row.spec_decoding, Need::kOptional, kSpecDecoding);
  read_component(fields, "router", Version::kRequired, row.router);
  if (agentic || context.multinode) {
    fields.nonempty_string("kv-p2p-transfer", row.kv_p2p_transfer, Need::kNullable);
  }
  if (agentic) {
    fields.choice("kv-offloading", row.kv_offloading, Need::kNullable, kKvOffloading);
    read_component(fields, "kv-offload-backend", Version::kNullable, row.kv_offload_backend);
    if (older()) fields.ignore("offloading");
  }
  fields.integer("conc-start", row.conc_start, Need::kNullable, Use::kComputed);
  fields.integer("conc-end", row.conc_end, Need::kNullable, Use::kComputed);
  fields.integers("conc-list", row.conc_list, Use::kComputed);
  fields.finish();
  check_row(row, context, reporter_);
}

/// Reads tp and its companions, or the two workers; all of them if the row has the shape of the
/// other kind of entry, so that one problem says so instead of one per field.
void MasterReader::read_topology(FieldReader& fields, const RowContext& context, Row& row) {
  const bool agentic = context.scenario == ScenarioKind::kAgenticCoding;
  const bool has_tp = static_cast<bool>(row.node.find("tp"));
  const bool has_workers = row.node.find("prefill") || row.node.find("decode");
  const bool wrong_shape = has_tp != has_workers && has_tp == context.multinode;
  const bool both = agentic || wrong_shape;
  if (both || !context.multinode) {
    const Need need = both ? Need::kNullable : Need::kRequired;
    fields.integer("tp", row.tp, need, Use::kCopied);
    fields.strict_positive("pp", row.pp);
    fields.strict_positive("dcp-size", row.dcp_size);
    fields.strict_positive("pcp-size", row.pcp_size);
    fields.integer("ep", row.ep, Need::kNullable, Use::kCopied);
    fields.boolean("dp-attn", row.dp_attn, Need::kNullable);
  }
  if (both || context.multinode) {
    const Need need = both ? Need::kNullable : Need::kRequired;
    read_worker(fields, "prefill", need, row.prefill);
    read_worker(fields, "decode", need, row.decode);
  }
  if (wrong_shape) report_wrong_shape(context, row);
}

/// The schema of agentic rows does not know which kind the entry is of, so only the generator
/// fails.
void MasterReader::report_wrong_shape(const RowContext& context, const Row& row) {
  const bool agentic = context.scenario == ScenarioKind::kAgenticCoding;
  const text::Span span = context.multinode       ? row.tp.key()
                          : row.prefill.written() ? row.prefill.key()
                                                  : row.decode.key();
  const std::string_view message =
      context.multinode
          ? "The row has 'tp', but the entry is 'multinode: true', so its rows need 'prefill' and "
            "'decode'."
          : "The row has 'prefill' or 'decode', but the entry is not 'multinode: true', so its "
            "rows "
            "need 'tp'.";
  auto& problem =
      reporter_.report(span,
                       fmt::format("{} The {}.", message,
                                   agentic ? "generator fails on it" : "validator refuses it"),
                       "topology/shape");
  if (agentic) problem.rule = kTopologyRowRule;
}

void MasterReader::read_worker(FieldReader& fields, std::string_view name, Need need,
                               Field<Worker>& field) {
  if (!fields.locate(name, field, need)) return;
  if (!field.node.is_mapping()) return fields.wrong_type(name, field.node, "a mapping");
  field.state = FieldState::kValid;
  Worker& worker = field.value.emplace();
  FieldReader inner(reporter_, field.node, fmt::format("'{}'", name), field.key());
  inner.integer("num-worker", worker.num_worker, Need::kRequired, Use::kCopied);
  inner.integer("tp", worker.tp, Need::kRequired, Use::kCopied);
  inner.strict_positive("pp", worker.pp);
  inner.strict_positive("dcp-size", worker.dcp_size);
  inner.strict_positive("pcp-size", worker.pcp_size);
  inner.integer("ep", worker.ep, Need::kRequired, Use::kCopied);
  inner.boolean("dp-attn", worker.dp_attn, Need::kRequired);
  inner.nonempty_string("hardware", worker.hardware, Need::kNullable);
  read_settings(inner, worker);
  inner.finish();
}

void MasterReader::read_settings(FieldReader& fields, Worker& worker) {
  constexpr std::string_view kName = "additional-settings";
  Field<std::vector<Setting>>& field = worker.additional_settings;
  if (!fields.locate(kName, field, Need::kNullable)) return;
  const yaml::Node list = field.node;
  if (!list.is_sequence()) return fields.wrong_type(kName, list, "a list of strings");
  field.state = FieldState::kValid;
  field.value.emplace();
  field.value->reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const yaml::Node item = list.item(i);
    if (item.as_string()) {
      field.value->push_back(read_setting(item));
    } else {
      reporter_.report(
          item.span(),
          fmt::format("An item of '{}' must be a string, not {}.", kName, describe(item)),
          fmt::format("{}/type", kName));
    }
  }
}

void MasterReader::read_component(FieldReader& fields, std::string_view name, Version version,
                                  Field<Component>& field) {
  if (!fields.locate(name, field, Need::kNullable)) return;
  const yaml::Node node = field.node;
  if (older() && node.as_string()) {
    field.state = FieldState::kValid;
    String bare{FieldState::kValid, node.text(), field.key_node, node};
    field.value.emplace(Component{bare, {}});
    return;
  }
  if (!node.is_mapping())
    return fields.wrong_type(name, node, "a mapping with 'name' and 'version'");
  field.state = FieldState::kValid;
  Component& component = field.value.emplace();
  FieldReader inner(reporter_, field.node, fmt::format("'{}'", name), field.key());
  inner.nonempty_string("name", component.name, Need::kRequired);
  inner.nonempty_string("version", component.version,
                        version == Version::kRequired ? Need::kRequired : Need::kNullable);
  inner.finish();
  check_version(component.version, reporter_);
}

}  // namespace

MasterConfig read_master_config(std::shared_ptr<const yaml::Document> document,
                                std::vector<Problem>& problems) {
  MasterConfig config;
  config.document = std::move(document);
  const std::size_t before = problems.size();
  report_duplicate_keys(*config.document, problems);
  MasterReader(config, problems).read();
  sort_from(problems, before);
  return config;
}

}  // namespace recipelint::space
