// Consumers: which entries of a claim's status.reservedFor still count.
#pragma once

#include "claims/claim_patches.h"
#include "claims/shared.h"

namespace quadra::claims {

// Without pods that are known to be done or gone; where our copy does not know the pod, or knows
// another of that name, the server is asked: the scheduler may be ahead of us. Consumers of other
// kinds always count.
loop::Task<client::Answer<Consumers>> RemainingConsumers(Shared& shared, ClaimPointer claim);

// What is known of a pod whose uid somebody wrote down.
enum class Fate : std::uint8_t {
  kAlive,     // or not known to be anything else
  kDone,      // it is there and will not run any more
  kReplaced,  // another one has its name
  kGone,
};
loop::Task<client::Answer<Fate>> FateOf(Shared& shared, std::string ns, std::string name,
                                        std::string uid);

}  // namespace quadra::claims
