#include "analyzer/app/given_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace recipelint::app {
namespace {

using layout::GivenRun;
using NameAndValue = std::pair<std::string, std::string>;

constexpr std::array<std::string_view, 10> kNumbers = {
    "conc", "isl", "osl", "tp", "pp", "dcp-size", "pcp-size", "dp", "ep", "workers"};

std::optional<NameAndValue> split(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  return NameAndValue{text.substr(0, equals), text.substr(equals + 1)};
}

bool is_letter(char byte) {
  return std::isalpha(static_cast<unsigned char>(byte)) != 0 || byte == '_';
}

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char byte) { return is_letter(byte) || is_digit(byte); });
}

template <typename List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// What is wrong with the value of a field; nullopt if nothing is.
std::optional<std::string> complaint(const NameAndValue& field) {
  const auto& [name, value] = field;
  if (!contains(layout::kGivenFields, name)) {
    return fmt::format("there is no field '{}'; choose from: {}", name,
                       fmt::join(layout::kGivenFields, ", "));
  }
  constexpr std::size_t kMostDigits = 12;
  const bool is_number = !value.empty() && value.size() <= kMostDigits && value.front() != '0' &&
                         std::all_of(value.begin(), value.end(), is_digit);
  if (contains(kNumbers, name) && !is_number) return "write a number above 0";
  if (name == "dp-attn" && value != "true" && value != "false") return "write true or false";
  if (name == "kv-offloading" && value != "none" && value != "dram") return "write none or dram";
  return std::nullopt;
}

}  // namespace

text::Result<GivenRun> given_run(const SharedOptions& options) {
  GivenRun run;
  for (const std::string& text : options.set) {
    auto variable = split(text);
    if (!variable || !is_variable_name(variable->first)) {
      return text::Error{fmt::format("--set '{}' is no NAME=VALUE", text), {}};
    }
    run.environment.push_back(std::move(*variable));
  }
  const std::array<std::pair<std::string_view, const std::optional<std::string>*>, 3> fields = {
      {{"image", &options.image}, {"gpu", &options.gpu}, {"model", &options.model}}};
  for (const auto& [name, value] : fields) {
    if (!value->has_value()) continue;
    if ((*value)->empty()) return text::Error{fmt::format("--{} is empty", name), {}};
    run.fields.emplace(name, **value);
  }
  return run;
}

text::Result<GivenRun> with_cell_fields(GivenRun run, const SharedOptions& options) {
  for (const std::string& text : options.cell) {
    auto field = split(text);
    if (!field) {
      return text::Error{
          fmt::format("--cell '{}' is no FIELD=VALUE; write for example conc=64,tp=8", text), {}};
    }
    if (const auto wrong = complaint(*field)) {
      return text::Error{fmt::format("--cell '{}' does not describe a run: {}", text, *wrong), {}};
    }
    run.fields[field->first] = std::move(field->second);
  }
  return run;
}

}  // namespace recipelint::app
