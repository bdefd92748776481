#pragma once

#include <cstddef>
#include <functional>

namespace recipelint::text {

/// Calls work(0) to work(count - 1), each once and in no particular order, on at most `threads`
/// threads (0: one per processor), of which the calling one is the first. Returns when all calls
/// have returned; with one thread they are made in order. If a call throws, the calls that have not
/// begun are left out and the first exception is thrown again.
void run_in_parallel(std::size_t count, unsigned threads,
                     const std::function<void(std::size_t)>& work);

}  // namespace recipelint::text
