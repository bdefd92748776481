#include "analyzer/report/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace recipelint::report {
namespace {

/// Removes the digits that a text starts with and gives them without leading zeros; "" if there are
/// none.
std::string_view take_number(std::string_view& text) {
  std::string_view digits =
      text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  text.remove_prefix(digits.size());
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool before_by_number(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    const std::string_view number_a = take_number(a);
    const std::string_view number_b = take_number(b);
    if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
    if (number_a != number_b) return number_a < number_b;
    if (a.empty() || b.empty()) break;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  // Equal so far, except perhaps for leading zeros.
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

}  // namespace recipelint::report
