#include "analyzer/shell/execution.h"

#include <algorithm>

#include "analyzer/shell/io.h"

namespace recipelint::shell {
const VirtualFile* Execution::find_file(std::string_view path) const {
  if (!files || path.empty()) return nullptr;
  const std::string absolute = path.starts_with('/')
                                   ? clean_path(path)
                                   : clean_path(working_directory + "/" + std::string(path));
  const auto found = files->find(absolute);
  if (found == files->end() || found->second->kind != VirtualFile::Kind::kFile) return nullptr;
  return found->second.get();
}

bool same_execution(const Execution& a, const Execution& b) {
  if (a.span != b.span || a.background != b.background) return false;
  if (!std::equal(a.argv.begin(), a.argv.end(), b.argv.begin(), b.argv.end(), same_text)) {
    return false;
  }
  return std::equal(a.environment.begin(), a.environment.end(), b.environment.begin(),
                    b.environment.end(), [](const auto& x, const auto& y) {
                      return x.first == y.first && same_text(x.second, y.second);
                    });
}

void merge_executions(RecordedExecutions& into, const RecordedExecutions& other) {
  // One to one: a command that is run twice counts twice.
  std::vector<bool> taken(other.size(), false);
  for (RecordedExecution& mine : into) {
    std::size_t twin = 0;
    while (twin < other.size() &&
           (taken[twin] || !(mine.execution.same_object(other[twin].execution) ||
                             same_execution(*mine.execution, *other[twin].execution)))) {
      ++twin;
    }
    const bool found = twin < other.size();
    mine.always = mine.always && found && other[twin].always;
    if (found) taken[twin] = true;
  }
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (!taken[i]) into.push_back({other[i].execution, false});
  }
}

}  // namespace recipelint::shell
