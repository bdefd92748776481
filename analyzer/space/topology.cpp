#include "analyzer/space/topology.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "analyzer/space/coerce.h"

namespace recipelint::space {
namespace {

/// Length first, so that no text can run into the next.
void append_sized(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

void append_scalar(std::string& out, const yaml::Scalar& scalar) {
  if (const auto* text = std::get_if<std::string>(&scalar)) {
    out += 's';
    return append_sized(out, *text);
  }
  out += 'o';
  append_sized(out, python_str(scalar));
}

/// Booleans and floats without a fraction equal integers in Python.
void append_value(std::string& out, const yaml::Scalar& scalar) {
  const bool is_text = std::holds_alternative<std::string>(scalar);
  const auto integer = is_text ? std::nullopt : lax_integer(scalar);
  append_scalar(out, integer ? yaml::Scalar(*integer) : scalar);
}

using Part = std::pair<std::string, std::string>;

void append_mapping(std::string& out, std::vector<Part> parts) {
  std::ranges::sort(parts);
  out += '{';
  for (const auto& [key, value] : parts) out.append(key).append(value);
  out += '}';
}

std::vector<Part> canonical_parts(yaml::Node mapping) {
  std::vector<Part> parts;
  parts.reserve(mapping.entries().size() + 3);
  for (const auto& [key, value] : mapping.entries()) {
    Part& part = parts.emplace_back();
    append_canonical(part.first, key);
    append_canonical(part.second, value);
  }
  return parts;
}

/// A worker counts with the defaults that the generator writes into it.
void append_worker(std::string& out, const Field<Worker>& worker) {
  constexpr std::array<std::string_view, 3> kDefaulted = {"pp", "dcp-size", "pcp-size"};
  std::vector<Part> parts = canonical_parts(worker.node);
  for (const std::string_view name : kDefaulted) {
    if (worker.node.find(name)) continue;
    Part& part = parts.emplace_back();
    append_scalar(part.first, std::string(name));
    append_scalar(part.second, std::int64_t{1});
  }
  append_mapping(out, std::move(parts));
}

template <class T>
void append_field(std::string& out, const Field<T>& field, const yaml::Scalar& fallback) {
  if (field.node && field.state != FieldState::kNull) return append_canonical(out, field.node);
  append_value(out, fallback);
}

/// Null counts as nothing.
template <class T>
void append_optional(std::string& out, const Field<T>& field) {
  append_canonical(out, field.state == FieldState::kNull ? yaml::Node{} : field.node);
}

std::string describe_topology(const MatrixRow& matrix_row) {
  constexpr std::int64_t kOne = 1;
  const Entry& entry = *matrix_row.entry;
  const Row& row = *matrix_row.row;
  std::string out;
  for (const String* field : {&entry.image, &entry.model, &entry.model_prefix, &entry.precision,
                              &entry.framework, &entry.runner}) {
    append_canonical(out, field->node);
  }
  append_field(out, entry.disagg, false);
  append_field(out, row.spec_decoding, "none");
  append_optional(out, row.router.written() ? row.router : entry.router);
  append_optional(out, matrix_row.kv_p2p_transfer());
  out += matrix_row.agentic() ? 'a' : 'f';
  if (matrix_row.agentic()) {
    append_field(out, row.kv_offloading, "none");
    append_optional(out, row.kv_offload_backend);
    append_scalar(out, matrix_row.total_cpu_dram_gb.value_or(-1));
  } else {
    append_canonical(out, matrix_row.scenario->isl.node);
    append_canonical(out, matrix_row.scenario->osl.node);
  }
  if (matrix_row.multi_node()) {
    append_worker(out, row.prefill);
    append_worker(out, row.decode);
    return out;
  }
  for (const Integer* field : {&row.tp, &row.pp, &row.dcp_size, &row.pcp_size, &row.ep}) {
    append_field(out, *field, kOne);
  }
  append_field(out, row.dp_attn, false);
  return out;
}

}  // namespace

void append_canonical(std::string& out, yaml::Node node) {
  if (!node) {
    out += '-';
  } else if (node.is_scalar()) {
    append_value(out, node.scalar());
  } else if (node.is_mapping()) {
    append_mapping(out, canonical_parts(node));
  } else {
    out += '[';
    for (std::size_t i = 0; i < node.size(); ++i) append_canonical(out, node.item(i));
    out += ']';
  }
}

std::vector<std::uint32_t> topology_ids(std::span<const MatrixRow> matrix) {
  std::vector<std::uint32_t> ids;
  ids.reserve(matrix.size());
  std::unordered_map<std::string, std::uint32_t> known;
  const Row* last = nullptr;
  for (const MatrixRow& row : matrix) {
    if (row.row != last) {
      const auto next = static_cast<std::uint32_t>(known.size());
      ids.push_back(known.emplace(describe_topology(row), next).first->second);
    } else {
      ids.push_back(ids.back());
    }
    last = row.row;
  }
  return ids;
}

}  // namespace recipelint::space
