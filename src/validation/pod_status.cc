#include "validation/pod_status.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "validation/formats.h"
#include "validation/pod_resources.h"

namespace quadra::validation {
namespace {

using api::Container;
using api::ContainerStatus;
using api::List;
using api::PodExtendedResourceClaimStatus;
using api::PodSpec;
using api::PodStatus;
using api::Quantity;
using api::ResourceHealth;
using api::ResourceStatus;

constexpr std::size_t kMaxHealthMessageBytes = 1024;

void ValidateClaimStatuses(ErrorList& errors, const Path& path, const api::Pod& pod) {
  std::set<std::string_view> seen;
  const List<api::PodResourceClaimStatus>& statuses = pod.status.resource_claim_statuses;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Path item = path.Index(i);
    const std::string& name = statuses[i].name;
    if (std::ranges::find(pod.spec.resource_claims, name, &api::PodResourceClaim::name) ==
        pod.spec.resource_claims.end()) {
      errors.Invalid(item.Child("name"), name,
                     "must match the name of an entry in `spec.resourceClaims`");
    }
    if (!seen.insert(name).second) {
      errors.Duplicate(item.Child("name"), name);
    }
    if (const auto& claim = statuses[i].resource_claim_name) {
      for (const std::string& detail : api::DnsSubdomainProblems(*claim)) {
        errors.Invalid(item.Child("resourceClaimName"), Named(*claim), detail);
      }
    }
  }
}

// The last container of that name, regular ones before init containers, as upstream's look-up ends
// with.
const Container* FindContainer(const PodSpec& spec, std::string_view name) {
  const Container* found = nullptr;
  for (const List<Container>* containers : {&spec.init_containers, &spec.containers}) {
    for (const Container& container : *containers) {
      found = container.name == name ? &container : found;
    }
  }
  return found;
}

void ValidateMappedContainer(ErrorList& errors, const Path& path,
                             const api::ContainerExtendedResourceRequest& mapping,
                             const PodSpec& spec) {
  const Container* container = FindContainer(spec, mapping.container_name);
  if (container == nullptr) {
    errors.Invalid(
        path.Child("containerName"), mapping.container_name,
        "must match the name of an entry in spec.initContainers.name or spec.containers.name");
  } else if (!container->resources.requests.contains(mapping.resource_name)) {
    errors.Invalid(path.Child("resourceName"), mapping.resource_name,
                   "must match the extended resource name of an entry in "
                   "spec.initContainers.resources.requests or "
                   "spec.containers.resources.requests");
  }
}

void ValidateRequestMappings(ErrorList& errors, const Path& path,
                             const PodExtendedResourceClaimStatus& status, const PodSpec& spec) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < status.request_mappings.size(); ++i) {
    const api::ContainerExtendedResourceRequest& mapping = status.request_mappings[i];
    const Path item = path.Child("requestMappings", i);
    ValidateMappedContainer(errors, item, mapping, spec);
    CheckDnsLabel(errors, path.Child("requestName"),
                  mapping.request_name);  // without index, as upstream
    if (!seen.insert({mapping.container_name, mapping.resource_name, mapping.request_name})
             .second) {
      errors.Duplicate(item.Child("containerName"), mapping.container_name);
      errors.Duplicate(item.Child("resourceName"), mapping.resource_name);
      errors.Duplicate(item.Child("requestName"), mapping.request_name);
    }
  }
}

void ValidateExtendedClaim(ErrorList& errors, const Path& path,
                           const PodExtendedResourceClaimStatus& status, const PodSpec& spec) {
  if (status.request_mappings.empty()) {
    errors.Required(path.Child("requestMappings"), "at least one request mapping is required");
  }
  ValidateRequestMappings(errors, path, status, spec);
  if (status.resource_claim_name.empty()) {
    errors.Required(path.Child("resourceClaimName"));
  } else {
    CheckDnsSubdomain(errors, path.Child("resourceClaimName"), status.resource_claim_name);
  }
}

void ValidateNodeResourceName(ErrorList& errors, const Path& path, std::string_view name) {
  if (!IsNodeAllocatableResource(name)) {
    errors.Invalid(path, Named(name), "must be a node allocatable resource name");
  }
}

void ValidateNotNegative(ErrorList& errors, const Path& path,
                         const std::optional<Quantity>& amount) {
  if (amount && *amount < Quantity()) {
    errors.Invalid(path, amount->ToString(), "must be non-negative");
  }
}

