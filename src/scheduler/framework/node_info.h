// NodeInfo: a node with the pods on it and what they take, those too that are only assumed there.
//
//   NodeInfo trial = info;  trial.Remove(*victim);      // a copy to try things on: preemption
//
// A value. Changed by Cache alone, and by who owns a copy. Cost of Add and Remove: the pod's
// requests; Remove looks through the pods of the node.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "placement/place.h"
#include "scheduler/framework/amounts.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

// An image that a node has; the name lives as long as the node.
struct NodeImage {
  std::string_view name;
  std::int64_t size = 0;
};

class NodeInfo {
 public:
  explicit NodeInfo(std::shared_ptr<const api::Node> node) { SetNode(std::move(node)); }

  const api::Node& node() const { return *node_; }
  const std::string& name() const { return node_->metadata.name; }
  const std::vector<PodInfoPtr>& pods() const { return pods_; }
  const std::vector<PodInfoPtr>& pods_with_affinity() const { return with_affinity_; }
  const std::vector<PodInfoPtr>& pods_with_required_anti_affinity() const {
    return with_anti_affinity_;
  }
  const Amounts& requested() const { return requested_; }
  const Amounts& non_zero_requested() const { return non_zero_requested_; }
  const Amounts& allocatable() const { return allocatable_; }
  std::int64_t allowed_pods() const { return allowed_pods_; }
  const std::multiset<placement::HostPort>& used_ports() const { return ports_; }
  // By name, each once.
  const std::vector<NodeImage>& images() const { return images_; }
  bool HasImage(std::string_view name) const;
  // Another one whenever something has changed; unique among all nodes of a process.
  std::uint64_t generation() const { return generation_; }

  void SetNode(std::shared_ptr<const api::Node> node);
  void Add(PodInfoPtr pod);
  // By uid; false where it is not there.
  bool Remove(const PodInfo& pod);

 private:
  void Touch();

  std::shared_ptr<const api::Node> node_;
  std::vector<PodInfoPtr> pods_;
  std::vector<PodInfoPtr> with_affinity_;
  std::vector<PodInfoPtr> with_anti_affinity_;
  Amounts requested_;
  Amounts non_zero_requested_;
  Amounts allocatable_;
  std::int64_t allowed_pods_ = 0;
  std::multiset<placement::HostPort> ports_;
  std::vector<NodeImage> images_;
  std::uint64_t generation_ = 0;
};

// Whether a wanted port is taken: same protocol and port, and the same address or all of them.
bool PortsConflict(const std::vector<placement::HostPort>& wanted,
                   const std::multiset<placement::HostPort>& used);

}  // namespace quadra::scheduler
