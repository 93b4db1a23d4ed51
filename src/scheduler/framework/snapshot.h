// Snapshot: the cluster as one scheduling cycle sees it. It does not change while a cycle runs.
//
// Nodes come in the order in which upstream's scheduler walks them: zones take turns (the zone of
// topology.kubernetes.io/region and zone), nodes within a zone in the order in which they came.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "scheduler/framework/label_query.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/framework/workloads.h"

namespace quadra::scheduler {

// How widespread an image is.
struct ImageState {
  std::int64_t size = 0;
  std::int64_t nodes = 0;
};

class Snapshot {
 public:
  virtual ~Snapshot() = default;

  virtual std::span<const NodeInfo* const> nodes() const = 0;
  // Null where there is none.
  virtual const NodeInfo* Find(std::string_view node) const = 0;
  // Nodes with pods that have (anti-)affinity; in the order of nodes().
  virtual std::span<const NodeInfo* const> with_affinity() const = 0;
  virtual std::span<const NodeInfo* const> with_required_anti_affinity() const = 0;
  // Null where the Namespace is not known.
  virtual const api::Map<std::string>* NamespaceLabels(std::string_view name) const = 0;
  // Of those that are known, in any order. Cost: all of them are asked.
  virtual std::vector<std::string> NamespacesOf(const LabelQuery& selector) const = 0;
  // Empty where no plugin wants them.
  virtual const Workloads& workloads() const = 0;
  // Of an image by its normalized name; null where no node has it.
  virtual const ImageState* Image(std::string_view name) const = 0;
};

}  // namespace quadra::scheduler
