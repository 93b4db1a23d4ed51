#include "placement/extended_resources.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "placement/node_room.h"
#include "placement/pod_claims.h"
#include "placement/pod_requests.h"

namespace quadra::placement {
namespace {

constexpr std::string_view kImplicitPrefix = "deviceclass.resource.kubernetes.io/";

bool IsServedByClasses(std::string_view resource) {
  if (resource.starts_with(kImplicitPrefix)) {
    return true;
  }
  const bool native = resource.find('/') == std::string_view::npos ||
                      resource.find("kubernetes.io/") != std::string_view::npos;
  return !native && !resource.starts_with("requests.");
}

struct ContainerView {
  const api::Container* container;
  api::ResourceList requests;
  bool short_lived;  // an init container that ends before the others start
};

std::vector<ContainerView> ContainersOf(const api::Pod& pod) {
  std::vector<ContainerView> views;
  for (const api::Container& container : pod.spec.init_containers) {
    views.push_back(
        {&container, ContainerRequests(container), container.restart_policy != "Always"});
  }
  for (const api::Container& container : pod.spec.containers) {
    views.push_back({&container, ContainerRequests(container), false});
  }
  return views;
}

std::set<std::string> ResourcesOf(const std::vector<ContainerView>& containers) {
  std::set<std::string> resources;
  for (const ContainerView& view : containers) {
    for (const auto& [name, amount] : view.requests) {
      if (IsServedByClasses(name) && !amount.IsZero()) {
        resources.insert(name);
      }
    }
  }
  return resources;
}

bool MayOffer(const api::Node& node, const std::string& resource) {
  const api::ResourceList& has = AllocatableOf(node);
  const api::Quantity* offered = has.Find(resource);
  return has.empty() || (offered != nullptr && !offered->IsZero());
}

// A request for devices of one resource; none where `count` is 0.
struct Asked {
  std::string name;
  std::int64_t count = 0;
};

// The requests for one resource, container by container.
class RequestMaker {
 public:
  RequestMaker(const std::vector<ContainerView>& containers, std::string resource,
               std::string_view device_class)
      : containers_(containers),
        resource_(std::move(resource)),
        class_(device_class),
        lasting_(containers.size()) {}

  void Make(ExtendedDemand& demand) {
    Mappings mappings;
    for (std::size_t i = 0; i < containers_.size(); ++i) {
      if (!containers_[i].short_lived) {
        lasting_[i] = AskFor(i, mappings);
      }
    }
    Add(MakeShortLived(mappings), demand);
    for (const Asked& asked : lasting_) {
      Add(asked, demand);
    }
    for (api::ContainerExtendedResourceRequest& mapping : mappings) {
      demand.mappings.push_back(std::move(mapping));
    }
  }

 private:
  using Mappings = std::vector<api::ContainerExtendedResourceRequest>;

  void Add(const Asked& asked, ExtendedDemand& demand) const {
    if (asked.count == 0) {
      return;
    }
    api::ExactDeviceRequest exactly;
    exactly.device_class_name = class_;
    exactly.allocation_mode = "ExactCount";
    exactly.count = asked.count;
    demand.requests.push_back(
        {.name = asked.name, .exactly = std::move(exactly), .first_available = {}});
  }

  // Of the rests that short-lived containers still want the largest serves all of them.
  Asked MakeShortLived(Mappings& mappings) const {
    Asked largest;
    std::set<std::string> rests;
    const std::size_t first = mappings.size();
    for (std::size_t i = 0; i < containers_.size(); ++i) {
      if (!containers_[i].short_lived) {
        continue;
      }
      if (const Asked rest = AskFor(i, mappings); rest.count > 0) {
        rests.insert(rest.name);
        largest = largest.count < rest.count ? rest : largest;
      }
    }
    for (std::size_t i = first; i < mappings.size(); ++i) {
      if (rests.contains(mappings[i].request_name)) {
        mappings[i].request_name = largest.name;
      }
    }
    return largest;
  }

  // What the container wants beyond what it may use again.
  Asked AskFor(std::size_t index, Mappings& mappings) const {
    const ContainerView& view = containers_[index];
    const api::Quantity* amount = view.requests.Find(resource_);
    std::int64_t rest = amount == nullptr ? 0 : amount->AsInt64().value_or(0);
    for (std::size_t later = index; view.short_lived && later < lasting_.size(); ++later) {
      if (rest > 0 && lasting_[later].count > 0) {
        mappings.push_back(MappingTo(view, lasting_[later].name));
        rest = std::max<std::int64_t>(rest - lasting_[later].count, 0);
      }
    }
    if (rest == 0) {
      return {};
    }
    Asked asked{.name = NameOf(index), .count = rest};
    mappings.push_back(MappingTo(view, asked.name));
    return asked;
  }

