#include "analyzer/layout/row_fields.h"

#include <array>

namespace recipelint::layout {
namespace {

using space::Component;
using space::Field;
using space::MatrixRow;
using space::Worker;

constexpr std::string_view kPrefill = "prefill.";
constexpr std::string_view kDecode = "decode.";

std::string truth_text(bool value) {
  return value ? "true" : "false";
}

std::optional<FieldText> text_of(const space::String& field) {
  if (!field) return std::nullopt;
  return FieldText{std::string(*field), field.span()};
}

/// An integer as it is written, since the generator copies it: `tp: "8"` stays "8".
std::optional<FieldText> text_of(const space::Integer& field) {
  if (!field) return std::nullopt;
  if (field.node.as_int()) return FieldText{std::to_string(*field), field.span()};
  return FieldText{std::string(field.node.text()), field.span()};
}

FieldText text_or(const space::Integer& field, std::int64_t fallback) {
  return text_of(field).value_or(FieldText{std::to_string(fallback), field.span()});
}

FieldText text_or(const space::Boolean& field, bool fallback) {
  return {truth_text(field.value_or(fallback)), field.span()};
}

std::optional<FieldText> entry_field(const space::Entry& entry, std::string_view field) {
  if (field == "image") return text_of(entry.image);
  if (field == "model") return text_of(entry.model);
  if (field == "model-prefix") return text_of(entry.model_prefix);
  if (field == "precision") return text_of(entry.precision);
  if (field == "framework") return text_of(entry.framework);
  if (field == "runner") return text_of(entry.runner);
  if (field == "disagg") return text_or(entry.disagg, false);
  return std::nullopt;
}

std::optional<FieldText> search_row_field(const space::Row& row, std::string_view field) {
  if (field == "tp") return text_of(row.tp);
  if (field == "pp") return text_or(row.pp, 1);
  if (field == "dcp-size") return text_or(row.dcp_size, 1);
  if (field == "pcp-size") return text_or(row.pcp_size, 1);
  if (field == "ep") return text_or(row.ep, 1);
  if (field == "dp-attn") return text_or(row.dp_attn, false);
  if (field == "kv-offloading") return text_of(row.kv_offloading);
  if (field == "kv-offload-backend.name" && row.kv_offload_backend) {
    return text_of(row.kv_offload_backend->name);
  }
  if (field == "spec-decoding") {
    return text_of(row.spec_decoding).value_or(FieldText{"none", {}});
  }
  return std::nullopt;
}

std::optional<FieldText> worker_field(const Field<Worker>& worker, std::string_view field) {
  if (!worker) return std::nullopt;
  if (field == "num-worker") return text_of(worker->num_worker);
  if (field == "tp") return text_of(worker->tp);
  if (field == "pp") return text_or(worker->pp, 1);
  if (field == "dcp-size") return text_or(worker->dcp_size, 1);
  if (field == "pcp-size") return text_or(worker->pcp_size, 1);
  if (field == "ep") return text_of(worker->ep);
  if (field == "dp-attn") return text_or(worker->dp_attn, false);
  if (field == "hardware") return text_of(worker->hardware);
  return std::nullopt;
}

/// Fields that the generator computes.
std::optional<FieldText> generated_field(const MatrixRow& row, std::string_view field) {
  if (field == "exp-name") return FieldText{row.exp_name, row.entry->model_prefix.span()};
  if (field == "scenario-type") {
    return FieldText{std::string(to_string(row.scenario->kind)), row.scenario->span()};
  }
  if (field == "isl") return text_of(row.scenario->isl);
  if (field == "osl") return text_of(row.scenario->osl);
  if (field == "max-model-len" && row.max_model_len) {
    return FieldText{std::to_string(*row.max_model_len), row.scenario->isl.span()};
  }
  if (field == "total-cpu-dram-gb" && row.total_cpu_dram_gb) {
    return FieldText{std::to_string(*row.total_cpu_dram_gb), row.scenario->dram_utilization.span()};
  }
  if (field == "duration" && row.agentic()) {
    return FieldText{std::to_string(space::kAgenticDurationSeconds), {}};
  }
  if (field == "eval-conc" && row.eval_conc) {
    return FieldText{std::to_string(*row.eval_conc), row.row->span()};
  }
  if (field == "kv-p2p-transfer") return text_of(row.kv_p2p_transfer());
  return std::nullopt;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (code < 0x20) {
      out += "\\u00";
      out += kHex[code >> 4u];
      out += kHex[code & 15u];
    } else {
      out += byte;
    }
  }
  out += '"';
}

void append_json_member(std::string& out, std::string_view name, const space::String& value) {
  if (!value) return;
  out += out.size() > 1 ? ",\n  " : "\n  ";
  append_json_string(out, name);
  out += ": ";
  append_json_string(out, *value);
}

std::string json_of(const Component& component) {
  std::string out = "{";
  const bool version_first = component.version.written() && component.name.written() &&
                             component.version.key().begin < component.name.key().begin;
  if (version_first) append_json_member(out, "version", component.version);
  append_json_member(out, "name", component.name);
  if (!version_first) append_json_member(out, "version", component.version);
  return out + "\n}";
}

}  // namespace

std::string_view to_string(Mode mode) {
  return mode == Mode::kEval ? "eval" : "throughput";
}

std::optional<FieldText> RowFields::find(std::string_view field) const {
  if (field.substr(0, kPrefill.size()) == kPrefill) {
    return worker_field(row_.row->prefill, field.substr(kPrefill.size()));
  }
  if (field.substr(0, kDecode.size()) == kDecode) {
    return worker_field(row_.row->decode, field.substr(kDecode.size()));
  }
  if (field == "conc") {
    const space::Concurrency& point = row_.concurrencies[concurrency_];
    return FieldText{std::to_string(point.value), point.span};
  }
  if (auto found = entry_field(*row_.entry, field)) return found;
  if (auto found = search_row_field(*row_.row, field)) return found;
  return generated_field(row_, field);
}

std::optional<FieldText> RowFields::json(std::string_view field) const {
  const Component* component = nullptr;
  if (field == "router") component = row_.router();
  if (field == "kv-offload-backend" && row_.row->kv_offload_backend) {
    component = &*row_.row->kv_offload_backend;
  }
  if (component == nullptr) return std::nullopt;
  return FieldText{json_of(*component), component->name.span()};
}

std::optional<FieldText> RowFields::joined(std::string_view field,
                                           std::string_view separator) const {
  if (field != "conc") return std::nullopt;
  FieldText result;
  for (const space::Concurrency& point : row_.concurrencies) {
    if (!result.text.empty()) result.text += separator;
    result.text += std::to_string(point.value);
    result.span = point.span;
  }
  return result;
}

}  // namespace recipelint::layout
