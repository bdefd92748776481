#include "analyzer/text/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace recipelint::text {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(RunInParallel, MakesEveryCallOnceAtAnyNumberOfThreads) {
  for (const unsigned threads : {0u, 1u, 2u, 7u, 100'000u}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{500}}) {
      std::vector<int> calls(count);  // each call has an element of its own
      run_in_parallel(count, threads, [&](std::size_t i) { ++calls[i]; });
      EXPECT_THAT(calls, Each(1)) << threads << " threads, " << count << " calls";
    }
  }
}

TEST(RunInParallel, OneThreadIsTheCallingOneAndKeepsTheOrder) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  run_in_parallel(4, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST(RunInParallel, CallsRunAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable all_here;
  int here = 0;
  // Each call waits for the other: one thread alone would wait in vain.
  run_in_parallel(2, 2, [&](std::size_t) {
    std::unique_lock lock(mutex);
    ++here;
    all_here.notify_all();
    EXPECT_TRUE(all_here.wait_for(lock, std::chrono::seconds(60), [&] { return here == 2; }));
  });
}

TEST(RunInParallel, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  run_in_parallel(200, 3, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), 3u);
}

TEST(RunInParallel, GivesTheFirstExceptionToTheCallerAndBeginsNothingMore) {
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<int> calls = 0;
    const auto run = [&] {
      run_in_parallel(1'000'000, threads, [&](std::size_t) {
        ++calls;
        throw std::runtime_error("broken");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_LE(calls, static_cast<int>(threads));
  }
}

}  // namespace
}  // namespace recipelint::text
