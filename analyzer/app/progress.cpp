#include "analyzer/app/progress.h"

#include <fmt/format.h>

#include <ostream>

namespace recipelint::app {
namespace {

constexpr std::chrono::milliseconds kInterval(500);
// To the first column, and nothing behind it.
constexpr std::string_view kClearLine = "\r\033[K";

}  // namespace

Progress::Progress(const Streams& streams, std::chrono::milliseconds silent)
    : err_(streams.err), silent_(silent) {
  if (streams.err_is_terminal) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::show() {
  const auto start = std::chrono::steady_clock::now();
  const auto is_done = [this] { return done_; };
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, silent_, is_done)) return;
  do {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    err_ << fmt::format("{}recipelint: still at work, {:.0f} s", kClearLine, taken.count())
         << std::flush;
  } while (!ended_.wait_for(lock, kInterval, is_done));
  err_ << kClearLine << std::flush;
}

}  // namespace recipelint::app
