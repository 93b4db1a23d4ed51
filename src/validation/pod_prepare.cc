#include "validation/pod_prepare.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "validation/object_meta.h"
#include "validation/path.h"

namespace quadra::validation {
namespace {

using api::Container;
using api::ContainerStatus;
using api::List;
using api::PodSpec;
using api::PodStatus;

constexpr std::int32_t kMilli = -3;

void RoundUp(api::ResourceList& amounts) {
  for (auto& [name, amount] : amounts) {
    amount.RoundUp(kMilli);
  }
}

void RoundUp(api::ResourceRequirements& resources) {
  RoundUp(resources.limits);
  RoundUp(resources.requests);
}

void RequestLimits(api::ResourceRequirements& resources) {
  for (const auto& [name, amount] : resources.limits) {
    if (!resources.requests.contains(name)) {
      resources.requests[name] = amount;
    }
  }
}

void DefaultSpec(PodSpec& spec) {
  for (List<Container>* containers :
       {&spec.containers, &spec.init_containers, &spec.ephemeral_containers}) {
    for (Container& container : *containers) {
      RoundUp(container.resources);
    }
  }
  RoundUp(spec.overhead);
  if (spec.resources) {
    RoundUp(*spec.resources);
  }
}

struct NamedStatuses {
  std::string_view name;
  List<ContainerStatus> PodStatus::* member;
};
constexpr auto kContainerStatuses = std::to_array<NamedStatuses>({
    {"containerStatuses", &PodStatus::container_statuses},
    {"initContainerStatuses", &PodStatus::init_container_statuses},
    {"ephemeralContainerStatuses", &PodStatus::ephemeral_container_statuses},
});

// Calls `visit(container status, its path)` for containers of all kinds.
template <typename Status, typename Visit>
void ForEachContainer(Status& status, Visit visit) {
  const Path path("status");
  for (const NamedStatuses& each : kContainerStatuses) {
    for (std::size_t i = 0; i < (status.*each.member).size(); ++i) {
      visit((status.*each.member)[i], path.Child(each.name, i));
    }
  }
}

bool UsesHealth(const PodStatus& status) {
  bool used = false;
  ForEachContainer(status, [&](const ContainerStatus& container, const Path&) {
    used = used || !container.allocated_resources_status.empty();
  });
  return used;
}

bool UsesHealthMessages(const PodStatus& status) {
  bool used = false;
  ForEachContainer(status, [&](const ContainerStatus& container, const Path&) {
    for (const api::ResourceStatus& resource : container.allocated_resources_status) {
      used = used || std::ranges::any_of(resource.resources,
                                         [](const auto& each) { return each.message.has_value(); });
    }
  });
  return used;
}

void DropHealth(PodStatus& status, Dropped& dropped) {
  ForEachContainer(status, [&](ContainerStatus& container, const Path& path) {
    dropped.Reset(container.allocated_resources_status, path.Child("allocatedResourcesStatus"));
  });
}

void DropHealthMessages(PodStatus& status, Dropped& dropped) {
  ForEachContainer(status, [&](ContainerStatus& container, const Path& path) {
    for (std::size_t i = 0; i < container.allocated_resources_status.size(); ++i) {
      const Path resource = path.Child("allocatedResourcesStatus", i);
      List<api::ResourceHealth>& healths = container.allocated_resources_status[i].resources;
      for (std::size_t j = 0; j < healths.size(); ++j) {
        const Path health = resource.Child("resources", j);
        dropped.Reset(healths[j].message, health.Child("message"));
      }
    }
  });
}

void DropGatedStatus(const FeatureGates& gates, PodStatus& status, const PodStatus& old,
                     Dropped& dropped) {
  if (!gates.Enabled(Gate::kResourceHealthStatus) && !UsesHealth(old)) {
    DropHealth(status, dropped);
  }
  if (!gates.Enabled(Gate::kResourceHealthStatusMessage) && !UsesHealthMessages(old)) {
    DropHealthMessages(status, dropped);
  }
  if (!gates.Enabled(Gate::kDRANodeAllocatableResources) &&
      old.node_allocatable_resource_claim_statuses.empty()) {
    const Path path("status");
    dropped.Reset(status.node_allocatable_resource_claim_statuses,
                  path.Child("nodeAllocatableResourceClaimStatuses"));
  }
}

// Clients that do not know a list would clear it by leaving it out; only an empty list clears it.
template <typename T>
void KeepUnlessGiven(List<T>& list, const List<T>& old) {
  if (list.is_nil()) {
    list = old;
  }
}

// Clients that do not know observedGeneration would clear it. Conditions of one type correspond in
// their order.
void KeepObservedGenerations(PodStatus& status, const PodStatus& old) {
  if (status.observed_generation == 0) {
    status.observed_generation = old.observed_generation;
  }
  std::map<std::string_view, std::deque<std::int64_t>> before;
  for (const api::PodCondition& condition : old.conditions) {
    before[condition.type].push_back(condition.observed_generation);
  }
  for (api::PodCondition& condition : status.conditions) {
    std::deque<std::int64_t>& left = before[condition.type];
    if (condition.observed_generation == 0 && !left.empty()) {
      condition.observed_generation = left.front();
    }
    if (!left.empty()) {
      left.pop_front();
    }
  }
}

void PrepareStatusWrite(const FeatureGates& gates, api::Pod& pod, const api::Pod& old,
                        Dropped& dropped) {
  pod.spec = old.spec;
  pod.metadata.deletion_timestamp.reset();
  pod.metadata.owner_references = old.metadata.owner_references;
  if (pod.status.qos_class.empty()) {
    pod.status.qos_class = old.status.qos_class;
  }
  KeepUnlessGiven(pod.status.resource_claim_statuses, old.status.resource_claim_statuses);
  if (!pod.status.extended_resource_claim_status) {
    pod.status.extended_resource_claim_status = old.status.extended_resource_claim_status;
  }
  KeepUnlessGiven(pod.status.node_allocatable_resource_claim_statuses,
                  old.status.node_allocatable_resource_claim_statuses);
  KeepObservedGenerations(pod.status, old.status);
  DropGatedStatus(gates, pod.status, old.status, dropped);
}

bool UsesPodLevelResources(const PodSpec* spec) {
  return spec != nullptr && spec->resources &&
         (!spec->resources->requests.empty() || !spec->resources->limits.empty());
}

}  // namespace

void DefaultPod(api::Pod& pod) {
  DefaultSpec(pod.spec);
  for (List<Container>* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (Container& container : *containers) {
      RequestLimits(container.resources);
    }
  }
}

void DefaultPodTemplate(api::PodTemplateSpec& pod_template) { DefaultSpec(pod_template.spec); }

void DropGatedFields(const FeatureGates& gates, PodSpec& spec, const PodSpec* old) {
  if (!gates.Enabled(Gate::kPodLevelResources) && !UsesPodLevelResources(old)) {
    spec.resources.reset();
  }
  if (!gates.Enabled(Gate::kGenericWorkload) && (old == nullptr || !old->scheduling_group)) {
    spec.scheduling_group.reset();
  }
}

void PreparePod(const Request& request, api::Pod& pod, const api::Pod* old, Dropped& dropped) {
  if (old == nullptr) {
    pod.status = PodStatus{.phase = "Pending"};
    DropGatedFields(request.gates, pod.spec, nullptr);
  } else if (request.operation == Operation::kStatus) {
    PrepareStatusWrite(request.gates, pod, *old, dropped);
  } else {
    pod.status = old->status;
    if (!pod.spec.resources) {
      pod.spec.resources = old->spec.resources;
    }
    DropGatedFields(request.gates, pod.spec, &old->spec);
  }
}

}  // namespace quadra::validation
