// ExtendedResources: pods that ask for devices the old way, as a container's resource, where a
// DeviceClass serves that resource.
//
// As the scheduler does: per node, what its device plugins do not offer becomes requests of one
// claim of the pod. Short-lived init containers use again what later containers get; only the
// largest rest is asked for once more.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::placement {

// Which resource a request of the claim for the pod's extended resources stands for: they are named
// by the places of containers and their requests.
std::string ResourceOf(const api::Pod& pod, const std::string& request);

// The name of the claim until it is written.
inline constexpr std::string_view kExtendedClaimName = "<extended-resources>";
inline constexpr std::string_view kExtendedClaimAnnotation =
    "resource.kubernetes.io/extended-resource-claim";

// What a pod wants of a node by such resources.
struct ExtendedDemand {
  std::vector<api::DeviceRequest> requests;  // by name; empty: device plugins serve all
  api::List<api::ContainerExtendedResourceRequest> mappings;  // which request serves whom
  bool fits = true;  // false: neither a device plugin nor a class offers one of them
};

// Immutable, so any number of threads may ask.
class ExtendedResources {
 public:
  // Where classes claim the same resource the newest has it; of equally old ones that with the
  // smaller name.
  explicit ExtendedResources(const inventory::ClassesByName& classes);

  // Empty where no class serves the resource.
  std::string_view ClassOf(std::string_view resource) const;
  // Whether a container asks for something that a class serves.
  bool AreWantedBy(const api::Pod& pod) const;
  // Those that a container asks for and that neither a class nor one of the nodes has. None where a
  // node does not say what it has.
  std::vector<std::string> OfferedNowhere(const api::Pod& pod,
                                          const inventory::NodesByName& nodes) const;
  ExtendedDemand DemandOn(const api::Node& node, const api::Pod& pod) const;

 private:
  using Class = std::shared_ptr<const api::DeviceClass>;
  void AddMapped(const std::string& resource, const Class& device_class);

  absl::flat_hash_map<std::string, Class> classes_;  // by resource
};

// Whether a container asks for what classes may serve, or device plugins.
bool AsksForExtended(const api::Pod& pod);

// The claim that carries the demand, as the scheduler keeps it until it is written.
api::ResourceClaim ExtendedClaimOf(const api::Pod& pod, std::vector<api::DeviceRequest> requests);

}  // namespace quadra::placement
