#include "scheduler/plugins/node_declared_features/node_declared_features.h"

#include <algorithm>
#include <array>

#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kDeclaredFeatures = "NodeDeclaredFeatures";

// --- What pods need.

template <typename Needs>
bool AnyContainer(const api::PodSpec& spec, const Needs& needs) {
  return std::ranges::any_of(spec.containers, needs) ||
         std::ranges::any_of(spec.init_containers, needs);
}

bool RestartsAllContainers(const api::PodSpec& spec) {
  return AnyContainer(spec, [](const api::Container& container) {
    return std::ranges::any_of(container.restart_policy_rules,
                               [](const api::ContainerRestartRule& rule) {
                                 return rule.action == "RestartAllContainers";
                               });
  });
}

bool HasUsersOfItsOwnOnHostNetwork(const api::PodSpec& spec) {
  return spec.host_network && spec.host_users == false;
}

bool HasOptionsOfBindMounts(const api::PodSpec& spec) {
  const auto has_options = [](const api::Container& container) {
    return std::ranges::any_of(container.volume_mounts, [](const api::VolumeMount& mount) {
      return !mount.bind_mount_options.empty();
    });
  };
  return AnyContainer(spec, has_options) ||
         std::ranges::any_of(spec.ephemeral_containers, has_options);
}

struct DeclaredFeature {
  std::string_view name;
  bool (*is_needed_by)(const api::PodSpec& spec);
};
constexpr std::array<DeclaredFeature, 3> kFeatures = {
    {{"RestartAllContainersOnContainerExits", RestartsAllContainers},
     {"UserNamespacesHostNetworkSupport", HasUsersOfItsOwnOnHostNetwork},
     {"VolumeBindMountOptions", HasOptionsOfBindMounts}}};

// A set of the features above.
using FeatureSet = unsigned;

FeatureSet NeededBy(const PodInfo& pod) {
  FeatureSet needed = 0;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    needed |= kFeatures.at(i).is_needed_by(pod.pod.spec) ? 1U << i : 0U;
  }
  return needed;
}

bool DeclaresAll(const api::Node& node, FeatureSet needed) {
  const auto& declared = node.status.declared_features;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    if ((needed & (1U << i)) != 0 &&
        std::ranges::find(declared, kFeatures.at(i).name) == declared.end()) {
      return false;
    }
  }
  return true;
}

struct FeatureState final : StateData {
  FeatureSet needed = 0;
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<FeatureState>(*this);
  }
};

class NodeDeclaredFeatures final : public Plugin, public PreFilterPlugin, public FilterPlugin {
 public:
  explicit NodeDeclaredFeatures(bool enabled) : enabled_(enabled) {}

  std::string_view name() const override { return kDeclaredFeatures; }

  std::vector<EventHint> EventsToRegister() const override {
    if (!enabled_) {
      return {};
    }
    return {{{EventResource::kNode, action::kAdd | action::kUpdateNodeDeclaredFeature, {}},
             DeclaresOthers},
            {{EventResource::kTargetPod, action::kUpdate, {}}, NeedsOthers}};
  }

  PreFilterResult PreFilter(CycleState& state, const PodInfo& pod) const override {
    const FeatureSet needed = enabled_ ? NeededBy(pod) : 0;
    if (needed == 0) {
      return {.status = Status(Code::kSkip, std::vector<std::string>()), .nodes = std::nullopt};
    }
    auto made = std::make_unique<FeatureState>();
    made->needed = needed;
    state.Write(kDeclaredFeatures, std::move(made));
    return {};
  }

  Status Filter(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node) const override {
    static const Status kLacking = NodeRejects(Code::kUnschedulableAndUnresolvable,
                                               {"node(s) didn't match Pod's required features"});
    const FeatureSet needed = state.Read<FeatureState>(kDeclaredFeatures)->needed;
    return DeclaresAll(node.node(), needed) ? Status() : kLacking;
  }

 private:
  static bool DeclaresOthers(const PodInfo& /*pod*/, const EventObjects& objects) {
    return objects.node_before == nullptr || objects.node_before->status.declared_features !=
                                                 objects.node_now->status.declared_features;
  }
  static bool NeedsOthers(const PodInfo& /*pod*/, const EventObjects& objects) {
    return NeededBy(*objects.pod_before) != NeededBy(*objects.pod_now);
  }

  const bool enabled_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodeDeclaredFeatures(Handle& handle, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<NodeDeclaredFeatures>(
      handle.gates.Enabled(api::Gate::kNodeDeclaredFeatures));
}

}  // namespace quadra::scheduler
