// What DynamicResources writes to the server: of a claim finalizer, allocation and reservation, and what
// takes them back. Where somebody else wrote meanwhile the claim is read again, a few times.
//
// Threads: the loop's. `api` must outlive the tasks.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "client/api.h"
#include "loop/task.h"
#include "scheduler/devices/claim_ptr.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

struct ClaimBinding {
  ClaimPtr claim;       // as it was found
  ClaimPtr decided;     // with the allocation to be written; null: only the reservation is new
  PodInfoPtr pod;       // for which it is reserved
  bool stamps = false;  // says when it was allocated; if insists, only where that is decided here
  // Goes on until it is known what came of a write whose answer was lost: until then the devices may
  // be taken.
  bool insists = true;
};
// The claim as it is then, or why not, in upstream's words.
using WrittenClaim = tl::expected<ClaimPtr, std::string>;
loop::Task<WrittenClaim> WriteBinding(client::Api& api, ClaimBinding binding);

// For extended resources; upstream's words where it fails.
loop::Task<WrittenClaim> CreateClaim(client::Api& api, ClaimPtr claim);
// With its finalizer.
loop::Task<void> DeleteClaim(client::Api& api, ClaimPtr claim);
// Of the pod with that uid.
loop::Task<void> RemoveReservation(client::Api& api, ClaimPtr claim, std::string uid);
// Clears allocation, reservation and what drivers reported, if the claim still has the devices of
// `claim` and nobody but the pod with that uid may use them. The claim as it is then; null: it does
// not exist, or is not to be changed.
loop::Task<ClaimPtr> Deallocate(client::Api& api, ClaimPtr claim, std::string uid);

// A strategic merge patch of the pod's status, whose members are the JSON of an object without its
// braces. Empty: it is written; else why not.
loop::Task<std::string> PatchPodStatus(client::Api& api, PodInfoPtr pod, std::string members);
// The pod's status says nothing any more of what its claims take of its node.
loop::Task<void> ForgetNodeAllocatable(client::Api& api, api::ObjectMeta pod);

}  // namespace quadra::scheduler
