// Hollow nodes: simulated kubelets and drivers, which run nothing. For demonstrations and tests of a
// control plane on one machine; never beside a real kubelet of the same name. A door of this folder.
//
//   const auto nodes = MakeHollowNodes(context, {.nodes = PlainFleet({.nodes = 3})});
//   context.informers.Start([&] { nodes->Start(); });
//
// What a hollow node does as a real one: registers itself, keeps its lease, publishes the slices of
// its drivers (publisher/publisher.h), and runs the pods that are bound to it: only when their claims
// are allocated and reserved for them, and refuses those whose requests do not fit, what devices imply
// included; a pod that is deleted it ends. What it does not: containers, prepared devices, volumes,
// probes, logs.
//
// How long a pod runs its annotation says; without one it runs until it is deleted.
//
// Threads: the context's loop. Cost: a lease a node and ten seconds, one write for each pod that
// starts or ends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/role.h"
#include "publisher/publisher.h"

namespace quadra::hollow {

// On a pod: it has done its work so many seconds after it has started, e.g. "30".
inline constexpr std::string_view kRunsFor = "hollow.quadra/runs-for-seconds";

struct HollowNode {
  std::string name;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> capacity;  // cpu, memory, pods, …; all of it allocatable
  std::vector<publisher::Pool> pools;           // the owner is filled in
};

struct HollowOptions {
  std::vector<HollowNode> nodes;
};

std::unique_ptr<client::Controller> MakeHollowNodes(client::ControllerContext& context,
                                                    HollowOptions options);

}  // namespace quadra::hollow
