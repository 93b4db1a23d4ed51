// Making: a claim for each entry of a pod's spec.resourceClaims that names a template, and the pod's
// status that says which.
#pragma once

#include "claims/shared.h"

namespace quadra::claims {

// Makes what is missing and writes the pod's status. What was made before, by whomever, is used
// again. A claim that cannot be made is told as an event of the pod, and ends the look: its status
// is written when all claims are there.
loop::Task<client::Answer<void>> MakeClaims(Shared& shared, PodPointer pod);

}  // namespace quadra::claims
