// Scoring: which resources a node's score counts, and how: what NodeResourcesFit and
// NodeResourcesBalancedAllocation are told, and what a node has of each resource.
//
//   QUADRA_TRY(const Scoring scoring, ReadScoring(args));
//   const Usage usage = UsageOf(node, {.resource = "cpu", .wanted = 500, .non_zero = true});
//   score = usage.capacity == 0 ? … : scoring.ScoreOf(usage.allocated + 500, usage.capacity);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduler/framework/amounts.h"
#include "scheduler/framework/node_info.h"
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

struct Question {
  std::string_view resource;
  std::int64_t wanted = 0;  // by the pod
  // Whether pods that ask for no cpu or memory count with a little of it.
  bool non_zero = false;
};
// What a node has of the resource, and what its pods take. A capacity of 0: it is not to be counted,
// since the node has none, or the pod wants nothing of what few nodes have.
struct Usage {
  std::int64_t allocated = 0;
  std::int64_t capacity = 0;
};
Usage UsageOf(const NodeInfo& node, const Question& question);

}  // namespace quadra::scheduler
