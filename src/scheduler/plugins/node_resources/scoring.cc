#include "scheduler/plugins/node_resources/scoring.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "scheduler/framework/plugin.h"

namespace quadra::scheduler {
namespace {

constexpr std::int64_t kMostUtilization = 100;
constexpr std::int64_t kMostShapeScore = 10;  // in configurations; kMaxNodeScore here

struct StrategyName {
  std::string_view name;
  ScoringStrategy strategy;
};
constexpr std::array<StrategyName, 3> kStrategies = {
    {{"LeastAllocated", ScoringStrategy::kLeastAllocated},
     {"MostAllocated", ScoringStrategy::kMostAllocated},
     {"RequestedToCapacityRatio", ScoringStrategy::kRequestedToCapacityRatio}}};

Result<std::vector<ShapePoint>> ReadShape(const Arguments& in) {
  QUADRA_TRY(const std::vector<Arguments> points, in.Parts("shape", {"utilization", "score"}));
  if (points.empty()) {
    return Fail(in.Wrong("shape", "at least one point must be specified"));
  }
  std::vector<ShapePoint> shape;
  for (const Arguments& point : points) {
    QUADRA_TRY(const auto utilization, point.Int("utilization", {0, kMostUtilization}));
    QUADRA_TRY(const auto score, point.Int("score", {0, kMostShapeScore}));
    if (!shape.empty() && utilization.value_or(0) <= shape.back().utilization) {
      return Fail(point.Wrong("utilization", "values must be sorted in increasing order"));
    }
    shape.push_back({.utilization = utilization.value_or(0),
                     .score = score.value_or(0) * (kMaxNodeScore / kMostShapeScore)});
  }
  return shape;
}

Result<ScoringStrategy> ReadStrategy(const Arguments& in) {
  QUADRA_TRY(const std::string name, in.Text("type"));
  const auto* const found = std::ranges::find(kStrategies, name, &StrategyName::name);
  if (found == kStrategies.end()) {
    return Fail(
        in.Wrong("type", "must be LeastAllocated, MostAllocated or RequestedToCapacityRatio"));
  }
  return found->strategy;
}

std::int64_t ValueAt(const std::vector<ShapePoint>& shape, std::int64_t utilization) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const ShapePoint& to = shape[i];
    if (utilization > to.utilization) {
      continue;
    }
    if (i == 0) {
      return to.score;
    }
    const ShapePoint& from = shape[i - 1];
    return from.score + (to.score - from.score) * (utilization - from.utilization) /
                            (to.utilization - from.utilization);
  }
  return shape.back().score;
}

}  // namespace

std::int64_t Scoring::ScoreOf(std::int64_t requested, std::int64_t capacity) const {
  switch (strategy) {
    case ScoringStrategy::kLeastAllocated:
      return requested > capacity ? 0 : (capacity - requested) * kMaxNodeScore / capacity;
    case ScoringStrategy::kMostAllocated:
      return std::min(requested, capacity) * kMaxNodeScore / capacity;
    case ScoringStrategy::kRequestedToCapacityRatio:
      return ValueAt(
          shape, requested > capacity ? kMostUtilization : requested * kMostUtilization / capacity);
  }
  return 0;
}

Result<std::vector<WeightedResource>> ReadResources(const Arguments& in, Arguments::Range weights) {
  QUADRA_TRY(const std::vector<Arguments> listed, in.Parts("resources", {"name", "weight"}));
  std::vector<WeightedResource> resources;
  for (const Arguments& each : listed) {
    QUADRA_TRY(std::string name, each.Text("name"));
    QUADRA_TRY(const auto weight, each.Int("weight", {0, std::numeric_limits<int>::max()}));
    const std::int64_t counts = weight.value_or(0) == 0 ? 1 : *weight;
    if (counts < weights.least || counts > weights.most) {
      return Fail(
          each.Wrong("weight", weights.most == 1
                                   ? "must be 1"
                                   : fmt::format("resource weight of {} not in valid range (0, {}]",
                                                 name, weights.most)));
    }
    resources.push_back({.name = std::move(name), .weight = counts});
  }
  return resources.empty() ? std::vector<WeightedResource>{{.name = "cpu"}, {.name = "memory"}}
                           : std::move(resources);
}

Result<Scoring> ReadScoring(const Arguments& args) {
  QUADRA_TRY(const std::optional<Arguments> said,
             args.Part("scoringStrategy", {"type", "resources", "requestedToCapacityRatio"}));
  if (!said) {
    return Scoring{.resources = {{.name = "cpu"}, {.name = "memory"}}, .shape = {}};
  }
  Scoring scoring;
  QUADRA_TRY(scoring.strategy, ReadStrategy(*said));
  QUADRA_TRY(scoring.resources, ReadResources(*said, {1, 100}));
  QUADRA_TRY(const std::optional<Arguments> ratio,
             said->Part("requestedToCapacityRatio", {"shape"}));
  const bool is_by_ratio = scoring.strategy == ScoringStrategy::kRequestedToCapacityRatio;
  if (ratio.has_value() != is_by_ratio) {
    return Fail(said->Wrong("requestedToCapacityRatio",
                            is_by_ratio ? "must be specified when type is RequestedToCapacityRatio"
                                        : "must be nil when type is not RequestedToCapacityRatio"));
  }
  if (ratio) {
    QUADRA_TRY(scoring.shape, ReadShape(*ratio));
  }
  return scoring;
}

}  // namespace quadra::scheduler
