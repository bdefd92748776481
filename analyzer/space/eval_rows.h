#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/space/expand.h"

namespace recipelint::space {

enum class EvalChoice : std::uint8_t {
  kDefault,      // what a sweep evaluates beside measuring: fixed-seq-len rows
  kWithAgentic,  // what --evals-only evaluates
};

/// Sets run_eval and eval_conc by the generator's policy. Only 8192/1024 rows and concurrencies of
/// at least 16 count. Single-node: per model, runner, framework, precision, spec-decoding and
/// dp-attn the rows with the highest and with the median concurrency. Multi-node: per topology the
/// row with the highest concurrency. Agentic: one row per model, runner, framework and precision
/// (single-node, any concurrency) or per topology (multi-node). `topologies` are
/// topology_ids(matrix).
void mark_eval_rows(std::span<MatrixRow> matrix, std::span<const std::uint32_t> topologies,
                    EvalChoice choice);

}  // namespace recipelint::space
