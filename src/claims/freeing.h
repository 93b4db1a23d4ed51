// Freeing: consumers that are done are taken out of a claim; with the last one goes its allocation,
// and then the finalizer that protected it.
//
// A claim that is allocated and was never used keeps its allocation, until somebody deletes it. Two
// writes are needed, since the finalizer is no part of the status; where we are stopped between
// them, a finalizer stays on a claim that holds nothing. Such a stray is removed when nothing has
// changed the claim for a while: the scheduler adds the finalizer just before it allocates.
#pragma once

#include "claims/claim_patches.h"
#include "claims/shared.h"

namespace quadra::claims {

// How long a stray finalizer is left alone.
inline constexpr std::chrono::seconds kStrayAge{10};

// The claim as it is afterwards.
loop::Task<client::Answer<ClaimPointer>> Free(Shared& shared, ClaimPointer claim,
                                              Consumers remaining);

}  // namespace quadra::claims
