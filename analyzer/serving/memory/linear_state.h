#pragma once

#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {

/// Bytes of the state of one request in one layer of linear attention (KDA, GDN) on one rank of
/// `tensor`: a matrix for each head, and the last inputs of the convolutions. `element` is the
/// bytes of a number of the matrix; 0: as the model says.
double linear_state_bytes(const Shape& shape, double tensor, double element = 0);

}  // namespace recipelint::serving::memory
