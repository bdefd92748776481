#include "analyzer/serving/memory/linear_state.h"

namespace recipelint::serving::memory {

double linear_state_bytes(const Shape& shape, double tensor, double element) {
  constexpr double kConvolutionBytes = 2;  // bf16
  const double taps = shape["linear_conv_kernel_dim"] - 1;
  if (shape.has("linear_heads")) {  // KDA: convolutions over q, k and v
    constexpr double kFp32Bytes = 4;
    const double heads = ceil_div(shape["linear_heads"], tensor);
    const double size = shape["linear_head_dim"];
    return heads * size * size * (element > 0 ? element : kFp32Bytes) +
           taps * 3 * heads * size * kConvolutionBytes;
  }
  const double values = ceil_div(shape["linear_num_value_heads"], tensor);
  const double keys = ceil_div(shape["linear_num_key_heads"], tensor);
  const double state = values * shape["linear_key_head_dim"] * shape["linear_value_head_dim"];
  const double convolved =
      values * shape["linear_value_head_dim"] + 2 * keys * shape["linear_key_head_dim"];
  return state * (element > 0 ? element : shape["ssm_state_bytes"]) +
         taps * convolved * kConvolutionBytes;
}

}  // namespace recipelint::serving::memory
