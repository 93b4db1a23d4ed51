#include "scheduler/framework/cache.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace quadra::scheduler {
namespace {

std::string_view LabelOf(const api::Node& node, std::string_view label,
                         std::string_view deprecated) {
  const std::string* value = node.metadata.labels.Find(deprecated);
  value = value == nullptr ? node.metadata.labels.Find(label) : value;
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

// Region and zone; empty where the node says neither.
std::string ZoneOf(const api::Node& node) {
  const std::string_view zone =
      LabelOf(node, "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
  const std::string_view region =
      LabelOf(node, "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
  return zone.empty() && region.empty() ? "" : fmt::format("{}:\n:{}", region, zone);
}

}  // namespace

std::string NormalizedImageName(std::string_view image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return has_tag ? std::string(image) : std::string(image) + ":latest";
}

// The size is that of the first node that told of the image.
void Cache::AddImages(const NodeInfo& node) {
  for (const NodeImage& image : node.images()) {
    ImageState& state =
        images_.try_emplace(std::string(image.name), ImageState{.size = image.size}).first->second;
    ++state.nodes;
  }
}

void Cache::RemoveImages(const NodeInfo& node) {
  for (const NodeImage& image : node.images()) {
    const auto found = images_.find(std::string(image.name));
    if (--found->second.nodes == 0) {
      images_.erase(found);
    }
  }
}

void Cache::PutInZone(const api::Node& node) {
  const std::string zone = ZoneOf(node);
  auto found = std::ranges::find(zones_, zone, &Zone::name);
  if (found == zones_.end()) {
    found = zones_.insert(zones_.end(), {.name = zone, .nodes = {}});
  }
  found->nodes.push_back(node.metadata.name);
  is_ordered_ = is_listed_ = false;
}

void Cache::TakeFromZone(const std::string& zone, std::string_view node) {
  const auto found = std::ranges::find(zones_, zone, &Zone::name);
  std::erase(found->nodes, node);
  if (found->nodes.empty()) {
    zones_.erase(found);
  }
  is_ordered_ = is_listed_ = false;
}

void Cache::PutNode(std::shared_ptr<const api::Node> node) {
  const std::string name = node->metadata.name;
  std::unique_ptr<NodeInfo>& info = infos_[name];
  if (info != nullptr) {
    RemoveImages(*info);
    const std::string before = ZoneOf(info->node());
    if (before != ZoneOf(*node)) {
      TakeFromZone(before, name);
      PutInZone(*node);
    }
    info->SetNode(std::move(node));
    AddImages(*info);
    return;
  }
  info = std::make_unique<NodeInfo>(node);
  AddImages(*info);
  PutInZone(*node);
  if (const auto waiting = homeless_.find(name); waiting != homeless_.end()) {
    for (const PodInfoPtr& pod : waiting->second) {
      info->Add(pod);
    }
    homeless_.erase(waiting);
  }
}

void Cache::RemoveNode(std::string_view name) {
  const auto found = infos_.find(std::string(name));
  if (found == infos_.end()) {
    return;
  }
  RemoveImages(*found->second);
  TakeFromZone(ZoneOf(found->second->node()), name);
  if (!found->second->pods().empty()) {
    homeless_[found->first] = found->second->pods();
  }
  infos_.erase(found);
}

void Cache::Enter(const Placed& placed) {
  is_listed_ = is_listed_ && !placed.pod->HasAffinity();
  if (const auto found = infos_.find(placed.node); found != infos_.end()) {
    found->second->Add(placed.pod);
  } else {
    homeless_[placed.node].push_back(placed.pod);
  }
}

void Cache::Leave(const Placed& placed) {
  is_listed_ = is_listed_ && !placed.pod->HasAffinity();
  if (const auto found = infos_.find(placed.node); found != infos_.end()) {
    found->second->Remove(*placed.pod);
    return;
  }
  if (const auto waiting = homeless_.find(placed.node); waiting != homeless_.end()) {
    std::erase(waiting->second, placed.pod);
    if (waiting->second.empty()) {
      homeless_.erase(waiting);
    }
  }
}

void Cache::PutPod(PodInfoPtr pod) {
  RemovePod(*pod);
  Placed& placed = pods_[pod->uid()];
  placed.node = pod->pod.spec.node_name;
  placed.pod = std::move(pod);
  Enter(placed);
}

void Cache::RemovePod(const PodInfo& pod) {
  const auto found = pods_.find(pod.uid());
  if (found != pods_.end()) {
    Leave(found->second);
    pods_.erase(found);
  }
}

void Cache::PutNamespace(const std::string& name, api::Map<std::string> labels) {
  namespaces_[name] = std::move(labels);
}

void Cache::RemoveNamespace(const std::string& name) { namespaces_.erase(name); }

void Cache::Assume(PodInfoPtr pod, const std::string& node) {
  RemovePod(*pod);
  Placed& placed = pods_[pod->uid()];
  placed = {.pod = std::move(pod), .node = node, .assumed = true};
  Enter(placed);
}

void Cache::Forget(const PodInfo& pod) {
  if (IsAssumed(pod)) {
    RemovePod(pod);
  }
}

PodInfoPtr Cache::FindAssumed(const PodInfo& pod) const {
  const auto found = pods_.find(pod.uid());
  return found != pods_.end() && found->second.assumed ? found->second.pod : nullptr;
}

// Zones take turns, a node each, until all nodes had theirs.
void Cache::Order() const {
  order_.clear();
  order_.reserve(infos_.size());
  for (std::size_t turn = 0; order_.size() < infos_.size(); ++turn) {
    for (const Zone& zone : zones_) {
      if (turn < zone.nodes.size()) {
        order_.push_back(infos_.find(zone.nodes[turn])->second.get());
      }
    }
  }
  is_ordered_ = true;
}

void Cache::List() const {
  with_affinity_.clear();
  with_anti_affinity_.clear();
  for (const NodeInfo* const node : nodes()) {
    if (!node->pods_with_affinity().empty()) {
      with_affinity_.push_back(node);
    }
    if (!node->pods_with_required_anti_affinity().empty()) {
      with_anti_affinity_.push_back(node);
    }
  }
  is_listed_ = true;
}

std::span<const NodeInfo* const> Cache::nodes() const {
  if (!is_ordered_) {
    Order();
  }
  return order_;
}

const NodeInfo* Cache::Find(std::string_view node) const {
  const auto found = infos_.find(std::string(node));
  return found == infos_.end() ? nullptr : found->second.get();
}

std::span<const NodeInfo* const> Cache::with_affinity() const {
  if (!is_listed_) {
    List();
  }
  return with_affinity_;
}

std::span<const NodeInfo* const> Cache::with_required_anti_affinity() const {
  if (!is_listed_) {
    List();
  }
  return with_anti_affinity_;
}

const api::Map<std::string>* Cache::NamespaceLabels(std::string_view name) const {
  const auto found = namespaces_.find(std::string(name));
  return found == namespaces_.end() ? nullptr : &found->second;
}

std::vector<std::string> Cache::NamespacesOf(const LabelQuery& selector) const {
  std::vector<std::string> names;
  for (const auto& [name, labels] : namespaces_) {
    if (selector.Matches(labels)) {
      names.push_back(name);
    }
  }
  return names;
}

const ImageState* Cache::Image(std::string_view name) const {
  const auto found = images_.find(std::string(name));
  return found == images_.end() ? nullptr : &found->second;
}

}  // namespace quadra::scheduler
