// Deleting: a claim that was made for a pod goes when the pod is done, also where the pod itself
// stays, as those of jobs do. Where the pod is gone, the garbage collector does it.
#pragma once

#include "claims/shared.h"

namespace quadra::claims {

// REQUIRES: nobody uses the claim in this revision, which is the condition of its deletion.
loop::Task<client::Answer<void>> DeleteIfDone(Shared& shared, ClaimPointer claim);

}  // namespace quadra::claims
