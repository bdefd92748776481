// The whole search space of a small repository, in both output forms. The JSON form was compared
// with the generator of InferenceX by tests/tools/compare_cells.py.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "analyzer/space/cells_json.h"
#include "analyzer/space/cells_text.h"
#include "analyzer/space/expand.h"
#include "tests/space/space_files.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace recipelint::space {
namespace {

std::string read_fixture(const std::string& path) {
  std::ifstream file(testing::source_dir() + "/fixtures/repos/search-space/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class SearchSpaceFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    files_.add_runners(read_fixture("configs/runners.yaml"));
    for (const std::string path : {"configs/amd-master.yaml", "configs/nvidia-master.yaml"}) {
      files_.add_master(read_fixture(path), path);
    }
    files_.add_priority(read_fixture("configs/ci-priority.yaml"));
    files_.add_changelog(read_fixture("perf-changelog.yaml"));
    check_together(files_.space, files_.problems);
    matrix_ = expand(files_.space, files_.problems);
  }

  SpaceFiles files_;
  std::vector<MatrixRow> matrix_;
};

TEST_F(SearchSpaceFixture, HasNoProblem) {
  EXPECT_THAT(files_.reports(), ::testing::IsEmpty());
}

TEST_F(SearchSpaceFixture, GivesTheRowsOfTheGenerator) {
  std::ostringstream out;
  write_cells_json(matrix_, out);
  EXPECT_TRUE(testing::matches_golden(out.str(), "search-space/cells.jsonl"));
}

TEST_F(SearchSpaceFixture, GivesTheEvaluationRowsOfTheGenerator) {
  std::ostringstream out;
  write_cells_json(select_eval_rows(matrix_), out);
  EXPECT_TRUE(testing::matches_golden(out.str(), "search-space/evals.jsonl"));
}

TEST_F(SearchSpaceFixture, GivesATableForPeople) {
  std::ostringstream out;
  write_cells_text(matrix_, out);
  EXPECT_TRUE(testing::matches_golden(out.str(), "search-space/cells.txt"));
}

TEST(CellsJson, LeavesValuesAsTheyAreWritten) {
  SpaceFiles files;
  files.add_master(single_node("      - { tp: '8', ep: 4.0, dp-attn: 'yes', conc-list: [8.0] }\n"));
  std::ostringstream out;
  write_cells_json(expand(files.space, files.problems), out);
  EXPECT_THAT(out.str(), ::testing::HasSubstr("\"tp\":\"8\""));
  EXPECT_THAT(out.str(), ::testing::HasSubstr("\"ep\":4.0,\"dp-attn\":\"yes\""));
  EXPECT_THAT(out.str(), ::testing::HasSubstr("\"conc\":8.0"));
}

TEST(CellsJson, LeavesOutWhatIsMissingAndEscapesTheRest) {
  SpaceFiles files;
  std::string text = single_node("      - { tp: 8, conc-list: [8] }\n");
  text.replace(text.find("  image: i\n"), 11, "");
  text.replace(text.find("model: m"), 8, "model: \"\u00E9\\n\"");
  files.add_master(text);
  std::ostringstream out;
  write_cells_json(expand(files.space, files.problems), out);
  EXPECT_THAT(out.str(),
              ::testing::StartsWith("{\"model\":\"\\u00e9\\n\",\"model-prefix\":\"p\","));
  EXPECT_THAT(
      out.str(),
      ::testing::EndsWith("\"key\":\"key\",\"file\":\"configs/lab-master.yaml\",\"line\":13}\n"));
}

TEST(CellsText, WrapsLongListsAndKeepsControlCharactersOut) {
  std::string list;
  for (int i = 1; i <= 40; ++i) list += std::to_string(i * 100) + ",";
  SpaceFiles files;
  std::string text = single_node("      - { tp: 8, conc-list: [" + list + "] }\n");
  text.replace(text.find("image: i"), 8, "image: \"i\\e[31m\"");
  files.add_master(text);
  std::ostringstream out;
  write_cells_text(expand(files.space, files.problems), out);
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace recipelint::space
