#include "analyzer/layout/runner.h"

#include <algorithm>
#include <utility>

namespace recipelint::layout {
namespace {

bool contains(const std::vector<std::string>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name, std::less<>());
}

std::vector<Runner> families(const space::RunnerLabel& label) {
  std::vector<Runner> result;
  for (const space::RunnerNode& node : label.nodes) {
    const std::string_view launcher = node.name.substr(0, node.name.find('_'));
    auto found = std::find_if(result.begin(), result.end(),
                              [&](const Runner& runner) { return runner.launcher == launcher; });
    if (found == result.end()) {
      result.push_back({std::string(launcher), std::string(node.name), 0, node.span, true});
      found = result.end() - 1;
    }
    ++found->node_count;
    if (found->node_count > 1) found->node.clear();
  }
  return result;
}

/// "cluster:mi325x-tw" and "mi325x-tw_0" -> "mi325x-tw".
std::string_view family_name(std::string_view label) {
  const std::size_t colon = label.rfind(':');
  if (colon != std::string_view::npos) label.remove_prefix(colon + 1);
  return label.substr(0, label.find('_'));
}

std::vector<Runner> guess(std::string_view label, const std::vector<std::string>& launchers) {
  const std::string_view name = family_name(label);
  std::vector<Runner> result;
  if (!contains(launchers, name)) {
    const std::string prefix = std::string(name) + "-";
    for (const std::string& launcher : launchers) {
      if (launcher.substr(0, prefix.size()) != prefix) continue;
      result.push_back({launcher, "", 0, {}, false});
    }
  }
  if (result.empty()) result.push_back({std::string(name), "", 0, {}, false});
  return result;
}

}  // namespace

std::vector<Runner> find_runners(const space::Runners* runners, std::string_view label,
                                 const std::vector<std::string>& launchers) {
  const space::RunnerLabel* known = runners != nullptr ? runners->find_label(label) : nullptr;
  if (known == nullptr || known->nodes.empty()) return guess(label, launchers);
  std::vector<Runner> result = families(*known);
  const auto served = [&](const Runner& runner) { return contains(launchers, runner.launcher); };
  if (std::any_of(result.begin(), result.end(), served)) {
    result.erase(std::remove_if(result.begin(), result.end(),
                                [&](const Runner& runner) { return !served(runner); }),
                 result.end());
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Runner& a, const Runner& b) { return a.node_count > b.node_count; });
  return result;
}

}  // namespace recipelint::layout
