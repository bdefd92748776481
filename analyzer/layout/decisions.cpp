#include "analyzer/layout/decisions.h"

#include <algorithm>
#include <string>
#include <vector>

namespace recipelint::layout {
namespace {

using PartKind = TextTemplate::PartKind;

/// Each round marks what decides for the names known so far, and learns the names that this reads.
class DecisionMarker {
 public:
  explicit DecisionMarker(Profile& profile) : profile_(profile) {}

  void mark() {
    std::size_t known = 0;
    do {
      known = profile_.deciding.size();
      visit(profile_.single_node);
      visit(profile_.multi_node);
      for (Launcher& launcher : profile_.launchers) visit(launcher.steps);
    } while (profile_.deciding.size() > known);
  }

 private:
  void visit(std::vector<Step>& steps) {
    for (Step& step : steps) visit(step);
  }
  bool visit(Step& step);
  bool visit_alternatives(std::vector<Step>& alternatives);
  bool visit(std::vector<Assignment>& assignments);

  void read(const TextTemplate& text_template);
  void read(const Guard& guard);
  void read(const RecipeRule& rule);

  Profile& profile_;
};

bool DecisionMarker::visit(Step& step) {
  const bool sets_environment = visit(step.set);
  const bool sets_locals = visit(step.local);
  const bool has_deciding_alternative = visit_alternatives(step.first);
  step.decides = sets_environment || sets_locals || has_deciding_alternative ||
                 step.importer.has_value() || step.settings || !step.keep.empty() ||
                 step.reject.has_value() || !step.scripts.empty() || step.recipe != nullptr;
  if (!step.decides) return false;
  read(step.guard);
  if (step.reject) read(*step.reject);
  for (const TextTemplate& script : step.scripts) read(script);
  if (step.recipe != nullptr) read(*step.recipe);
  return true;
}

/// An alternative that decides nothing still keeps those behind it from being run.
bool DecisionMarker::visit_alternatives(std::vector<Step>& alternatives) {
  bool decides = false;
  for (Step& alternative : alternatives) decides = visit(alternative) || decides;
  if (!decides) return false;
  for (const Step& alternative : alternatives) read(alternative.guard);
  return true;
}

bool DecisionMarker::visit(std::vector<Assignment>& assignments) {
  bool decides = false;
  for (Assignment& assignment : assignments) {
    assignment.decides = profile_.deciding.contains(assignment.name);
    if (!assignment.decides) continue;
    decides = true;
    read(assignment.value);
  }
  return decides;
}

void DecisionMarker::read(const TextTemplate& text_template) {
  for (const TextTemplate::Part& part : text_template.parts()) {
    switch (part.kind) {
      case PartKind::kDefault:
        read(*part.fallback);
        [[fallthrough]];
      case PartKind::kVariable:
      case PartKind::kBeforeFirst:
      case PartKind::kAfterLast:
      case PartKind::kIndices:
        profile_.deciding.insert(part.text);
        break;
      case PartKind::kProduct:
        profile_.deciding.insert(part.names.begin(), part.names.end());
        break;
      case PartKind::kMode:
        profile_.mode_decides = true;
        break;
      case PartKind::kLiteral:
      case PartKind::kRowField:
      case PartKind::kRowJson:
      case PartKind::kRowWords:
      case PartKind::kRowJoined:
      case PartKind::kHost:
        break;
    }
  }
}

void DecisionMarker::read(const Guard& guard) {
  for (const Condition& condition : guard.when) profile_.deciding.insert(condition.name);
  for (const Condition& condition : guard.unless) profile_.deciding.insert(condition.name);
}

/// What resolve_target() asks the environment for; the edits of a recipe come later.
void DecisionMarker::read(const RecipeRule& rule) {
  profile_.deciding.insert(rule.setting);
  if (!rule.eval_setting.empty()) profile_.deciding.insert(rule.eval_setting);
  for (const TextTemplate& container : rule.containers) read(container);
  for (const Checkout& checkout : rule.checkouts) read(checkout.guard);
}

}  // namespace

void mark_decisions(Profile& profile) {
  DecisionMarker(profile).mark();
}

}  // namespace recipelint::layout
