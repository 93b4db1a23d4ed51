#include "apiserver/pod_level_cover.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace quadra::apiserver {
namespace {

using api::Quantity;
using AmountsByName = std::map<std::string, Quantity, std::less<>>;

bool IsHugePages(std::string_view resource) { return resource.starts_with("hugepages-"); }

// What a pod may ask for as a whole.
bool IsOfWholePods(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || IsHugePages(resource);
}

template <typename Amounts>
void AddAll(const Amounts& amounts, AmountsByName& sums) {
  for (const auto& [resource, amount] : amounts) {
    sums[resource].Add(amount);
  }
}

// The same list of the resources of every container: requests or limits.
using ListOf = api::ResourceList api::ResourceRequirements::*;

// What containers take that run at once: those of the pod with the sidecars, or one that prepares it
// with the sidecars before it.
AmountsByName PeakOf(const api::Pod& pod, ListOf list) {
  AmountsByName running;
  for (const api::Container& container : pod.spec.containers) {
    AddAll(container.resources.*list, running);
  }
  AmountsByName sidecars;
  AmountsByName peak;
  for (const api::Container& container : pod.spec.init_containers) {
    AmountsByName beside = sidecars;
    AddAll(container.resources.*list, beside);
    if (container.restart_policy == "Always") {
      AddAll(container.resources.*list, running);
      sidecars = beside;
    }
    for (const auto& [resource, amount] : beside) {
      peak[resource] = std::max(peak[resource], amount);
    }
  }
  for (const auto& [resource, amount] : peak) {
    running[resource] = std::max(running[resource], amount);
  }
  return running;
}

// `containers`: for how many the overhead of containers counts.
void AddDevices(const api::NodeAllocatableResourceClaimStatus& claim, std::size_t containers,
                AmountsByName& sums) {
  for (const api::NodeAllocatableMappedResources& mapped : claim.mapping) {
    sums[mapped.name].Add(mapped.quantity.value_or(Quantity()));
  }
  for (const api::NodeAllocatableOverheadResources& overhead : claim.overhead) {
    sums[overhead.name].Add(overhead.per_pod.value_or(Quantity()));
    for (std::size_t i = 0; i < containers; ++i) {
      sums[overhead.name].Add(overhead.per_container.value_or(Quantity()));
    }
  }
}

AmountsByName OfDevices(const api::Pod& pod) {
  AmountsByName sums;
  for (const auto& claim : pod.status.node_allocatable_resource_claim_statuses) {
    AddDevices(claim, claim.containers.size(), sums);
  }
  return sums;
}

AmountsByName OfDevices(const api::Pod& pod, const std::string& container) {
  AmountsByName sums;
  for (const auto& claim : pod.status.node_allocatable_resource_claim_statuses) {
    if (std::ranges::find(claim.containers, container) != claim.containers.end()) {
      AddDevices(claim, 1, sums);
    }
  }
  return sums;
}

std::optional<std::string> ShortRequest(const api::Pod& pod,
                                        const api::ResourceRequirements& whole) {
  AmountsByName wanted = PeakOf(pod, &api::ResourceRequirements::requests);
  AddAll(OfDevices(pod), wanted);
  for (const auto& [resource, amount] : whole.requests) {
    const auto found = wanted.find(resource);
    if (IsOfWholePods(resource) && found != wanted.end() && found->second > amount) {
      return fmt::format(
          "pod level request for {} is insufficient to cover the aggregated container and "
          "node-allocatable DRA requests",
          resource);
    }
  }
  return std::nullopt;
}

// Of huge pages all limits together count, whether or not containers name them.
std::optional<std::string> ShortLimitOfHugePages(const api::Pod& pod,
                                                 const api::ResourceRequirements& whole) {
  AmountsByName limits = PeakOf(pod, &api::ResourceRequirements::limits);
  AddAll(OfDevices(pod), limits);
  for (const auto& [resource, amount] : limits) {
    const Quantity* const most = whole.limits.Find(resource);
    if (IsHugePages(resource) && most != nullptr && amount > *most) {
      return fmt::format(
          "pod level limit for {} is insufficient to cover the aggregated container and "
          "node-allocatable DRA limits",
          resource);
    }
  }
  return std::nullopt;
}

// Of all else each container's by itself.
std::optional<std::string> ShortLimit(const api::Pod& pod, const api::ResourceRequirements& whole) {
  for (const api::Container& container : pod.spec.containers) {
    const AmountsByName devices = OfDevices(pod, container.name);
    for (const auto& [resource, limit] : container.resources.limits) {
      const Quantity* const most = whole.limits.Find(resource);
      const auto of_devices = devices.find(resource);
      Quantity sum = limit;
      sum.Add(of_devices == devices.end() ? Quantity() : of_devices->second);
      if (!IsHugePages(resource) && most != nullptr && sum > *most) {
        return fmt::format(
            "pod level limit for {} is insufficient to cover the limit and DRA overhead for "
            "container {}",
            resource, container.name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ShortOfDevices(const api::Pod& pod) {
  const std::optional<api::ResourceRequirements>& whole = pod.spec.resources;
  if (!whole) {
    return std::nullopt;
  }
  for (const auto check : {ShortRequest, ShortLimitOfHugePages, ShortLimit}) {
    if (std::optional<std::string> lack = check(pod, *whole)) {
      return lack;
    }
  }
  return std::nullopt;
}

}  // namespace quadra::apiserver
