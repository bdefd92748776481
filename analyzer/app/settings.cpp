#include "analyzer/app/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

using nlohmann::ordered_json;
using serving::BatchRange;
using serving::Capture;
using serving::NamedSetting;
using serving::ServerConfig;

ordered_json value_json(const serving::SettingValue& value) {
  return std::visit(
      [](const auto& typed) -> ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, std::string>) {
          return text::to_valid_utf8(typed);
        } else {
          return typed;
        }
      },
      value);
}

ordered_json setting_json(const NamedSetting& setting) {
  ordered_json object;
  object["value"] = setting.value ? value_json(*setting.value) : ordered_json(nullptr);
  object["source"] = serving::to_string(setting.source);
  if (!setting.reason.empty()) object["reason"] = text::to_valid_utf8(setting.reason);
  object["file"] = nullptr;
  object["line"] = nullptr;
  if (setting.span.valid()) {
    object["file"] = text::to_valid_utf8(setting.span.file->path());
    object["line"] = setting.span.file->position(setting.span.begin).line;
  }
  return object;
}

ordered_json ranges_json(const std::vector<BatchRange>& ranges) {
  ordered_json list = ordered_json::array();
  for (const BatchRange& range : ranges) list.push_back({range.first, range.last});
  return list;
}

std::string_view unit_name(Capture::Unit unit) {
  return unit == Capture::Unit::kTokens ? "tokens" : "sequences";
}

ordered_json capture_json(const Capture& capture) {
  ordered_json object;
  object["unit"] = unit_name(capture.unit);
  object["sizes"] = capture.sizes;
  object["max"] = capture.largest;
  object["full"] = ranges_json(capture.full);
  object["piecewise"] = ranges_json(capture.piecewise);
  object["eager"] = ranges_json(capture.eager);
  object["error"] = nullptr;
  if (capture.failure != Capture::Failure::kNone) object["error"] = capture.failure_text;
  return object;
}

std::string ranges_text(const std::vector<BatchRange>& ranges) {
  std::vector<std::string> texts;
  for (const BatchRange& range : ranges) {
    texts.push_back(range.first == range.last ? std::to_string(range.first)
                                              : fmt::format("{}-{}", range.first, range.last));
  }
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, " "));
}

void write_capture(const Capture& capture, std::ostream& out) {
  if (capture.failure != Capture::Failure::kNone) {
    out << fmt::format("      the server does not start: {}\n", capture.failure_text);
    return;
  }
  out << fmt::format("      {} sizes up to {} {}; batches in full graphs: {}; piecewise: {}; "
                     "eager: {}\n",
                     capture.sizes.size(), capture.largest, unit_name(capture.unit),
                     ranges_text(capture.full), ranges_text(capture.piecewise),
                     ranges_text(capture.eager));
}

std::string source_text(const NamedSetting& setting) {
  std::string text(serving::to_string(setting.source));
  if (setting.span.valid()) {
    text = fmt::format("{}:{}", text::to_valid_utf8(setting.span.file->path()),
                       setting.span.file->position(setting.span.begin).line);
  }
  if (!setting.reason.empty()) text += fmt::format(" ({})", text::to_valid_utf8(setting.reason));
  return text;
}

}  // namespace

void add_settings(const ServerConfig& config, ordered_json& launch) {
  launch["engine_version"] = config.version.name();
  ordered_json& settings = launch["settings"];
  for (const NamedSetting& setting : serving::describe(config)) {
    settings[std::string(setting.name)] = setting_json(setting);
  }
  // The most likely one: what is possible besides is said in words.
  launch["capture"] = nullptr;
  if (!config.captures.empty()) launch["capture"] = capture_json(config.captures.front());
  if (!config.capture_reason.empty()) launch["capture_reason"] = config.capture_reason;
}

void write_settings(const ServerConfig& config, std::ostream& out) {
  out << fmt::format("    {} {}\n", to_string(config.engine), config.version.name());
  for (const NamedSetting& setting : serving::describe(config)) {
    const std::string value = setting.value                               ? text::to_valid_utf8(serving::to_string(*setting.value))
                              : setting.source == serving::Source::kUnknown ? "?"
                                                                            : "-";
    out << fmt::format("      {:<24} {:<24} {}\n", setting.name, value, source_text(setting));
  }
  if (!config.capture_reason.empty()) {
    out << fmt::format("      graphs: {}\n", config.capture_reason);
  }
  for (const Capture& capture : config.captures) write_capture(capture, out);
}

}  // namespace recipelint::app
