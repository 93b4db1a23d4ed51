// ClusterEvent: what changed in the cluster, as far as it may make a pod schedulable; and the hints by
// which plugins say whether it may.
//
//   std::vector<EventHint> NodeName::EventsToRegister() const {
//     return {{{EventResource::kNode, action::kAdd}, nullptr}};     // null: it always may
//   }
//
// Names and meanings are upstream's. Pure data.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

enum class EventResource : std::uint8_t {
  kPod,             // any of the three below
  kAssignedPod,     // one on a node, or assumed there
  kUnscheduledPod,  // another one that waits
  kTargetPod,       // the very pod that was rejected
  kNode,
  kResourceClaim,
  kResourceSlice,
  kDeviceClass,
  kWildCard,  // whatever it was: all pods
};

using Actions = std::uint32_t;  // a set of the following
namespace action {
inline constexpr Actions kAdd = 1U << 0U;
inline constexpr Actions kDelete = 1U << 1U;
inline constexpr Actions kUpdateNodeAllocatable = 1U << 2U;
inline constexpr Actions kUpdateNodeLabel = 1U << 3U;
inline constexpr Actions kUpdateNodeTaint = 1U << 4U;  // taints, and spec.unschedulable
inline constexpr Actions kUpdateNodeCondition = 1U << 5U;
inline constexpr Actions kUpdateNodeAnnotation = 1U << 6U;
inline constexpr Actions kUpdateNodeDeclaredFeature = 1U << 7U;
inline constexpr Actions kUpdatePodLabel = 1U << 9U;
inline constexpr Actions kUpdatePodScaleDown = 1U << 10U;
inline constexpr Actions kUpdatePodScaleUp = 1U << 11U;
inline constexpr Actions kUpdatePodToleration = 1U << 12U;
inline constexpr Actions kUpdatePodSchedulingGatesEliminated = 1U << 13U;
inline constexpr Actions kUpdatePodGeneratedResourceClaim = 1U << 14U;
inline constexpr Actions kAll = (1U << 15U) - 1;
inline constexpr Actions kUpdate = kAll & ~(kAdd | kDelete);
}  // namespace action

struct ClusterEvent {
  EventResource resource = EventResource::kWildCard;
  Actions actions = action::kAll;
  // For logs and metrics where it is not the two above, e.g. UnschedulableTimeout.
  std::string_view label;

  // e.g. AssignedPodDelete, NodeUpdateNodeLabel.
  std::string Label() const;
  // Whether who waits for this is concerned by `happened`.
  bool Matches(const ClusterEvent& happened) const;
};

// The objects of an event; what it is not about is null, as is `before` of an added and `now` of a
// deleted one.
struct EventObjects {
  const PodInfo* pod_before = nullptr;
  const PodInfo* pod_now = nullptr;
  const api::Node* node_before = nullptr;
  const api::Node* node_now = nullptr;
  const api::ResourceClaim* claim_before = nullptr;
  const api::ResourceClaim* claim_now = nullptr;
  const api::DeviceClass* class_before = nullptr;
  const api::DeviceClass* class_now = nullptr;
};

// Whether the event may make `pod` schedulable, which the plugin rejected.
using QueueingHint = std::function<bool(const PodInfo& pod, const EventObjects& objects)>;

struct EventHint {
  ClusterEvent event;
  QueueingHint hint;  // null: it always may
};

// What of a pod changed, as events to tell; never empty. `is_target`: of the pod that waits itself.
std::vector<ClusterEvent> ChangesOf(const PodInfo& before, const PodInfo& now, bool is_target);
// What of a node changed; empty where no plugin could care.
std::vector<ClusterEvent> ChangesOf(const api::Node& before, const api::Node& now);

}  // namespace quadra::scheduler
