// Preemption: the pods of lower priority that kube-scheduler ends where no node has room for a pod.
//
// As its plugin DefaultPreemption chooses them. It makes room only: cpu, memory, other amounts, pods
// and ports. It tries nodes with the devices of all claims where they are, so it never ends a pod
// for its devices. Disruption budgets and groups of pods are not looked at.
//
//   DescribePreemption(placer, examined, diagnosis);
//   diagnosis.preemption.sentence   // kube-scheduler will preempt pod default/web …
#pragma once

#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// Fills `diagnosis.preemption`. REQUIRES: no node fits, and the findings are there. Cost: nothing is
// searched; the pods on nodes that lack nothing but room are added up.
void DescribePreemption(const placement::Placer& placer, const placement::Examination& examined,
                        Diagnosis& diagnosis);

}  // namespace quadra::diagnosis
