#include "scheduler/plugins/node_resources/balanced_allocation.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_resources/scoring.h"
#include "scheduler/plugins/node_resources/usage.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kBalanced = "NodeResourcesBalancedAllocation";

// How much of each resource is in use, 0 to 1.
using Fractions = absl::InlinedVector<double, 4>;

double FractionOf(std::int64_t taken, std::int64_t capacity) {
  return std::min(1.0, static_cast<double>(taken) / static_cast<double>(capacity));
}

double DeviationOf(const Fractions& fractions) {
  if (fractions.size() < 2) {
    return 0;
  }
  if (fractions.size() == 2) {
    return std::abs((fractions[0] - fractions[1]) / 2);
  }
  double sum = 0;
  for (const double each : fractions) {
    sum += each;
  }
  const double mean = sum / static_cast<double>(fractions.size());
  double squares = 0;
  for (const double each : fractions) {
    squares += (each - mean) * (each - mean);
  }
  return std::sqrt(squares / static_cast<double>(fractions.size()));
}

// From half of the maximum to all of it.
std::int64_t EvennessOf(const Fractions& fractions) {
  return static_cast<std::int64_t>((1 - DeviationOf(fractions)) *
                                   static_cast<double>(kMaxNodeScore));
}

class BalancedAllocation final : public Plugin, public PreScorePlugin, public ScorePlugin {
 public:
  BalancedAllocation(const Handle& handle, std::vector<WeightedResource> resources)
      : handle_(handle), resources_(std::move(resources)) {}

  std::string_view name() const override { return kBalanced; }

  // Pods that ask for nothing would all run to the same node.
  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    const bool by_classes = handle_.gates.Enabled(api::Gate::kDRAExtendedResource);
    auto made = std::make_unique<ScoredPod>(resources_, pod.requests,
                                            by_classes ? &handle_.devices : nullptr);
    if (made->WantsNothing()) {
      return {Code::kSkip, std::vector<std::string>()};
    }
    state.Write(kBalanced, std::move(made));
    return {};
  }

  // What the pod makes better or worse, moved to the upper half of what a score may be.
  Status Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    Fractions with;
    Fractions without;
    for (const ScoredPod::Resource& each : state.Read<ScoredPod>(kBalanced)->resources()) {
      const Usage usage = UsageOf(node, each, false);
      if (usage.capacity != 0) {
        with.push_back(FractionOf(usage.allocated + each.wanted, usage.capacity));
        without.push_back(FractionOf(usage.allocated, usage.capacity));
      }
    }
    constexpr std::int64_t kHalf = kMaxNodeScore / 2;
    score = kHalf + (kHalf + EvennessOf(with) - EvennessOf(without)) / 2;
    return {};
  }

 private:
  const Handle& handle_;
  const std::vector<WeightedResource> resources_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeBalancedAllocation(Handle& handle, const json::Value& args) {
  QUADRA_TRY(const Arguments said,
             Arguments::Of(args, "NodeResourcesBalancedAllocationArgs", {"resources"}));
  QUADRA_TRY(std::vector<WeightedResource> resources, ReadResources(said, {1, 1}));
  std::set<std::string_view> names;
  for (const WeightedResource& each : resources) {
    if (!names.insert(each.name).second) {
      return Fail(said.Wrong("resources", "a resource is listed twice: " + each.name));
    }
  }
  return std::make_unique<BalancedAllocation>(handle, std::move(resources));
}

}  // namespace quadra::scheduler
