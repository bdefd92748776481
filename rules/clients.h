#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/layout/cell_results.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// A process that sends a benchmark's requests, as far as its command line says what it sends.
class Client {
 public:
  /// `launch` must outlive it.
  explicit Client(const launch::Launch& launch) : launch_(launch) {}

  const launch::Launch& launch() const { return launch_; }
  /// Whether no word that could be an option is unknown. The value of an option may be.
  bool options_are_known() const;
  bool has(std::string_view flag) const;

  struct Option {
    std::string value;
    std::size_t word = 0;  // index in argv of the word with the value
  };
  /// The value of "--name VALUE" or "--name=VALUE", the last one if there are several; nullopt if
  /// it is not there or not known.
  std::optional<Option> option(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;

  /// Whether its prompts are random tokens, as the command line says.
  bool sends_random_tokens() const;

 private:
  const launch::Launch& launch_;
};

/// Calls for each client that a fixed-length throughput cell starts and whose options are those of
/// benchmark_serving.py or of the benchmark commands that come from it.
void for_each_client(
    const RuleContext& context,
    const std::function<void(const layout::EvaluatedCell&, const Client&)>& visit);

/// Whether the same command of the cell also starts a client for which this holds: which of them,
/// the host decides.
bool can_start_instead(const layout::EvaluatedCell& cell, const launch::Launch& launch,
                       const std::function<bool(const Client&)>& holds);

/// Where the script of the cell asks for the client: the call that leads to it, if functions of a
/// library start it, else its command.
text::Span place_of_call(const layout::EvaluatedCell& cell, const launch::Launch& launch);

/// The first word of the command at a place: "run_benchmark_serving".
std::string command_at(const text::Span& place);

}  // namespace recipelint::rules
