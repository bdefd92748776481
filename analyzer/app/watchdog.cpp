#include "analyzer/app/watchdog.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "analyzer/app/command_line.h"

namespace recipelint::app {
namespace {

constexpr std::chrono::milliseconds kInterval(20);

/// Memory of the process that is in use, in MiB; 0 if the system does not tell.
std::uint64_t used_mebibytes() {
  std::ifstream statistics("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(statistics >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) >> 20u;
}

// Other threads go on meanwhile, so that nothing may be destroyed and no document be written.
[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "recipelint: gave up: %s\n", why);
  ::_exit(kUnreadable);
}

}  // namespace

Watchdog::Watchdog(std::chrono::duration<double> most_time, std::uint64_t most_mebibytes)
    : most_time_(most_time), most_mebibytes_(most_mebibytes) {
  if (most_time_.count() > 0 || most_mebibytes_ > 0) thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch() const {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kInterval, [this] { return done_; })) check(start);
  // Once more, so that what is over the bound does not depend on when this thread looked.
  check(start);
}

void Watchdog::check(std::chrono::steady_clock::time_point start) const {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (most_time_.count() > 0 && taken > most_time_) give_up("the time of --max-seconds is over");
  if (most_mebibytes_ > 0 && used_mebibytes() > most_mebibytes_) {
    give_up("the memory of --max-memory-mib is used up");
  }
}

}  // namespace recipelint::app
