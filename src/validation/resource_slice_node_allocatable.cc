// Node allocatable resources: what of a node's cpu, memory and huge pages comes through a device.
#include <string_view>

#include "validation/resource_slice.h"

namespace quadra::validation {
namespace {

void CheckSign(ErrorList& errors, const Path& path, const std::optional<api::Quantity>& amount,
               int least, std::string_view rule) {
  if (amount && amount->Sign() < least) {
    errors.Invalid(path, amount->ToString(), rule);
  }
}

void CheckCapacityKey(ErrorList& errors, const Path& path, std::string_view key,
                      const api::Device& device) {
  if (key.empty()) {
    errors.Invalid(path, "", "capacityKey must not be an empty string");
  } else if (!device.capacity.contains(key)) {
    errors.NotFound(path, Named(key));
  }
}

void CheckMapping(ErrorList& errors, const Path& path, const api::NodeAllocatableMapping& mapping,
                  const api::Device& device) {
  if (mapping.capacity_key) {
    CheckCapacityKey(errors, path.Child("capacityKey"), *mapping.capacity_key, device);
    if (!mapping.capacity_multiplier) {
      errors.Required(path.Child("capacityMultiplier"),
                      "capacityMultiplier is required when capacityKey is set");
    }
    CheckSign(errors, path.Child("capacityMultiplier"), mapping.capacity_multiplier, 1,
              "must be positive");
  }
  CheckSign(errors, path.Child("deviceMultiplier"), mapping.device_multiplier, 1,
            "must be positive");
  if (mapping.capacity_multiplier && !mapping.capacity_key) {
    errors.Required(path.Child("capacityKey"),
                    "capacityKey is required when capacityMultiplier is set");
  }
}

void CheckOverhead(ErrorList& errors, const Path& path,
                   const api::NodeAllocatableOverhead& overhead) {
  if (!overhead.per_pod && !overhead.per_container) {
    errors.Invalid(path, "", "at least one of perPod or perContainer must be set");
  }
  CheckSign(errors, path.Child("perPod"), overhead.per_pod, 0, "must be non-negative");
  CheckSign(errors, path.Child("perContainer"), overhead.per_container, 0, "must be non-negative");
}

bool IsNodeAllocatable(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

}  // namespace

void CheckNodeAllocatableResources(ErrorList& errors, const Path& path, const api::Device& device) {
  for (const auto& [name, resource] : device.node_allocatable_resources) {
    const Path at = path.Key(name);
    if (!IsNodeAllocatable(name)) {
      errors.Invalid(at, Named(name), "must be a node allocatable resource name");
    }
    if (!resource.mapping && !resource.overhead) {
      errors.Required(at, "at least one of mapping or overhead must be set");
    }
    if (resource.mapping) {
      CheckMapping(errors, at.Child("mapping"), *resource.mapping, device);
    }
    if (resource.overhead) {
      CheckOverhead(errors, at.Child("overhead"), *resource.overhead);
    }
  }
}

}  // namespace quadra::validation
