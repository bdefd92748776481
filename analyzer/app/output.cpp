#include "analyzer/app/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>

namespace recipelint::app {
namespace {

text::Error cannot_write(const std::string& path) {
  return {fmt::format("cannot write '{}': {}; name a file in a folder that you can write to", path,
                      std::strerror(errno)),
          {}};
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Holds back the signals with which a run is interrupted.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Devices and pipes ("/dev/stderr") cannot be replaced; they are written to as they are.
bool is_special(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

std::optional<text::Error> write_special(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return cannot_write(path);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool closed = std::fclose(file) == 0;
  return written && closed ? std::nullopt : std::optional(cannot_write(path));
}

}  // namespace

std::optional<text::Error> write_file(const std::string& path,
                                      const std::function<void(std::ostream&)>& write) {
  std::ostringstream document;
  write(document);
  const std::string bytes = document.str();
  if (is_special(path)) return write_special(path, bytes);

  // From here to the end an interruption waits, so that it leaves the old document or the new one
  // and no other file.
  const SignalsHeld held;
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) return cannot_write(path);
  // mkstemp makes files that only the owner can read; a report is as readable as any other file.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = write_all(descriptor, bytes) && ::fchmod(descriptor, 0666 & ~mask) == 0;
  const int failure = errno;
  const bool closed = ::close(descriptor) == 0;
  if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0) return std::nullopt;
  if (!written) errno = failure;
  text::Error error = cannot_write(path);
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace recipelint::app
