#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <string>

#include "analyzer/app/facts_topics.h"

namespace recipelint::app {
namespace {

using facts::Flag;
using facts::Lifetime;
using facts::Vocabulary;

/// "since 0.13.0, deprecated in 0.25.0, removed in 0.27.0; instead: --x".
std::string to_text(const Lifetime& lifetime) {
  std::string text = lifetime.since ? "since " + to_string(*lifetime.since) : "in all releases";
  if (lifetime.deprecated) text += ", deprecated in " + to_string(*lifetime.deprecated);
  if (lifetime.removed) text += ", removed in " + to_string(*lifetime.removed);
  if (!lifetime.instead.empty()) text += fmt::format("; instead: {}", lifetime.instead);
  return text;
}

void print_evidence(const facts::Evidence* evidence, std::ostream& out) {
  out << fmt::format("    source: {}\n", to_string(*evidence));
}

void print_flag(const Vocabulary& words, const Flag& flag, std::ostream& out) {
  out << fmt::format("{} {}\n", words.engine(), flag.name);
  if (!flag.aliases.empty()) out << fmt::format("    also: {}\n", fmt::join(flag.aliases, ", "));
  out << fmt::format("    takes: {}", to_string(flag.kind));
  if (!flag.values.empty()) out << fmt::format(" of {}", fmt::join(flag.values, ", "));
  const std::string range = to_string(flag.range);
  if (!range.empty()) out << fmt::format(", {}", range);
  out << '\n';
  if (!flag.default_text.empty()) out << fmt::format("    default: {}\n", flag.default_text);
  out << fmt::format("    {}\n", to_text(flag.lifetime));
  print_evidence(flag.evidence, out);
  for (const facts::ConfigKey& key : words.keys_of(flag.json_class)) {
    out << fmt::format("    key {:<40} {:<16} {}\n", key.key, key.type, to_text(key.lifetime));
  }
}

bool print_named(const Vocabulary& words, const std::string& name, std::ostream& out) {
  // Dashes in front would be read as our own options.
  const Flag* flag = words.find_flag(name);
  if (flag == nullptr) flag = words.find_flag("--" + name);
  if (flag == nullptr) flag = words.find_flag("-" + name);
  if (flag != nullptr) print_flag(words, *flag, out);
  const auto* variable = words.find_variable(name);
  if (variable == nullptr) return flag != nullptr;
  out << fmt::format("{} {} (variable)\n    takes: {}\n", words.engine(), variable->name,
                     variable->type);
  if (!variable->default_text.empty()) {
    out << fmt::format("    default: {}\n", variable->default_text);
  }
  out << fmt::format("    {}\n", to_text(variable->lifetime));
  print_evidence(variable->evidence, out);
  return true;
}

void print_all(const Vocabulary& words, std::ostream& out) {
  out << fmt::format("{}: {} options, {} keys of objects, {} variables\n", words.engine(),
                     words.flags().size(), words.keys().size(), words.environment().size());
  for (const Flag& flag : words.flags()) {
    out << fmt::format("  {:<48} {:<18} {}\n", flag.name, to_string(flag.kind),
                       to_text(flag.lifetime));
  }
  for (const facts::EnvironmentVariable& variable : words.environment()) {
    out << fmt::format("  {:<48} {:<18} {}\n", variable.name, variable.type,
                       to_text(variable.lifetime));
  }
}

}  // namespace

bool print_flag_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out) {
  bool found = name.empty();
  for (const std::string_view engine : fact_engines()) {
    const Vocabulary* words = facts.vocabulary(engine);
    if (words == nullptr) continue;
    if (name.empty() || name == engine) {
      print_all(*words, out);
      found = true;
    } else {
      found = print_named(*words, name, out) || found;
    }
  }
  return found;
}

}  // namespace recipelint::app
