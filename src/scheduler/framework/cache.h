// Cache: the nodes and the pods on them, as informers tell of them, with the pods that we have placed
// and the server has not confirmed yet. It is the Snapshot of the next cycle.
//
//   cache.PutNode(node);  cache.PutPod(bound);
//   cache.Assume(pod, "n1");              // counts from now on
//   cache.Forget(*pod);                   // it did not come to that; PutPod confirms it
//
// An assumed pod stays until it is confirmed, forgotten or deleted, however long that takes: what was
// written is found out, not guessed from a clock.
// Threads: the scheduler's loop. Cost: of a pod its node; the order of nodes is made anew after
// nodes came or went.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "scheduler/framework/snapshot.h"

namespace quadra::scheduler {

class Cache final : public Snapshot {
 public:
  void PutNode(std::shared_ptr<const api::Node> node);
  void RemoveNode(std::string_view name);
  // A pod on a node; one of the same uid is replaced, wherever it was. Pods on nodes that are not
  // known yet wait for them.
  void PutPod(PodInfoPtr pod);
  void RemovePod(const PodInfo& pod);
  void PutNamespace(const std::string& name, api::Map<std::string> labels);
  void RemoveNamespace(const std::string& name);
  Workloads& workloads() { return workloads_; }

  // `pod` counts as on the node. It may be another value than the one that waits: with its node.
  void Assume(PodInfoPtr pod, const std::string& node);
  void Forget(const PodInfo& pod);
  // As it was assumed, on its node; null where it is not.
  PodInfoPtr FindAssumed(const PodInfo& pod) const;
  bool IsAssumed(const PodInfo& pod) const { return FindAssumed(pod) != nullptr; }

  // --- Snapshot
  std::span<const NodeInfo* const> nodes() const override;
  const NodeInfo* Find(std::string_view node) const override;
  std::span<const NodeInfo* const> with_affinity() const override;
  std::span<const NodeInfo* const> with_required_anti_affinity() const override;
  const api::Map<std::string>* NamespaceLabels(std::string_view name) const override;
  std::vector<std::string> NamespacesOf(const LabelQuery& selector) const override;
  const Workloads& workloads() const override { return workloads_; }
  const ImageState* Image(std::string_view name) const override;

 private:
  struct Placed {
    PodInfoPtr pod;
    std::string node;
    bool assumed = false;
  };
  void Enter(const Placed& placed);
  void Leave(const Placed& placed);
  void AddImages(const NodeInfo& node);
  void RemoveImages(const NodeInfo& node);
  void PutInZone(const api::Node& node);
  void TakeFromZone(const std::string& zone, std::string_view node);
  void Order() const;
  void List() const;

  absl::flat_hash_map<std::string, std::unique_ptr<NodeInfo>> infos_;   // by name
  absl::flat_hash_map<std::string, Placed> pods_;                       // by uid
  absl::flat_hash_map<std::string, std::vector<PodInfoPtr>> homeless_;  // by missing node
  absl::flat_hash_map<std::string, api::Map<std::string>> namespaces_;
  absl::flat_hash_map<std::string, ImageState> images_;
  Workloads workloads_;
  struct Zone {
    std::string name;
    std::vector<std::string> nodes;
  };
  std::vector<Zone> zones_;
  mutable std::vector<const NodeInfo*> order_;
  mutable bool is_ordered_ = true;
  mutable std::vector<const NodeInfo*> with_affinity_;
  mutable std::vector<const NodeInfo*> with_anti_affinity_;
  mutable bool is_listed_ = true;
};

// As upstream's images are named: with a tag, latest where there is none.
std::string NormalizedImageName(std::string_view image);

}  // namespace quadra::scheduler
