// Reserving: for pods that were given a node without the scheduler's help. What is allocated is
// reserved for them; nothing is ever allocated.
#pragma once

#include "claims/shared.h"

namespace quadra::claims {

// Does nothing for a pod without a node. Each claim is written once, after the server has confirmed
// that the pod is still there and has not ended.
loop::Task<client::Answer<void>> ReserveForScheduled(Shared& shared, PodPointer pod);

}  // namespace quadra::claims
