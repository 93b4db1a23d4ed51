#include "validation/claim_declarative.h"

#include <string_view>
#include <tuple>

#include "validation/claim_allocation.h"
#include "validation/claim_limits.h"
#include "validation/claim_node_conduct.h"
#include "validation/claim_requests.h"
#include "validation/claim_tolerations.h"

namespace quadra::validation {
namespace {

// In v1beta1 the fields of `exactly` stand in the request itself.
bool IsFlat(const Request& request) { return request.version == "v1beta1"; }
bool IsNested(const Request& request) { return !IsFlat(request); }

bool IsV1(const Request& request) { return request.version == "v1"; }
bool IsBetaVersion(const Request& request) { return !IsV1(request); }

// --- what claims, classes and allocations share ---

// The same two rules everywhere, but upstream's generator ordered them by version.
constexpr auto kOpaque = Rules(
    When(IsV1, Field("driver", &api::OpaqueDeviceConfiguration::driver,
                     Beta(Required{}, LongNameCaseless, MaxLength{api::kMaxDriverNameLength}))),
    When(IsBetaVersion,
         Field("driver", &api::OpaqueDeviceConfiguration::driver,
               Beta(Required{}, MaxLength{api::kMaxDriverNameLength}, LongNameCaseless))));

constexpr auto kReferences = Beta(MaxItems{kMaxRequests}, Unique(Self{}));

constexpr auto kToleration = Rules(
    Field("key", &api::DeviceToleration::key, Beta(Optional{}, LabelKey)),
    Field("operator", &api::DeviceToleration::op, Beta(Required{}, Enum{kTolerationOperators})),
    Field("effect", &api::DeviceToleration::effect, Beta(Optional{}, Enum{kTaintEffects})));

// --- spec ---

constexpr auto kDerivedAttribute =
    Rules(Field("name", &api::DeviceDerivedAttribute::name, Required{}, FullyQualifiedName),
          Field("expression", &api::DeviceDerivedAttribute::expression, Required{}));

// What exact requests and alternatives have in common, in two parts because v1beta1 lists
// alternatives between them.
template <typename Demand>
constexpr auto kChoice = Rules(
    Field("selectors", &Demand::selectors, Beta(MaxItems{kMaxSelectors})),
    Field("allocationMode", &Demand::allocation_mode, Beta(Optional{}, Enum{kAllocationModes})));
template <typename Demand>
constexpr auto kExtras = Rules(Field("tolerations", &Demand::tolerations, Each(kToleration)),
                               Field("derivedAttributes", &Demand::derived_attributes,
                                     MaxItems{kMaxDerivedAttributes}, Each(kDerivedAttribute)));

constexpr auto kAlternative = Rules(
    Field("deviceClassName", &api::DeviceSubRequest::device_class_name, Beta(Required{}, LongName)),
    kChoice<api::DeviceSubRequest>, kExtras<api::DeviceSubRequest>);

constexpr auto kAlternatives =
    Field("firstAvailable", &api::DeviceRequest::first_available,
          Beta(MaxItems{kMaxAlternatives}, Unique(&api::DeviceSubRequest::name)),
          EachBy(&api::DeviceSubRequest::name, kAlternative));

constexpr auto kRequest = Rules(
    When(IsNested,
         Field("exactly", &api::DeviceRequest::exactly, kChoice<api::ExactDeviceRequest>,
               kExtras<api::ExactDeviceRequest>),
         kAlternatives),
    When(IsFlat, Field("", &api::DeviceRequest::exactly, kChoice<api::ExactDeviceRequest>),
         kAlternatives, Field("", &api::DeviceRequest::exactly, kExtras<api::ExactDeviceRequest>)));

constexpr auto kConstraint = Rules(
    Field("requests", &api::DeviceConstraint::requests, kReferences),
    Field("matchAttribute", &api::DeviceConstraint::match_attribute, Beta(FullyQualifiedName)),
    Field("distinctAttribute", &api::DeviceConstraint::distinct_attribute,
          Beta(FullyQualifiedName)));

constexpr auto kClaimConfig =
    Rules(Field("requests", &api::DeviceClaimConfiguration::requests, kReferences),
          Field("opaque", &api::DeviceClaimConfiguration::opaque, kOpaque));

constexpr auto kDeviceClaim = Rules(
    Field("requests", &api::DeviceClaim::requests,
          Beta(MaxItems{kMaxRequests}, Unique(&api::DeviceRequest::name)),
          EachBy(&api::DeviceRequest::name, kRequest)),
    Field("constraints", &api::DeviceClaim::constraints, Beta(MaxItems{kMaxConstraints}),
          Each(kConstraint)),
    Field("config", &api::DeviceClaim::config, Beta(MaxItems{kMaxConfigs}), Each(kClaimConfig)));

constexpr auto kSpec = Rules(Field("devices", &api::ResourceClaimSpec::devices, kDeviceClaim));

// --- status ---

// Reached only when the value changed: what is set can be cleared, but not exchanged.
struct NoModify {
  static constexpr bool kSeesAbsence = true;
  template <typename T>
  bool operator()(const Site& site, const std::optional<T>& now,
                  const std::optional<T>* old) const {
    const bool modified = now && old != nullptr && *old;
    if (modified) {
      site.errors.Invalid(site.path, Null(), "field cannot be modified once set")
          .WithOrigin("update");
    }
    return !modified;
  }
};

constexpr auto kResult = Rules(
    Field("driver", &api::DeviceRequestAllocationResult::driver,
          Beta(Required{}, LongNameCaseless, MaxLength{api::kMaxDriverNameLength})),
    Field("pool", &api::DeviceRequestAllocationResult::pool, Beta(Required{}, ResourcePoolName)),
    Field("tolerations", &api::DeviceRequestAllocationResult::tolerations, Each(kToleration)),
    Field("bindingConditions", &api::DeviceRequestAllocationResult::binding_conditions,
          Beta(MaxItems{kMaxBindingConditions})),
    Field("bindingFailureConditions",
          &api::DeviceRequestAllocationResult::binding_failure_conditions,
          Beta(MaxItems{kMaxBindingConditions})),
    Field("shareID", &api::DeviceRequestAllocationResult::share_id, Beta(Uuid)),
    Field("skipNodeOperations", &api::DeviceRequestAllocationResult::skip_node_operations,
          Unique(Self{}, Show::kNamed), EachBy(Self{}, Enum{kSkippableOperations})));

constexpr auto kAllocationConfig =
    Rules(Field("source", &api::DeviceAllocationConfiguration::source,
                Beta(Required{}, Enum{kConfigSources})),
          Field("requests", &api::DeviceAllocationConfiguration::requests, kReferences),
          Field("opaque", &api::DeviceAllocationConfiguration::opaque, kOpaque));

constexpr auto kAllocatedDevices =
    Rules(Field("results", &api::DeviceAllocationResult::results, Beta(MaxItems{kMaxResults}),
                Each(kResult)),
          Field("config", &api::DeviceAllocationResult::config,
                Beta(MaxItems{kMaxAllocationConfigs}), Each(kAllocationConfig)));

constexpr auto kAllocation =
    Rules(Field("devices", &api::AllocationResult::devices, kAllocatedDevices));

constexpr auto kNetworkData =
    Rules(Field("interfaceName", &api::NetworkDeviceData::interface_name,
                Beta(MaxBytes{kMaxInterfaceNameBytes})),
          Field("ips", &api::NetworkDeviceData::ips, Beta(MaxItems{kMaxAddresses}, Unique(Self{}))),
          Field("hardwareAddress", &api::NetworkDeviceData::hardware_address,
                Beta(MaxBytes{kMaxHardwareAddressBytes})));

constexpr auto kDeviceStatus =
    Rules(Field("shareID", &api::AllocatedDeviceStatus::share_id, Beta(Uuid)),
          Field("networkData", &api::AllocatedDeviceStatus::network_data, kNetworkData));

// The keys of the list, for which no share and the empty share differ.
constexpr auto kDeviceKeys = [](const api::AllocatedDeviceStatus& status) {
  return std::tie(status.driver, status.device, status.pool, status.share_id);
};

constexpr auto kStatus =
    Rules(Field("allocation", &api::ResourceClaimStatus::allocation, Beta(NoModify{}), kAllocation),
          Field("reservedFor", &api::ResourceClaimStatus::reserved_for,
                Beta(MaxItems{kMaxConsumers}, Unique(&api::ResourceClaimConsumerReference::uid))),
          Field("devices", &api::ResourceClaimStatus::devices, Beta(Unique(kDeviceKeys)),
                EachBy(kDeviceKeys, kDeviceStatus)));

// --- kinds ---

constexpr auto kClaim = Rules(Field("spec", &api::ResourceClaim::spec, Beta(Immutable{}), kSpec),
                              Field("status", &api::ResourceClaim::status, kStatus));

constexpr auto kTemplateSpec = Rules(Field("spec", &api::ResourceClaimTemplateSpec::spec, kSpec));
constexpr auto kTemplate = Rules(Field("spec", &api::ResourceClaimTemplate::spec, kTemplateSpec));

constexpr auto kClassMeta =
    Rules(Field("name", &api::ObjectMeta::name, Beta(Optional{}, LongName)));
constexpr auto kClassConfig =
    Rules(Field("opaque", &api::DeviceClassConfiguration::opaque, kOpaque));
constexpr auto kClassSpec = Rules(
    Field("selectors", &api::DeviceClassSpec::selectors, Beta(MaxItems{kMaxSelectors})),
    Field("config", &api::DeviceClassSpec::config, Beta(MaxItems{kMaxConfigs}), Each(kClassConfig)),
    Field("extendedResourceName", &api::DeviceClassSpec::extended_resource_name,
          Beta(ExtendedResourceName)));
constexpr auto kClass = Rules(Field("metadata", &api::DeviceClass::metadata, kClassMeta),
                              Field("spec", &api::DeviceClass::spec, kClassSpec));

}  // namespace

void DeclareClaim(const Site& site, const api::ResourceClaim& claim,
                  const api::ResourceClaim* old) {
  kClaim(site, claim, old);
}
void DeclareTemplate(const Site& site, const api::ResourceClaimTemplate& claim_template,
                     const api::ResourceClaimTemplate* old) {
  kTemplate(site, claim_template, old);
}
void DeclareClass(const Site& site, const api::DeviceClass& device_class,
                  const api::DeviceClass* old) {
  kClass(site, device_class, old);
}

}  // namespace quadra::validation
