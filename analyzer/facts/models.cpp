#include "analyzer/facts/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/family_shape.h"
#include "analyzer/facts/split.h"

namespace recipelint::facts {
namespace {

text::Error broken_line(std::string_view table, const Table::Row& row, std::string_view what) {
  return {fmt::format("{}: line {}: {}", table, row.line, what), {}};
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// "name=number" pairs; false if one is none.
bool read_shape(std::string_view text, ModelFamily& family) {
  for (const auto part : split(text, ' ')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) return false;
    const auto number = parse_number(part.substr(equals + 1));
    if (!number) return false;
    if (family.number(part.substr(0, equals))) return false;
    family.shape.emplace_back(part.substr(0, equals), *number);
  }
  return std::is_sorted(family.shape.begin(), family.shape.end());
}

std::string_view last_component(std::string_view name) {
  while (name.ends_with('/')) name.remove_suffix(1);
  return name.substr(name.rfind('/') + 1);
}

std::optional<Model::KvScheme> parse_kv_scheme(std::string_view text) {
  if (text.empty()) return Model::KvScheme::kUnknown;
  if (text == "none") return Model::KvScheme::kNone;
  if (text == "fp8") return Model::KvScheme::kFp8;
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> ModelFamily::number(std::string_view shape_name) const {
  for (const auto& [name_of_number, value] : shape) {
    if (name_of_number == shape_name) return value;
  }
  return std::nullopt;
}

text::Result<ModelFacts> ModelFacts::read(Table families, Table models, Table gpus) {
  ModelFacts facts;
  facts.family_table_ = std::move(families);
  facts.model_table_ = std::move(models);
  facts.gpu_table_ = std::move(gpus);
  if (auto error = facts.read_families()) return *error;
  if (auto error = facts.read_models()) return *error;
  if (auto error = facts.read_gpus()) return *error;
  return facts;
}

std::optional<text::Error> ModelFacts::read_families() {
  for (std::size_t i = 0; i < family_table_.size(); ++i) {
    const auto row = family_table_.row(i);
    const auto fail = [&](std::string_view what) { return broken_line("families", row, what); };
    ModelFamily family{row.cells[0], split(row.cells[1], ','),
                       row.cells[2], row.cells[3] == "moe",
                       {},           row.cells[5],
                       row.evidence};
    if (family.architectures.empty()) return fail("a family has an architecture");
    if (!family.mixture_of_experts && row.cells[3] != "dense") return fail("moe or dense");
    if (!read_shape(row.cells[4], family)) return fail("a shape is sorted name=number pairs");
    if (const auto wrong = wrong_shape(family); !wrong.empty()) {
      return fail(fmt::format("'{}': {}", family.name, wrong));
    }
    const bool twice = std::ranges::any_of(
        families_, [&](const auto& other) { return other.name == family.name; });
    if (twice) return fail("this family is there twice");
    families_.push_back(std::move(family));
  }
  return std::nullopt;
}

std::optional<text::Error> ModelFacts::read_models() {
  for (std::size_t i = 0; i < model_table_.size(); ++i) {
    const auto row = model_table_.row(i);
    const auto fail = [&](std::string_view what) { return broken_line("models", row, what); };
    const auto family = std::ranges::find(families_, row.cells[1], &ModelFamily::name);
    if (family == families_.end()) return fail(fmt::format("no family is '{}'", row.cells[1]));
    const auto kv_scheme = parse_kv_scheme(row.cells[6]);
    if (!kv_scheme) return fail(fmt::format("'{}' is neither fp8 nor none", row.cells[6]));
    const auto low = parse_number(row.cells[3]);
    const auto high = parse_number(row.cells[4]);
    if (low.has_value() != high.has_value() || low > high) return fail("low is at most high");
    const bool twice = std::ranges::any_of(
        models_, [&](const Model& other) { return other.repository == row.cells[0]; });
    if (twice) return fail("this model is there twice");
    models_.push_back({row.cells[0], &*family, row.cells[2], low, high, row.cells[5], *kv_scheme,
                       row.cells[7], row.cells[8], row.evidence});
  }
  std::ranges::sort(models_, {}, &Model::repository);
  return std::nullopt;
}

std::optional<text::Error> ModelFacts::read_gpus() {
  for (std::size_t i = 0; i < gpu_table_.size(); ++i) {
    const auto row = gpu_table_.row(i);
    const auto fail = [&](std::string_view what) { return broken_line("gpus", row, what); };
    const auto bytes = parse_number(row.cells[2]);
    const auto per_node = parse_number(row.cells[3]);
    const auto domain = parse_number(row.cells[4]);
    if (!bytes || !per_node || !domain) return fail("bytes, per_node and nvlink are numbers");
    const Gpu gpu{row.cells[0], row.cells[1], *bytes, *per_node, *domain, row.evidence};
    if (!gpu.is_rocm() && !gpu.architecture.starts_with("sm_")) return fail("sm_NNN or gfxNNN");
    if (find_gpu(gpu.name) != nullptr) return fail("this GPU is there twice");
    gpus_.push_back(gpu);
  }
  std::ranges::sort(gpus_, {}, &Gpu::name);
  return std::nullopt;
}

const Model* ModelFacts::find_model(std::string_view name) const {
  const Model* found = nullptr;
  for (const Model& model : models_) {
    if (model.repository == name) return &model;
    if (last_component(model.repository) != last_component(name)) continue;
    if (found != nullptr) return nullptr;
    found = &model;
  }
  return found;
}

const Gpu* ModelFacts::find_gpu(std::string_view name) const {
  const auto same = [&](const Gpu& gpu) {
    return std::ranges::equal(gpu.name, name, {}, {}, to_lower);
  };
  const auto found = std::ranges::find_if(gpus_, same);
  return found == gpus_.end() ? nullptr : &*found;
}

}  // namespace recipelint::facts
