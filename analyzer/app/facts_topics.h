#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"

namespace recipelint::app {

/// One subject of `recipelint facts`.
struct FactsTopic {
  std::string_view name;
  std::string_view summary;  // half a sentence
  /// Prints all entries, or those that `name` means. False if it means none.
  bool (*print)(const facts::Catalog& facts, const std::string& name, std::ostream& out);
};

/// Sorted by name.
std::span<const FactsTopic> facts_topics();

// The topics, one file each.
bool print_engine_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out);
bool print_flag_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out);
bool print_gpu_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out);
bool print_image_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out);
bool print_model_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out);

/// The engines that facts are about, in the words of the tables: "vllm", "sglang", "trtllm",
/// "atom".
std::span<const std::string_view> fact_engines();

}  // namespace recipelint::app
