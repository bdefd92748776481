#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <memory>
#include <span>

#include "analyzer/shell/token.h"

namespace recipelint::shell {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using TreePointer = std::unique_ptr<TSTree, TreeDeleter>;

/// The tree that tree-sitter-bash makes of the symbols of `tokens` alone. It gets them as a script
/// in which every simple command is one word and every symbol takes kSymbolWidth bytes: this way
/// none of the grammar's misreadings of words, redirections and here-documents can occur, and a
/// position in the tree is the index of a token. Null if the tree costs more than the script's size
/// warrants.
TreePointer parse_skeleton(std::span<const Token> tokens);

inline constexpr std::uint32_t kSymbolWidth = 10;

}  // namespace recipelint::shell
