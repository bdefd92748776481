#include "rules/clients.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/text/source_file.h"

namespace recipelint::rules {
namespace {

using launch::Launch;

constexpr std::array<std::string_view, 4> kPrograms = {
    "python3 benchmark_serving.py", "python3 bench_serving.py", "python3 -m sglang.bench_serving",
    "vllm bench"};

/// Options of all of them that take a value.
constexpr std::array<std::string_view, 24> kValueOptions = {
    "--model",           "--backend",           "--base-url",        "--host",
    "--port",            "--endpoint",          "--dataset-name",    "--dataset-path",
    "--random-input",    "--random-output",     "--random-input-len", "--random-output-len",
    "--num-prompts",     "--random-range-ratio", "--max-concurrency", "--request-rate",
    "--result-dir",      "--result-filename",   "--tokenizer",       "--tokenizer-mode",
    "--num-warmups",     "--seed",              "--percentile-metrics", "--served-model-name"};

bool is_serving_client(const Launch& launch) {
  return launch.role == launch::Role::kClient &&
         std::find(kPrograms.begin(), kPrograms.end(), launch.program) != kPrograms.end();
}

/// "vllm bench" measures other things, too.
bool sends_requests(const Launch& launch) {
  if (launch.program != "vllm bench") return true;
  const std::size_t verb = launch.program_index + 2;
  return verb < launch.argv.size() && launch.argv[verb].text() == "serve";
}

bool is_fixed_length(const layout::EvaluatedCell& cell) {
  return cell.row() == nullptr || !cell.row()->agentic();
}

}  // namespace

bool Client::options_are_known() const {
  const auto& argv = launch_.argv;
  for (std::size_t i = launch_.arguments_index; i < argv.size(); ++i) {
    if (argv[i].is_known() || argv[i].pieces().front().known) continue;
    const bool is_value =
        argv[i - 1].is_known() && std::find(kValueOptions.begin(), kValueOptions.end(),
                                            argv[i - 1].text()) != kValueOptions.end();
    if (!is_value) return false;
  }
  return true;
}

bool Client::has(std::string_view flag) const {
  return std::any_of(launch_.argv.begin(), launch_.argv.end(),
                     [&](const auto& word) { return word.is_known() && word.text() == flag; });
}

std::optional<Client::Option> Client::option(std::string_view name) const {
  const auto& argv = launch_.argv;
  for (std::size_t i = argv.size(); i-- > 0;) {
    if (!argv[i].is_known()) continue;
    const std::string text = argv[i].text();
    if (text == name) {
      if (i + 1 >= argv.size() || !argv[i + 1].is_known()) return std::nullopt;
      return Option{argv[i + 1].text(), i + 1};
    }
    if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=') {
      return Option{text.substr(name.size() + 1), i};
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> Client::number(std::string_view name) const {
  const auto found = option(name);
  if (!found) return std::nullopt;
  const char* const end = found->value.data() + found->value.size();
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(found->value.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool Client::sends_random_tokens() const {
  const auto dataset = option("--dataset-name");
  return dataset && dataset->value == "random";
}

void for_each_client(
    const RuleContext& context,
    const std::function<void(const layout::EvaluatedCell&, const Client&)>& visit) {
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    if (cell.cell.mode != layout::Mode::kThroughput || !is_fixed_length(cell)) continue;
    for (const Launch& launch : cell.launches->launches) {
      if (is_serving_client(launch) && sends_requests(launch)) visit(cell, Client(launch));
    }
  }
}

bool can_start_instead(const layout::EvaluatedCell& cell, const Launch& launch,
                       const std::function<bool(const Client&)>& holds) {
  const auto& all = cell.launches->launches;
  return std::any_of(all.begin(), all.end(), [&](const Launch& other) {
    return &other != &launch && other.role == launch::Role::kClient && other.span == launch.span &&
           other.calls == launch.calls && holds(Client(other));
  });
}

text::Span place_of_call(const layout::EvaluatedCell& cell, const Launch& launch) {
  const std::string& script = cell.target().script;
  const auto in_script = [&](const text::Span& span) {
    return span.valid() && span.file->path() == script;
  };
  if (in_script(launch.span)) return launch.span;
  const auto call = std::find_if(launch.calls.rbegin(), launch.calls.rend(), in_script);
  return call == launch.calls.rend() ? launch.span : *call;
}

std::string command_at(const text::Span& place) {
  if (!place.valid()) return {};
  const std::string_view bytes = place.bytes();
  return std::string(bytes.substr(0, bytes.find_first_of(" \t\n\\")));
}

}  // namespace recipelint::rules
