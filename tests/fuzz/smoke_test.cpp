// Runs the fuzz targets over their seeds, and over slightly damaged ones, without libFuzzer: what
// once went wrong, and what goes wrong at once, shows in every run of the tests. How to search
// longer: ./dev fuzz.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tests/support/paths.h"

namespace recipelint::fuzz {
namespace {

namespace fs = std::filesystem;

/// A line of targets.txt.
struct Described {
  std::size_t longest = 0;
  std::string fixtures;
};

fs::path folder() {
  return fs::path(testing::source_dir()) / "tests" / "fuzz";
}

std::map<std::string, Described> described_targets() {
  std::map<std::string, Described> targets;
  std::ifstream file(folder() / "targets.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name;
    Described target;
    words >> name >> target.longest >> target.fixtures;
    targets[name] = target;
  }
  return targets;
}

std::vector<fs::path> files_below(const fs::path& top, std::string_view ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(top)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string content_of(const fs::path& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

/// The seed cut off, with bytes turned over, with a piece of it once more.
std::string damaged(std::string seed, std::mt19937& random) {
  if (seed.empty()) return seed;
  const std::size_t at = random() % seed.size();
  switch (random() % 3) {
    case 0:
      seed.resize(at);
      break;
    case 1:
      seed[at] = static_cast<char>(random() % 256);
      break;
    default:
      seed.insert(random() % seed.size(), seed.substr(at, random() % 64));
  }
  return seed;
}

void run_with_seeds(const Target& target, const Described& described) {
  constexpr int kDamagedSeeds = 20;
  constexpr int kDamagedFixtures = 1;
  std::mt19937 random(1);
  const auto run = [&](const fs::path& path, int times) {
    const std::string seed = content_of(path, described.longest);
    target.run(seed);
    for (int i = 0; i < times; ++i) target.run(damaged(seed, random));
  };
  target.run("");
  for (const auto& path : files_below(folder() / "seeds" / target.name, "")) {
    run(path, kDamagedSeeds);
  }
  if (described.fixtures == "-") return;
  const fs::path fixtures = fs::path(testing::source_dir()) / "fixtures";
  for (const auto& path : files_below(fixtures, described.fixtures)) run(path, kDamagedFixtures);
}

class Fuzz : public ::testing::TestWithParam<Target> {};

TEST_P(Fuzz, TargetsEndOnTheirSeeds) {
  const auto described = described_targets();
  const auto found = described.find(std::string(GetParam().name));
  ASSERT_NE(found, described.end()) << "targets.txt lacks it";
  ASSERT_TRUE(fs::is_directory(folder() / "seeds" / GetParam().name)) << "it has no seeds";
  run_with_seeds(GetParam(), found->second);
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzTargets, AreAllListed) {
  std::vector<std::string> listed;
  for (const Target& target : targets()) listed.emplace_back(target.name);
  std::vector<std::string> written;
  for (const auto& path : files_below(folder(), "_fuzz.cpp")) {
    const std::string stem = path.stem().string();
    written.push_back(stem.substr(0, stem.size() - std::string_view("_fuzz").size()));
  }
  EXPECT_EQ(listed, written);
  EXPECT_EQ(described_targets().size(), written.size());
}

}  // namespace
}  // namespace recipelint::fuzz
