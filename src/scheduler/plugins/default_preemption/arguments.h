// PreemptionArguments: on how many nodes preemption is tried, as pluginConfig says it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "json/value.h"

namespace quadra::scheduler {

struct PreemptionArguments {
  std::int64_t least_percentage = 10;  // minCandidateNodesPercentage
  std::int64_t least_nodes = 100;      // minCandidateNodesAbsolute

  // `args`: null where there are none.
  static Result<PreemptionArguments> Read(const json::Value& args);

  // How many candidates are enough, of so many nodes where ending pods may help.
  std::size_t EnoughOf(std::size_t nodes) const;
};

}  // namespace quadra::scheduler
