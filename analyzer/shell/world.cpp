#include "analyzer/shell/world.h"

#include <algorithm>
#include <tuple>

namespace recipelint::shell {
namespace {

bool same_values(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_text);
}

template <typename T, typename Same>
bool same_shared(const Shared<T>& a, const Shared<T>& b, const Same& same) {
  if (a.same_object(b)) return true;
  const T none{};
  return same(a ? *a : none, b ? *b : none);
}

template <typename T>
bool equal_shared(const Shared<T>& a, const Shared<T>& b) {
  return same_shared(a, b, [](const T& x, const T& y) { return x == y; });
}

bool same_variable(const Shared<Variable>& a, const Shared<Variable>& b) {
  return a && b && a->same_as(*b);
}

bool same_positional(const Shared<Positional>& a, const Shared<Positional>& b) {
  return same_shared(a, b, [](const Positional& x, const Positional& y) {
    return x.uncertain_count == y.uncertain_count && same_values(x.values, y.values);
  });
}

bool same_scopes(const Shared<std::vector<Scope>>& a, const Shared<std::vector<Scope>>& b) {
  return same_shared(a, b, [](const std::vector<Scope>& x, const std::vector<Scope>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Scope& s, const Scope& t) {
      return s.kind == t.kind && std::equal(s.hidden.begin(), s.hidden.end(), t.hidden.begin(),
                                            t.hidden.end(), [](const auto& h, const auto& k) {
                                              return h.first == k.first &&
                                                     (h.second.same_object(k.second) ||
                                                      same_variable(h.second, k.second));
                                            });
    });
  });
}

bool same_traps(const Shared<std::map<std::string, Value>>& a,
                const Shared<std::map<std::string, Value>>& b) {
  using Traps = std::map<std::string, Value>;
  return same_shared(a, b, [](const Traps& x, const Traps& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& s, const auto& t) {
      return s.first == t.first && same_text(s.second, t.second);
    });
  });
}

// All of the shell but its variables.
bool same_surroundings(const ShellState& a, const ShellState& b) {
  return a.options == b.options && a.subshell_depth == b.subshell_depth &&
         equal_shared(a.directory, b.directory) &&
         equal_shared(a.previous_directory, b.previous_directory) &&
         equal_shared(a.frames, b.frames) && equal_shared(a.descriptors, b.descriptors) &&
         same_positional(a.positional, b.positional) && same_text(a.zeroth, b.zeroth) &&
         same_text(a.last_background, b.last_background) && same_traps(a.traps, b.traps) &&
         same_scopes(a.scopes, b.scopes) &&
         a.functions.for_each_difference(
             b.functions, [](NameId, const auto& x, const auto& y) { return x && y && *x == *y; });
}

bool same_file(const Shared<VirtualFile>& a, const Shared<VirtualFile>& b) {
  return a.same_object(b) || (a->kind == b->kind && same_text(a->content, b->content));
}

bool same_files(const Shared<VirtualFiles>& a, const Shared<VirtualFiles>& b) {
  return same_shared(a, b, [](const VirtualFiles& x, const VirtualFiles& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& s, const auto& t) {
      return s.first == t.first && same_file(s.second, t.second);
    });
  });
}

bool same_captures(const World& a, const World& b) {
  using List = std::vector<Shared<Value>>;
  return same_shared(a.captures, b.captures, [](const List& x, const List& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& s, const auto& t) {
      return s.same_object(t) || same_text(*s, *t);
    });
  });
}

bool same_inputs(const World& a, const World& b) {
  using List = std::vector<InputSource>;
  return same_shared(a.inputs, b.inputs, [](const List& x, const List& y) {
    return std::equal(
        x.begin(), x.end(), y.begin(), y.end(), [](const InputSource& s, const InputSource& t) {
          return s.piece == t.piece && s.offset == t.offset && same_text(s.text, t.text);
        });
  });
}

// Code that only the host knows ran on one of the two ways at least.
void join_unknown_code(ShellState& into, const ShellState& other) {
  if (!other.unknown_code || (into.unknown_code && into.unknown_code->evaluated)) return;
  if (!into.unknown_code || other.unknown_code->evaluated) into.unknown_code = other.unknown_code;
}

bool same_control(const World& a, const World& b) {
  return a.flow == b.flow && a.flow_levels == b.flow_levels && a.exit_reason == b.exit_reason;
}

void widen_variable(World& world, NameId name, const Shared<Variable>& mine,
                    const Shared<Variable>& theirs, const std::string& cause) {
  const Shared<Variable>& model = mine ? mine : theirs;
  Variable merged;
  merged.kind = model->kind;
  merged.exported = model->exported;
  merged.integer = model->integer;
  merged.assignment = model->assignment;
  const Value unknown = Value::unknown(cause, model->scalar.origin());
  switch (merged.kind) {
    case Variable::Kind::kScalar:
      merged.scalar = unknown;
      merged.is_set = true;
      break;
    case Variable::Kind::kIndexed:
      merged.element(0) = unknown;
      merged.uncertain_count = cause;
      break;
    case Variable::Kind::kAssociative:
      merged.entry(std::string_view("?")) = unknown;
      merged.uncertain_count = cause;
      break;
  }
  world.shell.variables.replace(name, Shared<Variable>(std::move(merged)));
}

