#include "analyzer/space/search_space.h"

#include <algorithm>

namespace recipelint::space {
namespace {

template <class Item, class Projection>
const Item* find_by(const std::vector<Item>& items, std::string_view name, Projection projection) {
  const auto found = std::ranges::find(items, name, projection);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(ScenarioKind kind) {
  return kind == ScenarioKind::kFixedSeqLen ? "fixed-seq-len" : "agentic-coding";
}

const Setting* Worker::setting(std::string_view name) const {
  if (!additional_settings) return nullptr;
  const std::vector<Setting>& settings = *additional_settings;
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [name](const Setting& setting) { return setting.name == name; });
  return found == settings.rend() ? nullptr : &*found;
}

const Entry* MasterConfig::find(std::string_view key) const {
  return find_by(entries, key, &Entry::key);
}

const RunnerLabel* Runners::find_label(std::string_view label) const {
  return find_by(labels, label, &RunnerLabel::name);
}

const RunnerHardware* Runners::find_hardware(std::string_view label) const {
  return find_by(hardware, label, &RunnerHardware::label);
}

const Entry* SearchSpace::find(std::string_view key) const {
  for (const MasterConfig& master : masters) {
    if (const Entry* entry = master.find(key)) return entry;
  }
  return nullptr;
}

}  // namespace recipelint::space
