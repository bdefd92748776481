#include <algorithm>
#include <array>

#include "analyzer/report/report.h"

namespace recipelint::report {
namespace {

template <void (*kWrite)(const Report&, std::ostream&)>
void without_options(const Report& report, const TextOptions&, std::ostream& out) {
  kWrite(report, out);
}

constexpr std::array kFormats = {
    Format{"text", write_text},
    Format{"unix", without_options<write_unix>},
    Format{"json", without_options<write_json>},
    Format{"sarif", without_options<write_sarif>},
    Format{"github", without_options<write_github>},
    Format{"gitlab", without_options<write_gitlab>},
    Format{"junit", without_options<write_junit>},
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &Format::name);
  return found == kFormats.end() ? nullptr : found;
}

const findings::RuleDescription* find_rule(const Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.rules, id, &findings::RuleDescription::id);
  return found == report.rules.end() ? nullptr : &*found;
}

}  // namespace recipelint::report
