// Handle: what plugins are given when they are made. All of it outlives them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/vocabulary.h"
#include "base/random.h"
#include "client/api.h"
#include "loop/task.h"
#include "scheduler/framework/disruption_budget.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/snapshot.h"

namespace quadra::scheduler {

class Devices;  // devices/devices.h

// Asks all filters about one node, also as it might be: with pods added and removed.
class FilterRunner {
 public:
  virtual ~FilterRunner() = default;
  // As upstream: where pods of the same or a higher priority are nominated to the node, with and
  // without them, and both must say yes. `node` may be a trial of the snapshot's node.
  virtual Status RunFiltersWithNominatedPods(CycleState& state, const PodInfo& pod,
                                             const NodeInfo& node) = 0;
  // PreFilter's extensions of all plugins.
  virtual Status RunAddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                           const NodeInfo& node) = 0;
  virtual Status RunRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                              const NodeInfo& node) = 0;
};

// Writes that a cycle decides on and does not wait for. Each is started after the cycle.
using Writer = std::function<void(loop::Task<void> task)>;

// What a plugin that makes room may ask of the scheduler around it, and have it do.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // The pod as the server has it; null where it is gone.
  virtual std::shared_ptr<const api::Pod> FindPod(std::string_view full_name) const = 0;
  // Has a pod that waits tried again at once.
  virtual void Activate(const PodInfoPtr& pod) = 0;
  // A pod that has a node, and for which PreBind still works, goes back into the queue; false where
  // there is none of this uid.
  virtual bool CancelBinding(const std::string& uid, const std::string& why) = 0;
  // What became of a claim by our own doing is told again, to those who had to wait until it was known.
  virtual void TellOfClaim(const std::shared_ptr<const api::ResourceClaim>& before,
                           const std::shared_ptr<const api::ResourceClaim>& now) = 0;
  // A line for operators.
  virtual void Log(const std::string& line) = 0;
  // Has the status of a pod that is not bound for a while yet say which node it will have.
  virtual void Nominate(const PodInfoPtr& pod, const std::string& node) = 0;
};

struct Handle {
  const api::FeatureGates& gates;
  const Snapshot& snapshot;
  Devices& devices;
  Random& random;
  bool strict = false;  // as upstream also where we deviate on purpose
  // Pods imagined away give back the devices that nobody else uses.
  bool preempt_devices = false;
  // Null where nothing is written: what-if questions, comparisons.
  client::Api* api = nullptr;
  Writer write = [](loop::Task<void> /*task*/) {};
  // An event about the pod, for people.
  std::function<void(const api::Pod& pod, std::string_view reason, const std::string& note)> tell =
      [](const api::Pod& /*pod*/, std::string_view /*reason*/, const std::string& /*note*/) {};
  FilterRunner* filters = nullptr;       // set by the profile
  Surroundings* surroundings = nullptr;  // null where `api` is
  // Pods that wait and are nominated to the node, as they are now.
  std::function<std::vector<PodInfoPtr>(const std::string& node)> nominated =
      [](const std::string& /*node*/) { return std::vector<PodInfoPtr>(); };
  // All, in the order of their full names.
  std::function<std::vector<const DisruptionBudget*>()> budgets = [] {
    return std::vector<const DisruptionBudget*>();
  };
};

}  // namespace quadra::scheduler
