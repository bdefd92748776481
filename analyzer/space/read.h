#pragma once

#include <memory>
#include <vector>

#include "analyzer/space/problem.h"
#include "analyzer/space/search_space.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

/// Each reader takes what it can from its file, and adds a problem for each part that the
/// repository's own validator refuses or misreads. An unknown or wrongly typed part never stops the
/// reading of the rest. Duplicate mapping keys are among the problems.
MasterConfig read_master_config(std::shared_ptr<const yaml::Document> document,
                                std::vector<Problem>& problems);
Runners read_runners(std::shared_ptr<const yaml::Document> document,
                     std::vector<Problem>& problems);
CiPriority read_ci_priority(std::shared_ptr<const yaml::Document> document,
                            std::vector<Problem>& problems);
Changelog read_changelog(std::shared_ptr<const yaml::Document> document,
                         std::vector<Problem>& problems);

/// What only shows when the files are seen together: keys in two files, runner labels that
/// `runners.yaml` lacks, rows that need more GPUs than a node of their runner has, and keys of new
/// changelog entries (the last one, and those whose pr-link is a placeholder) that no file has.
void check_together(const SearchSpace& space, std::vector<Problem>& problems);

/// A problem for each config-keys item of the entry that matches no key. Only for entries that a
/// change adds: older entries may name keys that are gone by now.
void check_changelog_keys(const ChangelogEntry& entry, const SearchSpace& space,
                          std::vector<Problem>& problems);

}  // namespace recipelint::space
