#include "tests/support/bash.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace recipelint::testing {

namespace {

struct PipeCloser {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

/// A file that is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/recipelint-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) return;
    std::FILE* file = fdopen(descriptor, "w");
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string run_bash(std::string_view script) {
  const TemporaryFile file(script);
  const std::string command =
      "cd / && env -i LC_ALL=C.UTF-8 bash --norc -s <'" + file.path() + "' 2>&1";
  const std::unique_ptr<std::FILE, PipeCloser> pipe(popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> buffer{};
  while (pipe != nullptr) {
    const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
    if (size == 0) break;
    output.append(buffer.data(), size);
  }
  return output;
}

std::string bash_rendering(std::string_view statements) {
  return run_bash("f() {\n" + std::string(statements) + "\n}\ndeclare -f f\n");
}

bool bash_renders_substitutions() {
  static const bool renders = bash_rendering(": $(  :  )").find("$(:)") != std::string::npos;
  return renders;
}

}  // namespace recipelint::testing
