#include "analyzer/findings/notification.h"

#include <algorithm>
#include <compare>

namespace recipelint::findings {
namespace {

std::strong_ordering order(const Notification& a, const Notification& b) {
  if (const auto by_path = a.path <=> b.path; by_path != 0) return by_path;
  if (const auto by_place = text::compare(a.where, b.where); by_place != 0) return by_place;
  if (const auto by_kind = a.kind <=> b.kind; by_kind != 0) return by_kind;
  if (const auto by_level = b.level <=> a.level; by_level != 0) return by_level;
  return a.message <=> b.message;
}

}  // namespace

std::string_view to_string(NotificationKind kind) {
  switch (kind) {
    case NotificationKind::kUnreadable:
      return "unreadable-input";
    case NotificationKind::kNotAnalysed:
      return "not-analysed";
    case NotificationKind::kLimit:
      return "analysis-limit";
  }
  return "";
}

void normalize(std::vector<Notification>& notifications) {
  std::ranges::sort(notifications, [](const auto& a, const auto& b) { return order(a, b) < 0; });
  const auto repeated = std::unique(notifications.begin(), notifications.end(),
                                    [](const auto& a, const auto& b) { return order(a, b) == 0; });
  notifications.erase(repeated, notifications.end());
}

}  // namespace recipelint::findings
