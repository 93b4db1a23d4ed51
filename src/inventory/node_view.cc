#include "inventory/node_view.h"

#include <algorithm>
#include <utility>

namespace quadra::inventory {
namespace {

constexpr std::string_view kNodeOperations = "DRAOptionalNodeOperations";

bool LacksNodeOperations(const Slice& slice, const api::Node& node, const Features& features) {
  if (slice.skip_node_operations.empty() || !features.knows_node_operations()) {
    return false;
  }
  const auto& declared = node.status.declared_features;
  return !features.optional_node_operations ||
         std::ranges::find(declared, kNodeOperations) == declared.end();
}

Candidate::Placed PlacedOn(const Slice& slice, const DeviceShape& shape, const api::Node& node) {
  if (!slice.devices_have_placements || shape.placement.Serves(node)) {
    return Candidate::Placed::kHere;
  }
  return shape.placement.is_readable ? Candidate::Placed::kElsewhere
                                     : Candidate::Placed::kUnreadable;
}

std::size_t CountDevices(const std::vector<Pool>& pools) {
  std::size_t count = 0;
  for (const Pool& pool : pools) {
    for (const auto& slice : pool.slices) {
      count += slice->devices.size();
    }
  }
  return count;
}

}  // namespace

std::shared_ptr<const NodeView> MakeView(const SliceIndex& slices,
                                         const selector::DeviceTable& table,
                                         std::shared_ptr<const api::Node> node,
                                         const Features& features) {
  auto view = std::make_shared<NodeView>();
  NodePools found = PoolsOf(slices, *node, features);
  view->unreadable = std::move(found.unreadable);
  view->pools = std::move(found.pools);
  view->candidates.reserve(CountDevices(view->pools));
  for (const Pool& pool : view->pools) {
    for (const auto& slice : pool.slices) {
      const selector::Row first = table.rows(slice->rows).begin;
      const bool supported = !LacksNodeOperations(*slice, *node, features);
      for (std::uint32_t i = 0; i < slice->devices.size(); ++i) {
        const DeviceShape& shape = *slice->devices[i].shape;
        view->candidates.push_back({.pool = &pool,
                                    .slice = slice.get(),
                                    .shape = &shape,
                                    .row = first + i,
                                    .index = i,
                                    .placed = PlacedOn(*slice, shape, *node),
                                    .is_supported = supported && shape.is_usable});
      }
    }
  }
  view->node = std::move(node);
  return view;
}

}  // namespace quadra::inventory
