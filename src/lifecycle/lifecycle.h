// Housekeeping of a cluster, so that nothing leaks: the controllers that every cluster has beside its
// claims. The door of this folder.
//
//   std::unique_ptr<client::Controller> collector = MakeGarbageCollector(context);
//   informers.Start([&] { collector->Start(); });
//
// Each is one of kube-controller-manager's, with its name in brackets, and does as that one: same
// objects at the end, same texts, no more writes. All of them work on any server that speaks the
// Kubernetes API; what they decide they decide by what the server says, so that a restart at any
// moment loses nothing.
//
// Threads: as client/controller.h says. Each is made before informers start, since it asks for what
// it needs; Start() once, when those have synced; dropped on the loop, or after it has stopped.
// The context must outlive it.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "client/role.h"

namespace quadra::lifecycle {

// [serviceaccount-controller] Account `default` in every namespace that is not being deleted.
std::unique_ptr<client::Controller> MakeServiceAccounts(client::ControllerContext& context);

struct RootCaPublisherOptions {
  // PEM of the authorities by which the server is known. Empty: read once from the server's
  // kube-system/extension-apiserver-authentication; where that has none, nothing is published.
  std::string certificates;
};
// [root-ca-certificate-publisher-controller] ConfigMap `kube-root-ca.crt` in every namespace.
std::unique_ptr<client::Controller> MakeRootCaPublisher(client::ControllerContext& context,
                                                        RootCaPublisherOptions options);

// [namespace-controller] Empties namespaces that are being deleted, of every kind that the server
// has, says in their conditions what is left, and lets go of them.
std::unique_ptr<client::Controller> MakeNamespaceDeletion(client::ControllerContext& context);

// [garbage-collector-controller] Deletes what has lost all its owners, of every kind that the server
// has, those that appear later too; foreground deletion and orphans.
std::unique_ptr<client::Controller> MakeGarbageCollector(client::ControllerContext& context);

struct PodCollectionOptions {
  // How many finished pods may stay; zero: all.
  int terminated_threshold = 12'500;
  std::chrono::seconds period{20};
  // How long a node must have been gone before its pods go.
  std::chrono::seconds quarantine{40};
};
// [pod-garbage-collector-controller] Deletes finished pods beyond a number, pods of nodes that are
// gone or out of service, and pods that were deleted before they had a node.
std::unique_ptr<client::Controller> MakePodCollection(client::ControllerContext& context,
                                                      PodCollectionOptions options = {});

// Flags of kube-controller-manager, with its defaults.
struct NodeLifecycleOptions {
  std::chrono::seconds monitor_period{5};         // --node-monitor-period
  std::chrono::seconds monitor_grace_period{50};  // --node-monitor-grace-period
  std::chrono::seconds startup_grace_period{60};  // --node-startup-grace-period
  double eviction_rate = 0.1;                     // --node-eviction-rate, nodes a second and zone
  double secondary_eviction_rate = 0.01;          // --secondary-node-eviction-rate
  int large_cluster_size = 50;                    // --large-cluster-size-threshold
  double unhealthy_zone = 0.55;                   // --unhealthy-zone-threshold
};
// [node-lifecycle-controller] Conditions and taints of nodes, by their heartbeats.
std::unique_ptr<client::Controller> MakeNodeLifecycle(client::ControllerContext& context,
                                                      NodeLifecycleOptions options = {});

// [taint-eviction-controller] Deletes pods that do not tolerate a NoExecute taint of their node.
std::unique_ptr<client::Controller> MakeTaintEviction(client::ControllerContext& context);

// [disruption-controller] Status of PodDisruptionBudgets.
std::unique_ptr<client::Controller> MakeDisruption(client::ControllerContext& context);

// [replicaset-controller] As many pods as a ReplicaSet wants.
std::unique_ptr<client::Controller> MakeReplicaSets(client::ControllerContext& context);

}  // namespace quadra::lifecycle
