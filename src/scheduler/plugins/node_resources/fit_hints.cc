#include "scheduler/plugins/node_resources/fit_hints.h"

#include <algorithm>

#include "scheduler/devices/devices.h"
#include "scheduler/plugins/node_resources/fit_amounts.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kImplicitPrefix = "deviceclass.resource.kubernetes.io/";

// Whether the pod gave something back.
bool WasPlaced(const PodInfo& /*pod*/, const EventObjects& objects) {
  const api::Pod& gone = objects.pod_before->pod;
  return !gone.spec.node_name.empty() || !gone.status.nominated_node_name.empty();
}

bool IsOfAny(const Amounts& wanted, const Amounts& more, const Amounts& less) {
  const auto is_less = [](std::int64_t asked, std::int64_t from, std::int64_t to) {
    return asked > 0 && to < from;
  };
  return is_less(wanted.milli_cpu, more.milli_cpu, less.milli_cpu) ||
         is_less(wanted.memory, more.memory, less.memory) ||
         is_less(wanted.ephemeral_storage, more.ephemeral_storage, less.ephemeral_storage) ||
         std::ranges::any_of(wanted.others, [&](const auto& each) {
           return is_less(each.second, more.Get(each.first), less.Get(each.first));
         });
}

// Whether another pod asks for less of what this one wants.
bool GivesBack(const PodInfo& pod, const EventObjects& objects) {
  return !objects.pod_now->pod.spec.node_name.empty() &&
         IsOfAny(pod.requests, objects.pod_before->requests, objects.pod_now->requests);
}

bool Asks(const PodInfo& pod, const std::string& resource) {
  return pod.requests.Get(resource) > 0;
}

// Whether a class serves from now on what the pod asks for.
bool ServesAnew(const PodInfo& pod, const EventObjects& objects) {
  const api::DeviceClass& now = *objects.class_now;
  const auto& served = now.spec.extended_resource_name;
  if (objects.class_before == nullptr) {
    if (Asks(pod, std::string(kImplicitPrefix) + now.metadata.name)) {
      return true;
    }
  } else if (objects.class_before->spec.extended_resource_name.value_or("") ==
             served.value_or("")) {
    return false;
  }
  return served && Asks(pod, *served);
}

class NodeHint {
 public:
  explicit NodeHint(const Handle& handle)
      : devices_(handle.gates.Enabled(api::Gate::kDRAExtendedResource) ? &handle.devices
                                                                       : nullptr) {}

  // A new node that is large enough, or one that became so.
  bool operator()(const PodInfo& pod, const EventObjects& objects) const {
    static const Amounts kNothing;
    const WantedOthers others =
        OthersOf(pod, {}, devices_ == nullptr ? nullptr : &devices_->extended());
    const Amounts now = Amounts::Of(objects.node_now->status.allocatable);
    if (ShortfallOf(pod, others, {.all = now, .taken = kNothing, .pods = now.Get("pods")})) {
      return false;
    }
    return objects.node_before == nullptr ||
           HasMore(pod, others, Amounts::Of(objects.node_before->status.allocatable), now);
  }

 private:
  static bool HasMore(const PodInfo& pod, const WantedOthers& others, const Amounts& before,
                      const Amounts& now) {
    return now.Get("pods") > before.Get("pods") || IsOfAny(pod.requests, now, before) ||
           std::ranges::any_of(others, [&](const WantedOther& each) {
             return each.served_by_class && now.Get(each.resource) <= 0;
           });
  }

  Devices* devices_;  // null where classes serve no resources
};

}  // namespace

std::vector<EventHint> FitEvents(const Handle& handle) {
  std::vector<EventHint> events = {
      {{EventResource::kAssignedPod, action::kDelete, {}}, WasPlaced},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeAllocatable, {}},
       NodeHint(handle)}};
  if (handle.gates.Enabled(api::Gate::kDRAExtendedResource)) {
    events.push_back(
        {{EventResource::kDeviceClass, action::kAdd | action::kUpdate, {}}, ServesAnew});
  }
  if (handle.gates.Enabled(api::Gate::kInPlacePodVerticalScaling)) {
    events.push_back({{EventResource::kAssignedPod, action::kUpdatePodScaleDown, {}}, GivesBack});
    events.push_back({{EventResource::kTargetPod, action::kUpdatePodScaleDown, {}}, nullptr});
  }
  return events;
}

}  // namespace quadra::scheduler
