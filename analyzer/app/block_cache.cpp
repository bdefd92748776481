// Replaces operator new and delete of the program: each thread keeps the small blocks that it frees
// and gives them out again. Evaluating scripts makes and drops short texts and lists by the
// million; glibc's own cache has room for seven blocks of a size, and what is beyond that costs
// several times as much (docs/performance.md). The blocks are those of malloc, so that it does not
// matter who frees what.

#include <malloc.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

/// Blocks have 24, 40, 56, ... usable bytes, as malloc cuts them on 64-bit machines. Elsewhere the
/// sizes are no less correct, only less apt.
constexpr std::size_t kSmallest = 24;
constexpr std::size_t kStep = 16;
constexpr std::size_t kClasses = 32;
constexpr std::size_t kLargest = kSmallest + (kClasses - 1) * kStep;
/// Of each size; what is beyond goes back, so that one phase does not keep it from the next one.
constexpr std::uint32_t kMostBlocks = 1024;

struct FreeBlock {
  FreeBlock* next;
};

struct FreeList {
  FreeBlock* first = nullptr;
  std::uint32_t count = 0;
};

enum class Phase : std::uint8_t { kUnused, kOpen, kClosed };

// Without constructors and destructors, so that they can be used from the first allocation of a
// thread to its last one.
constinit thread_local std::array<FreeList, kClasses> lists = {};
constinit thread_local Phase phase = Phase::kUnused;

/// Gives back at the end of a thread what it has kept.
class Closing {
 public:
  Closing() = default;
  ~Closing() {
    phase = Phase::kClosed;
    for (FreeList& list : lists) {
      while (list.first != nullptr) std::free(take(list));
    }
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

  static void* take(FreeList& list) {
    FreeBlock* const block = list.first;
    list.first = block->next;
    --list.count;
    return block;
  }
};

[[gnu::noinline]] bool open_lists() {
  if (phase == Phase::kClosed) return false;
  phase = Phase::kOpen;
  static thread_local const Closing closing;
  return true;
}

/// The smallest class whose blocks have room for `size` bytes, at most kLargest.
constexpr std::size_t class_for(std::size_t size) {
  return size <= kSmallest ? 0 : (size - kSmallest + kStep - 1) / kStep;
}

/// Keeps a block with at least the bytes of its class.
void keep(void* memory, std::size_t index) {
  FreeList& list = lists[index];
  if (list.count >= kMostBlocks || (phase != Phase::kOpen && !open_lists())) {
    return std::free(memory);
  }
  list.first = new (memory) FreeBlock{list.first};
  ++list.count;
}

[[gnu::noinline]] void* from_malloc(std::size_t size) {
  while (true) {
    if (void* const memory = std::malloc(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

void* operator new(std::size_t size) {
  if (size > kLargest) return from_malloc(size);
  const std::size_t index = class_for(size);
  FreeList& list = lists[index];
  if (list.first != nullptr) return Closing::take(list);
  return from_malloc(kSmallest + index * kStep);
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  const std::size_t size = malloc_usable_size(memory);
  // A block with a few bytes to spare serves the size below.
  const std::size_t index = (size - kSmallest) / kStep;
  if (size < kSmallest || index >= kClasses) return std::free(memory);
  keep(memory, index);
}

// Who knows the size spares malloc the question.
void operator delete(void* memory, std::size_t size) noexcept {
  if (memory == nullptr) return;
  if (size > kLargest) return std::free(memory);
  keep(memory, class_for(size));
}
