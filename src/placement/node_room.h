// NodeRoom: what nodes have left besides devices: cpu, memory, other amounts, pods and host ports.
//
// The scheduler's plugins NodePorts and NodeResourcesFit, in their words. Only the pods that are
// known take something; what a node does not say it has of cpu, memory, ephemeral-storage and pods
// is not looked at, and a node that says nothing has room for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "placement/cluster.h"
#include "placement/extended_resources.h"
#include "placement/pod_requests.h"

namespace quadra::placement {

// What the pods on a node take.
struct NodeLoad {
  ResourceAmounts amounts;
  std::multiset<HostPort> ports;
  std::size_t pods = 0;

  // Of one pod. REQUIRES of Remove: it was added.
  void Add(const PodRequests& requests);
  void Remove(const PodRequests& requests);
};

// A resource of which a node has too little.
struct Shortage {
  std::string resource;
  std::int64_t wanted = 0;
  std::int64_t free = 0;  // may be less than nothing
  std::int64_t all = 0;   // what the node has, taken or not
};

struct Lack {
  std::vector<HostPort> ports;  // wanted and taken
  std::vector<Shortage> amounts;

  bool empty() const { return ports.empty() && amounts.empty(); }
};
// Not thread-safe.
class NodeLoads {
 public:
  // Of the pods that are on nodes and not finished, and of those that wait for one.
  explicit NodeLoads(const Cluster& cluster);

  void Add(const std::string& node, const PodRequests& requests) { loads_[node].Add(requests); }
  void Remove(const std::string& node, const PodRequests& requests) {
    loads_[node].Remove(requests);
  }
  // The pod was placed: what its status nominates counts no longer.
  void ForgetNomination(const api::Pod& pod);

  // As the scheduler's filters see it when they look at a pod of that priority: with the other pods
  // that wait, are nominated to the node and come before it or are its equals.
  NodeLoad SeenBy(const api::Pod& pod, std::int32_t priority, const std::string& node) const;
  // What the node has too little of for that pod, seen likewise.
  Lack LackFor(const api::Pod& pod, std::int32_t priority, const PodRequests& wanted,
               const api::Node& node, const ExtendedResources& extended) const;

 private:
  struct Nominated {
    std::string pod;  // namespace/name
    std::int32_t priority = 0;
    PodRequests requests;
  };
  const NodeLoad& On(const std::string& node) const;

  absl::flat_hash_map<std::string, NodeLoad> loads_;                    // by node
  absl::flat_hash_map<std::string, std::vector<Nominated>> nominated_;  // likewise
};

// Resources that classes serve on this node are theirs to look at.
Lack LackOn(const api::Node& node, const NodeLoad& load, const PodRequests& wanted,
            const ExtendedResources& extended);
// Upstream's, e.g. Insufficient cpu, Insufficient memory. REQUIRES: something lacks.
std::string WordsOf(const Lack& lack);
// e.g. cpu 16 wanted, 6 of 8 free
std::string TextOf(const Lack& lack);

// Lowers what the pod asks for to what is left, and says so in `texts`. False, and then the pod is
// of no use, where that is not a matter of one container each.
bool LowerRequests(const Lack& lack, api::Pod& pod, std::vector<std::string>& texts);

// What a node may hand out. One that does not say so hands out what it has.
const api::ResourceList& AllocatableOf(const api::Node& node);

}  // namespace quadra::placement
