#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

Cell Age(const RowSource& row) {
  return AgeOf(TimeAt(row.object, "metadata.creationTimestamp"), row.now);
}

Cell DataCount(const RowSource& row) {
  return static_cast<std::int64_t>(MembersAt(row.object, "data").size() +
                                   MembersAt(row.object, "binaryData").size());
}

// "name: used/hard" of the resources whose names begin with limits., or of all others.
std::string QuotaText(const RowSource& row, bool limits) {
  std::vector<std::string> names;
  for (const Value::Member& hard : MembersAt(row.object, "status.hard")) {
    if (hard.key.starts_with("limits.") == limits) {
      names.push_back(hard.key);
    }
  }
  std::ranges::sort(names);
  const Value& status = row.object.Get("status");
  for (std::string& name : names) {
    name = fmt::format("{}: {}/{}", name, OrElse(TextAt(status.Get("used").Get(name), ""), "0"),
                       OrElse(TextAt(status.Get("hard").Get(name), ""), "0"));
  }
  return Joined(names, ", ");
}

Cell QuotaRequests(const RowSource& row) { return QuotaText(row, false); }
Cell QuotaLimits(const RowSource& row) { return QuotaText(row, true); }

constexpr ComputedColumn kCoreColumns[] = {
    {"<age>", Age, "Time since the object was created."},
    {"<data-count>", DataCount, "How many entries it has."},
    {"<quota-requests>", QuotaRequests, "Used and allowed amounts, without limits."},
    {"<quota-limits>", QuotaLimits, "Used and allowed amounts of limits."},
};

}  // namespace

std::span<const ComputedColumn> CoreColumns() { return kCoreColumns; }

}  // namespace quadra::apiserver
