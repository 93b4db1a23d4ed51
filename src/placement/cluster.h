// Cluster: the objects that decide who gets which devices; a door of this folder.
//
// One view for all who place, explain or keep claims, whoever fills it: a dump once, informers
// event by event. Pods, claims, templates, labels of namespaces and priorities are kept as objects;
// slices, classes, taint rules, nodes and what claims hold live in an Inventory, of which Take()
// gives the present state. Both follow from the same calls, so they never disagree.
//
//   Cluster cluster(language, gates);
//   cluster.Put(slice);  cluster.Put(claim);  cluster.Put(pod);  …   // one overload a kind
//   const inventory::Snapshot devices = cluster.Take();
//
// Put replaces the object of that name, or adds it; Remove of what is not there does nothing.
// Namespaced objects must have their namespace. Pure: no I/O, no clock. One thread at a time;
// readers in other threads use what Take() returned. Slices are not kept as objects, so there may
// be millions of devices; a pod or claim costs some kilobytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "api/object.h"
#include "base/clock.h"
#include "inventory/inventory.h"
#include "placement/shelf.h"
#include "selector/selector.h"
#include "validation/validate.h"

namespace quadra::placement {

class Cluster {
 public:
  // `language` must outlive this.
  Cluster(const selector::Language& language, const api::FeatureGates& gates)
      : gates_(gates), inventory_(language, inventory::FeaturesOf(gates)) {}

  // --- Writing. Put says whether the object is new.
  bool Put(const api::ResourceSlice& slice);
  bool Put(api::DeviceClass device_class);
  bool Put(api::DeviceTaintRule rule);
  bool Put(api::Node node);
  bool Put(api::ResourceClaim claim);
  bool Put(api::ResourceClaimTemplate made) { return templates_.Put(std::move(made)); }
  bool Put(api::Pod pod) { return pods_.Put(std::move(pod)); }
  bool Put(api::Namespace given);
  bool Put(api::PriorityClass given);
  void RemoveSlice(const std::string& name);
  void RemoveClass(const std::string& name);
  void RemoveTaintRule(const std::string& name);
  void RemoveNode(const std::string& name);
  void RemoveClaim(std::string_view ns, std::string_view name);
  void RemoveTemplate(std::string_view ns, std::string_view name) { templates_.Remove(ns, name); }
  void RemovePod(std::string_view ns, std::string_view name) { pods_.Remove(ns, name); }
  void RemoveNamespace(const std::string& name) { namespaces_.erase(name); }
  void RemovePriorityClass(const std::string& name) { priority_classes_.erase(name); }

  // --- Reading.
  const api::FeatureGates& gates() const { return gates_; }
  // What is published and held by now. Cost: see Inventory::Take.
  inventory::Snapshot Take() { return inventory_.Take(); }
  // Allocated or not, in the order in which they came; so for the others.
  const Shelf<api::ResourceClaim>& claims() const { return claims_; }
  const Shelf<api::ResourceClaimTemplate>& templates() const { return templates_; }
  const Shelf<api::Pod>& pods() const { return pods_; }
  // Null where the Namespace is not known.
  const api::Map<std::string>* NamespaceLabels(std::string_view name) const;
  // spec.priority; else that of its class, or the global default; 0 where none is known.
  std::int32_t PriorityOf(const api::Pod& pod) const;
  // When the slice was created; nothing where that is not said.
  std::optional<Time> CreationOf(const std::string& slice) const;

 private:
  std::optional<std::int32_t> PriorityOfClass(std::string_view name) const;

  api::FeatureGates gates_;
  inventory::Inventory inventory_;
  Shelf<api::ResourceClaim> claims_;
  Shelf<api::ResourceClaimTemplate> templates_;
  Shelf<api::Pod> pods_;
  std::map<std::string, api::Namespace, std::less<>> namespaces_;
  std::map<std::string, api::PriorityClass, std::less<>> priority_classes_;
  absl::flat_hash_map<std::string, std::optional<Time>> slice_created_;  // by name
  absl::flat_hash_set<std::string> in_inventory_;  // kind/name of classes, taint rules and nodes
};

}  // namespace quadra::placement
