#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <ostream>
#include <string>

#include "analyzer/app/facts_topics.h"

namespace recipelint::app {
namespace {

using facts::TimeRange;

/// The day of a moment in UTC.
std::string day(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

/// "2026-08-03", "2026-08-01 to 2026-08-03", "by 2026-08-03"; empty if nothing is known.
std::string to_text(const TimeRange& range) {
  const bool begins = range.from != TimeRange::kAlways;
  const bool ends = range.to != TimeRange::kNever;
  if (begins && ends) {
    const std::string first = day(range.from);
    const std::string last = day(range.to);
    return first == last ? first : fmt::format("{} to {}", first, last);
  }
  if (begins) return fmt::format("since {}", day(range.from));
  if (ends) return fmt::format("by {}", day(range.to));
  return {};
}

void print_engine(const facts::VersionFacts& versions, std::string_view engine,
                  std::ostream& out) {
  out << fmt::format("{}\n  releases, and when their branches left main\n", engine);
  for (const facts::VersionFacts::KnownRelease& known : versions.releases()) {
    if (known.engine != engine) continue;
    out << fmt::format("    {:<12} {}\n      source: {}\n", to_string(known.release),
                       to_text(known.cut), to_string(*known.evidence));
  }
  out << "  turning points\n";
  for (const facts::Change* change : versions.changes(engine)) {
    out << fmt::format("    {:<32} {}\n      {}", change->id, change->what,
                       change->release ? "first in " + to_string(*change->release) : "");
    const std::string when = to_text(change->when);
    out << fmt::format("{}{}\n      source: {}\n", change->release && !when.empty() ? ", " : "",
                       when.empty() ? "" : "on main " + when, to_string(*change->evidence));
  }
  out << '\n';
}

}  // namespace

bool print_engine_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out) {
  bool found = false;
  for (const std::string_view engine : fact_engines()) {
    if (!name.empty() && name != engine) continue;
    print_engine(facts.versions(), engine, out);
    found = true;
  }
  return found;
}

}  // namespace recipelint::app
