// Scoring: which resources the score of a node counts, and how: what NodeResourcesFit and
// NodeResourcesBalancedAllocation are told.
//
//   QUADRA_TRY(const Scoring scoring, ReadScoring(args));
//   score = scoring.ScoreOf(usage.allocated + wanted, usage.capacity);       // of one resource
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {

enum class ScoringStrategy : std::uint8_t {
  kLeastAllocated,
  kMostAllocated,
  kRequestedToCapacityRatio,
};

struct WeightedResource {
  std::string name;
  std::int64_t weight = 1;
};

// A function of broken lines: the score, 0 to 100, at so many percent in use.
struct ShapePoint {
  std::int64_t utilization = 0;
  std::int64_t score = 0;
};

struct Scoring {
  ScoringStrategy strategy = ScoringStrategy::kLeastAllocated;
  std::vector<WeightedResource> resources;
  std::vector<ShapePoint> shape;  // of kRequestedToCapacityRatio

  // Of one resource in use to `requested` of `capacity`. REQUIRES: capacity is more than 0.
  std::int64_t ScoreOf(std::int64_t requested, std::int64_t capacity) const;
};

// cpu and memory, where the arguments name none.
Result<std::vector<WeightedResource>> ReadResources(const Arguments& in, Arguments::Range weights);
// Of NodeResourcesFitArgs' scoringStrategy.
Result<Scoring> ReadScoring(const Arguments& args);

}  // namespace quadra::scheduler
