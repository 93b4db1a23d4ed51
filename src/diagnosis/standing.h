// Standing: what is to be said of a pod besides its devices.
#pragma once

#include <string>
#include <vector>

#include "api/kinds.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// Finished or being deleted: the scheduler does not look at it any more.
bool IsOver(const api::Pod& pod);

// Whether it waits for a scheduler that is not kube-scheduler.
bool HasOtherScheduler(const api::Pod& pod);
// See the members of Diagnosis of these names.
std::string StandingOf(const api::Pod& pod);
std::string UncheckedOf(const api::Pod& pod, const placement::Placer& placer);
std::vector<std::string> RemarksOf(const api::Pod& pod, const placement::Placer& placer,
                                   const Diagnosis& diagnosis);
// Of a claim that could be had: that none of the pods that wait for it can run. Nothing where one
// can, or none waits.
std::vector<std::string> RemarksOfUsers(const api::ResourceClaim& claim, placement::Placer& placer);
std::string CountedOf(const api::Pod& pod, const placement::Placer& placer);
// What the scheduler wrote into the pod's status, and whether the diagnosis is another.
void DescribeCondition(const api::Pod& pod, Diagnosis& diagnosis);

}  // namespace quadra::diagnosis
