#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <string>

#include "analyzer/app/facts_topics.h"

namespace recipelint::app {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

void print_gpu(const facts::Gpu& gpu, std::ostream& out) {
  out << fmt::format("{}\n  architecture: {}\n  memory: {} bytes ({:.2f} GiB)\n", gpu.name,
                     gpu.architecture, gpu.bytes, static_cast<double>(gpu.bytes) / kGib);
  out << fmt::format("  of one node: {}; behind one fast link: {}\n  source: {}\n", gpu.per_node,
                     gpu.nvlink_domain, to_string(*gpu.evidence));
}

void print_size(const facts::Model& model, std::ostream& out) {
  if (!model.bytes_low || !model.bytes_high) {
    out << "  weights: not known\n";
    return;
  }
  const double low = static_cast<double>(*model.bytes_low) / kGib;
  const double high = static_cast<double>(*model.bytes_high) / kGib;
  out << fmt::format("  weights: {:.1f} to {:.1f} GiB ({})\n", low, high, model.confidence);
}

void print_shape(const facts::ModelFamily& family, std::ostream& out) {
  out << fmt::format("  family: {} ({})\n  attention: {}{}\n", family.name,
                     fmt::join(family.architectures, ", "), family.attention,
                     family.mixture_of_experts ? ", mixture of experts" : "");
  for (const auto& [name, number] : family.shape) out << fmt::format("    {} {}\n", name, number);
  if (!family.note.empty()) out << fmt::format("  note: {}\n", family.note);
  out << fmt::format("  source of the shape: {}\n", to_string(*family.evidence));
}

void print_model(const facts::Model& model, std::ostream& out) {
  out << fmt::format("{}\n  precision: {}\n", model.repository, model.precision);
  print_size(model, out);
  if (!model.kv_auto.empty()) out << fmt::format("  KV cache by default: {}\n", model.kv_auto);
  if (!model.note.empty()) out << fmt::format("  note: {}\n", model.note);
  out << fmt::format("  source: {}\n", to_string(*model.evidence));
  print_shape(*model.family, out);
}

}  // namespace

bool print_gpu_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out) {
  if (name.empty()) {
    for (const facts::Gpu& gpu : facts.models().gpus()) print_gpu(gpu, out);
    return true;
  }
  const auto* gpu = facts.models().find_gpu(name);
  if (gpu != nullptr) print_gpu(*gpu, out);
  return gpu != nullptr;
}

bool print_model_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out) {
  if (name.empty()) {
    for (const facts::Model& model : facts.models().models()) {
      out << fmt::format("{:<48} {:<10} {}\n", model.repository, model.precision,
                         model.family->name);
    }
    return true;
  }
  const auto* model = facts.models().find_model(name);
  if (model != nullptr) print_model(*model, out);
  return model != nullptr;
}

}  // namespace recipelint::app
