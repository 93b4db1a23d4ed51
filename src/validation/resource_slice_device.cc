// The rules of one device of a slice.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "validation/claim_lists.h"
#include "validation/claim_node_conduct.h"
#include "validation/claim_tolerations.h"
#include "validation/object_meta.h"
#include "validation/resource_slice.h"

namespace quadra::validation {
namespace {

constexpr std::size_t kMaxAttributesAndCapacities = 32;
constexpr std::size_t kMaxAttributeValues = 48;
constexpr std::size_t kMaxValueLength = 64;
constexpr std::size_t kMaxTaints = 16;
constexpr std::size_t kMaxConsumedSets = 2;
constexpr std::size_t kMaxCounters = 32;
constexpr std::string_view kNodeChoice =
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when "
    "`perDeviceNodeSelection` is set to true "
    "in the ResourceSlice spec";

// A scalar counts as one value, a list as its length.
std::size_t CountValues(const api::Map<api::DeviceAttribute>& attributes) {
  std::size_t count = 0;
  for (const auto& [key, a] : attributes) {
    const std::size_t listed = a.bool_values.size() + a.int_values.size() + a.string_values.size() +
                               a.version_values.size();
    count += std::max<std::size_t>(listed, 1);
  }
  return count;
}

void CheckTotals(ErrorList& errors, const Path& path, const api::Device& device) {
  const std::size_t entries = device.attributes.size() + device.capacity.size();
  if (entries > kMaxAttributesAndCapacities) {
    errors.Invalid(path, Number(static_cast<std::int64_t>(entries)),
                   fmt::format("the total number of attributes and capacities must not exceed {}",
                               kMaxAttributesAndCapacities));
  }
  const std::size_t values = CountValues(device.attributes);
  if (values > kMaxAttributeValues) {
    errors.Invalid(path, Number(static_cast<std::int64_t>(values)),
                   fmt::format("the total number of attribute values must not exceed {}",
                               kMaxAttributeValues));
  }
}

void CheckText(ErrorList& errors, const Path& path, std::string_view text) {
  if (text.size() > kMaxValueLength) {
    errors.TooLong(path, kMaxValueLength);
  }
}

void CheckVersion(ErrorList& errors, const Path& path, std::string_view version) {
  if (!api::IsSemver(version)) {
    errors.Invalid(path, version, "must be a string compatible with semver.org spec 2.0.0");
  }
  CheckText(errors, path, version);
}

// Says whether the list is given, even empty, which it must not be.
template <typename T>
bool CheckGiven(ErrorList& errors, const Path& path, const api::List<T>& list) {
  if (!list.is_nil() && list.empty()) {
    errors.Invalid(path, Json("[]"), "must not be empty if specified");
  }
  return !list.is_nil();
}

template <typename CheckItem>
void CheckItems(ErrorList& errors, const Path& path, const api::List<std::string>& list,
                CheckItem check) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    check(errors, path.Index(i), list[i]);
  }
}

// Returns how many members of the union are given.
int CheckMembers(ErrorList& errors, const Path& path, const api::DeviceAttribute& a) {
  int given = (a.bool_value ? 1 : 0) + (a.int_value ? 1 : 0) + (a.string_value ? 1 : 0) +
              (a.version_value ? 1 : 0);
  if (a.string_value) {
    CheckText(errors, path.Child("string"), *a.string_value);
  }
  if (a.version_value) {
    CheckVersion(errors, path.Child("version"), *a.version_value);
  }
  given += CheckGiven(errors, path.Child("bools"), a.bool_values) ? 1 : 0;
  given += CheckGiven(errors, path.Child("ints"), a.int_values) ? 1 : 0;
  given += CheckGiven(errors, path.Child("strings"), a.string_values) ? 1 : 0;
  CheckItems(errors, path.Child("strings"), a.string_values, CheckText);
  given += CheckGiven(errors, path.Child("versions"), a.version_values) ? 1 : 0;
  CheckItems(errors, path.Child("versions"), a.version_values, CheckVersion);
  return given;
}

void CheckAttribute(ErrorList& errors, const Path& path, const api::DeviceAttribute& attribute) {
  const int given = CheckMembers(errors, path, attribute);
  if (given != 1) {
    errors
        .Invalid(path, given == 0 ? Quoted("") : Json(api::EncodeGoStruct(attribute)),
                 "exactly one value must be specified")
        .WithOrigin("union")
        .Cover();
  }
}

void CheckTaints(ErrorList& errors, const Path& path, const api::List<api::DeviceTaint>& taints) {
  if (taints.size() > kMaxTaints) {
    errors.TooMany(path, taints.size(), kMaxTaints);
    return;
  }
  for (std::size_t i = 0; i < taints.size(); ++i) {
    CheckTaint(errors, path.Index(i), taints[i], nullptr);
  }
}

void CheckConsumption(ErrorList& errors, const Path& path,
                      const api::DeviceCounterConsumption& consumption) {
  const std::size_t start = errors.size();
  if (consumption.counter_set.empty()) {
    errors.Required(path.Child("counterSet"));
  } else {
    CheckDnsLabel(errors, path.Child("counterSet"), consumption.counter_set);
  }
  errors.CoverSince(start);
  CheckCounters(errors, path.Child("counters"), consumption.counters);
}

