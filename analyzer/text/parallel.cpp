#include "analyzer/text/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace recipelint::text {
namespace {

/// More would only wait for memory.
constexpr std::size_t kMostThreads = 64;

std::size_t thread_count(std::size_t count, unsigned threads) {
  const unsigned wanted = threads != 0 ? threads : std::thread::hardware_concurrency();
  return std::clamp<std::size_t>(wanted, 1,
                                 std::min(std::max<std::size_t>(count, 1), kMostThreads));
}

/// The calls of one run, handed out in order to whichever thread is free.
class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work) {}

  void make() {
    try {
      for (std::size_t i = next_++; i < count_; i = next_++) work_(i);
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
  /// After all threads are done.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<void(std::size_t)>& work) {
  Calls calls(count, work);
  std::vector<std::jthread> helpers;
  try {
    const std::size_t most = thread_count(count, threads);
    helpers.reserve(most - 1);
    while (helpers.size() + 1 < most) helpers.emplace_back([&] { calls.make(); });
  } catch (const std::system_error&) {
    // The system gives no further thread: those there are do the work.
  }
  calls.make();
  helpers.clear();  // joins them
  calls.rethrow();
}

}  // namespace recipelint::text
