// Proof: what the nodes said to a case, sorted, grouped and counted.
#pragma once

#include <vector>

#include "diagnosis/diagnose.h"
#include "inventory/inventory.h"
#include "placement/place.h"
#include "reasons/refusal.h"

namespace quadra::diagnosis {

// Of the nodes that do not fit, nearest first.
std::vector<NodeFinding> FindingsOf(const placement::Examination& examined,
                                    const inventory::Held& held);
// Most nodes first.
std::vector<ReasonGroup> GroupsOf(const std::vector<NodeFinding>& findings);
// The funnel of the request that `key` is about, summed over the nodes that would take the pod if
// they had room; empty where it is about none.
std::vector<Stage> StagesOf(const placement::Examination& examined, const reasons::Refusal& key);

}  // namespace quadra::diagnosis
