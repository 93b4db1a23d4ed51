// Renewal: claims that say something else than their templates by now.
//
// A claim keeps what its template said when it was made, and its spec never changes. So nothing
// helps that changes such a claim alone: the template has to say it, and the pod has to be created
// again, with which all its claims from templates are made anew. Pure functions.
#pragma once

#include <string>

#include "allocator/fix.h"
#include "api/kinds.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// The template that the claim was made from, or is to be; empty where it was not.
std::string TemplateOf(const api::ResourceClaim& claim, const api::Pod* pod);
// Whether the claim says what it says in the cluster.
bool IsAsMade(const placement::Cluster& cluster, const api::ResourceClaim& claim);

// Says in `diagnosis.sentence` which templates were changed since, and tries to create the pod
// again.
void TryRecreating(const placement::Placer& placer, const placement::Examination& examined,
                   const allocator::Judge& judge, Diagnosis& diagnosis);
// The fix with all that has to be done where it changes such a claim; itself where it does not.
allocator::Fix Renewed(const allocator::Fix& fix, const placement::Cluster& cluster,
                       const placement::Examination& examined);
// Leaves out of `more` what changes such a claim, where to create the pod again helps by itself.
void LeaveOutOutdated(const placement::Cluster& cluster, const api::Pod* pod,
                      const allocator::Fixes& found, allocator::Fixes& more);

}  // namespace quadra::diagnosis
