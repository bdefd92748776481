#pragma once

#include "analyzer/serving/setting.h"

namespace recipelint::serving {

/// A setting that is written where another one is, still without a value.
template <typename T, typename Other>
Setting<T> placed_as(const Setting<Other>& other) {
  Setting<T> setting;
  setting.source = other.source;
  setting.origin = other.origin;
  setting.span = other.span;
  setting.word = other.word;
  setting.reason = other.reason;
  return setting;
}

}  // namespace recipelint::serving
