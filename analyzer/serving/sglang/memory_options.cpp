#include "analyzer/serving/sglang/memory_options.h"

#include <string>

#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/sglang/arguments.h"

namespace recipelint::serving::sglang {
namespace {

std::optional<double> number(const Setting<double>& setting, double otherwise) {
  if (!setting.known()) return std::nullopt;
  return setting.value_or(otherwise);
}

std::optional<double> bytes_of(const Setting<std::string>& type) {
  if (!type.known()) return std::nullopt;
  if (!type.value) return 0;
  if (*type.value == "float32") return 4;
  if (*type.value == "bfloat16" || *type.value == "float16") return 2;
  return std::nullopt;
}

}  // namespace

MemoryOptions memory_options(const launch::Launch& launch, const ServerConfig& config,
                             const facts::Catalog& catalog) {
  constexpr double kDefaultShare = 0.9;  // server_args.py, mamba_full_memory_ratio
  const auto arguments = Arguments::parse(launch.argv, first_argument(launch),
                                          frontend_of(launch.program), config.version, catalog);
  MemoryOptions options;
  options.window_ratio = number(arguments.number("--swa-full-tokens-ratio"), 0);
  const auto states = arguments.integer("--max-mamba-cache-size");
  if (!states.known()) options.states.reset();
  if (states.value) options.states = static_cast<double>(*states.value);
  options.state_share = number(arguments.number("--mamba-full-memory-ratio"), kDefaultShare);
  options.state_element = bytes_of(arguments.string("--mamba-ssm-dtype"));
  return options;
}

}  // namespace recipelint::serving::sglang
