#include <algorithm>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include "cli/age.h"
#include "cli/document.h"
#include "cli/get.h"
#include "cli/line.h"

namespace quadra::cli {
namespace {

using diagnosis::PoolStock;

bool IsPoolReached(const PoolStock& pool, const Listing& listing) {
  return listing.is_reached == nullptr || pool.node == listing.node ||
         std::ranges::any_of(pool.devices, listing.is_reached);
}

bool IsPoolShown(const PoolStock& pool, const Listing& listing) {
  if (!IsPoolReached(pool, listing) || !listing.HasState(pool.state)) {
    return false;
  }
  return listing.shows == nullptr ||
         std::ranges::any_of(pool.devices, [&](const diagnosis::DeviceStock& device) {
           return std::ranges::any_of(device.holders, listing.shows);
         });
}

std::vector<std::string> PoolHeadings(bool wide) {
  return wide ? std::vector<std::string>{"NAME",     "DRIVER", "NODE", "GEN",     "SLICES",
                                         "DEVICES",  "USED",   "FREE", "TAINTED", "LARGEST-FREE",
                                         "COUNTERS", "STATE",  "AGE"}
              : std::vector<std::string>{"NAME", "DRIVER",  "NODE",  "DEVICES", "USED",
                                         "FREE", "TAINTED", "STATE", "AGE"};
}

// What is not known of a pool that is not ok prints as a dash.
std::vector<std::string> PoolCells(const PoolStock& pool, const Listing& listing) {
  const bool ok = pool.state == "ok";
  const auto number = [&](std::size_t count) {
    return ok ? fmt::to_string(count) : std::string("-");
  };
  std::vector<std::string> cells = {pool.name, pool.driver, NodeCell(pool.node, pool.slices > 0)};
  if (listing.wide()) {
    cells.push_back(fmt::to_string(pool.generation));
    cells.push_back(fmt::format("{}/{}", pool.slices, pool.slices_wanted));
  }
  for (const std::size_t count : {pool.published, pool.used, pool.free, pool.tainted}) {
    cells.push_back(number(count));
  }
  if (listing.wide()) {
    cells.push_back(pool.largest ? pool.devices[*pool.largest].id.device : "-");
    cells.push_back(LevelsCell(pool.counters));
  }
  cells.push_back(pool.state);
  cells.push_back(AgeOf(pool.created, listing.now));
  return cells;
}

void WriteCount(json::Writer& writer, std::string_view key, std::size_t count) {
  writer.Key(key);
  writer.Int(static_cast<std::int64_t>(count));
}

void WriteLargest(const PoolStock& pool, json::Writer& writer) {
  if (!pool.largest) {
    return;
  }
  const diagnosis::DeviceStock& largest = pool.devices[*pool.largest];
  writer.Key("largestFree");
  writer.BeginObject();
  writer.MemberIfAny("device", largest.id.device);
  writer.Key("share");
  writer.Double(std::min(largest.share, 1.0));
  writer.EndObject();
}

void WriteCounters(const PoolStock& pool, json::Writer& writer) {
  if (pool.counters.empty()) {
    return;
  }
  std::map<std::string, std::vector<diagnosis::Level>> sets;
  for (const diagnosis::Level& level : pool.counters) {
    sets[level.set].push_back(level);
  }
  writer.Key("counterSets");
  writer.BeginArray();
  for (const auto& [name, levels] : sets) {
    writer.BeginObject();
    writer.MemberIfAny("name", name);
    WriteLevels(writer, "counters", levels);
    writer.EndObject();
  }
  writer.EndArray();
}

void WritePool(const PoolStock& pool, json::Writer& writer) {
  writer.MemberIfAny("name", pool.name);
  writer.MemberIfAny("driver", pool.driver);
  writer.MemberIfAny("node", pool.node);
  writer.MemberIfAny("state", pool.state);
  writer.MemberIfAny("reason", pool.reason);
  writer.Key("generation");
  writer.Int(pool.generation);
  WriteCount(writer, "slices", pool.slices);
  writer.Key("slicesWanted");
  writer.Int(pool.slices_wanted);
  WriteCount(writer, "devices", pool.published);
  WriteCount(writer, "used", pool.used);
  WriteCount(writer, "free", pool.free);
  WriteCount(writer, "tainted", pool.tainted);
  WriteCount(writer, "leaked", pool.leaked);
  WriteCount(writer, "unpublished", pool.unpublished);
  WriteLargest(pool, writer);
  WriteCounters(pool, writer);
  if (pool.created) {
    writer.MemberIfAny("creationTimestamp", FormatSeconds(*pool.created));
  }
}

}  // namespace

ExitCode GetPools(const diagnosis::Stock& stock, const Listing& listing, Console& console) {
  Lister lister(listing, "pool", "PoolList", PoolHeadings(listing.wide()), console);
  stock.Visit([&](const PoolStock& pool) {
    if (!lister.Chooses(pool.ToString()) || !IsPoolShown(pool, listing)) {
      return;
    }
    if (!pool.reason.empty() && !IsDocumentFormat(listing.format)) {
      PrintLine(console.err,
                fmt::format("note: {}: {}: {}", pool.ToString(), pool.state, pool.reason));
    }
    lister.Add(
        pool.ToString(), [&] { return PoolCells(pool, listing); },
        [&](json::Writer& writer) { WritePool(pool, writer); });
  });
  return lister.Finish();
}

}  // namespace quadra::cli
