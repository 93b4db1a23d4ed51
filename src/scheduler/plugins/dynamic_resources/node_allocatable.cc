// Devices that stand for cpu, memory or huge pages of their node, or cost some of it: whether the node,
// and what the pod allows itself as a whole, has room for that too.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

using ClaimStatus = api::NodeAllocatableResourceClaimStatus;
using quantity::Quantity;

bool IsHugePages(std::string_view resource) { return resource.starts_with("hugepages-"); }

bool IsOfPods(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || IsHugePages(resource);
}

// What its containers ask for together, without what the pod says of itself as a whole.
placement::ResourceAmounts OfContainers(api::Pod pod) {
  pod.spec.resources.reset();
  pod.spec.overhead = {};
  return placement::RequestsOf(pod).amounts;
}

placement::ResourceAmounts LimitsOfContainers(api::Pod pod) {
  for (auto* const containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (api::Container& container : *containers) {
      container.resources.requests = container.resources.limits;
    }
  }
  return OfContainers(std::move(pod));
}

std::int64_t CountIn(const placement::ResourceAmounts& amounts, const std::string& resource) {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : found->second;
}

Status TooLittle(std::string_view what, std::string_view resource, std::string_view for_what) {
  return Unresolvable(
      fmt::format("pod level {} for {} is insufficient to cover {}", what, resource, for_what));
}

// What the claims that the container refers to take, by resource.
std::map<std::string, Quantity> OfContainer(const std::vector<ClaimStatus>& statuses,
                                            const std::string& container) {
  std::map<std::string, Quantity> amounts;
  for (const ClaimStatus& status : statuses) {
    if (std::ranges::find(status.containers, container) == status.containers.end()) {
      continue;
    }
    for (const auto& mapping : status.mapping) {
      amounts[mapping.name].Add(mapping.quantity.value_or(Quantity()));
    }
    for (const auto& overhead : status.overhead) {
      amounts[overhead.name].Add(overhead.per_pod.value_or(Quantity()));
      amounts[overhead.name].Add(overhead.per_container.value_or(Quantity()));
    }
  }
  return amounts;
}

Status CheckRequests(const api::Pod& pod, const placement::NodeAllocatableAmounts& total) {
  const placement::ResourceAmounts containers = OfContainers(pod);
  for (const auto& [resource, budget] : pod.spec.resources->requests) {
    const auto more = total.find(resource);
    if (!IsOfPods(resource) || (more == total.end() && !containers.contains(resource))) {
      continue;
    }
    const std::int64_t wanted =
        CountIn(containers, resource) +
        (more == total.end() ? 0 : placement::CountOf(resource, more->second));
    if (wanted > placement::CountOf(resource, budget)) {
      return TooLittle("request", resource,
                       "the aggregated container and node-allocatable DRA requests");
    }
  }
  return {};
}

Status CheckHugePages(const api::Pod& pod, const placement::NodeAllocatableAmounts& total) {
  const placement::ResourceAmounts containers = LimitsOfContainers(pod);
  for (const auto& [resource, budget] : pod.spec.resources->limits) {
    const auto more = total.find(resource);
    const std::int64_t wanted =
        CountIn(containers, resource) +
        (more == total.end() ? 0 : placement::CountOf(resource, more->second));
    if (IsHugePages(resource) && wanted > placement::CountOf(resource, budget)) {
      return TooLittle("limit", resource,
                       "the aggregated container and node-allocatable DRA limits");
    }
  }
  return {};
}

Status CheckLimits(const api::Pod& pod, const std::vector<ClaimStatus>& statuses) {
  for (const api::Container& container : pod.spec.containers) {
    std::map<std::string, Quantity> more = OfContainer(statuses, container.name);
    for (const auto& [resource, limit] : container.resources.limits) {
      const Quantity* const budget = pod.spec.resources->limits.Find(resource);
      if (budget == nullptr || IsHugePages(resource)) {
        continue;
      }
      Quantity wanted = limit;
      wanted.Add(more[resource]);
      if (wanted > *budget) {
        return TooLittle("limit", resource,
                         "the limit and DRA overhead for container " + container.name);
      }
    }
  }
  return {};
}

Status CheckPodLevel(const api::Pod& pod, const std::vector<ClaimStatus>& statuses) {
  const placement::NodeAllocatableAmounts total = placement::TotalOf(statuses);
  Status status = CheckRequests(pod, total);
  if (status.ok()) {
    status = CheckHugePages(pod, total);
  }
  return status.ok() ? CheckLimits(pod, statuses) : status;
}

