#include "validation/resource_slice.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "base/go_text.h"
#include "validation/claim_lists.h"
#include "validation/claim_node_conduct.h"
#include "validation/object_meta.h"

namespace quadra::validation {
namespace {

using api::ResourceSlice;
using api::ResourceSliceSpec;

constexpr std::size_t kMaxDevices = 128;
constexpr std::size_t kMaxDevicesWithAdvancedFeatures = 64;
constexpr std::size_t kMaxCounterSets = 8;
constexpr std::string_view kImmutable = "field is immutable";
constexpr std::string_view kTrueOrUnset = "must be either unset or set to true";
constexpr std::string_view kNodeChoice =
    "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

void CheckPool(ErrorList& errors, const Path& path, const api::ResourcePool& pool) {
  CheckPoolName(errors, path.Child("name"), pool.name);
  if (pool.resource_slice_count <= 0) {
    errors.Invalid(path.Child("resourceSliceCount"), Number(pool.resource_slice_count),
                   "must be greater than zero");
  }
  if (pool.generation < 0) {
    errors.Invalid(path.Child("generation"), Number(pool.generation),
                   "must be greater than or equal to zero");
  }
}

void CheckUnchanged(ErrorList& errors, const Path& path, const ResourceSliceSpec& spec,
                    const ResourceSliceSpec& old) {
  if (spec.pool.name != old.pool.name) {
    errors.Invalid(path.Child("pool.name"), spec.pool.name, kImmutable);
  }
  if (spec.driver != old.driver) {
    errors.Invalid(path.Child("driver"), spec.driver, kImmutable);
  }
  if (spec.node_name != old.node_name) {
    errors.Invalid(path.Child("nodeName"), spec.node_name ? Named(*spec.node_name) : Null(),
                   kImmutable);
  }
}

Value TermsValue(const api::List<api::NodeSelectorTerm>& terms) {
  if (terms.is_nil()) {
    return Null();
  }
  std::string json;
  for (const api::NodeSelectorTerm& term : terms) {
    json.append(json.empty() ? "" : ",").append(api::EncodeGoStruct(term));
  }
  return Json("[" + json + "]");
}

// One term only, so that the selectors of several slices can be merged.
void CheckSliceSelector(ErrorList& errors, const Path& path, const api::NodeSelector& selector) {
  CheckNodeSelector(errors, path, selector);
  if (selector.node_selector_terms.size() != 1) {
    errors.Invalid(path.Child("nodeSelectorTerms"), TermsValue(selector.node_selector_terms),
                   "must have exactly one node selector term");
  }
}

// Says whether a flag that may only be true is given.
bool CheckFlag(ErrorList& errors, const Path& path, std::optional<bool> flag) {
  if (flag && !*flag) {
    errors.Invalid(path, Bool(false), kTrueOrUnset);
  }
  return flag.value_or(false);
}

// Says whether the slice is for one node by name.
bool CheckSliceNodeName(ErrorList& errors, const Path& path,
                        const std::optional<std::string>& name) {
  if (!name) {
    return false;
  }
  if (name->empty()) {
    errors.Invalid(path, *name, "must be either unset or set to a non-empty string");
    return false;
  }
  CheckNodeName(errors, path, *name);
  return true;
}

void CheckNodeChoice(ErrorList& errors, const Path& path, const ResourceSliceSpec& spec) {
  std::vector<std::string_view> chosen;
  if (CheckSliceNodeName(errors, path.Child("nodeName"), spec.node_name)) {
    chosen.emplace_back("`nodeName`");
  }
  if (spec.node_selector) {
    chosen.emplace_back("`nodeSelector`");
    CheckSliceSelector(errors, path.Child("nodeSelector"), *spec.node_selector);
  }
  if (CheckFlag(errors, path.Child("allNodes"), spec.all_nodes)) {
    chosen.emplace_back("`allNodes`");
  }
  if (CheckFlag(errors, path.Child("perDeviceNodeSelection"), spec.per_device_node_selection)) {
    chosen.emplace_back("`perDeviceNodeSelection`");
  }
  if (chosen.empty()) {
    errors.Required(path, kNodeChoice);
  } else if (chosen.size() > 1) {
    errors.Invalid(path, fmt::format("{{{}}}", fmt::join(chosen, ", ")),
                   fmt::format("{}, but multiple fields are set", kNodeChoice));
  }
}

bool ConsumesCounters(const api::Device& device) { return !device.consumes_counters.empty(); }

bool HasListAttribute(const api::Device& device) {
  return std::ranges::any_of(device.attributes, [](const auto& entry) {
    const api::DeviceAttribute& a = entry.second;
    return !a.bool_values.is_nil() || !a.int_values.is_nil() || !a.string_values.is_nil() ||
           !a.version_values.is_nil();
  });
}

bool IsAdvanced(const api::Device& device) {
  return !device.taints.empty() || ConsumesCounters(device) || HasListAttribute(device);
}

const api::Device* FindDevice(const ResourceSliceSpec* spec, std::string_view name) {
  if (spec == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find(spec->devices, name, &api::Device::name);
  return found == spec->devices.end() ? nullptr : &*found;
}

void CheckDevices(ErrorList& errors, const Path& path, const ResourceSliceSpec& spec,
                  const ResourceSliceSpec* old, const FeatureGates& gates) {
  const std::size_t max =
      std::ranges::any_of(spec.devices, IsAdvanced) ? kMaxDevicesWithAdvancedFeatures : kMaxDevices;
  if (spec.devices.size() > max) {
    errors.TooMany(path, spec.devices.size(), max);
    return;
  }
  const bool node_per_device = spec.per_device_node_selection.value_or(false);
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    const api::Device& device = spec.devices[i];
    CheckDevice(errors, path.Index(i), device, FindDevice(old, device.name), node_per_device,
                gates);
  }
  for (const std::size_t i : RepeatedItems(spec.devices, kSameName)) {
    errors.Duplicate(path.Index(i), spec.devices[i].name);
  }
}

void CheckCounterSet(ErrorList& errors, const Path& path, const api::CounterSet& set) {
  const std::size_t start = errors.size();
  if (set.name.empty()) {
    errors.Required(path.Child("name"));
  } else {
    CheckDnsLabel(errors, path.Child("name"), set.name);
  }
  errors.CoverSince(start);
  CheckCounters(errors, path.Child("counters"), set.counters);
}

void CheckSharedCounters(ErrorList& errors, const Path& path,
                         const api::List<api::CounterSet>& sets) {
  if (ReportSize(errors, path, sets, kMaxCounterSets)) {
    return;
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    CheckCounterSet(errors, path.Index(i), sets[i]);
  }
  for (const std::size_t i : RepeatedItems(sets, kSameName)) {
    errors.Duplicate(path.Index(i), sets[i].name).Cover();
  }
}

// A name in the driver's own domain may also be written without it; the full name wins.
const api::DeviceAttribute* FindAttribute(const api::Device& device, std::string_view name,
                                          std::string_view driver) {
  const api::DeviceAttribute* found = device.attributes.Find(name);
  const bool own = name.starts_with(driver) && name.substr(driver.size()).starts_with('/');
  return found == nullptr && own ? device.attributes.Find(name.substr(driver.size() + 1)) : found;
}

bool IsFullyQualified(std::string_view name) {
  ErrorList problems;
  CheckFullyQualifiedName(problems, Path(""), name);
  return problems.empty();
}

// Only devices that consume counters must carry the attribute.
void CheckPartitionType(ErrorList& errors, const Path& path, const ResourceSliceSpec& spec,
                        std::string_view name) {
  if (std::ranges::none_of(spec.devices, ConsumesCounters)) {
    errors.Invalid(path.Child("partitionTypeAttribute"), name,
                   "may only be set on a slice which declares devices that consume counters");
    return;
  }
  if (!IsFullyQualified(name)) {
    return;
  }
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    const Path device = path.Child("devices", i);
    const api::DeviceAttribute* attribute = FindAttribute(spec.devices[i], name, spec.driver);
    if (!ConsumesCounters(spec.devices[i])) {
      continue;
    }
    if (attribute == nullptr) {
      errors.Required(device.Child("attributes", name),
                      "device consumes counters and `partitionTypeAttribute` names this attribute, "
                      "so it must be set");
    } else if (!attribute->string_value) {
      errors.Invalid(
          device.Child("attributes", name), Json(api::EncodeGoStruct(*attribute)),
          "must be a string value because `partitionTypeAttribute` names this attribute");
    }
  }
}

void CheckSpec(ErrorList& errors, const Path& path, const ResourceSliceSpec& spec,
               const ResourceSliceSpec* old, const FeatureGates& gates) {
  CheckDriverName(errors, path.Child("driver"), spec.driver);
  CheckPool(errors, path.Child("pool"), spec.pool);
  if (old != nullptr) {
    CheckUnchanged(errors, path, spec, *old);
  }
  CheckNodeChoice(errors, path, spec);
  if (!spec.shared_counters.is_nil() && !spec.devices.is_nil()) {
    errors.Invalid(path, "", "only one of `sharedCounters` or `devices` is allowed");
  }
  CheckDevices(errors, path.Child("devices"), spec, old, gates);
  CheckSharedCounters(errors, path.Child("sharedCounters"), spec.shared_counters);
  if (spec.partition_type_attribute) {
    CheckPartitionType(errors, path, spec, *spec.partition_type_attribute);
  }
  CheckSkipNodeOperations(errors, path.Child("skipNodeOperations"), spec.skip_node_operations);
}

// The generation counts changes as requested, before gated fields go.
void PrepareSlice(const Request& request, ResourceSlice& slice, const ResourceSlice* old,
                  Dropped& dropped) {
  if (old == nullptr) {
    slice.metadata.generation = 1;
  } else if (slice.spec != old->spec) {
    slice.metadata.generation = NextGeneration(old->metadata.generation);
  }
  DropGatedFields(request, slice, old, dropped);
}

void CheckSlice(const Request& request, const ResourceSlice& slice, const ResourceSlice* old,
                ErrorList& errors) {
  const Path metadata("metadata");
  if (old == nullptr) {
    CheckKindMeta(errors, metadata, slice.metadata, {});
  } else {
    CheckKindMetaUpdate(errors, metadata, slice.metadata, old->metadata);
  }
  CheckSpec(errors, Path("spec"), slice.spec, old != nullptr ? &old->spec : nullptr, request.gates);
}

std::vector<std::string> Warn(const ResourceSlice& slice) {
  if (slice.spec.driver == api::ToLower(slice.spec.driver)) {
    return {};
  }
  return {
      fmt::format("spec.driver: driver names should be lowercase; {} contains uppercase characters",
                  GoQuote(slice.spec.driver))};
}

constexpr Strategy<ResourceSlice> kStrategy{.resource = "resourceslices.resource.k8s.io",
                                            .prepare = PrepareSlice,
                                            .check = CheckSlice,
                                            .declare = DeclareSlice,
                                            .warn = Warn};

}  // namespace

Outcome Validate(const Request& request, api::ResourceSlice& object,
                 const api::ResourceSlice* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation
