#include "scheduler/plugins/node_resources/balanced_allocation.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_resources/scoring.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kBalanced = "NodeResourcesBalancedAllocation";

// How much of each resource is in use, 0 to 1.
using Fractions = absl::InlinedVector<double, 4>;

struct BalancedState final : StateData {
  std::vector<std::int64_t> wanted;  // by the resources that are scored
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<BalancedState>(*this);
  }
};

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
  explicit BalancedAllocation(std::vector<WeightedResource> resources)
      : resources_(std::move(resources)) {}

  std::string_view name() const override { return kBalanced; }

  // Pods that ask for nothing would all run to the same node.
  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    auto made = std::make_unique<BalancedState>();
    for (const WeightedResource& resource : resources_) {
      made->wanted.push_back(pod.requests.Get(resource.name));
    }
    if (std::ranges::all_of(made->wanted, [](std::int64_t each) { return each == 0; })) {
      return {Code::kSkip, std::vector<std::string>()};
    }
    state.Write(kBalanced, std::move(made));
    return {};
  }

  // What the pod makes better or worse, moved to the upper half of what a score may be.
  Status Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    const std::vector<std::int64_t>& wanted = state.Read<BalancedState>(kBalanced)->wanted;
    Fractions with;
    Fractions without;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Usage usage =
          UsageOf(node, {.resource = resources_[i].name, .wanted = wanted[i], .non_zero = false});
      if (usage.capacity != 0) {
        with.push_back(FractionOf(usage.allocated + wanted[i], usage.capacity));
        without.push_back(FractionOf(usage.allocated, usage.capacity));
      }
    }
    constexpr std::int64_t kHalf = kMaxNodeScore / 2;
    score = kHalf + (kHalf + EvennessOf(with) - EvennessOf(without)) / 2;
    return {};
  }

 private:
  const std::vector<WeightedResource> resources_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeBalancedAllocation(Handle& /*handle*/,
                                                       const json::Value& args) {
  QUADRA_TRY(const Arguments said,
             Arguments::Of(args, "NodeResourcesBalancedAllocationArgs", {"resources"}));
  QUADRA_TRY(std::vector<WeightedResource> resources, ReadResources(said, {1, 1}));
  std::set<std::string_view> names;
  for (const WeightedResource& each : resources) {
    if (!names.insert(each.name).second) {
      return Fail(said.Wrong("resources", "a resource is listed twice: " + each.name));
    }
  }
  return std::make_unique<BalancedAllocation>(std::move(resources));
}

}  // namespace quadra::scheduler
