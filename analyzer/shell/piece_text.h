#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace recipelint::shell {

/// A number for a value in which runs of one script may differ; see Witness. 0 is none.
using ParameterId = std::uint32_t;

namespace detail {
/// Tells the witness of this thread, if there is one, that the evaluation depends on the text.
void look_at_parameter(ParameterId parameter);
}  // namespace detail

/// The bytes of a piece. They can be the value of a parameter: then whoever asks for them is noted,
/// so that what was never asked for may be exchanged afterwards. Parameters are never empty.
class PieceText {
 public:
  PieceText() = default;
  PieceText(std::string bytes, ParameterId parameter = 0)
      : bytes_(std::move(bytes)), parameter_(parameter) {}
  PieceText(const char* bytes) : bytes_(bytes) {}

  const std::string& get() const {
    if (parameter_ != 0) detail::look_at_parameter(parameter_);
    return bytes_;
  }
  operator const std::string&() const { return get(); }
  /// The bytes to change; they are no longer those of a parameter.
  std::string& write() {
    if (parameter_ != 0) detail::look_at_parameter(std::exchange(parameter_, 0));
    return bytes_;
  }
  bool empty() const { return bytes_.empty(); }
  ParameterId parameter() const { return parameter_; }
  /// The bytes for one who decides nothing by them.
  const std::string& unseen() const { return bytes_; }

  /// Values of one parameter are equal whatever they are: nobody needs to look at them.
  friend bool operator==(const PieceText& a, const PieceText& b) {
    if (a.parameter_ == b.parameter_ && a.bytes_ == b.bytes_) return true;
    return a.get() == b.get();
  }
  friend bool operator==(const PieceText& a, std::string_view b) { return a.get() == b; }

 private:
  std::string bytes_;
  ParameterId parameter_ = 0;
};

}  // namespace recipelint::shell