// Paths of files that differ.
std::vector<std::string> differing_files(const World& a, const World& b) {
  std::vector<std::string> paths;
  if (a.files.same_object(b.files)) return paths;
  const VirtualFiles none;
  const VirtualFiles& mine = a.files ? *a.files : none;
  const VirtualFiles& theirs = b.files ? *b.files : none;
  for (const auto& [path, file] : mine) {
    const auto found = theirs.find(path);
    if (found == theirs.end() || !same_file(file, found->second)) paths.push_back(path);
  }
  for (const auto& [path, file] : theirs) {
    if (!mine.contains(path)) paths.push_back(path);
  }
  return paths;
}

void widen_file(World& into, const World& other, const std::string& path,
                const std::string& cause) {
  VirtualFile file;
  if (into.files && into.files->contains(path)) {
    file = *into.files->find(path)->second;
  } else {
    file = *other.files->find(path)->second;
  }
  file.kind = VirtualFile::Kind::kFile;
  file.content = Value::unknown(cause, file.content.origin());
  into.files.write().insert_or_assign(path, Shared<VirtualFile>(std::move(file)));
}

// The assumptions that both share come first; the rest of `into` tells what separates them.
std::string separating_cause(const World& into, const World& other) {
  const std::vector<Assumption> none;
  const auto& mine = into.assumptions ? *into.assumptions : none;
  const auto& theirs = other.assumptions ? *other.assumptions : none;
  std::size_t common = 0;
  while (common < std::min(mine.size(), theirs.size()) && mine[common] == theirs[common]) ++common;
  if (common < mine.size()) return mine[common].cause;
  if (common < theirs.size()) return theirs[common].cause;
  return "a decision of the host";
}

}  // namespace

bool indistinguishable(const World& a, const World& b) {
  return same_control(a, b) && a.status == b.status &&
         a.shell.variables.for_each_difference(
             b.shell.variables,
             [](NameId, const auto& x, const auto& y) { return same_variable(x, y); }) &&
         equal_shared(a.shell.unknown_code, b.shell.unknown_code) &&
         same_surroundings(a.shell, b.shell) && same_files(a.files, b.files) &&
         same_captures(a, b) && same_inputs(a, b);
}

bool same_executions(const World& a, const World& b) {
  return same_shared(
      a.executions, b.executions, [](const RecordedExecutions& x, const RecordedExecutions& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& s, const auto& t) {
          return s.always == t.always && (s.execution.same_object(t.execution) ||
                                          same_execution(*s.execution, *t.execution));
        });
      });
}

void absorb(World& into, const World& other) {
  const bool said_the_same =
      into.printed.same_object(other.printed) ||
      (into.printed && other.printed && same_text(*into.printed, *other.printed));
  if (!said_the_same) into.printed = {};
  if (!into.executions.same_object(other.executions)) {
    const RecordedExecutions none;
    merge_executions(into.executions.write(), other.executions ? *other.executions : none);
  }
  if (into.assumptions.same_object(other.assumptions) || !into.assumptions) return;
  const std::vector<Assumption> none;
  const std::vector<Assumption>& theirs = other.assumptions ? *other.assumptions : none;
  const std::vector<Assumption>& mine = *into.assumptions;
  std::size_t common = 0;
  while (common < std::min(mine.size(), theirs.size()) && mine[common] == theirs[common]) ++common;
  if (common < mine.size()) into.assumptions.write().resize(common);
}

bool widen(World& into, const World& other, const NameTable& names, JoinPolicy& policy,
           Widening widening) {
  if (!same_control(into, other) || !same_surroundings(into.shell, other.shell) ||
      !same_inputs(into, other) ||
      (into.captures ? into.captures->size() : 0) !=
          (other.captures ? other.captures->size() : 0)) {
    return false;
  }
  std::vector<std::tuple<NameId, Shared<Variable>, Shared<Variable>>> variables;
  into.shell.variables.for_each_difference(other.shell.variables,
                                           [&](NameId name, const auto& x, const auto& y) {
                                             if (!same_variable(x, y))
                                               variables.emplace_back(name, x, y);
                                             return true;
                                           });
  const std::vector<std::string> files = differing_files(into, other);
  const bool output_differs = !same_captures(into, other);
  if (widening == Widening::kAllowed) {
    for (const auto& entry : variables) {
      if (policy.keeps_apart(names.text(std::get<0>(entry)))) return false;
    }
    for (const std::string& path : files) {
      if (policy.keeps_apart("file " + path)) return false;
    }
    if (output_differs && policy.keeps_apart("output")) return false;
  }
  const std::string cause = separating_cause(into, other);
  for (const auto& [name, mine, theirs] : variables) {
    widen_variable(into, name, mine, theirs, policy.joined_cause(names.text(name), cause));
  }
  for (const std::string& path : files) {
    widen_file(into, other, path, policy.joined_cause("file " + path, cause));
  }
  join_unknown_code(into.shell, other.shell);
  if (into.status != other.status) into.status = Status::unknown(cause);
  if (output_differs) {
    for (std::size_t i = 0; i < other.captures->size(); ++i) {
      if (same_text(*(*into.captures)[i], *(*other.captures)[i])) continue;
      into.captures.write()[i].write() = Value::unknown(policy.joined_cause("output", cause));
    }
  }
  absorb(into, other);
  return true;
}

}  // namespace recipelint::shell
