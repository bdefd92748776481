#include "analyzer/findings/fingerprint.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "analyzer/text/source_file.h"
#include "analyzer/text/utf8.h"

namespace recipelint::findings {
namespace {

/// The rolling hash of codeql-action's src/fingerprints.ts: over UTF-16 code units, of the 100 that
/// follow the start of a line.
class LineHasher {
 public:
  void feed(char32_t code_point) {
    if (code_point >= 0x10000) {
      feed_unit(static_cast<std::uint16_t>(0xD7C0u + (code_point >> 10u)));
      feed_unit(static_cast<std::uint16_t>(0xDC00u | (code_point & 0x3FFu)));
    } else {
      feed_unit(static_cast<std::uint16_t>(code_point));
    }
  }

  std::vector<std::string> finish() {
    feed_unit(kEndOfFile);
    for (std::size_t i = 0; i < kWindow; ++i) {
      if (starts_line_[index_]) emit();
      update(0);
    }
    return std::move(hashes_);
  }

 private:
  static constexpr std::size_t kWindow = 100;
  static constexpr std::uint64_t kMultiplier = 37;
  static constexpr std::uint16_t kEndOfFile = 0xFFFF;

  static constexpr std::uint64_t leaving_factor() {
    std::uint64_t factor = 1;
    for (std::size_t i = 0; i < kWindow; ++i) factor *= kMultiplier;
    return factor;
  }

  void feed_unit(std::uint16_t unit) {
    const bool second_of_crlf = after_carriage_return_ && unit == '\n';
    after_carriage_return_ = false;
    if (unit == ' ' || unit == '\t' || second_of_crlf) return;
    if (unit == '\r') {
      unit = '\n';
      after_carriage_return_ = true;
    }
    if (starts_line_[index_]) emit();
    starts_line_[index_] = at_line_start_;
    at_line_start_ = unit == '\n';
    update(unit);
  }

  /// The window is full again at the place where a line began: the hash now covers its first units.
  void emit() {
    const std::uint32_t occurrence = ++occurrences_[hash_];
    hashes_.push_back(fmt::format("{:x}:{}", hash_, occurrence));
    starts_line_[index_] = false;
  }

  void update(std::uint16_t unit) {
    hash_ = kMultiplier * hash_ + unit - leaving_factor() * window_[index_];
    window_[index_] = unit;
    index_ = index_ + 1 == kWindow ? 0 : index_ + 1;
  }

  std::array<std::uint16_t, kWindow> window_{};
  std::array<bool, kWindow> starts_line_{};
  std::uint64_t hash_ = 0;
  std::size_t index_ = 0;
  bool at_line_start_ = true;
  bool after_carriage_return_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> occurrences_;
  std::vector<std::string> hashes_;
};

/// Length of the malformed sequence at the start of `bytes` that a WHATWG decoder, the one
/// codeql-action reads with, replaces by a single U+FFFD: the longest start of a valid sequence.
std::size_t malformed_length(std::string_view bytes) {
  const auto byte = [bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0xC2 || lead > 0xF4) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::size_t length = 1;
  while (length < size && length < bytes.size() && byte(length) >= lowest &&
         byte(length) <= highest) {
    lowest = 0x80;
    highest = 0xBF;
    ++length;
  }
  return length;
}

/// White space becomes one blank, and a trailing continuation goes: an argument keeps its line when
/// another one is added after it.
std::string normalized_line(text::Span primary) {
  if (!primary.valid()) return "";
  const std::uint32_t number = primary.file->position(primary.begin).line;
  std::string_view line = primary.file->line(number).bytes();
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  if (line.ends_with('\\')) line.remove_suffix(1);
  std::string out;
  bool pending = false;
  for (const char c : line) {
    if (is_blank(c)) {
      pending = !out.empty();
      continue;
    }
    if (pending) out.push_back(' ');
    pending = false;
    out.push_back(c);
  }
  return out;
}

}  // namespace

std::vector<std::string> line_hashes(std::string_view bytes) {
  LineHasher hasher;
  while (!bytes.empty()) {
    // Nearly every character is ASCII, which needs no decoding.
    if (const auto byte = static_cast<unsigned char>(bytes.front()); byte < 0x80) {
      hasher.feed(byte);
      bytes.remove_prefix(1);
      continue;
    }
    const text::Utf8Character character = text::decode_utf8(bytes);
    hasher.feed(character.code_point);
    bytes.remove_prefix(character.valid ? character.size : malformed_length(bytes));
  }
  return hasher.finish();
}

const std::string& LineHashCache::at(text::Span span) {
  const auto [found, is_new] = hashes_.try_emplace(span.file);
  if (is_new) found->second = line_hashes(span.file->bytes());
  return found->second[span.file->position(span.begin).line - 1];
}

std::string stable_hash(std::initializer_list<std::string_view> parts) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  const auto feed = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001B3u; };
  for (const std::string_view part : parts) {
    const std::uint64_t size = part.size();
    for (unsigned shift = 0; shift < 64; shift += 8) {
      feed(static_cast<unsigned char>((size >> shift) & 0xFFu));
    }
    for (const char c : part) feed(static_cast<unsigned char>(c));
  }
  return fmt::format("{:016x}", hash);
}

void set_fingerprints(std::span<Finding> findings) {
  std::unordered_map<std::string, std::uint32_t> occurrences;
  for (Finding& finding : findings) {
    const text::Span primary = finding.primary;
    const std::string_view path = primary.valid() ? primary.file->path() : std::string_view();
    const std::string hash =
        stable_hash({finding.rule, path, normalized_line(primary), finding.identity});
    finding.fingerprint = fmt::format("{}:{}", hash, ++occurrences[hash]);
  }
}

}  // namespace recipelint::findings
