#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace recipelint::app {

/// Ends the process with exit code 3 and one line on standard error when a run takes longer, or
/// more memory, than the user allows. The last resort behind the bounds that count work: what it
/// cuts off depends on the machine. Watches from construction to destruction.
class Watchdog {
 public:
  /// 0: no bound.
  Watchdog(std::chrono::duration<double> most_time, std::uint64_t most_mebibytes);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch() const;
  void check(std::chrono::steady_clock::time_point start) const;

  const std::chrono::duration<double> most_time_;
  const std::uint64_t most_mebibytes_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace recipelint::app
