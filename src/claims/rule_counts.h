// RuleCounts of a DeviceTaintRule: whom it ends or would end, and which devices it selects, by the
// copies that a controller keeps. Walks all pods, claims and slices.
#pragma once

#include "api/kinds.h"
#include "base/clock.h"
#include "claims/pod_eviction.h"
#include "claims/rule_status.h"
#include "client/role.h"

namespace quadra::claims {

struct Copies {
  const client::Informer<api::Pod>& pods;
  const client::Informer<api::ResourceClaim>& claims;
  const client::Informer<api::ResourceSlice>& slices;
};

// Pods that are being deleted already do not count, nor do those that other sources end. Devices are
// counted where the rule's effect is None. `evicted` is left at 0.
RuleCounts CountEffect(const api::DeviceTaintRule& rule, const Copies& copies,
                       const TaintSources& sources, Time now);

}  // namespace quadra::claims
