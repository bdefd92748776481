#pragma once

#include <cstdint>
#include <utility>

namespace recipelint::shell {

/// A value that copies share until one of them writes. The count is not atomic: everything that one
/// evaluation builds stays in one thread.
template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : node_(new Node{std::move(value), 1}) {}
  Shared(const Shared& other) : node_(other.node_) {
    if (node_ != nullptr) ++node_->owners;
  }
  Shared(Shared&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Shared() {
    if (node_ != nullptr && --node_->owners == 0) delete node_;
  }

  explicit operator bool() const { return node_ != nullptr; }
  /// Only if not empty.
  const T& operator*() const { return node_->value; }
  const T* operator->() const { return &node_->value; }
  const T* get() const { return node_ != nullptr ? &node_->value : nullptr; }

  /// The value for writing: copied first if others share it, default-made if empty.
  T& write() {
    if (node_ == nullptr) {
      node_ = new Node{T(), 1};
    } else if (node_->owners > 1) {
      Node* copy = new Node{node_->value, 1};
      --node_->owners;
      node_ = copy;
    }
    return node_->value;
  }

  bool same_object(const Shared& other) const { return node_ == other.node_; }

 private:
  struct Node {
    T value;
    std::uint32_t owners;
  };
  Node* node_ = nullptr;
};

}  // namespace recipelint::shell
