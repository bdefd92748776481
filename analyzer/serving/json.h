#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/serving/words.h"

namespace recipelint::serving {

/// A value of a JSON argument, with the place of everything in it.
class Json {
 public:
  enum class Kind : std::uint8_t {
    kNull,
    kBool,
    kInteger,
    kFloat,
    kString,
    kArray,
    kObject,
    kUnknown
  };
  struct Member;

  Kind kind = Kind::kNull;
  bool boolean = false;         // kBool
  std::int64_t integer = 0;     // kInteger
  double number = 0;            // kInteger, kFloat
  std::string text;             // kString
  std::vector<Json> items;      // kArray
  std::vector<Member> members;  // kObject, as written: of equal keys the last one counts
  /// An array or object with an unknown piece outside of its values: there can be more in it.
  bool open = false;
  Place place;

  bool is(Kind wanted) const { return kind == wanted; }
  bool known() const { return kind != Kind::kUnknown; }
  /// The value of the last member with this key; null if there is none, or this is no object.
  const Json* find(std::string_view key) const;

  static Json unknown(Place place);
  static Json of_text(std::string text, Place place);
};

struct Json::Member {
  std::string key;
  Place key_place;
  Json value;
};

/// Why a text is no JSON, and the offset of the first byte that cannot belong to it.
struct JsonError {
  std::string message;
  std::size_t offset = 0;
};

/// Numbers such as 80m: whether they are read inside JSON.
enum class HumanNumbers : std::uint8_t { kRefused, kRead };

struct JsonResult {
  std::optional<Json> value;
  JsonError error;  // if there is no value
};

/// Reads the text at `place`, in which holes stand for unknown pieces: a hole inside a value makes
/// that value unknown, and any other one leaves its array or object open. NaN and Infinity are
/// numbers, as Python has it. Deeper nesting than 64 is an error.
JsonResult parse_json(const Words& words, Place place, HumanNumbers human_numbers);

/// A whole number as people write it: "25.6k" is 25600, "2K" is 2048, and a plain number is what
/// Python's int() makes of it. Nullopt for anything else, and for numbers beyond 64 bits.
std::optional<std::int64_t> parse_human_int(std::string_view text);
/// What Python's int() makes of a text; nullopt if it refuses it, or beyond 64 bits.
std::optional<std::int64_t> parse_python_int(std::string_view text);
/// What Python's float() makes of a text; nullopt if it refuses it.
std::optional<double> parse_python_float(std::string_view text);

}  // namespace recipelint::serving
