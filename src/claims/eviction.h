// Device taint eviction: pods that run on devices with a NoExecute taint which their claims do not
// tolerate, or no longer, are deleted. A door of this folder; what kube-controller-manager calls
// device-taint-eviction-controller.
//
//   const auto eviction = MakeTaintEviction(context);
//   for (const Eviction& pod : EvictionsBy(rule, {.pods = pods, .claims = claims}))
//     fmt::print("{}/{}\n", pod.ns, pod.name);              // quadra taint device --dry-run
//
// Promises. A pod is evicted if and only if it is scheduled, holds a reservation of a claim with a
// device that is tainted NoExecute, no toleration of that device's allocation matches, and the time
// that those allow has passed. Taking the taint away before cancels. Deletions carry the pod's uid.
//
// Threads: the context's loop; EvictionsBy is pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "client/role.h"

namespace quadra::claims {

// What `context` refers to must outlive it.
std::unique_ptr<client::Controller> MakeTaintEviction(client::ControllerContext& context);

// Who may be hit: pods, and the claims that those may use. Must outlive the call alone.
struct Bystanders {
  std::vector<const api::Pod*> pods;
  std::vector<const api::ResourceClaim*> claims;
};

struct Eviction {
  std::string ns;
  std::string name;
  std::string uid;
  Time at{};           // not before; the taint's timeAdded where nothing tolerates it
  std::string claim;   // whose device it is that is tainted; the first to end the pod
  std::string device;  // driver/pool/device

  friend bool operator==(const Eviction&, const Eviction&) = default;
};

// Whom the rule alone would evict, whatever its effect is said to be: as if that were NoExecute.
// A taint without timeAdded counts from `now`. Sorted by time, then by name.
std::vector<Eviction> EvictionsBy(const api::DeviceTaintRule& rule, const Bystanders& bystanders,
                                  Time now);

}  // namespace quadra::claims
