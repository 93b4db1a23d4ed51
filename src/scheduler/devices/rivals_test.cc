#include "scheduler/devices/rivals.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fixtures/devices.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/revision.h"

namespace quadra::scheduler {
namespace {

using Told = ClaimCopies::Told;

struct Held {
  std::string claim;
  int revision = 0;
  std::string device;
  std::string share = {};  // an amount of memory; empty: the whole device
  bool listed = false;     // a list showed it
  bool admin = false;
};

api::ResourceClaim ClaimOf(const Held& held) {
  api::ResourceClaim claim = fixtures::Claim(held.claim, {});
  claim.metadata.uid = held.claim;
  claim.metadata.resource_version = std::to_string(held.revision);
  api::DeviceRequestAllocationResult result{
      .request = "r", .driver = std::string(fixtures::kDriver), .pool = "p", .device = held.device};
  if (held.admin) {
    result.admin_access = true;
  }
  if (!held.share.empty()) {
    result.share_id = held.claim;
    result.consumed_capacity["memory"] = fixtures::Amount(held.share);
  }
  claim.status.allocation.emplace().devices.results.push_back(result);
  return claim;
}

struct Row {
  std::string what;
  Held mine;
  std::vector<Held> others;
  std::string rival;  // empty: none
};

// Device a is whole, b is shared and has 10 of memory; p1 and p2 each take 6 of a counter that has 10,
// p3 takes 4.
std::string RivalIn(const Row& row) {
  const selector::Language language;
  Devices devices(language, {});
  devices.Put(fixtures::OfTwo(fixtures::Slice(
      "p", "n",
      {fixtures::Gpu("a"), fixtures::Gpu("b").With("memory", "10").Shared(),
       fixtures::Gpu("p1").Draws("set", "slots", 6), fixtures::Gpu("p2").Draws("set", "slots", 6),
       fixtures::Gpu("p3").Draws("set", "slots", 4)})));
  devices.Put(fixtures::CounterSlice("p", "n", {"set"}, {{"slots", 10}}));
  const api::ResourceClaim mine = ClaimOf(row.mine);
  devices.Put(std::make_shared<const api::ResourceClaim>(mine));
  for (const Held& other : row.others) {
    devices.Put(std::make_shared<const api::ResourceClaim>(ClaimOf(other)),
                other.listed ? Told::kByList : Told::kByWatch);
  }
  const std::optional<Rival> rival =
      FindRival(mine, RevisionOf(mine.metadata), devices.Take(), devices.claims());
  return rival ? rival->claim + " " + rival->device.device : "";
}

TEST(RivalsTest, TheLaterAllocationGivesBack) {
  const std::vector<Row> rows = {
      {"alone", {"x", 5, "a"}, {}, ""},
      {"another device", {"x", 5, "a"}, {{"y", 3, "b", "10"}}, ""},
      {"ours is later", {"x", 5, "a"}, {{"y", 3, "a"}}, "ns/y a"},
      {"ours is earlier", {"x", 5, "a"}, {{"y", 7, "a"}}, ""},
      {"a list does not say when", {"x", 5, "a"}, {{"y", 7, "a", "", true}}, "ns/y a"},
      {"admin access takes nothing", {"x", 5, "a"}, {{"y", 3, "a", "", false, true}}, ""},
      {"nor does ours", {"x", 5, "a", "", false, true}, {{"y", 3, "a"}}, ""},
      {"shares that fit", {"x", 5, "b", "4"}, {{"y", 3, "b", "6"}}, ""},
      {"shares that do not", {"x", 5, "b", "5"}, {{"y", 3, "b", "6"}}, "ns/y b"},
      {"later shares do not count",
       {"x", 5, "b", "5"},
       {{"y", 3, "b", "5"}, {"z", 7, "b", "5"}},
       ""},
      {"three shares", {"x", 5, "b", "4"}, {{"y", 3, "b", "4"}, {"z", 4, "b", "4"}}, "ns/z b"},
      {"a share of a whole device", {"x", 5, "b", "1"}, {{"y", 3, "b"}}, "ns/y b"},
      {"the whole of a shared device", {"x", 5, "b"}, {{"y", 3, "b", "1"}}, "ns/y b"},
      {"counters that suffice", {"x", 5, "p1"}, {{"y", 3, "p3"}}, ""},
      {"counters that do not", {"x", 5, "p1"}, {{"y", 3, "p2"}}, "ns/y p2"},
      {"later partitions do not count", {"x", 5, "p1"}, {{"y", 3, "p3"}, {"z", 7, "p2"}}, ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(RivalIn(row), row.rival) << row.what;
  }
}

}  // namespace
}  // namespace quadra::scheduler
