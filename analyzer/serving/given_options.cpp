#include "analyzer/serving/given_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace recipelint::serving {

using facts::FlagKind;

const Argument* GivenOptions::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      arguments_, [&](const Argument& argument) { return argument.flag->name == name; });
  return found == arguments_.end() ? nullptr : &*found;
}

std::string GivenOptions::refused() const {
  return fmt::format("{} refuses the value", title_);
}

template <typename T>
Setting<T> GivenOptions::setting_of(const Argument* argument) const {
  if (argument == nullptr) return open_.empty() ? Setting<T>::none() : Setting<T>::unknown(open_);
  Setting<T> setting;
  setting.source = Source::kExplicit;
  setting.word = words_.argument(argument->name);
  setting.span = words_.span(argument->name);
  const Place at = argument->values.empty() ? argument->name : argument->values.back().place;
  setting.origin = words_.origin(at);
  return setting;
}

template <typename T, typename Convert>
Setting<T> GivenOptions::convert(std::string_view name, Convert convert_text) const {
  const Argument* argument = find(name);
  Setting<T> setting = setting_of<T>(argument);
  if (argument == nullptr) return setting;
  if (!argument->values.empty()) {
    const Token& value = argument->values.back();
    if (!has_hole(value.text)) setting.value = convert_text(value.text);
    if (!setting.value) setting.reason = words_.cause(value.place);
  }
  if (!setting.value) {
    setting.source = Source::kUnknown;
    if (setting.reason.empty()) setting.reason = refused();
  }
  return setting;
}

Setting<std::int64_t> GivenOptions::integer(std::string_view name) const {
  const Argument* argument = find(name);
  const auto kind = argument == nullptr ? FlagKind::kInt : argument->flag->kind;
  return convert<std::int64_t>(name, [&](std::string_view text) -> std::optional<std::int64_t> {
    const bool automatic = text.size() == 4 && (text[0] == 'a' || text[0] == 'A');
    if (kind == FlagKind::kHumanIntOrAuto && automatic) return -1;
    return kind == FlagKind::kInt ? parse_python_int(text) : parse_human_int(text);
  });
}

Setting<double> GivenOptions::number(std::string_view name) const {
  return convert<double>(name, parse_python_float);
}

Setting<std::string> GivenOptions::string(std::string_view name) const {
  return convert<std::string>(
      name, [](std::string_view text) { return std::optional(std::string(text)); });
}

Setting<bool> GivenOptions::boolean(std::string_view name) const {
  const Argument* argument = find(name);
  Setting<bool> setting = setting_of<bool>(argument);
  if (argument != nullptr) setting.value = !argument->negated;
  return setting;
}

Setting<std::vector<std::int64_t>> GivenOptions::integers(std::string_view name) const {
  const Argument* argument = find(name);
  auto setting = setting_of<std::vector<std::int64_t>>(argument);
  if (argument == nullptr) return setting;
  std::vector<std::int64_t> numbers;
  for (const Token& value : argument->values) {
    const auto number = has_hole(value.text) ? std::nullopt : parse_python_int(value.text);
    if (!number) {
      setting.source = Source::kUnknown;
      setting.reason = words_.cause(value.place);
      return setting;
    }
    numbers.push_back(*number);
  }
  setting.value = std::move(numbers);
  return setting;
}

const Json* GivenOptions::json(std::string_view name,
                               std::initializer_list<std::string_view> keys) const {
  const Argument* argument = find(name);
  if (argument == nullptr || !argument->json) return nullptr;
  const Json* value = &*argument->json;
  for (const auto key : keys) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

template <typename T>
Setting<T> GivenOptions::json_setting(std::string_view name, std::string_view key,
                                      std::optional<T> (*read)(const Json&)) const {
  const Argument* argument = find(name);
  Setting<T> setting = setting_of<T>(argument);
  if (argument == nullptr) return setting;
  const Json* object = json(name);
  if (object == nullptr || !object->known()) {
    return Setting<T>::unknown(fmt::format("the value of {} is unknown", name));
  }
  const Json* value = object->find(key);
  if (value == nullptr || value->is(Json::Kind::kNull)) {
    return object->open ? Setting<T>::unknown(std::string(words_.cause(object->place)))
                        : Setting<T>::none();
  }
  setting.word = words_.argument(value->place);
  setting.span = words_.span(value->place);
  setting.origin = words_.origin(value->place);
  setting.value = read(*value);
  if (setting.value) return setting;
  setting.source = Source::kUnknown;
  setting.reason = words_.cause(value->place);
  if (setting.reason.empty()) setting.reason = refused();
  return setting;
}

Setting<std::int64_t> GivenOptions::json_integer(std::string_view name,
                                                 std::string_view key) const {
  return json_setting<std::int64_t>(
      name, key, [](const Json& value) -> std::optional<std::int64_t> {
        if (value.is(Json::Kind::kString)) return parse_python_int(value.text);
        return value.is(Json::Kind::kInteger) ? std::optional(value.integer) : std::nullopt;
      });
}

Setting<double> GivenOptions::json_number(std::string_view name, std::string_view key) const {
  return json_setting<double>(name, key, [](const Json& value) -> std::optional<double> {
    if (value.is(Json::Kind::kString)) return parse_python_float(value.text);
    const bool number = value.is(Json::Kind::kInteger) || value.is(Json::Kind::kFloat);
    return number ? std::optional(value.number) : std::nullopt;
  });
}

Setting<std::string> GivenOptions::json_string(std::string_view name, std::string_view key) const {
  return json_setting<std::string>(name, key, [](const Json& value) -> std::optional<std::string> {
    return value.is(Json::Kind::kString) ? std::optional(value.text) : std::nullopt;
  });
}

}  // namespace recipelint::serving
