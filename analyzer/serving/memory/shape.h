#pragma once

#include <cmath>
#include <string_view>

#include "analyzer/facts/models.h"

namespace recipelint::serving::memory {

/// The numbers of a family, for formulas: 0 for one that is not there. Numbers that a formula needs
/// are always there (facts::wrong_shape).
class Shape {
 public:
  explicit Shape(const facts::ModelFamily& family) : family_(family) {}

  double operator[](std::string_view name) const {
    return static_cast<double>(family_.number(name).value_or(0));
  }
  bool has(std::string_view name) const { return family_.number(name).has_value(); }

 private:
  const facts::ModelFamily& family_;
};

/// How many of `part` it takes to hold `whole`. Exact for whole numbers up to 2^53.
inline double ceil_div(double whole, double part) {
  return std::ceil(whole / part);
}

}  // namespace recipelint::serving::memory
