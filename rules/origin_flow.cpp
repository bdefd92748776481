#include "rules/origin_flow.h"

#include <algorithm>
#include <string>

namespace recipelint::rules {

std::vector<findings::FlowStep> flow_of(const text::Origin& origin) {
  std::vector<findings::FlowStep> steps;
  for (const text::OriginLink* link = origin.nearest(); link != nullptr; link = link->earlier) {
    if (link->span.valid()) steps.push_back({link->span, std::string(link->note)});
  }
  if (steps.size() < 2) return {};
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace recipelint::rules
