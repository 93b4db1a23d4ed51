// Dump: what a cluster held at one moment, out of manifests: an inventory to allocate from, and the
// pods and claims that want to be served.
//
//   Dump dump(language, gates);
//   for (const json::Manifest& manifest : …) dump.Take(manifest, api_version, kind);
//   const inventory::Snapshot cluster = dump.inventory().Take();
//
// Any version of resource.k8s.io is read as v1, leniently. Slices go into the inventory and are not
// kept as objects, so that a dump may have millions of devices. Namespaced objects without a
// namespace are in `default`, as kubectl would put them. Of an object that is given twice the later
// one counts, in the place of the first. Pure: no I/O. Not thread-safe; memory: the inventory's,
// and some kilobytes a pod or claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "api/object_reader.h"
#include "base/result.h"
#include "inventory/inventory.h"
#include "json/manifest.h"
#include "offline/shelf.h"
#include "selector/selector.h"
#include "validation/validate.h"

namespace quadra::offline {

class Dump {
 public:
  // `language` must outlive this.
  Dump(const selector::Language& language, const api::FeatureGates& gates)
      : gates_(gates), inventory_(language, inventory::FeaturesOf(gates)) {}

  // Takes one object. Kinds that allocation does not look at are only counted. Errors name the
  // field; the dump is as before then.
  Status Take(const json::Manifest& manifest, std::string_view api_version, std::string_view kind);

  const api::FeatureGates& gates() const { return gates_; }
  // Slices, classes, taint rules (unless gate DRADeviceTaintRules is off), nodes, and what
  // allocated claims hold.
  inventory::Inventory& inventory() { return inventory_; }
  // Claims, allocated or not; names are never empty.
  const Shelf<api::ResourceClaim>& claims() const { return claims_; }
  const Shelf<api::ResourceClaimTemplate>& templates() const { return templates_; }
  const Shelf<api::Pod>& pods() const { return pods_; }
  // Null where the Namespace is not in the dump.
  const api::Map<std::string>* NamespaceLabels(std::string_view name) const;
  // The value of a PriorityClass; of the global default for an empty name; nothing where unknown.
  std::optional<std::int32_t> PriorityOf(std::string_view priority_class) const;
  // Nodes that slices or their devices name, in order.
  const std::set<std::string>& nodes_of_slices() const { return nodes_of_slices_; }
  // Whether only that node can use devices of the pool, as all its slices say.
  bool IsLocal(std::string_view driver, std::string_view pool, std::string_view node) const;
  std::size_t slice_count() const { return slice_created_.size(); }
  // When the slice was created; nothing where that is not said.
  std::optional<Time> CreationOf(const std::string& slice) const;

  // Kinds that were not looked at, with their numbers.
  const std::map<std::string, std::size_t>& unused() const { return unused_; }
  // "3 Deployments, 1 Service"; empty where everything was of use.
  std::string UnusedText() const;
  // What was given twice, one sentence each, with file and line.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // One of each kind that the reader knows.
  void Keep(api::ResourceSlice slice, const json::Manifest& manifest);
  void Keep(api::DeviceClass device_class, const json::Manifest& manifest);
  void Keep(api::DeviceTaintRule rule, const json::Manifest& manifest);
  void Keep(api::ResourceClaim claim, const json::Manifest& manifest);
  void Keep(api::ResourceClaimTemplate made, const json::Manifest& manifest);
  void Keep(api::Pod pod, const json::Manifest& manifest);
  void Keep(api::Node node, const json::Manifest& manifest);
  void Keep(api::Namespace given, const json::Manifest& manifest);
  void Keep(api::PriorityClass given, const json::Manifest& manifest);
  // Completes the name as the API server would, as far as that can be known.
  void Complete(api::ObjectMeta& meta, bool namespaced);
  void NoteNodes(const api::ResourceSliceSpec& spec);
  void NoteTwice(const json::Manifest& manifest, std::string_view kind, const std::string& name);

  api::FeatureGates gates_;
  inventory::Inventory inventory_;
  Shelf<api::ResourceClaim> claims_;
  Shelf<api::ResourceClaimTemplate> templates_;
  Shelf<api::Pod> pods_;
  std::map<std::string, api::Map<std::string>, std::less<>> namespace_labels_;
  std::map<std::string, api::PriorityClass, std::less<>> priority_classes_;
  std::set<std::string> nodes_of_slices_;
  absl::flat_hash_map<std::string, std::string> node_of_pool_;  // by driver/pool; empty: several
  absl::flat_hash_map<std::string, std::optional<Time>> slice_created_;
  absl::flat_hash_set<std::string> other_names_;  // kind/name of classes, rules and nodes
  std::size_t generated_names_ = 0;
  std::map<std::string, std::size_t> unused_;
  std::vector<std::string> notes_;
};

}  // namespace quadra::offline
