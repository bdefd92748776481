#include "analyzer/app/baseline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "analyzer/text/source_file.h"
#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

constexpr std::string_view kSchema = "recipelint-baseline/1";

std::string json_string(std::string_view text) {
  return nlohmann::json(text::to_valid_utf8(text)).dump();
}

}  // namespace

text::Result<Baseline> Baseline::parse(std::string_view bytes, std::string_view path) {
  const auto document = nlohmann::json::parse(bytes, nullptr, false);
  const auto schema = document.find("schema");
  const auto findings = document.find("findings");
  const bool is_baseline = document.is_object() && schema != document.end() &&
                           schema->is_string() &&
                           schema->get_ref<const std::string&>() == kSchema &&
                           findings != document.end() && findings->is_object();
  if (!is_baseline) {
    return text::Error{fmt::format("'{}' is no baseline; --write-baseline writes one", path), {}};
  }
  Baseline baseline;
  for (const auto& [fingerprint, what] : findings->items()) {
    baseline.known_.emplace(fingerprint, what.is_string() ? what.get<std::string>() : "");
  }
  return baseline;
}

Baseline Baseline::of(std::span<const findings::Finding> findings) {
  Baseline baseline;
  for (const findings::Finding& finding : findings) {
    const std::string_view path =
        finding.primary.valid() ? finding.primary.file->path() : std::string_view();
    baseline.known_.emplace(finding.fingerprint, fmt::format("{} {}", finding.rule, path));
  }
  return baseline;
}

Baseline Baseline::tightened_to(const Baseline& found) const {
  Baseline both;
  for (const auto& [fingerprint, what] : found.known_) {
    if (known_.contains(fingerprint)) both.known_.emplace(fingerprint, what);
  }
  return both;
}

void Baseline::write(std::ostream& out) const {
  out << fmt::format("{{\"schema\":\"{}\",\"findings\":{{", kSchema);
  const char* separator = "\n";
  for (const auto& [fingerprint, what] : known_) {
    out << separator << json_string(fingerprint) << ": " << json_string(what);
    separator = ",\n";
  }
  out << "\n}}\n";
}

}  // namespace recipelint::app
