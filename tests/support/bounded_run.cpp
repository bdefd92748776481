#include "tests/support/bounded_run.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/paths.h"
#include "tests/support/shell_oracle.h"
#include "tests/support/temporary_folder.h"

namespace recipelint::testing {
namespace {

constexpr rlim_t kMostSeconds = 60;
constexpr double kKibibytesPerMebibyte = 1024;
constexpr double kMicroseconds = 1e6;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMicroseconds;
}

}  // namespace

BoundedRun run_bounded(const std::vector<std::string>& arguments, const std::string& redirection) {
  const TemporaryFolder folder;
  std::string command = "exec " + shell_word(program_path());
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  command +=
      " >" + shell_word(folder / "out") + " 2>" + shell_word(folder / "err") + " " + redirection;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{kMostSeconds, kMostSeconds + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  BoundedRun run;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.out = text_of(folder / "out");
  run.err = text_of(folder / "err");
  run.seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  run.mebibytes = static_cast<double>(usage.ru_maxrss) / kKibibytesPerMebibyte;
  return run;
}

}  // namespace recipelint::testing
