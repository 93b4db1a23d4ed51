#include "placement/derived_nodes.h"

#include <set>

namespace quadra::placement {
namespace {

api::Node NodeNamed(const std::string& name) {
  api::Node node;
  node.type = {.kind = "Node", .api_version = "v1"};
  node.metadata.name = name;
  return node;
}

std::set<std::string> NodesOf(const inventory::SliceIndex& slices) {
  std::set<std::string> names;
  slices.VisitPools([&](const std::string&, const inventory::SliceList& pool) {
    for (const auto& slice : pool) {
      names.insert(slice->placement.node);
      for (std::size_t i = 0; slice->devices_have_placements && i < slice->devices.size(); ++i) {
        names.insert(slice->devices[i].shape->placement.node);
      }
    }
  });
  names.erase("");
  return names;
}

}  // namespace

inventory::Inventory WithNodes(const inventory::Snapshot& published,
                               const std::optional<std::string>& wanted) {
  inventory::Inventory world = published.Fork();
  if (!published.nodes().empty()) {
    return world;
  }
  std::set<std::string> names = NodesOf(published.slices());
  if (wanted) {
    names.insert(*wanted);
  }
  if (names.empty()) {
    names.insert("any");
  }
  for (const std::string& name : names) {
    world.SetNode(NodeNamed(name));
  }
  return world;
}

std::vector<std::shared_ptr<const api::Node>> NodesOf(const inventory::Snapshot& devices,
                                                      const std::optional<std::string>& only) {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  for (const auto& [name, node] : devices.nodes()) {
    if (!only || name == *only) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

}  // namespace quadra::placement