void ValidateMapping(ErrorList& errors, const Path& path,
                     const List<api::NodeAllocatableMappedResources>& mapping) {
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const Path item = path.Index(i);
    ValidateNodeResourceName(errors, item.Child("name"), mapping[i].name);
    ValidateNotNegative(errors, item.Child("quantity"), mapping[i].quantity);
  }
}

void ValidateOverhead(ErrorList& errors, const Path& path,
                      const List<api::NodeAllocatableOverheadResources>& overhead) {
  for (std::size_t i = 0; i < overhead.size(); ++i) {
    const Path item = path.Index(i);
    ValidateNodeResourceName(errors, item.Child("name"), overhead[i].name);
    if (!overhead[i].per_pod && !overhead[i].per_container) {
      errors.Invalid(item, "", "at least one of perPod or perContainer must be set");
    }
    ValidateNotNegative(errors, item.Child("perPod"), overhead[i].per_pod);
    ValidateNotNegative(errors, item.Child("perContainer"), overhead[i].per_container);
  }
}

bool UsesClaim(const api::Pod& pod, const std::string& claim) {
  const auto names_it = [&](const auto& entry) { return entry.resource_claim_name == claim; };
  return std::ranges::any_of(pod.spec.resource_claims, names_it) ||
         std::ranges::any_of(pod.status.resource_claim_statuses, names_it);
}

void ValidateNodeAllocatable(ErrorList& errors, const Path& path, const api::Pod& pod) {
  const auto& statuses = pod.status.node_allocatable_resource_claim_statuses;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Path item = path.Index(i);
    if (statuses[i].resource_claim_name.empty()) {
      continue;  // the declarative rules ask for it
    }
    if (!UsesClaim(pod, statuses[i].resource_claim_name)) {
      errors.Invalid(item.Child("resourceClaimName"), statuses[i].resource_claim_name,
                     "no mapping found in pod reference");
    }
    ValidateMapping(errors, item.Child("mapping"), statuses[i].mapping);
    ValidateOverhead(errors, item.Child("overhead"), statuses[i].overhead);
  }
}

constexpr std::string_view kClaimPrefix = "claim:";

std::string HealthName(const api::ContainerResourceClaim& claim) {
  std::string name(kClaimPrefix);
  name += claim.name;
  if (!claim.request.empty()) {
    name += "/" + claim.request;
  }
  return name;
}

// Whether `name` (claim:CLAIM/REQUEST) is the request that gives this container an extended
// resource.
bool ServesExtendedResource(std::string_view name, const Container& container,
                            const PodStatus& status) {
  const auto& extended = status.extended_resource_claim_status;
  const std::string_view reference = name.substr(kClaimPrefix.size());
  const std::size_t slash = reference.find('/');
  if (!extended || slash == std::string_view::npos || slash == 0 ||
      reference.substr(0, slash) != extended->resource_claim_name) {
    return false;
  }
  const std::string_view request = reference.substr(slash + 1);
  return !request.empty() &&
         std::ranges::any_of(extended->request_mappings, [&](const auto& mapping) {
           const Quantity* amount = container.resources.requests.Find(mapping.resource_name);
           return mapping.container_name == container.name && mapping.request_name == request &&
                  amount != nullptr && *amount != Quantity();
         });
}

void ValidateHealthName(ErrorList& errors, const Path& path, const std::string& name,
                        const Container& container, const PodStatus& status) {
  if (!name.starts_with(kClaimPrefix)) {
    if (!container.resources.requests.contains(name)) {
      errors.Invalid(path, Named(name), "must match one of the container's resource requests");
    }
    return;
  }
  const bool found =
      std::ranges::any_of(container.resources.claims,
                          [&](const auto& claim) { return HealthName(claim) == name; }) ||
      ServesExtendedResource(name, container, status);
  if (!found) {
    errors.Invalid(
        path, Named(name),
        "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' "
        "when "
        "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty");
  }
}

void ValidateHealth(ErrorList& errors, const Path& path, const ResourceHealth& resource,
                    std::set<std::string_view>& seen) {
  static constexpr auto kHealth =
      std::to_array<std::string_view>({"Healthy", "Unhealthy", "Unknown"});
  if (std::ranges::find(kHealth, resource.health) == kHealth.end()) {
    errors.NotSupported(path.Child("health"), Named(resource.health), kHealth);
  }
  if (resource.message && resource.message->empty()) {
    errors.Required(path.Child("message"), "must be non-empty if specified");
  } else if (resource.message && resource.message->size() > kMaxHealthMessageBytes) {
    errors.TooLong(path.Child("message"), kMaxHealthMessageBytes);
  }
  if (!seen.insert(resource.resource_id).second) {
    errors.Duplicate(path.Child("resourceID"), Named(resource.resource_id));
  }
}

