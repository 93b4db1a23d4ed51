// Usage: what nodes have of the resources that scores count, and what their pods take of them.
//
//   state.Write(key, std::make_unique<ScoredPod>(scoring.resources, requests, devices));   // PreScore
//   for (const ScoredPod::Resource& each : scored.resources()) {
//     if (const Usage usage = UsageOf(node, each, …); usage.capacity != 0) …               // Score
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/amounts.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/plugins/node_resources/scoring.h"
#include "scheduler/plugins/node_resources/served_devices.h"

namespace quadra::scheduler {

// A pod as scores count it.
class ScoredPod final : public StateData {
 public:
  struct Resource {
    std::string_view name;
    std::int64_t weight = 1;
    std::int64_t wanted = 0;              // by the pod
    std::optional<ServedDevices> served;  // the devices that stand for it, where no plugin has it
  };

  // `resources` must outlive it. `devices` is null where classes serve no resources.
  ScoredPod(const std::vector<WeightedResource>& resources, const Amounts& requests,
            Devices* devices);

  std::span<const Resource> resources() const { return resources_; }
  // Of all that is counted it wants nothing.
  bool WantsNothing() const;
  std::unique_ptr<StateData> Clone() const override { return std::make_unique<ScoredPod>(*this); }

 private:
  std::vector<Resource> resources_;
};

// The resource is not to be counted where the node has none of it, or where the pod wants nothing of
// what few nodes have. `non_zero`: pods that ask for no cpu or memory count with a little of it.
Usage UsageOf(const NodeInfo& node, const ScoredPod::Resource& resource, bool non_zero);

}  // namespace quadra::scheduler
