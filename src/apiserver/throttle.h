// Throttle: whether there is room for one more request, by upstream's rules without priority and
// fairness.
//
// Watches need no room, nor do health and version. Where there is none, members of system:masters
// are served all the same, so that an administrator can still look; all others are answered 429 and
// told to come back in a second.
#pragma once

#include "apiserver/request_witness.h"

namespace quadra::apiserver {

// False: it was answered.
bool FindRoom(const Backend& backend, const Ask& ask, InFlight::Kind kind, RequestWitness& witness,
              net::Exchange& exchange);

}  // namespace quadra::apiserver
