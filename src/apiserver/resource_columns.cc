#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

Cell ClaimState(const RowSource& row) {
  const bool deleted = HasAt(row.object, "metadata.deletionTimestamp");
  std::vector<std::string> states;
  if (deleted) {
    states.emplace_back("deleted");
  }
  if (!HasAt(row.object, "status.allocation")) {
    if (!deleted) {
      states.emplace_back("pending");
    }
    return Joined(states);
  }
  states.emplace_back("allocated");
  if (!ItemsAt(row.object, "status.reservedFor").empty()) {
    states.emplace_back("reserved");
  }
  return Joined(states);
}

Cell TaintAge(const RowSource& row) {
  const bool added = HasAt(row.object, "spec.taint.timeAdded");
  return added ? AgeOf(TimeAt(row.object, "spec.taint.timeAdded"), row.now) : "";
}

// The first condition that says how the request ended; a JSON null while none does.
const Value& EndOf(const Value& request) {
  static const Value none;
  const auto conditions = ItemsAt(request, "status.conditions");
  const auto at = std::ranges::find_if(conditions, [](const Value& condition) {
    const std::string type = TextAt(condition, "type");
    return (type == "Complete" || type == "Failed") && TextAt(condition, "status") == "True";
  });
  return at == conditions.end() ? none : *at;
}

bool HasFailed(const Value& request) { return TextAt(EndOf(request), "type") == "Failed"; }

// A number of each pool summed up, with 32 bits as upstream's is; "-" where nothing is known.
template <typename Number>
std::string SumOfPools(const RowSource& row, Number number) {
  if (!HasAt(row.object, "status") || HasFailed(row.object)) {
    return "-";
  }
  std::int32_t sum = 0;
  for (const Value& pool : ItemsAt(row.object, "status.pools")) {
    sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) +
                                    static_cast<std::uint32_t>(number(pool)));
  }
  return fmt::format("{}", sum);
}

std::string SumOfMember(const RowSource& row, std::string_view member) {
  return SumOfPools(row, [&](const Value& pool) { return IntAt(pool, member); });
}

Cell PoolTotal(const RowSource& row) { return SumOfMember(row, "totalDevices"); }
Cell PoolAvailable(const RowSource& row) { return SumOfMember(row, "availableDevices"); }
Cell PoolAllocated(const RowSource& row) { return SumOfMember(row, "allocatedDevices"); }
Cell PoolUnavailable(const RowSource& row) { return SumOfMember(row, "unavailableDevices"); }
Cell PoolErrors(const RowSource& row) {
  return SumOfPools(row, [](const Value& pool) { return HasAt(pool, "validationError") ? 1 : 0; });
}

Cell PoolCount(const RowSource& row) { return IntAt(row.object, "status.poolCount"); }

Cell PoolStatus(const RowSource& row) {
  const std::string end = TextAt(EndOf(row.object), "type");
  const auto shown = static_cast<std::int64_t>(ItemsAt(row.object, "status.pools").size());
  const std::int64_t all = IntAt(row.object, "status.poolCount");
  return end == "Complete" && all > shown ? fmt::format("Complete ({}/{} pools)", shown, all)
                                          : OrElse(end, "Pending");
}

Cell PoolCompleted(const RowSource& row) {
  const Value& end = EndOf(row.object);
  return TextAt(end, "type") == "Complete" ? AgeOf(TimeAt(end, "lastTransitionTime"), row.now)
                                           : "<none>";
}

constexpr ComputedColumn kResourceColumns[] = {
    {"<claim-state>", ClaimState, "Whether devices are allocated, and whether a pod has them."},
    {"<taint-age>", TaintAge, "Time since the taint was added."},
    {"<pool-total>", PoolTotal, "Devices of the pools."},
    {"<pool-available>", PoolAvailable, "Devices that can be allocated."},
    {"<pool-allocated>", PoolAllocated, "Devices that are allocated."},
    {"<pool-unavailable>", PoolUnavailable, "Devices that cannot be allocated."},
    {"<pool-errors>", PoolErrors, "Pools that are not valid."},
    {"<pool-count>", PoolCount, "How many pools there are."},
    {"<pool-status>", PoolStatus, "Whether the request was answered."},
    {"<pool-completed>", PoolCompleted, "Time since the request was answered."},
};

}  // namespace

std::span<const ComputedColumn> ResourceColumns() { return kResourceColumns; }

}  // namespace quadra::apiserver
