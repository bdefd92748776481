#include "tests/support/shell_oracle.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace recipelint::testing {
namespace {

/// A file that exists as long as this object does.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("cannot create " + path_);
    std::FILE* file = fdopen(descriptor, "w");
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = std::string(P_tmpdir) + "/recipelint-oracle-XXXXXX";
};

std::string read_all(std::FILE* stream) {
  std::string content;
  std::array<char, 65536> buffer;
  for (std::size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), stream)) > 0;) {
    content.append(buffer.data(), size);
  }
  return content;
}

}  // namespace

ShellRun run_bash(std::string_view script) {
  const TemporaryFile file(script);
  const std::string command = "env -i PATH=\"$PATH\" LC_ALL=C.UTF-8 bash --norc --noprofile " +
                              file.path() + " </dev/null 2>/dev/null";
  std::FILE* stream = popen(command.c_str(), "r");
  if (stream == nullptr) throw std::runtime_error("cannot start bash");
  ShellRun run;
  run.output = read_all(stream);
  const int status = pclose(stream);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

std::vector<ShellRun> run_bash_snippets(std::span<const std::string> snippets) {
  // Output can hold anything but NUL, so a NUL ends it and the status that follows.
  std::string script;
  for (const std::string& snippet : snippets) {
    script += "(\n" + snippet + "\n)\nprintf '\\0%d\\0' $?\n";
  }
  const std::string output = run_bash(script).output;
  std::vector<ShellRun> runs;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t middle = output.find('\0', at);
    const std::size_t end = output.find('\0', middle + 1);
    if (end == std::string::npos) break;
    runs.push_back({output.substr(at, middle - at), std::stoi(output.substr(middle + 1))});
    at = end + 1;
  }
  if (runs.size() != snippets.size()) throw std::runtime_error("bash did not run all snippets");
  return runs;
}

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

bool has_program(std::string_view name) {
  return run_bash("command -v " + shell_word(name)).status == 0;
}

}  // namespace recipelint::testing
