#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace recipelint::shell {

struct Evaluation;

/// What is allowed to become unknown when two worlds are made one. An evaluation starts by joining
/// everything; if a value that was lost in this way reaches a recorded command, it is repeated with
/// that value kept apart. So worlds re-join exactly where nothing that reaches a command differs.
class JoinPolicy {
 public:
  /// `key` names a place: a variable, "file PATH", "output".
  bool keeps_apart(const std::string& key) const { return kept_.contains(key); }
  /// The cause of an unknown value that stands for several.
  std::string joined_cause(const std::string& key, const std::string& cause) {
    std::string text = key + " (" + cause + ")";
    joined_.emplace(text, key);
    return text;
  }
  /// A value with this cause decides what runs.
  void keep_apart(const std::string& cause) { wanted_.insert(cause); }
  /// Looks for joined values in what was recorded; true if the evaluation is worth repeating.
  bool refine(const Evaluation& evaluation);

 private:
  std::unordered_set<std::string> kept_;
  std::unordered_map<std::string, std::string> joined_;
  std::unordered_set<std::string> wanted_;
};

}  // namespace recipelint::shell
