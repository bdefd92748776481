#include "analyzer/launch/launch.h"

#include "analyzer/text/source_file.h"

namespace recipelint::launch {
namespace {

/// Whether a word is written as such at a place, with or without quotes: on a command, or as an
/// element of an array that a command is made from.
bool is_word_of_its_own(const text::Span& written, const shell::Value& word) {
  if (!written.valid() || word.pieces().empty() || !word.pieces().front().known) return false;
  std::string_view bytes = written.bytes();
  const bool quoted = bytes.size() >= 2 && (bytes.front() == '"' || bytes.front() == '\'') &&
                      bytes.back() == bytes.front();
  if (quoted) bytes = bytes.substr(1, bytes.size() - 2);
  return bytes == word.pieces().front().text;
}

}  // namespace

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "vllm";
    case Engine::kSglang:
      return "sglang";
    case Engine::kTensorRtLlm:
      return "trtllm";
    case Engine::kAtom:
      return "atom";
    case Engine::kOther:
      break;
  }
  return "other";
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kAggregate:
      return "aggregate";
    case Role::kPrefill:
      return "prefill";
    case Role::kDecode:
      return "decode";
    case Role::kRouter:
      return "router";
    case Role::kClient:
      return "client";
    case Role::kCompanion:
      break;
  }
  return "companion";
}

text::Span Launch::place_of(std::size_t index) const {
  if (index >= argv.size()) return {};
  const text::Span written = argv[index].origin().span();
  const bool has_place = index < argument_spans.size() && argument_spans[index].valid();
  if (!has_place || is_word_of_its_own(written, argv[index])) return written;
  return argument_spans[index];
}

}  // namespace recipelint::launch
