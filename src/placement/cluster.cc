#include "placement/cluster.h"

#include <array>
#include <utility>

namespace quadra::placement {

bool Cluster::Put(const api::ResourceSlice& slice) {
  inventory_.SetSlice(slice);
  return slice_created_.insert_or_assign(slice.metadata.name, slice.metadata.creation_timestamp)
      .second;
}

void Cluster::RemoveSlice(const std::string& name) {
  slice_created_.erase(name);
  inventory_.RemoveSlice(name);
}

bool Cluster::Put(api::DeviceClass device_class) {
  const bool fresh = in_inventory_.insert("class/" + device_class.metadata.name).second;
  inventory_.SetClass(std::move(device_class));
  return fresh;
}

void Cluster::RemoveClass(const std::string& name) {
  in_inventory_.erase("class/" + name);
  inventory_.RemoveClass(name);
}

bool Cluster::Put(api::DeviceTaintRule rule) {
  const bool fresh = in_inventory_.insert("rule/" + rule.metadata.name).second;
  inventory_.SetTaintRule(std::move(rule));
  return fresh;
}

void Cluster::RemoveTaintRule(const std::string& name) {
  in_inventory_.erase("rule/" + name);
  inventory_.RemoveTaintRule(name);
}

bool Cluster::Put(api::Node node) {
  const bool fresh = in_inventory_.insert("node/" + node.metadata.name).second;
  inventory_.SetNode(std::move(node));
  return fresh;
}

void Cluster::RemoveNode(const std::string& name) {
  in_inventory_.erase("node/" + name);
  inventory_.RemoveNode(name);
}

// A claim that was made anew under its old name holds under another key; that of the former goes.
bool Cluster::Put(api::ResourceClaim claim) {
  if (const api::ResourceClaim* before = claims_.Find(claim.metadata.ns, claim.metadata.name)) {
    inventory_.RemoveClaim(*before);
  }
  if (claim.status.allocation) {
    inventory_.SetClaim(claim);
  }
  return claims_.Put(std::move(claim));
}

void Cluster::RemoveClaim(std::string_view ns, std::string_view name) {
  if (const api::ResourceClaim* before = claims_.Find(ns, name)) {
    inventory_.RemoveClaim(*before);
    claims_.Remove(ns, name);
  }
}

bool Cluster::Put(api::Namespace given) {
  const std::string name = given.metadata.name;
  return namespaces_.insert_or_assign(name, std::move(given)).second;
}

bool Cluster::Put(api::PriorityClass given) {
  const std::string name = given.metadata.name;
  return priority_classes_.insert_or_assign(name, std::move(given)).second;
}

const api::Map<std::string>* Cluster::NamespaceLabels(std::string_view name) const {
  const auto found = namespaces_.find(name);
  return found == namespaces_.end() ? nullptr : &found->second.metadata.labels;
}

std::int32_t Cluster::PriorityOf(const api::Pod& pod) const {
  return pod.spec.priority.value_or(PriorityOfClass(pod.spec.priority_class_name).value_or(0));
}

// An empty name means the global default.
std::optional<std::int32_t> Cluster::PriorityOfClass(std::string_view name) const {
  // Built into every cluster.
  struct Known {
    std::string_view name;
    std::int32_t value;
  };
  constexpr std::array kBuiltIn = {Known{"system-node-critical", 2'000'001'000},
                                   Known{"system-cluster-critical", 2'000'000'000}};
  for (const auto& [given_name, given] : priority_classes_) {
    if (name.empty() ? given.global_default : given_name == name) {
      return given.value;
    }
  }
  for (const Known& known : kBuiltIn) {
    if (known.name == name) {
      return known.value;
    }
  }
  return std::nullopt;
}

std::optional<Time> Cluster::CreationOf(const std::string& slice) const {
  const auto found = slice_created_.find(slice);
  return found == slice_created_.end() ? std::nullopt : found->second;
}

}  // namespace quadra::placement
