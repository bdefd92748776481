// The configuration file of a repository: a failure names its place.

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/app/configuration.h"
#include "analyzer/text/source_file.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void configuration(std::string_view input) {
  const text::SourceFile file(".recipelint.yaml", std::string(input));
  const auto configuration = app::read_configuration(file);
  if (!configuration) {
    const std::string& message = configuration.error().message;
    demand(message.starts_with(".recipelint.yaml:"), "a failure begins with its place");
    return;
  }
  static_cast<void>(configuration->excludes("benchmarks/single_node/x_fp8_b300_vllm.sh"));
  for (const std::string* path : {&configuration->facts, &configuration->baseline}) {
    demand(!path->starts_with('/') && !path->starts_with("../"), "a path lies below the root");
  }
}

}  // namespace recipelint::fuzz
