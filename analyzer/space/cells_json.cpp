#include "analyzer/space/cells_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "analyzer/space/coerce.h"

namespace recipelint::space {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const yaml::Scalar& scalar) {
  if (std::holds_alternative<yaml::Null>(scalar)) return nullptr;
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return *number;
  if (const auto* number = std::get_if<double>(&scalar)) return *number;
  return python_str(scalar);
}

Json to_json(yaml::Node node) {
  if (node.is_scalar()) return to_json(node.scalar());
  if (node.is_mapping()) {
    Json object = Json::object();
    for (const auto& [key, value] : node.entries())
      object[std::string(key.text())] = to_json(value);
    return object;
  }
  Json array = Json::array();
  for (std::size_t i = 0; i < node.size(); ++i) array.push_back(to_json(node.item(i)));
  return array;
}

/// A worker is copied as written, with the three sizes that default to 1 behind it.
Json worker_json(const Field<Worker>& worker) {
  constexpr std::array<const char*, 3> kDefaulted = {"pp", "dcp-size", "pcp-size"};
  Json object = to_json(worker.node);
  for (const char* name : kDefaulted) {
    if (!object.contains(name)) object[name] = 1;
  }
  return object;
}

class RowWriter {
 public:
  explicit RowWriter(const MatrixRow& row) : row_(row) {}

  Json write();

 private:
  template <class T>
  void field(const char* name, const Field<T>& value) {
    if (value.node) json_[name] = to_json(value.node);
  }
  template <class T, class Fallback>
  void field_or(const char* name, const Field<T>& value, Fallback fallback) {
    const bool given = value.node && value.state != FieldState::kNull;
    json_[name] = given ? to_json(value.node) : Json(fallback);
  }
  template <class T>
  void component(const char* name, const Field<T>& row, const Field<T>& entry) {
    const Field<T>& value = row.written() ? row : entry;
    if (value.node && value.state != FieldState::kNull) json_[name] = to_json(value.node);
  }
  void number(const char* name, std::optional<std::int64_t> value) {
    if (value) json_[name] = *value;
  }

  void entry();
  void single_node_topology();
  void workers();
  void fixed_single_node();
  void fixed_multi_node();
  void agentic();
  void components();
  void concurrency();
  void place();

  const MatrixRow& row_;
  Json json_;
};

Json RowWriter::write() {
  entry();
  if (row_.agentic()) {
    agentic();
  } else if (row_.multi_node()) {
    fixed_multi_node();
  } else {
    fixed_single_node();
  }
  number("eval-conc", row_.eval_conc);
  if (row_.eval_only) json_["eval-only"] = true;
  place();
  return std::move(json_);
}

void RowWriter::entry() {
  field("image", row_.entry->image);
  field("model", row_.entry->model);
  field("model-prefix", row_.entry->model_prefix);
  field("precision", row_.entry->precision);
  field("framework", row_.entry->framework);
  field("runner", row_.entry->runner);
}

void RowWriter::single_node_topology() {
  field("tp", row_.row->tp);
  field_or("pp", row_.row->pp, 1);
  field_or("dcp-size", row_.row->dcp_size, 1);
  field_or("pcp-size", row_.row->pcp_size, 1);
}

void RowWriter::workers() {
  field_or("spec-decoding", row_.row->spec_decoding, "none");
  json_["prefill"] = worker_json(row_.row->prefill);
  json_["decode"] = worker_json(row_.row->decode);
}

void RowWriter::fixed_single_node() {
  field("isl", row_.scenario->isl);
  field("osl", row_.scenario->osl);
  single_node_topology();
  concurrency();
  number("max-model-len", row_.max_model_len);
  field_or("ep", row_.row->ep, 1);
  field_or("dp-attn", row_.row->dp_attn, false);
  field_or("spec-decoding", row_.row->spec_decoding, "none");
  json_["exp-name"] = row_.exp_name;
  field_or("disagg", row_.entry->disagg, false);
  json_["run-eval"] = row_.run_eval;
  components();
}

void RowWriter::fixed_multi_node() {
  field("isl", row_.scenario->isl);
  field("osl", row_.scenario->osl);
  workers();
  concurrency();
  number("max-model-len", row_.max_model_len);
  json_["exp-name"] = row_.exp_name;
  field_or("disagg", row_.entry->disagg, false);
  json_["run-eval"] = row_.run_eval;
  components();
}

void RowWriter::agentic() {
  if (row_.multi_node()) {
    workers();
  } else {
    single_node_topology();
    field_or("ep", row_.row->ep, 1);
    field_or("dp-attn", row_.row->dp_attn, false);
    field_or("spec-decoding", row_.row->spec_decoding, "none");
  }
  concurrency();
  field_or("kv-offloading", row_.row->kv_offloading, "none");
  number("total-cpu-dram-gb", row_.total_cpu_dram_gb);
  json_["duration"] = kAgenticDurationSeconds;
  json_["exp-name"] = row_.exp_name;
  if (row_.multi_node()) field_or("disagg", row_.entry->disagg, false);
  json_["scenario-type"] = to_string(row_.scenario->kind);
  component("kv-offload-backend", row_.row->kv_offload_backend, {});
  components();
  json_["run-eval"] = row_.run_eval;
}

void RowWriter::components() {
  component("router", row_.row->router, row_.entry->router);
  component("kv-p2p-transfer", row_.row->kv_p2p_transfer, row_.entry->kv_p2p_transfer);
}

void RowWriter::concurrency() {
  Json values = Json::array();
  for (const Concurrency& concurrency : row_.concurrencies) {
    values.push_back(to_json(concurrency.written));
  }
  json_["conc"] = row_.multi_node() ? values : values.front();
}

void RowWriter::place() {
  const text::Span span = row_.row->span();
  json_["key"] = row_.entry->key;
  json_["file"] = row_.config->file().path();
  json_["line"] = row_.config->file().position(span.begin).line;
}

}  // namespace

void write_cells_json(std::span<const MatrixRow> matrix, std::ostream& out) {
  for (const MatrixRow& row : matrix) {
    out << RowWriter(row).write().dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  }
}

}  // namespace recipelint::space
