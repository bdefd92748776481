#include "rules/origin_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/text/source_file.h"

namespace recipelint::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OriginFlow : public ::testing::Test {
 protected:
  std::vector<std::string> notes(const text::Origin& origin, text::Span use) const {
    std::vector<std::string> found;
    for (const findings::FlowStep& step : flow_of(origin, use)) found.push_back(step.text);
    return found;
  }

  const text::SourceFile config_{"c.yaml", "conc-list: [64]\n"};
  const text::SourceFile script_{"s.sh", "SEQS=$CONC\nvllm serve \\\n  --max-num-seqs \"$SEQS\"\n"};
  const text::Span option_ = script_.span(26, 41);
  text::OriginPool pool_;
};

TEST_F(OriginFlow, LeadsFromTheRowOverTheEnvironmentAndAssignmentsToTheOption) {
  const text::Span field = config_.span(12, 14);
  const text::Origin row = pool_.add(field, "conc of this row");
  const text::Origin environment = pool_.add(field, "CONC of its environment", row);
  const text::Origin assigned = pool_.add(script_.span(0, 10), "assigned to SEQS", environment);
  EXPECT_EQ(option_.bytes(), "--max-num-seqs ");
  EXPECT_THAT(notes(assigned, option_),
              ElementsAre("conc of this row", "CONC of its environment", "assigned to SEQS",
                          "launched with '--max-num-seqs'"));
  // A command, and no option.
  EXPECT_EQ(notes(assigned, script_.span(11, 21)).back(), "launched with it");
}

TEST_F(OriginFlow, WhatIsWrittenWithItsOptionHasComeNoWay) {
  EXPECT_THAT(notes(pool_.add(script_.span(41, 48), "written here"), option_), IsEmpty());
  EXPECT_THAT(notes({}, option_), IsEmpty());
  const text::SourceFile recipe("r.yaml", "a: 1\nb:\n  c: 2\n");
  EXPECT_THAT(notes(pool_.add(recipe.span(0, 4), "a"), recipe.span(5, 7)), IsEmpty());
  EXPECT_THAT(notes(pool_.add(script_.span(0, 10), "assigned to SEQS"), {}), IsEmpty());
}

}  // namespace
}  // namespace recipelint::rules
