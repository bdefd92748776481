#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/launch_oracle.h"
#include "tests/support/program_generator.h"

namespace recipelint::testing {
namespace {

LaunchProgram program_of(const std::vector<std::string>& blocks) {
  LaunchProgram program;
  for (const std::string& block : blocks) program.script += block + "\n";
  program.environment = {{"E_A", "from outside"}};
  return program;
}

constexpr int kStoppedByTimeout = 124;

bool agree(const LaunchRun& bash, const LaunchRun& evaluator) {
  if (bash.status == kStoppedByTimeout) return true;
  return bash.calls == evaluator.calls && bash.status == evaluator.status &&
         evaluator.doubts.empty();
}

bool agrees(const std::vector<std::string>& blocks) {
  const LaunchProgram program = program_of(blocks);
  return agree(run_with_bash({program}).front(), run_with_evaluator(program));
}

// Leaves out blocks as long as the two still disagree.
std::vector<std::string> shortened(std::vector<std::string> blocks) {
  for (std::size_t i = blocks.size(); i-- > ProgramGenerator::kPreamble;) {
    std::vector<std::string> fewer = blocks;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!agrees(fewer)) blocks = std::move(fewer);
  }
  return blocks;
}

std::uint32_t setting(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

// RECIPELINT_ORACLE_SEED and RECIPELINT_ORACLE_PROGRAMS run other, or more, programs.
TEST(RandomPrograms, LaunchWhatBashLaunches) {
  const std::uint32_t first = setting("RECIPELINT_ORACLE_SEED", 1);
  const std::uint32_t count = setting("RECIPELINT_ORACLE_PROGRAMS", 300);
  std::vector<std::vector<std::string>> all;
  std::vector<LaunchProgram> programs;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.push_back(ProgramGenerator(first + i).blocks());
    programs.push_back(program_of(all.back()));
  }
  const std::vector<LaunchRun> expected = run_with_bash(programs);
  int shown = 0;
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (agree(expected[i], run_with_evaluator(programs[i]))) continue;
    ++wrong;
    if (++shown > 8) continue;
    const LaunchProgram small = program_of(shortened(all[i]));
    ADD_FAILURE() << "seed " << first + i << ":\n"
                  << small.script << "--- bash\n"
                  << describe(run_with_bash({small}).front()) << "--- evaluator\n"
                  << describe(run_with_evaluator(small));
  }
  EXPECT_EQ(wrong, 0u) << "of " << count << " programs";
}

}  // namespace
}  // namespace recipelint::testing
