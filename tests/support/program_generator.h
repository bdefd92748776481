#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace recipelint::testing {

/// Random bash programs over what the evaluator models, made of blocks that stand alone, so that
/// any subset of the blocks is a program too.
class ProgramGenerator {
 public:
  /// Blocks at the start that define what the others use.
  static constexpr std::size_t kPreamble = 4;

  explicit ProgramGenerator(std::uint32_t seed) : random_(seed) {}

  std::vector<std::string> blocks();

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  template <typename... Options>
  std::string pick(const Options&... options) {
    const std::string all[] = {std::string(options)...};
    return all[below(sizeof...(options))];
  }

  std::string scalar_name();
  std::string array_name();
  std::string text();
  std::string pattern();
  std::string arithmetic(int depth);
  std::string parameter(int depth);
  std::string quoted_parameter(int depth);
  std::string word(int depth);
  std::string substitution(int depth);
  std::string condition(int depth);
  std::string assignment();
  std::string statement(int depth);
  std::string compound(int depth);
  std::string body(int depth);
  std::string call();
  std::string function();

  std::mt19937 random_;
  /// Inside of the body of f, which must not call itself.
  bool in_function_ = false;
};

}  // namespace recipelint::testing
