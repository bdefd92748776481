#pragma once

#include "analyzer/facts/memory_facts.h"
#include "analyzer/facts/models.h"
#include "analyzer/serving/memory/interval.h"
#include "analyzer/text/result.h"

namespace recipelint::serving::memory {

/// How the weights of a server lie on its GPUs.
struct Sharding {
  double experts = 1;   // ranks that share the experts
  double others = 1;    // ranks that share everything else
  double pipeline = 1;  // stages
  /// Every expert is cut into parts, as opposed to whole experts on each rank.
  bool experts_cut = true;
  /// Data-parallel attention: every rank has everything but the experts.
  bool replicated = false;
  /// Engines that cut part of the replicated weights after all: ranks that may share them.
  double others_at_most = 0;  // 0: as `others`
};

/// The parts of a checkpoint that a launch may leave out, and what it may add.
struct LoadedParts {
  bool mtp = false;             // MTP layers with their experts
  bool vision = true;           // a vision tower
  bool external_draft = false;  // a draft model with a checkpoint of its own
};

/// Bytes of weights on the fullest GPU. The least: an ideal cut of the smallest checkpoint without
/// what is not loaded. The most: the largest, with padding and what engines were seen to add. Fails
/// with the missing fact.
text::Result<Interval> weights_per_gpu(const facts::Model& model, const facts::MemoryFacts& facts,
                                       const Sharding& sharding, const LoadedParts& parts);

}  // namespace recipelint::serving::memory
