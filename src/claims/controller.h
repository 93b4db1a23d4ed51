// The claim controller: makes the ResourceClaims that pods want from templates, keeps
// status.reservedFor true, and frees and deletes claims that nobody uses any more. A door of this
// folder; what kube-controller-manager calls resourceclaim-controller.
//
//   const auto claims = MakeClaimController(context, {.metrics_names = MetricsNames::k137});
//   context.informers.Start([&] { claims->Start(); });
//
// Promises, under any order of events, conflicts, lost answers and restarts:
//  - a pod gets one claim for each entry of its spec.resourceClaims that names a template;
//  - a claim is freed only when all its consumers are known to be done or gone, never sooner;
//  - consumers of a kind that we do not know are left alone;
//  - at rest no claim is held, finalized or kept for a pod that is done.
// It never allocates. Claims of PodGroups are left alone.
//
// Threads: the context's loop; metrics may be printed by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "client/role.h"

namespace quadra::claims {

// What its numbers are called: as Kubernetes 1.37 calls them, or as the seed documents do.
enum class MetricsNames : std::uint8_t { k137, kSeed };

struct ClaimControllerOptions {
  MetricsNames metrics_names = MetricsNames::k137;
  std::size_t workers = 50;
};

// What `context` refers to must outlive it.
std::unique_ptr<client::Controller> MakeClaimController(client::ControllerContext& context,
                                                        const ClaimControllerOptions& options = {});

}  // namespace quadra::claims
