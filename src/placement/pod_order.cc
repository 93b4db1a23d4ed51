#include "placement/pod_order.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "placement/pod_claims.h"
#include "placement/pod_requests.h"

namespace quadra::placement {
namespace {

struct Ranked {
  const api::Pod* pod;
  std::int32_t priority;
  bool wants_devices;
};

bool ComesFirst(const Ranked& a, const Ranked& b) {
  const auto rank = [](const Ranked& each) {
    const api::ObjectMeta& meta = each.pod->metadata;
    return std::tuple(-std::int64_t{each.priority},
                      meta.creation_timestamp.value_or(Time(Time::duration::max())),
                      std::string_view(meta.ns), std::string_view(meta.name));
  };
  return rank(a) < rank(b);
}

// Pods on a node are served by what their claims hold there; extended resources were settled before.
bool IsServed(const api::Pod& pod, const inventory::NodesByName& nodes, const ClaimBook& claims) {
  if (pod.spec.node_name.empty()) {
    return false;
  }
  const auto node = nodes.find(pod.spec.node_name);
  const auto own = claims.ClaimsOf(pod);
  return own && std::ranges::all_of(*own, [&](const api::ResourceClaim& claim) {
           return claim.status.allocation &&
                  (node == nodes.end() || IsAvailableOn(claim, *node->second));
         });
}

// Pods on a node want what they have for their extended resources.
bool WantsDevices(const api::Pod& pod, const inventory::NodesByName& nodes, const ClaimBook& claims,
                  const ExtendedResources& extended) {
  if (!pod.spec.resource_claims.empty()) {
    return true;
  }
  return pod.spec.node_name.empty()
             ? extended.AreWantedBy(pod) || !extended.OfferedNowhere(pod, nodes).empty()
             : claims.FindExtendedClaim(pod) != nullptr;
}

// Whether the scheduler would look for one, and something of it is taken then.
bool WaitsForNode(const api::Pod& pod) {
  const PodRequests requests = RequestsOf(pod);
  return (!requests.amounts.empty() || !requests.ports.empty()) && pod.spec.node_name.empty() &&
         !IsFinished(pod) && !pod.metadata.deletion_timestamp && pod.spec.scheduling_gates.empty();
}

}  // namespace

bool IsFinished(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

PodQueue QueueOf(const Cluster& cluster, const inventory::NodesByName& nodes,
                 const ClaimBook& claims, const ExtendedResources& extended) {
  PodQueue queue;
  std::vector<Ranked> ranked;
  for (const api::Pod& pod : cluster.pods().all()) {
    if (!WantsDevices(pod, nodes, claims, extended)) {
      ++queue.without_claims;
      if (WaitsForNode(pod)) {
        ranked.push_back({&pod, cluster.PriorityOf(pod), false});
      }
    } else if (IsFinished(pod)) {
      ++queue.finished;
    } else if (pod.metadata.deletion_timestamp) {
      ++queue.deleting;
    } else if (!pod.spec.scheduling_gates.empty()) {
      ++queue.gated;
    } else if (IsServed(pod, nodes, claims)) {
      ++queue.served;
    } else {
      ranked.push_back({&pod, cluster.PriorityOf(pod), true});
    }
  }
  std::ranges::sort(ranked, ComesFirst);
  for (const Ranked& each : ranked) {
    queue.line.push_back(each.pod);
    if (each.wants_devices) {
      queue.waiting.push_back(each.pod);
    }
  }
  return queue;
}

}  // namespace quadra::placement
