#include "scheduler/plugins/default_preemption/arguments.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kPercentage = "minCandidateNodesPercentage";
constexpr std::string_view kAbsolute = "minCandidateNodesAbsolute";

}  // namespace

Result<PreemptionArguments> PreemptionArguments::Read(const json::Value& args) {
  QUADRA_TRY(const Arguments given,
             Arguments::Of(args, "DefaultPreemptionArgs", {kPercentage, kAbsolute}));
  QUADRA_TRY(const auto percentage, given.Int(kPercentage, {.most = 100}));
  QUADRA_TRY(const auto nodes,
             given.Int(kAbsolute, {.most = std::numeric_limits<std::int32_t>::max()}));
  PreemptionArguments read;
  read.least_percentage = percentage.value_or(read.least_percentage);
  read.least_nodes = nodes.value_or(read.least_nodes);
  if (read.least_percentage == 0 && read.least_nodes == 0) {
    return Fail(given.Wrong(kPercentage,
                            "cannot be zero at the same time as minCandidateNodesAbsolute",
                            "give one of them above 0"));
  }
  return read;
}

std::size_t PreemptionArguments::EnoughOf(std::size_t nodes) const {
  const auto count = static_cast<std::int64_t>(nodes);
  return static_cast<std::size_t>(
      std::min(count, std::max(count * least_percentage / 100, least_nodes)));
}

}  // namespace quadra::scheduler