void CheckConsumptions(ErrorList& errors, const Path& path,
                       const api::List<api::DeviceCounterConsumption>& consumptions) {
  if (ReportSize(errors, path, consumptions, kMaxConsumedSets)) {
    return;
  }
  for (std::size_t i = 0; i < consumptions.size(); ++i) {
    CheckConsumption(errors, path.Index(i), consumptions[i]);
  }
  const auto same_set = [](const auto& a, const auto& b) { return a.counter_set == b.counter_set; };
  for (const std::size_t i : RepeatedItems(consumptions, same_set)) {
    errors.Duplicate(path.Index(i), consumptions[i].counter_set).Cover();
  }
}

// Says whether the device names its node.
bool CheckDeviceNodeName(ErrorList& errors, const Path& path,
                         const std::optional<std::string>& name) {
  if (!name) {
    return false;
  }
  if (name->empty()) {
    errors.Invalid(path, *name, "must not be empty");
    return false;
  }
  CheckNodeName(errors, path, *name);
  return true;
}

void CheckNodeChoice(ErrorList& errors, const Path& path, const api::Device& device) {
  std::vector<std::string_view> chosen;
  if (CheckDeviceNodeName(errors, path.Child("nodeName"), device.node_name)) {
    chosen.emplace_back("`nodeName`");
  }
  if (device.node_selector) {
    chosen.emplace_back("`nodeSelector`");
    CheckNodeSelector(errors, path.Child("nodeSelector"), *device.node_selector);
  }
  if (device.all_nodes && !*device.all_nodes) {
    errors.Invalid(path.Child("allNodes"), Bool(false), "must be either unset or set to true");
  } else if (device.all_nodes) {
    chosen.emplace_back("`allNodes`");
  }
  if (chosen.empty()) {
    errors.Required(path, kNodeChoice);
  } else if (chosen.size() > 1) {
    errors.Invalid(path, fmt::format("{{{}}}", fmt::join(chosen, ", ")), kNodeChoice);
  }
}

void CheckNodes(ErrorList& errors, const Path& path, const api::Device& device,
                bool node_per_device) {
  if (node_per_device) {
    CheckNodeChoice(errors, path, device);
  } else if (device.node_name || device.node_selector || device.all_nodes) {
    errors.Invalid(path, Null(),
                   "`nodeName`, `nodeSelector` and `allNodes` can only be set if "
                   "`perDeviceNodeSelection` is set to "
                   "true in the ResourceSlice spec");
  }
}

}  // namespace

void CheckAttributes(ErrorList& errors, const Path& path,
                     const api::Map<api::DeviceAttribute>& attributes) {
  CheckEntries(errors, path, attributes, CheckQualifiedName,
               [&](const Path& at, const api::DeviceAttribute& attribute) {
                 CheckAttribute(errors, at, attribute);
               });
}

void CheckTaint(ErrorList& errors, const Path& path, const api::DeviceTaint& taint,
                const api::DeviceTaint* old) {
  CheckLabelKey(errors, path.Child("key"), taint.key);
  CheckLabelValue(errors, path.Child("value"), taint.value);
  if (old != nullptr && old->effect == taint.effect) {
    return;
  }
  if (taint.effect.empty()) {
    errors.Required(path.Child("effect")).Cover();
  } else if (std::ranges::find(kTaintEffects, taint.effect) == std::end(kTaintEffects)) {
    errors.NotSupported(path.Child("effect"), Named(taint.effect), kTaintEffects).Cover();
  }
}

void CheckCounters(ErrorList& errors, const Path& path, const api::Map<api::Counter>& counters) {
  if (counters.empty()) {
    errors.Required(path).Cover();
  } else if (counters.size() > kMaxCounters) {
    errors.TooMany(path, counters.size(), kMaxCounters);
  } else {
    const std::size_t start = errors.size();
    for (const auto& [name, counter] : counters) {
      CheckDnsLabel(errors, path, name);
    }
    errors.CoverSince(start);
  }
}

void CheckDevice(ErrorList& errors, const Path& path, const api::Device& device,
                 const api::Device* old, bool node_per_device, const FeatureGates& gates) {
  CheckDnsLabel(errors, path.Child("name"), device.name);
  CheckTotals(errors, path, device);
  CheckAttributes(errors, path.Child("attributes"), device.attributes);
  if (old == nullptr || old->capacity != device.capacity) {
    CheckCapacity(errors, path.Child("capacity"), device, gates);
  }
  if (old == nullptr || old->taints != device.taints) {
    CheckTaints(errors, path.Child("taints"), device.taints);
  }
  CheckConsumptions(errors, path.Child("consumesCounters"), device.consumes_counters);
  CheckNodes(errors, path, device, node_per_device);
  CheckBindingConditions(errors, path, device.binding_conditions,
                         device.binding_failure_conditions);
  CheckNodeAllocatableResources(errors, path.Child("nodeAllocatableResources"), device);
}

}  // namespace quadra::validation
