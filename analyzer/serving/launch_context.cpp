#include "analyzer/serving/launch_context.h"

#include <utility>

#include "analyzer/facts/split.h"

namespace recipelint::serving {
namespace {

Setting<std::string> setting_of(const shell::Value& value) {
  Setting<std::string> setting;
  setting.origin = value.origin();
  setting.span = value.origin().span();
  if (value.is_known()) {
    setting.source = Source::kExplicit;
    setting.value = value.text();
  } else {
    setting.reason = "a part of it is unknown";
  }
  return setting;
}

}  // namespace

std::size_t first_argument(const launch::Launch& launch) {
  if (launch.arguments_index != 0) return launch.arguments_index;
  return launch.program_index + facts::split(launch.program, ' ').size();
}

const shell::Value* variable(const launch::Launch& launch, const Situation& situation,
                             std::string_view name) {
  const auto own = launch.environment.find(name);
  if (own != launch.environment.end()) return &own->second;
  if (situation.inherited == nullptr) return nullptr;
  const auto inherited = situation.inherited->find(name);
  return inherited == situation.inherited->end() ? nullptr : &inherited->second;
}

std::map<std::string, Setting<std::string>, std::less<>> read_environment(
    const facts::Vocabulary& vocabulary, const launch::Launch& launch, const Situation& situation) {
  std::map<std::string, Setting<std::string>, std::less<>> result;
  const auto add = [&](const std::string& name, const shell::Value& value) {
    if (vocabulary.find_variable(name) == nullptr) return;
    result.insert_or_assign(name, setting_of(value));
  };
  if (situation.inherited != nullptr) {
    for (const auto& [name, value] : *situation.inherited) add(name, value);
  }
  for (const auto& [name, value] : launch.environment) add(name, value);
  return result;
}

}  // namespace recipelint::serving