  api::ContainerExtendedResourceRequest MappingTo(const ContainerView& view,
                                                  const std::string& request) const {
    return {.container_name = view.container->name,
            .resource_name = resource_,
            .request_name = request};
  }

  // Numbered by the place among all requests of the container, by name.
  std::string NameOf(std::size_t index) const {
    const api::ResourceList& requests = containers_[index].requests;
    const auto place = std::ranges::find(requests, resource_, &api::ResourceList::Entry::first);
    return fmt::format("container-{}-request-{}", index, place - requests.begin());
  }

  const std::vector<ContainerView>& containers_;
  std::string resource_;
  std::string class_;
  std::vector<Asked> lasting_;  // by container
};

}  // namespace

std::string ResourceOf(const api::Pod& pod, const std::string& request) {
  std::size_t container = 0;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& each : *containers) {
      std::size_t place = 0;
      for (const auto& [resource, amount] : ContainerRequests(each)) {
        if (request == fmt::format("container-{}-request-{}", container, place++)) {
          return resource;
        }
      }
      ++container;
    }
  }
  return request;
}

ExtendedResources::ExtendedResources(const inventory::ClassesByName& classes) {
  for (const auto& [name, device_class] : classes) {
    if (const auto& resource = device_class->spec.extended_resource_name) {
      AddMapped(*resource, device_class);
    }
    classes_.insert_or_assign(std::string(kImplicitPrefix) + name, device_class);
  }
}

// Classes come by name, so that of equally old ones the first stays.
void ExtendedResources::AddMapped(const std::string& resource, const Class& device_class) {
  const auto [at, added] = classes_.try_emplace(resource, device_class);
  const auto born = [](const Class& each) {
    return each->metadata.creation_timestamp.value_or(Time());
  };
  if (!added && born(device_class) > born(at->second)) {
    at->second = device_class;
  }
}

std::string_view ExtendedResources::ClassOf(std::string_view resource) const {
  const auto found = classes_.find(std::string(resource));
  return found == classes_.end() ? "" : std::string_view(found->second->metadata.name);
}

bool ExtendedResources::AreWantedBy(const api::Pod& pod) const {
  const std::set<std::string> resources = ResourcesOf(ContainersOf(pod));
  return std::ranges::any_of(resources,
                             [&](const std::string& each) { return !ClassOf(each).empty(); });
}

std::vector<std::string> ExtendedResources::OfferedNowhere(
    const api::Pod& pod, const inventory::NodesByName& nodes) const {
  std::vector<std::string> found;
  for (const std::string& resource : ResourcesOf(ContainersOf(pod))) {
    const bool offered = nodes.empty() || !ClassOf(resource).empty() ||
                         std::ranges::any_of(nodes, [&](const auto& node) {
                           return MayOffer(*node.second, resource);
                         });
    if (!offered) {
      found.push_back(resource);
    }
  }
  return found;
}

bool AsksForExtended(const api::Pod& pod) { return !ResourcesOf(ContainersOf(pod)).empty(); }

ExtendedDemand ExtendedResources::DemandOn(const api::Node& node, const api::Pod& pod) const {
  ExtendedDemand demand;
  const std::vector<ContainerView> containers = ContainersOf(pod);
  for (const std::string& resource : ResourcesOf(containers)) {
    const api::Quantity* offered = AllocatableOf(node).Find(resource);
    const std::string_view device_class = ClassOf(resource);
    if (!device_class.empty() && (offered == nullptr || offered->Value() == 0)) {
      RequestMaker(containers, resource, device_class).Make(demand);
    } else if (offered == nullptr) {
      return {.requests = {}, .mappings = {}, .fits = false};
    }
  }
  std::ranges::sort(demand.requests, {}, &api::DeviceRequest::name);
  return demand;
}

api::ResourceClaim ExtendedClaimOf(const api::Pod& pod, std::vector<api::DeviceRequest> requests) {
  api::ResourceClaim claim;
  claim.type = {.kind = "ResourceClaim", .api_version = "resource.k8s.io/v1"};
  claim.metadata.name = kExtendedClaimName;
  claim.metadata.generate_name = pod.metadata.name + "-extended-resources-";
  claim.metadata.ns = pod.metadata.ns;
  claim.metadata.annotations[kExtendedClaimAnnotation] = "true";
  claim.metadata.owner_references.push_back(OwnerFor(pod));
  for (api::DeviceRequest& request : requests) {
    claim.spec.devices.requests.push_back(std::move(request));
  }
  return claim;
}

}  // namespace quadra::placement
