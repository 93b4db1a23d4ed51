#include "scheduler/framework/plugin.h"

#include <algorithm>

namespace quadra::scheduler {

const Status& NodeStatuses::Of(std::string_view node) const {
  const auto found = nodes.find(std::string(node));
  return found == nodes.end() ? absent : found->second;
}

void NormalizeByMaximum(std::span<NodeScore> scores, bool reverse) {
  std::int64_t most = 0;
  for (const NodeScore& each : scores) {
    most = std::max(most, each.score);
  }
  for (NodeScore& each : scores) {
    const std::int64_t scaled = most == 0 ? 0 : kMaxNodeScore * each.score / most;
    each.score = reverse ? kMaxNodeScore - scaled : scaled;
  }
}

}  // namespace quadra::scheduler
