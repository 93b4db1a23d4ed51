// Node: what the scheduler and the node agent read and write of core/v1 Node.
//
// Left out on purpose: addresses, images, volumes, system information, runtime handlers, CIDRs,
// provider, kubelet configuration. As with Pod, strict decode checks them and nothing of ours
// encodes a whole Node from this struct.
#pragma once

#include <optional>
#include <string>

#include "api/meta.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

struct Taint {
  std::string key;
  std::string value;
  std::string effect;  // NoSchedule, PreferNoSchedule, NoExecute
  std::optional<Time> time_added;
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct NodeSpec {
  bool unschedulable = false;
  List<Taint> taints;
  friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

struct NodeCondition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::optional<Time> last_heartbeat_time;
  std::optional<Time> last_transition_time;
  std::string reason;
  std::string message;
  friend bool operator==(const NodeCondition&, const NodeCondition&) = default;
};

struct NodeStatus {
  Map<Quantity> capacity;
  Map<Quantity> allocatable;  // what is left for pods; equals capacity when not given
  List<NodeCondition> conditions;
  List<std::string> declared_features;
  friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};

// The name is metadata.name, the labels that selectors see are metadata.labels.
struct Node {
  TypeMeta type;
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
  friend bool operator==(const Node&, const Node&) = default;
};

}  // namespace quadra::api