class Fitting {
 public:
  explicit Fitting(const NodeInfo& node) : node_(node) {}

  void Add(std::string_view resource, std::int64_t wanted) {
    const std::int64_t all = node_.allocatable().Get(resource);
    if (wanted > 0 && wanted > all - node_.requested().Get(resource)) {
      reasons_.push_back(fmt::format("Insufficient {}", resource));
      never_ = never_ || wanted > all;
    }
  }
  Status status() && {
    if (reasons_.empty()) {
      return {};
    }
    return {never_ ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable,
            std::move(reasons_)};
  }

 private:
  const NodeInfo& node_;
  std::vector<std::string> reasons_;
  bool never_ = false;
};

Status CheckRoom(const NodeInfo& node, const Amounts& wanted) {
  Fitting fitting(node);
  for (const std::string_view resource : {"cpu", "memory", "ephemeral-storage"}) {
    fitting.Add(resource, wanted.Get(resource));
  }
  for (const auto& [resource, count] : wanted.others) {
    if (IsHugePages(resource)) {
      fitting.Add(resource, count);
    }
  }
  return std::move(fitting).status();
}

// As the claim will be; the entries of the pod that stand for it name its containers.
std::optional<ClaimStatus> StatusOf(const api::ResourceClaim& claim,
                                    const api::AllocationResult& allocation, const api::Pod& pod,
                                    const inventory::Snapshot& devices) {
  std::optional<ClaimStatus> status = placement::NodeAllocatableOf(allocation, devices);
  if (!status) {
    return status;
  }
  status->resource_claim_name = claim.metadata.name;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    if (name && name->name == claim.metadata.name) {
      placement::AddContainers(*status, pod, entry.name);
    }
  }
  return status;
}

}  // namespace

void DynamicResources::FindMapped(ClaimsOfPod& found) const {
  for (std::size_t i = 0; i < found.claims.size(); ++i) {
    const PodClaim& each = found.claims[i];
    const auto status = each.IsPending() ? std::nullopt
                                         : placement::NodeAllocatableOf(
                                               *each.claim->status.allocation, devices_.Take());
    if (status && !status->mapping.empty()) {
      found.mapped.insert(i);
    }
  }
}

Status DynamicResources::CheckSharing(const api::Pod& pod, const api::Node& node,
                                      const ClaimsOfPod& found) const {
  for (const std::size_t index : found.mapped) {
    const api::ResourceClaim& claim = *found.claims[index].claim;
    if (IsWithinReach(node, claim) && !claim.status.reserved_for.empty() &&
        !placement::IsReservedFor(claim, pod)) {
      return Unresolvable(
          fmt::format("node allocatable resource claim {} has a mapped device and cannot be shared "
                      "across pods",
                      claim.metadata.name));
    }
  }
  return {};
}

Status DynamicResources::CheckNodeAllocatable(const PodInfo& pod, const NodeInfo& node,
                                              Grant& grant, const ClaimsOfPod& found) const {
  std::vector<ClaimStatus> statuses;
  std::size_t next = 0;
  for (const PodClaim& each : found.claims) {
    const bool is_asked = each.IsPending() && (!each.is_extended || grant.variant->extended);
    const api::AllocationResult* const allocation =
        is_asked ? &grant.allocations[next++]
                 : (each.IsPending() ? nullptr : &*each.claim->status.allocation);
    std::optional<ClaimStatus> status =
        allocation == nullptr ? std::nullopt
                              : StatusOf(*each.claim, *allocation, pod.pod, devices_.Take());
    if (status) {
      statuses.push_back(*std::move(status));
    }
  }
  if (statuses.empty()) {
    return {};
  }
  std::ranges::sort(statuses, {}, &ClaimStatus::resource_claim_name);
  const bool has_budget =
      pod.pod.spec.resources.has_value() && handle_.gates.Enabled(api::Gate::kPodLevelResources);
  Status status = has_budget ? CheckPodLevel(pod.pod, statuses) : Status();
  if (status.ok()) {
    Amounts wanted = Amounts::Of(placement::RequestsOf(pod.pod).amounts);
    wanted.Add(NodeAllocatableAmounts(pod.pod, statuses));
    status = CheckRoom(node, wanted);
  }
  if (status.ok()) {
    grant.node_allocatable = std::move(statuses);
  }
  return status;
}

}  // namespace quadra::scheduler
