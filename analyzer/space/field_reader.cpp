#include "analyzer/space/field_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/space/coerce.h"
#include "analyzer/space/nearest_name.h"

namespace recipelint::space {
namespace {

bool equal_but_for_underscores(std::string_view written, std::string_view name) {
  return std::equal(written.begin(), written.end(), name.begin(), name.end(),
                    [](char a, char b) { return a == b || (a == '_' && b == '-'); });
}

/// A value of the right meaning that is not written as an integer.
bool is_plain_integer(const yaml::Scalar& scalar) {
  return std::holds_alternative<std::int64_t>(scalar);
}

std::string list_of(std::span<const std::string_view> choices) {
  std::string text = "one of ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", choices[i]);
  }
  return text;
}

}  // namespace

Problem& Reporter::report(text::Span span, std::string message, std::string_view identity) {
  ++count_;
  if (count_ > kMostProblems + 1) {
    overflow_ = {};
    return overflow_;
  }
  Problem& problem = problems_.emplace_back();
  problem.rule = rule_;
  problem.span = span;
  if (count_ > kMostProblems) {
    problem.message = fmt::format("The file has more than {} problems; the others are not listed.",
                                  kMostProblems);
    problem.identity = "overflow";
    return overflow_ = problem;
  }
  problem.message = std::move(message);
  if (!entry_.empty()) problem.entries.emplace_back(entry_);
  problem.identity = fmt::format("{}/{}", entry_, identity);
  return problem;
}

void Reporter::report_limit(text::Span span, std::string message) {
  Problem& problem = report(span, std::move(message), "limit");
  problem.rule = kAnalysisLimitRule;
  problem.severity = Severity::kNote;
}

FieldReader::FieldReader(Reporter& reporter, yaml::Node mapping, std::string subject,
                         text::Span where)
    : reporter_(reporter),
      entries_(mapping.entries()),
      subject_(std::move(subject)),
      where_(where),
      known_(entries_.size()) {
  names_.reserve(kMostNames);
}

FieldReader::Found FieldReader::find(std::string_view name) {
  names_.push_back(name);
  std::size_t misspelled = entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const yaml::Node key = entries_[i].key;
    if (known_[i] || key.text().size() != name.size() || !key.is_scalar()) continue;
    if (key.text() == name) {
      known_[i] = true;
      return {&entries_[i], false};
    }
    if (equal_but_for_underscores(key.text(), name)) misspelled = i;
  }
  if (misspelled == entries_.size()) return {};
  known_[misspelled] = true;
  report_underscores(name, entries_[misspelled].key);
  return {&entries_[misspelled], true};
}

FieldReader::Found FieldReader::require(std::string_view name, Need need) {
  const Found found = find(name);
  if (found.entry == nullptr && need == Need::kRequired) {
    reporter_.report(where_, fmt::format("'{}' is required in {}.", name, subject_),
                     fmt::format("{}/missing", name));
  }
  return found;
}

void FieldReader::report_underscores(std::string_view name, yaml::Node key) {
  auto& problem = reporter_.report(
      key.span(),
      fmt::format("'{}' must be spelled '{}' in {}. The validator accepts both, but the generator "
                  "reads only '{}' and ignores this value.",
                  key.text(), name, subject_, name),
      fmt::format("{}/underscore", name));
  problem.remedies.emplace_back(name);
}

yaml::Node FieldReader::any(std::string_view name, Need need) {
  const Found found = require(name, need);
  return found.entry != nullptr && !found.misspelled ? found.entry->value : yaml::Node{};
}

yaml::Node FieldReader::key_of(std::string_view name) const {
  for (const auto& entry : entries_) {
    if (entry.key.is_scalar() && entry.key.text() == name) return entry.key;
  }
  return {};
}

void FieldReader::wrong_type(std::string_view name, yaml::Node node, std::string_view expected) {
  reporter_.report(node.span(),
                   fmt::format("'{}' must be {}, not {}.", name, expected, describe(node)),
                   fmt::format("{}/type", name));
}

void FieldReader::integer(std::string_view name, Integer& field, Need need, Use use) {
  if (!locate(name, field, need)) return;
  const yaml::Scalar scalar = field.node.scalar();
  field.value = field.node.is_scalar() ? lax_integer(scalar) : std::nullopt;
  if (!field.value) return wrong_type(name, field.node, "an integer of at most 64 bits");
  field.state = FieldState::kValid;
  if (is_plain_integer(scalar)) return;
  const bool fails = use == Use::kComputed && std::holds_alternative<std::string>(scalar);
  auto& problem = reporter_.report(
      field.span(),
      fmt::format(
          "'{}' is {}, not an integer. The validator takes it for {}, but the generator {}.", name,
          space::describe(scalar), *field.value,
          fails ? "calculates with it and fails" : "passes it on as it is written"),
      fmt::format("{}/lax", name));
  if (!fails) problem.severity = Severity::kWarning;
  problem.remedies.push_back(fmt::format("{}", *field.value));
}

void FieldReader::strict_positive(std::string_view name, Integer& field) {
  if (!locate(name, field, Need::kOptional)) return;
  field.value = field.node.is_scalar() ? strict_integer(field.node.scalar()) : std::nullopt;
  if (field.value && *field.value > 0) {
    field.state = FieldState::kValid;
    return;
  }
  field.value.reset();
  wrong_type(name, field.node, "an integer greater than 0 (without quotes)");
}

