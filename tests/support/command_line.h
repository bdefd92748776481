#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/value.h"
#include "analyzer/text/origin.h"
#include "analyzer/text/source_file.h"

namespace recipelint::testing {

/// A command line as the shell evaluator would give it, with the origin of every piece: words
/// between spaces, 'quoted' pieces, and $NAME for a piece that is not known.
class CommandLine {
 public:
  explicit CommandLine(std::string text);

  const std::vector<shell::Value>& argv() const { return argv_; }
  const text::SourceFile& file() const { return file_; }

 private:
  void add_piece(shell::Value& word, std::size_t begin, std::size_t end);
  std::size_t read_quoted(shell::Value& word, std::size_t at);
  std::size_t read_unknown(shell::Value& word, std::size_t at);

  text::SourceFile file_;
  text::OriginPool origins_;
  std::vector<shell::Value> argv_;
};

}  // namespace recipelint::testing
