#include "placement/node_allocatable.h"

#include <algorithm>

#include "placement/pod_claims.h"

namespace quadra::placement {
namespace {

using quantity::Quantity;

// Of several generations the newest; null if none publishes it.
const inventory::DeviceShape* ShapeOf(const api::DeviceRequestAllocationResult& result,
                                      const inventory::Snapshot& cluster) {
  const inventory::DeviceShape* shape = nullptr;
  std::int64_t generation = -1;
  for (const auto& slice :
       cluster.slices().OfPool(inventory::PoolKey(result.driver, result.pool))) {
    const auto device = std::ranges::find(slice->devices, result.device, &inventory::Device::name);
    if (device != slice->devices.end() && slice->generation > generation) {
      shape = device->shape.get();
      generation = slice->generation;
    }
  }
  return shape;
}

// Nothing where the allocation does not have that capacity.
std::optional<Quantity> Consumed(const api::DeviceRequestAllocationResult& result,
                                 const inventory::DeviceShape& shape, const std::string& key) {
  if (const Quantity* consumed = result.consumed_capacity.Find(key)) {
    return *consumed;
  }
  const api::DeviceCapacity* whole = shape.capacity.Find(key);
  const bool dedicated = result.consumed_capacity.empty();
  return dedicated && whole != nullptr ? std::optional(whole->value) : std::nullopt;
}

std::optional<Quantity> Mapped(const api::NodeAllocatableMapping& mapping,
                               const api::DeviceRequestAllocationResult& result,
                               const inventory::DeviceShape& shape) {
  if (mapping.capacity_key.value_or("").empty()) {
    return mapping.device_multiplier;
  }
  std::optional<Quantity> amount = Consumed(result, shape, *mapping.capacity_key);
  if (amount && mapping.capacity_multiplier && mapping.capacity_multiplier->CmpInt64(1) != 0) {
    amount->MulExactly(*mapping.capacity_multiplier);
  }
  return amount;
}

void Add(std::optional<Quantity>& total, const std::optional<Quantity>& amount) {
  if (amount && total) {
    total->Add(*amount);
  } else if (amount) {
    total = amount;
  }
}

// The sums over devices, by resource.
class Sums {
 public:
  void AddDevice(const api::DeviceRequestAllocationResult& result,
                 const inventory::DeviceShape& shape) {
    for (const auto& [name, resource] : shape.node_allocatable) {
      if (resource.mapping) {
        AddMapping(name, Mapped(*resource.mapping, result, shape));
      }
      if (resource.overhead) {
        AddOverhead(name, *resource.overhead);
      }
    }
  }

  std::optional<api::NodeAllocatableResourceClaimStatus> Status() const {
    if (mapped_.empty() && overhead_.empty()) {
      return std::nullopt;
    }
    api::NodeAllocatableResourceClaimStatus status;
    for (const auto& [name, amount] : mapped_) {
      status.mapping.push_back({.name = name, .quantity = amount});
    }
    for (const auto& [name, overhead] : overhead_) {
      status.overhead.push_back(
          {.name = name, .per_pod = overhead.per_pod, .per_container = overhead.per_container});
    }
    return status;
  }

 private:
  void AddMapping(const std::string& name, const std::optional<Quantity>& amount) {
    if (amount) {
      Add(mapped_[name], amount);
    }
  }

  void AddOverhead(const std::string& name, const api::NodeAllocatableOverhead& overhead) {
    if (overhead.per_pod || overhead.per_container) {
      Add(overhead_[name].per_pod, overhead.per_pod);
      Add(overhead_[name].per_container, overhead.per_container);
    }
  }

  std::map<std::string, std::optional<Quantity>> mapped_;
  std::map<std::string, api::NodeAllocatableOverhead> overhead_;
};

}  // namespace

std::optional<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOf(
    const api::AllocationResult& allocation, const inventory::Snapshot& cluster) {
  Sums sums;
  for (const api::DeviceRequestAllocationResult& result : allocation.devices.results) {
    if (const inventory::DeviceShape* shape = ShapeOf(result, cluster)) {
      sums.AddDevice(result, *shape);
    }
  }
  return sums.Status();
}

void AddContainers(api::NodeAllocatableResourceClaimStatus& status, const api::Pod& pod,
                   std::string_view pod_claim) {
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const auto& container : *containers) {
      for (const auto& reference : container.resources.claims) {
        if (reference.name == pod_claim) {
          status.containers.push_back(container.name);
        }
      }
    }
  }
}

std::optional<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOf(
    const api::ResourceClaim& claim, const api::Pod* pod, const inventory::Snapshot& cluster) {
  if (!claim.status.allocation) {
    return std::nullopt;
  }
  auto status = NodeAllocatableOf(*claim.status.allocation, cluster);
  if (!status) {
    return std::nullopt;
  }
  status->resource_claim_name = claim.metadata.name;
  const api::PodResourceClaim* entry = pod == nullptr ? nullptr : EntryFor(claim, *pod);
  if (entry != nullptr) {
    AddContainers(*status, *pod, entry->name);
  }
  return status;
}

NodeAllocatableAmounts TotalOf(std::span<const api::NodeAllocatableResourceClaimStatus> statuses) {
  NodeAllocatableAmounts total;
  for (const api::NodeAllocatableResourceClaimStatus& status : statuses) {
    for (const auto& mapping : status.mapping) {
      total[mapping.name].Add(mapping.quantity.value_or(Quantity()));
    }
    for (const auto& overhead : status.overhead) {
      Quantity of_containers = overhead.per_container.value_or(Quantity());
      of_containers.Mul(static_cast<std::int64_t>(status.containers.size()));
      total[overhead.name].Add(overhead.per_pod.value_or(Quantity()));
      total[overhead.name].Add(of_containers);
    }
  }
  return total;
}

}  // namespace quadra::placement
