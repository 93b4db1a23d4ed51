#include "scheduler/scheduler.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "scheduler/cycle.h"
#include "scheduler/plugins/pod_topology_spread/default_constraints.h"
#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/registry.h"

namespace quadra::scheduler {
namespace {

// Handlers of informers outlive the cycle, and hold it weakly.
template <typename T>
void Follow(client::Informer<T>& informer, const std::shared_ptr<Cycle>& cycle,
            void (Cycle::*tell)(const T*, const T*)) {
  const auto told = [weak = std::weak_ptr(cycle), tell](const T* before, const T* now) {
    if (const std::shared_ptr<Cycle> alive = weak.lock()) {
      ((*alive).*tell)(before, now);
    }
  };
  informer.OnChange({.added = [told](const T& now) { told(nullptr, &now); },
                     .updated = [told](const T& before, const T& now) { told(&before, &now); },
                     .deleted = [told](const T& last) { told(&last, nullptr); }});
}

// What default constraints of PodTopologySpread are deduced from.
constexpr auto kWorkloads = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"v1", "Service"},
    {"v1", "ReplicationController"},
    {"apps/v1", "ReplicaSet"},
    {"apps/v1", "StatefulSet"},
});

// Whether some profile has them: they are many objects to keep.
bool SpreadsByDefault(const SchedulerConfig& config) {
  return std::ranges::any_of(config.profiles, [](const ProfileConfig& profile) {
    if (std::ranges::find(profile.plugins, PodTopologySpread::kName, &PluginChoice::name) ==
        profile.plugins.end()) {
      return false;
    }
    const auto args = profile.args.find(std::string(PodTopologySpread::kName));
    const Result<DefaultConstraints> defaults =
        DefaultConstraints::Read(args == profile.args.end() ? json::Value() : args->second);
    return defaults && (defaults->are_systems || !defaults->list.empty());
  });
}

class Scheduler final : public client::Controller {
 public:
  explicit Scheduler(std::shared_ptr<Cycle> cycle) : cycle_(std::move(cycle)) {}
  void Start() override { cycle_->Start(); }
  bool idle() const override { return cycle_->idle(); }

 private:
  const std::shared_ptr<Cycle> cycle_;
};

}  // namespace

quadra::Status CheckPlugins(const SchedulerConfig& config) {
  const selector::Language language;
  const api::FeatureGates gates;
  const Cache cache;
  Devices devices(language, gates);
  SeededRandom random(0);
  Handle handle{.gates = gates, .snapshot = cache, .devices = devices, .random = random};
  for (const ProfileConfig& profile : config.profiles) {
    QUADRA_RETURN_IF_ERROR(MakePlugins(profile, handle));
  }
  return {};
}

std::unique_ptr<client::Controller> MakeScheduler(client::ControllerContext& context,
                                                  const SchedulerOptions& options) {
  const auto cycle = std::make_shared<Cycle>(context, options);
  client::Informers& informers = context.informers;
  Follow(informers.Of<api::Namespace>(), cycle, &Cycle::OnNamespace);
  Follow(informers.Of<api::Node>(), cycle, &Cycle::OnNode);
  Follow(informers.Of<api::DeviceClass>(), cycle, &Cycle::OnClass);
  Follow(informers.Of<api::ResourceSlice>(), cycle, &Cycle::OnSlice);
  if (context.gates.Enabled(api::Gate::kDRADeviceTaintRules)) {
    Follow(informers.Of<api::DeviceTaintRule>(), cycle, &Cycle::OnTaintRule);
  }
  Follow(informers.Objects(client::ResourceFor("policy/v1", "PodDisruptionBudget")), cycle,
         &Cycle::OnBudget);
  if (SpreadsByDefault(options.config)) {
    for (const auto& [version, kind] : kWorkloads) {
      Follow(informers.Objects(client::ResourceFor(version, kind)), cycle, &Cycle::OnWorkload);
    }
  }
  Follow(informers.Of<api::ResourceClaim>(), cycle, &Cycle::OnClaim);
  Follow(informers.Of<api::Pod>(), cycle, &Cycle::OnPod);
  return std::make_unique<Scheduler>(cycle);
}

}  // namespace quadra::scheduler
