#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/text/origin.h"
#include "analyzer/text/span.h"

namespace recipelint::serving {

/// Where the value of a setting comes from.
enum class Source : std::uint8_t {
  kUnknown,   // it cannot be told
  kDefault,   // nothing was said; the engine decides
  kExplicit,  // the launch says it
};
/// "unknown", "default", "explicit".
std::string_view to_string(Source source);

/// One setting of a server.
template <typename T>
struct Setting {
  /// Missing if it is unknown, and if it has none: a default of "not limited", say.
  std::optional<T> value;
  Source source = Source::kUnknown;
  /// Where the option is written, and how the value came there; unknown for defaults.
  text::Origin origin;
  text::Span span;
  /// The word of the command line with the option.
  std::optional<std::size_t> word;
  /// Why it is unknown, or what decides the default: "the GPU is unknown", "GPUs of 160 GiB and
  /// more".
  std::string reason;

  static Setting by_default(T value, std::string reason = {}) {
    Setting setting;
    setting.value = std::move(value);
    setting.source = Source::kDefault;
    setting.reason = std::move(reason);
    return setting;
  }
  /// The engine has no value: no limit, no such part.
  static Setting none() {
    Setting setting;
    setting.source = Source::kDefault;
    return setting;
  }
  static Setting unknown(std::string reason) {
    Setting setting;
    setting.reason = std::move(reason);
    return setting;
  }

  bool known() const { return source != Source::kUnknown; }
  bool is_explicit() const { return source == Source::kExplicit; }
  /// The value, or `otherwise` if there is none.
  T value_or(T otherwise) const { return value.value_or(std::move(otherwise)); }
};

}  // namespace recipelint::serving
