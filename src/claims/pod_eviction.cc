#include "claims/pod_eviction.h"

#include <algorithm>
#include <chrono>

#include "claims/pod_needs.h"
#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

// The claims of the pod that are allocated and reserved for it.
std::vector<const api::ResourceClaim*> HeldBy(const api::Pod& pod, const LookUpClaim& look_up) {
  std::vector<const api::ResourceClaim*> held;
  const auto hold = [&](const std::string& name, bool must_own) {
    const api::ResourceClaim* const claim = look_up(api::FullName(pod.metadata.ns, name));
    if (claim != nullptr && claim->status.allocation && placement::IsReservedFor(*claim, pod) &&
        (!must_own || placement::IsOwnedBy(*claim, pod))) {
      held.push_back(claim);
    }
  };
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    if (name && !name->name.empty()) {
      hold(name->name, name->kind == placement::ClaimName::Kind::kMade);
    }
  }
  if (const auto& extended = pod.status.extended_resource_claim_status) {
    hold(extended->resource_claim_name, true);
  }
  return held;
}

// Gathers what ends one pod.
class Gathering {
 public:
  Gathering(const TaintSources& sources, Time now) : sources_(sources), now_(now) {}

  void Take(const api::ResourceClaim& claim, const api::DeviceRequestAllocationResult& device);
  std::optional<PodEviction> Result() && { return std::move(eviction_); }

 private:
  // Null where the taint does not end it at all.
  PodEviction* Take(const api::DeviceTaint& taint, const api::ResourceClaim& claim,
                    const api::DeviceRequestAllocationResult& device);

  const TaintSources& sources_;
  const Time now_;
  std::optional<PodEviction> eviction_;
};

PodEviction* Gathering::Take(const api::DeviceTaint& taint, const api::ResourceClaim& claim,
                             const api::DeviceRequestAllocationResult& device) {
  const std::optional<Time> end = EndBy(taint, device.tolerations, now_);
  if (!end) {
    return nullptr;
  }
  PodEviction& eviction =
      eviction_ ? *eviction_ : eviction_.emplace(PodEviction{.at = Time::max()});
  if (*end < eviction.at) {
    eviction.at = *end;
    eviction.claim = claim.metadata.name;
    eviction.device = PoolKey(device.driver, device.pool) + "/" + device.device;
  }
  return &eviction;
}

void Gathering::Take(const api::ResourceClaim& claim,
                     const api::DeviceRequestAllocationResult& device) {
  const TaintedDevices::Taints* const published =
      sources_.published == nullptr
          ? nullptr
          : sources_.published->Find(PoolKey(device.driver, device.pool), device.device);
  if (published != nullptr) {
    for (const api::DeviceTaint& taint : *published) {
      Take(taint, claim, device);
    }
  }
  for (const api::DeviceTaintRule* const rule : sources_.rules) {
    api::DeviceTaint taint = rule->spec.taint;
    taint.effect = "NoExecute";
    if (!Selects(*rule, device.driver, device.pool, device.device)) {
      continue;
    }
    if (PodEviction* const eviction = Take(taint, claim, device)) {
      eviction->rules.insert(rule->metadata.uid);
    }
  }
}

}  // namespace

bool Tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint) {
  const bool effect = toleration.effect.empty() || toleration.effect == taint.effect;
  const bool key = toleration.key.empty() || toleration.key == taint.key;
  if (!effect || !key) {
    return false;
  }
  const bool equal = toleration.op.empty() || toleration.op == "Equal";
  return equal ? toleration.value == taint.value : toleration.op == "Exists";
}

std::optional<Time> EndBy(const api::DeviceTaint& taint,
                          const api::List<api::DeviceToleration>& tolerations, Time now) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // seconds; no time overflows
  std::optional<std::int64_t> shortest;
  for (const api::DeviceToleration& toleration : tolerations) {
    if (!Tolerates(toleration, taint)) {
      continue;
    }
    if (!toleration.toleration_seconds) {
      return std::nullopt;
    }
    const std::int64_t seconds =
        std::clamp<std::int64_t>(*toleration.toleration_seconds, 0, kLongest);
    shortest = std::min(shortest.value_or(seconds), seconds);
  }
  return taint.time_added.value_or(now) + std::chrono::seconds(shortest.value_or(0));
}

bool Selects(const api::DeviceTaintRule& rule, const std::string& driver, const std::string& pool,
             const std::string& device) {
  const auto& wanted = rule.spec.device_selector;
  return wanted && wanted->driver.value_or(driver) == driver &&
         wanted->pool.value_or(pool) == pool && wanted->device.value_or(device) == device;
}

const api::List<api::DeviceRequestAllocationResult>& DevicesOf(const api::ResourceClaim& claim) {
  static const api::List<api::DeviceRequestAllocationResult> none;
  const auto& allocation = claim.status.allocation;
  return allocation ? allocation->devices.results : none;
}

std::optional<PodEviction> EvictionOf(const api::Pod& pod, const LookUpClaim& look_up,
                                      const TaintSources& sources, Time now) {
  if (pod.spec.node_name.empty() || IsDone(pod)) {
    return std::nullopt;
  }
  Gathering gathering(sources, now);
  for (const api::ResourceClaim* const claim : HeldBy(pod, look_up)) {
    for (const auto& device : DevicesOf(*claim)) {
      gathering.Take(*claim, device);
    }
  }
  return std::move(gathering).Result();
}

}  // namespace quadra::claims
