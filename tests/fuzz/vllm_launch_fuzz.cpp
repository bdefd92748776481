// Command lines of vLLM: words between line feeds, unknown pieces as '\x01', and the first word of
// each input chooses the version. Decoding must end, and every problem must have a message.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/facts/split.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/vllm/config.h"

namespace {

using recipelint::facts::Catalog;
using recipelint::facts::split;
using recipelint::shell::Value;

constexpr std::array<std::string_view, 6> kTags = {"v0.10.0", "v0.11.0", "v0.20.0",
                                                   "v0.27.1", "v0.31.0", "latest"};

Value word_of(std::string_view text) {
  constexpr char kUnknown = '\x01';
  Value word;
  while (!text.empty()) {
    const auto end = std::min(text.find(kUnknown), text.size());
    word.append(Value::of(std::string(text.substr(0, end))));
    if (end < text.size()) word.append(Value::unknown("input"));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return word;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog catalog;
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  recipelint::launch::Launch launch;
  launch.argv = {Value::of("vllm"), Value::of("serve")};
  launch.program = "vllm serve";
  for (const auto word : split(text, '\n')) launch.argv.push_back(word_of(word));
  launch.config_files.push_back({"c.yaml", word_of(text)});
  recipelint::serving::Situation situation;
  situation.version =
      catalog.version_of("vllm/vllm-openai:" + std::string(kTags[data[0] % kTags.size()]), "vllm");
  situation.gpu = catalog.models().find_gpu(data[0] % 2 == 0 ? "b200" : "");
  for (const auto& problem :
       recipelint::serving::vllm::decode(launch, situation, catalog).problems) {
    if (problem.message.empty()) std::abort();
  }
  return 0;
}
