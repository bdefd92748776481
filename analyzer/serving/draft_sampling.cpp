#include "analyzer/serving/draft_sampling.h"

#include <string_view>

#include "analyzer/serving/json.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving {
namespace {

constexpr std::string_view kOption = "--speculative-config";
constexpr std::string_view kKey = "draft_sample_method";

std::optional<std::string> sampling_in(const Words& words, Place place) {
  const JsonResult parsed = parse_json(words, place, HumanNumbers::kRefused);
  if (!parsed.value || !parsed.value->is(Json::Kind::kObject)) return std::nullopt;
  const Json* method = parsed.value->find(kKey);
  if (method == nullptr) {
    return parsed.value->open ? std::nullopt : std::optional<std::string>(std::string());
  }
  if (!method->is(Json::Kind::kString)) return std::nullopt;
  return method->text;
}

}  // namespace

std::optional<std::string> draft_sampling(const launch::Launch& launch) {
  if (launch.engine != launch::Engine::kVllm) return std::nullopt;
  Words words;
  std::optional<std::string> result;
  for (std::size_t i = 0; i < launch.argv.size(); ++i) {
    const std::size_t word = words.add(launch.argv[i], i);
    const std::string_view text = words.text(word);
    if (text.starts_with(kOption) && text.size() > kOption.size()) {
      // "--speculative-config.draft_sample_method value", or the whole object behind '='.
      const std::string_view rest = text.substr(kOption.size());
      if (rest[0] == '=') result = sampling_in(words, {word, kOption.size() + 1, text.size()});
      if (rest == ".draft_sample_method" && i + 1 < launch.argv.size()) {
        if (!launch.argv[i + 1].is_known()) return std::nullopt;
        return launch.argv[i + 1].text();
      }
    }
    if (text == kOption && i + 1 < launch.argv.size()) {
      const std::size_t value = words.add(launch.argv[i + 1], i + 1);
      result = sampling_in(words, words.whole(value));
    }
  }
  return result;
}

}  // namespace recipelint::serving
