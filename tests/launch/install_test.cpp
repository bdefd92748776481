#include "analyzer/launch/install.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace recipelint::launch {
namespace {

using shell::Value;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The words of a command; "?" stands for one that is not known.
std::vector<Value> words(const std::string& command) {
  std::vector<Value> argv;
  std::istringstream in(command);
  for (std::string word; in >> word;) {
    argv.push_back(word == "?" ? Value::unknown("the host") : Value::of(word));
  }
  return argv;
}

Install install_of(const std::string& command) {
  shell::Evaluation evaluation;
  evaluation.noted.push_back({words(command), {}, {}, {}});
  auto installs = installs_of(evaluation);
  return installs.empty() ? Install() : installs.front();
}

std::vector<std::string> found(const std::string& command) {
  std::vector<std::string> result;
  for (const Unpinned& each : unpinned(install_of(command))) {
    result.push_back(each.what + (each.branch.empty() ? "" : " " + each.branch));
  }
  return result;
}

TEST(Install, KnowsWhatInstalls) {
  for (const char* command :
       {"pip install a", "pip3 install a", "pip3.12 --no-input install a", "python3 -m pip install a",
        "/opt/venv/bin/python -m pip install a", "? -m pip install a", "uv pip install a",
        "env A=1 pip install a", "git clone u", "git -C d checkout x", "nohup pip install a"}) {
    EXPECT_TRUE(is_install(words(command))) << command;
  }
  for (const char* command : {"pip list", "pip download a", "python3 -m build", "git status", "echo pip",
                              "python3 pip install", "pipx install a"}) {
    EXPECT_FALSE(is_install(words(command))) << command;
  }
}

TEST(Install, FindsPackagesWithoutAVersion) {
  EXPECT_THAT(found("pip install -q a b[x]>=1 c==2 d===3 e==4.*"), ElementsAre("a", "b[x]>=1", "e==4.*"));
  EXPECT_THAT(found("pip install --index-url https://x/y -r r.txt -t dir a"), ElementsAre("a"));
  EXPECT_THAT(found("pip install . ./p dir/p p-1.0.whl https://x/p-1.0.tar.gz -e ."), IsEmpty());
  EXPECT_THAT(found("pip install -c constraints.txt a"), IsEmpty());
  EXPECT_THAT(found("pip install ? a"), ElementsAre("a"));
  EXPECT_EQ(unpinned(install_of("pip install b[x]>=1")).front().pinned, "b[x]==<version>");
}

TEST(Install, FindsRepositoriesWithoutACommit) {
  EXPECT_THAT(found("pip install git+https://h/o/p.git"), ElementsAre("git+https://h/o/p.git"));
  EXPECT_THAT(found("pip install git+https://user@h/o/p.git@main#egg=p"),
              ElementsAre("git+https://user@h/o/p.git@main main"));
  EXPECT_THAT(found("pip install p@git+https://h/o/p.git@v1.2"), IsEmpty());
  EXPECT_THAT(found("pip install git+https://h/o/p.git@4f2a9c1d"), IsEmpty());
}

TEST(Install, FindsClonesOfBranches) {
  EXPECT_THAT(found("git clone --depth 1 https://h/o/p.git dir"), ElementsAre("https://h/o/p.git"));
  EXPECT_THAT(found("git clone -b main https://h/o/p.git"), ElementsAre("https://h/o/p.git main"));
  EXPECT_THAT(found("git clone --branch=v1.2.3 https://h/o/p.git"), IsEmpty());
  EXPECT_THAT(found("git clone --branch ? https://h/o/p.git"), IsEmpty());
  EXPECT_THAT(found("git clone /srv/mirror/p.git"), IsEmpty());
}

TEST(Install, ACheckoutPinsAClone) {
  EXPECT_TRUE(pins_clone(install_of("git checkout 4f2a9c1d")));
  EXPECT_TRUE(pins_clone(install_of("git -C dir reset --hard v1.2.3")));
  EXPECT_TRUE(pins_clone(install_of("git checkout ?")));
  EXPECT_FALSE(pins_clone(install_of("git checkout main")));
  EXPECT_FALSE(pins_clone(install_of("git clone 4f2a9c1d")));
}

TEST(Install, SeesChangesOfWhatIsInstalled) {
  const char* const file = "/usr/lib/python3.12/dist-packages/vllm/config.py";
  for (const char* command : {"sed -i s/a/b/ ", "sed --in-place=.bak -e s/a/b/ ", "patch -p1 ",
                              "git apply --directory ", "cp mine.py ", "nohup perl -pi -e s/a/b/ "}) {
    EXPECT_THAT(found(command + std::string(file)), ElementsAre(file)) << command;
  }
  for (const char* command :
       {"sed s/a/b/ /x/site-packages/a.py", "cp /x/site-packages/a.py backup.py", "sed -i s/a/b/ ./a.py",
        "cat /x/site-packages/a.py", "patch -p1 a.patch"}) {
    EXPECT_FALSE(is_install(words(command))) << command;
  }
}

}  // namespace
}  // namespace recipelint::launch
