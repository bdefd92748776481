#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "analyzer/app/command_line.h"

namespace recipelint::app {

/// Says on a terminal that a run goes on once it takes longer than a second; the line is gone with
/// the object. Does nothing if standard error is no terminal.
class Progress {
 public:
  explicit Progress(const Streams& streams,
                    std::chrono::milliseconds silent = std::chrono::seconds(1));
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

 private:
  void show();

  std::ostream& err_;
  std::chrono::milliseconds silent_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace recipelint::app
