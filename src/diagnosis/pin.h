// Pin: pods whose claims have their devices already, and so may run only where those are.
#pragma once

#include <cstdint>

#include "allocator/fix.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// Whether the pod runs, or may run, where the devices of its claims are. True of what is not about
// to be placed: claims by themselves, pods that are over or on a node that is not known.
// REQUIRES: all its claims are allocated.
bool CanUseThem(const placement::Placer& placer, const placement::Examination& examined);

// Says in `diagnosis.sentence` to which node its claims keep the pod. REQUIRES: the sentence of the
// nearest node is there.
void DescribePin(const placement::Examination& examined, Diagnosis& diagnosis);

// Fills `diagnosis.retry`, in about so many steps. REQUIRES: no node fits.
void DescribeRetry(placement::Placer& placer, const placement::Examination& examined,
                   std::uint64_t most_steps, Diagnosis& diagnosis);

// Of the claims that have devices each, tried without them.
void TryReleases(const placement::Examination& examined, const allocator::Judge& judge,
                 Diagnosis& diagnosis);

}  // namespace quadra::diagnosis