void ValidateContainerHealth(ErrorList& errors, const Path& path,
                             const ContainerStatus& container_status,
                             const List<Container>& containers, const PodStatus& status) {
  const auto container = std::ranges::find(containers, container_status.name, &Container::name);
  for (std::size_t i = 0; i < container_status.allocated_resources_status.size(); ++i) {
    const ResourceStatus& resource = container_status.allocated_resources_status[i];
    const Path item = path.Child("allocatedResourcesStatus", i);
    if (container != containers.end()) {
      ValidateHealthName(errors, item.Child("name"), resource.name, *container, status);
    }
    std::set<std::string_view> seen;
    for (std::size_t j = 0; j < resource.resources.size(); ++j) {
      ValidateHealth(errors, item.Child("resources", j), resource.resources[j], seen);
    }
  }
}

void ValidateHealths(ErrorList& errors, const Path& path, const List<ContainerStatus>& statuses,
                     const List<Container>& containers, const PodStatus& status) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    ValidateContainerHealth(errors, path.Index(i), statuses[i], containers, status);
  }
}

void ForbidHealth(ErrorList& errors, const Path& path, const List<ContainerStatus>& statuses) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (!statuses[i].allocated_resources_status.empty()) {
      const Path item = path.Index(i);
      errors.Forbidden(item.Child("allocatedResourcesStatus"),
                       "must not be specified in container status");
    }
  }
}

constexpr auto kMappedResources =
    Rules(Field("name", &api::NodeAllocatableMappedResources::name, Required{}),
          Field("quantity", &api::NodeAllocatableMappedResources::quantity, Required{}));

constexpr auto kOverheadResources =
    Rules(Field("name", &api::NodeAllocatableOverheadResources::name, Required{}));

constexpr auto kClaimStatus =
    Rules(Field("resourceClaimName", &api::NodeAllocatableResourceClaimStatus::resource_claim_name,
                Required{}),
          Field("containers", &api::NodeAllocatableResourceClaimStatus::containers, Unique(Self{})),
          Field("mapping", &api::NodeAllocatableResourceClaimStatus::mapping,
                Unique(&api::NodeAllocatableMappedResources::name),
                EachBy(&api::NodeAllocatableMappedResources::name, kMappedResources)),
          Field("overhead", &api::NodeAllocatableResourceClaimStatus::overhead,
                Unique(&api::NodeAllocatableOverheadResources::name),
                EachBy(&api::NodeAllocatableOverheadResources::name, kOverheadResources)));

constexpr auto kStatus = Rules(Field(
    "nodeAllocatableResourceClaimStatuses", &PodStatus::node_allocatable_resource_claim_statuses,
    Unique(&api::NodeAllocatableResourceClaimStatus::resource_claim_name),
    EachBy(&api::NodeAllocatableResourceClaimStatus::resource_claim_name, kClaimStatus)));

}  // namespace

void DeclarePodStatus(const Site& site, const PodStatus& status, const PodStatus* old) {
  const Path path = site.path.Child("status");
  kStatus(site.At(path), status, old);
}

void ValidatePodStatus(ErrorList& errors, const api::Pod& pod) {
  const Path path("status");
  const PodStatus& status = pod.status;
  ValidateClaimStatuses(errors, path.Child("resourceClaimStatuses"), pod);
  if (status.extended_resource_claim_status) {
    ValidateExtendedClaim(errors, path.Child("extendedResourceClaimStatus"),
                          *status.extended_resource_claim_status, pod.spec);
  }
  ValidateNodeAllocatable(errors, path.Child("nodeAllocatableResourceClaimStatuses"), pod);
  ValidateHealths(errors, path.Child("containerStatuses"), status.container_statuses,
                  pod.spec.containers, status);
  ValidateHealths(errors, path.Child("initContainerStatuses"), status.init_container_statuses,
                  pod.spec.init_containers, status);
  ForbidHealth(errors, path.Child("ephemeralContainerStatuses"),
               status.ephemeral_container_statuses);
}

}  // namespace quadra::validation
