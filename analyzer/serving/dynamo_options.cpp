#include "analyzer/serving/dynamo_options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace recipelint::serving {
namespace {

constexpr std::array<std::string_view, 1> kDynamoOptions = {"--request-plane"};

}  // namespace

std::vector<Token> without_dynamo_options(const std::vector<Token>& tokens) {
  std::vector<Token> rest;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool own = std::ranges::find(kDynamoOptions, tokens[i].text) != kDynamoOptions.end();
    if (own) {
      ++i;
    } else {
      rest.push_back(tokens[i]);
    }
  }
  return rest;
}

}  // namespace recipelint::serving