void FieldReader::boolean(std::string_view name, Boolean& field, Need need) {
  if (!locate(name, field, need)) return;
  const yaml::Scalar scalar = field.node.scalar();
  field.value = field.node.is_scalar() ? lax_boolean(scalar) : std::nullopt;
  if (!field.value) return wrong_type(name, field.node, "true or false");
  field.state = FieldState::kValid;
  if (std::holds_alternative<bool>(scalar)) return;
  auto& problem = reporter_.report(
      field.span(),
      fmt::format("'{}' is {}, not a boolean. The validator takes it for {}, but the generator "
                  "passes it on as it is written.",
                  name, space::describe(scalar), *field.value),
      fmt::format("{}/lax", name));
  problem.severity = Severity::kWarning;
  problem.remedies.emplace_back(*field.value ? "true" : "false");
}

void FieldReader::literal(std::string_view name, Boolean& field, Need need, bool expected) {
  if (!locate(name, field, need)) return;
  field.value = field.node.is_scalar() ? literal_boolean(field.node.scalar()) : std::nullopt;
  if (field.value == expected) {
    field.state = FieldState::kValid;
    return;
  }
  field.value.reset();
  wrong_type(name, field.node, expected ? "true" : "false");
}

void FieldReader::string(std::string_view name, String& field, Need need) {
  if (!locate(name, field, need)) return;
  field.value = field.node.as_string();
  if (!field.value) return wrong_type(name, field.node, "a string");
  field.state = FieldState::kValid;
}

void FieldReader::nonempty_string(std::string_view name, String& field, Need need) {
  string(name, field, need);
  if (!field.value || !field.value->empty()) return;
  field.value.reset();
  field.state = FieldState::kInvalid;
  reporter_.report(field.span(), fmt::format("'{}' must not be empty.", name),
                   fmt::format("{}/empty", name));
}

void FieldReader::choice(std::string_view name, String& field, Need need,
                         std::span<const std::string_view> choices) {
  if (!locate(name, field, need)) return;
  field.value = field.node.as_string();
  if (field.value && std::ranges::find(choices, *field.value) != choices.end()) {
    field.state = FieldState::kValid;
    return;
  }
  const std::string_view nearest =
      field.value ? nearest_name(*field.value, choices) : std::string_view{};
  field.value.reset();
  auto& problem = reporter_.report(
      field.span(),
      fmt::format("'{}' must be {}, not {}.", name, list_of(choices), describe(field.node)),
      fmt::format("{}/choice", name));
  if (!nearest.empty()) problem.remedies.emplace_back(nearest);
}

void FieldReader::decimal(std::string_view name, Field<Decimal>& field, Need need) {
  if (!locate(name, field, need)) return;
  field.value = field.node.is_scalar() ? lax_decimal(field.node.scalar()) : std::nullopt;
  if (!field.value) return wrong_type(name, field.node, "a number");
  field.state = FieldState::kValid;
}

void FieldReader::integers(std::string_view name, Field<std::vector<Integer>>& field, Use use) {
  if (!locate(name, field, Need::kNullable)) return;
  if (!field.node.is_sequence()) return wrong_type(name, field.node, "a list of integers");
  field.state = FieldState::kValid;
  field.value.emplace(field.node.size());
  for (std::size_t i = 0; i < field.node.size(); ++i) {
    Integer& item = (*field.value)[i];
    item.node = field.node.item(i);
    item.key_node = field.key_node;
    const yaml::Scalar scalar = item.node.scalar();
    item.value = item.node.is_scalar() ? lax_integer(scalar) : std::nullopt;
    item.state = item.value ? FieldState::kValid : FieldState::kInvalid;
    if (item.value && is_plain_integer(scalar)) continue;
    auto& problem =
        reporter_.report(item.span(),
                         fmt::format("'{}' must hold integers of at most 64 bits, not {}.", name,
                                     describe(item.node)),
                         fmt::format("{}/item", name));
    const bool passes = item.value && !std::holds_alternative<std::string>(scalar);
    if (passes || (item.value && use == Use::kCopied)) problem.severity = Severity::kWarning;
    if (item.value) problem.remedies.push_back(fmt::format("{}", *item.value));
  }
}

yaml::Node FieldReader::mapping(std::string_view name, Need need) {
  const yaml::Node node = any(name, need);
  if (!node || node.is_mapping() || (need == Need::kNullable && node.is_null())) return node;
  wrong_type(name, node, "a mapping");
  return {};
}

yaml::Node FieldReader::list(std::string_view name, Need need) {
  const yaml::Node node = any(name, need);
  if (!node || node.is_sequence() || (need == Need::kNullable && node.is_null())) return node;
  wrong_type(name, node, "a list");
  return {};
}

void FieldReader::finish() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!known_[i]) report_unknown(entries_[i].key);
  }
}

void FieldReader::report_unknown(yaml::Node key) {
  if (!key.as_string()) {
    reporter_.report(key.span(),
                     fmt::format("A key of {} must be a string, not {}.", subject_, describe(key)),
                     "key/type");
    return;
  }
  const std::string_view nearest = nearest_name(key.text(), names_);
  std::string message = fmt::format("'{}' is not a field of {}.", key.text(), subject_);
  if (!nearest.empty()) message += fmt::format(" Did you mean '{}'?", nearest);
  auto& problem =
      reporter_.report(key.span(), std::move(message), fmt::format("{}/unknown", key.text()));
  if (!nearest.empty()) problem.remedies.emplace_back(nearest);
}

std::string describe(yaml::Node node) {
  if (node.is_sequence()) return "a list";
  if (node.is_mapping()) return "a mapping";
  return describe(node.scalar());
}

text::Span head_of(yaml::Node node) {
  if (!node.is_mapping() || node.written_entries().empty()) return node.span();
  return node.written_entries().front().key.span();
}

}  // namespace recipelint::space
