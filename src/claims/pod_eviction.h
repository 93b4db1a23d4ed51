// PodEviction: whether and when the taints of its devices end a pod, and which rules have a part in
// that. Pure.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "claims/tainted_devices.h"

namespace quadra::claims {

// As the API says it, and the scheduler does it: an empty effect or key matches all.
bool Tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint);
// When a NoExecute taint ends who holds the device; absent: never. The shortest of the tolerations
// that match counts; a taint without timeAdded counts from `now`.
std::optional<Time> EndBy(const api::DeviceTaint& taint,
                          const api::List<api::DeviceToleration>& tolerations, Time now);

// Whether the rule is about the device, whatever its effect. Without a selector it is about none.
bool Selects(const api::DeviceTaintRule& rule, const std::string& driver, const std::string& pool,
             const std::string& device);

// The devices allocated to the claim; none where it is not.
const api::List<api::DeviceRequestAllocationResult>& DevicesOf(const api::ResourceClaim& claim);

// What taints devices now.
struct TaintSources {
  const TaintedDevices* published = nullptr;       // null: nothing
  std::vector<const api::DeviceTaintRule*> rules;  // each as if its effect were NoExecute
};

struct PodEviction {
  Time at{};
  std::set<std::string> rules;  // uids
  std::string claim;            // of the device that ends the pod first
  std::string device;           // driver/pool/device

  friend bool operator==(const PodEviction&, const PodEviction&) = default;
};

using LookUpClaim = std::function<const api::ResourceClaim*(const std::string& full_name)>;

// Absent where the pod may stay. Counted are claims that the pod has a right to, is reserved for and
// that are allocated, that for extended resources among them.
std::optional<PodEviction> EvictionOf(const api::Pod& pod, const LookUpClaim& look_up,
                                      const TaintSources& sources, Time now);

}  // namespace quadra::claims
