#include "inventory/inventory.h"

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace quadra::inventory {
namespace {

api::Node NodeNamed(std::string name) {
  api::Node node;
  node.metadata.name = std::move(name);
  return node;
}

struct SliceWords {
  std::string name;
  std::string node = "n1";  // empty: all nodes
  std::int64_t generation = 1;
  std::int64_t count = 1;
  std::vector<std::string> devices;
};

api::ResourceSlice MakeApiSlice(const SliceWords& words) {
  api::ResourceSlice slice;
  slice.metadata.name = words.name;
  slice.spec.driver = "d";
  slice.spec.pool.name = "p";
  slice.spec.pool.generation = words.generation;
  slice.spec.pool.resource_slice_count = words.count;
  if (words.node.empty()) {
    slice.spec.all_nodes = true;
  } else {
    slice.spec.node_name = words.node;
  }
  for (const std::string& name : words.devices) {
    api::Device device;
    device.name = name;
    slice.spec.devices.push_back(std::move(device));
  }
  return slice;
}

// --- Pools.

struct PoolCase {
  std::string name;
  std::vector<SliceWords> slices;
  std::string expected;  // devices in order, or the state and its reason; empty: no pool
};

void PrintTo(const PoolCase& each, std::ostream* out) { *out << each.name; }

std::string Describe(const std::vector<Pool>& pools) {
  std::string text;
  for (const Pool& pool : pools) {
    if (pool.state != PoolState::kReady) {
      text += (pool.state == PoolState::kInvalid ? "invalid: " : "incomplete: ") + pool.reason;
    }
    for (const auto& slice : pool.slices) {
      for (const Device& device : slice->devices) {
        text += device.name;
      }
    }
  }
  return text;
}

const std::vector<PoolCase> kPools = {
    {"slices by name", {{"b", "n1", 1, 2, {"y"}}, {"a", "n1", 1, 2, {"x"}}}, "xy"},
    {"another node", {{"a", "n2", 1, 1, {"x"}}}, ""},
    {"all nodes", {{"a", "", 1, 1, {"x"}}}, "x"},
    {"the newest generation", {{"a", "n1", 1, 1, {"x"}}, {"b", "n1", 2, 1, {"y"}}}, "y"},
    {"a newer generation elsewhere", {{"a", "n1", 1, 2, {"x"}}, {"b", "n2", 2, 1, {"y"}}}, ""},
    {"a slice missing", {{"a", "n1", 1, 2, {"x"}}}, "incomplete: 1 of 2 slices"},
    {"the rest elsewhere", {{"a", "n1", 1, 2, {"x"}}, {"b", "n2", 1, 2, {"y"}}}, "x"},
    {"a device twice", {{"a", "n1", 1, 1, {"x", "x"}}}, "invalid: duplicate device name x"},
};

class PoolTest : public ::testing::TestWithParam<PoolCase> {};

TEST_P(PoolTest, IsWhatUpstreamWouldGather) {
  const selector::Language language(nullptr);
  Inventory inventory(language, Features());
  for (const SliceWords& words : GetParam().slices) {
    inventory.AddSlice(MakeApiSlice(words));
  }
  const NodePools found = PoolsOf(inventory.Take().slices(), NodeNamed("n1"), Features());
  EXPECT_EQ(Describe(found.pools), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, PoolTest, ::testing::ValuesIn(kPools));

// --- What is held.

Holder HolderOf(const std::string& claim, const std::vector<std::string>& devices) {
  Holder holder{.claim = claim, .holdings = {}};
  for (const std::string& device : devices) {
    holder.holdings.push_back({.device = {"d", "p", device}, .consumed = {}});
  }
  return holder;
}

std::size_t ExclusiveHolders(const Held& held, const std::string& device) {
  const HeldDevice* found = held.Find({"d", "p", device});
  return found != nullptr ? found->exclusive : 0;
}

TEST(Held, ReplacesWhatAClaimHeld) {
  const Epoch mine{1};
  Held held;
  held.Set(mine, "c", HolderOf("ns/c", {"x", "y"}));
  held.Set(mine, "c", HolderOf("ns/c", {"y"}));
  EXPECT_EQ(held.Find({"d", "p", "x"}), nullptr);
  EXPECT_EQ(held.Find({"d", "p", "y"})->holders, std::vector<std::string>{"c"});
  held.Set(mine, "c", HolderOf("ns/c", {}));
  EXPECT_EQ(held.HolderOf("c"), nullptr);
}

TEST(Held, SumsWhatSharesConsume) {
  const Epoch mine{1};
  Held held;
  const auto share = [](std::int64_t amount) {
    Holder holder{.claim = "ns/c", .holdings = {}, .consumers = {}};
    holder.holdings.push_back({.device = {"d", "p", "x"},
                               .shared = true,
                               .consumed = {{"memory", quantity::Quantity::Of(amount)}}});
    return holder;
  };
  held.Set(mine, "a", share(3));
  held.Set(mine, "b", share(4));
  EXPECT_EQ(held.Find({"d", "p", "x"})->consumed.at("memory"), quantity::Quantity::Of(7));
  held.Set(mine, "a", Holder{.claim = "ns/c", .holdings = {}, .consumers = {}});
  EXPECT_EQ(held.Find({"d", "p", "x"})->consumed.at("memory"), quantity::Quantity::Of(4));
}

// A random history, with copies taken on the way: each copy keeps what it had, and the end equals
// what the last words of every claim say.
TEST(Held, CopiesDoNotSeeEachOther) {
  Lineage lineage;
  Epoch mine = lineage.Next();
  SeededRandom random(7);
  const std::vector<std::string> names = {"u", "v", "w", "x", "y", "z"};
  std::map<std::string, std::vector<std::string>> last;
  std::vector<std::pair<Held, std::map<std::string, std::vector<std::string>>>> copies;
  Held held;
  const auto expect = [&](const Held& state, const auto& claims) {
    std::map<std::string, std::size_t> holders;
    for (const auto& [claim, devices] : claims) {
      for (const std::string& device : devices) {
        ++holders[device];
      }
    }
    for (const std::string& name : names) {
      EXPECT_EQ(ExclusiveHolders(state, name), holders[name]) << name;
    }
  };
  for (int step = 0; step < 2000; ++step) {
    const std::string claim = "c" + std::to_string(random.Next() % 10);
    std::vector<std::string> devices;
    for (const std::string& name : names) {
      if (random.Next() % 4 == 0) {
        devices.push_back(name);
      }
    }
    last[claim] = devices;
    held.Set(mine, claim, HolderOf(claim, devices));
    if (random.Next() % 20 == 0) {
      copies.emplace_back(held, last);
      mine = lineage.Next();
    }
  }
  expect(held, last);
  for (const auto& [copy, claims] : copies) {
    expect(copy, claims);
  }
}

// --- Events.

api::ResourceClaim ClaimOf(const std::string& name, const std::vector<std::string>& devices) {
  api::ResourceClaim claim;
  claim.metadata.name = name;
  claim.metadata.ns = "ns";
  claim.status.allocation.emplace();
  for (const std::string& device : devices) {
    api::DeviceRequestAllocationResult result;
    result.driver = "d";
    result.pool = "p";
    result.device = device;
    claim.status.allocation->devices.results.push_back(std::move(result));
  }
  return claim;
}

// What a snapshot shows of node n1: its devices in order, marked where they are in use; then held
// devices that nobody publishes, with whether they were ever seen.
std::string Seen(const Snapshot& cluster) {
  std::string text;
  const NodeView& view = *cluster.ViewOf("n1");
  for (const Candidate& candidate : view.candidates) {
    text += candidate.slice->devices[candidate.index].name;
    text += cluster.marks().in_use.Test(candidate.row) ? "* " : " ";
  }
  for (const Pool& pool : view.pools) {
    if (const Unpublished* unpublished = cluster.UnpublishedOf(pool)) {
      for (const auto& [name, shape] : *unpublished) {
        text += fmt::format("{}({}) ", name, shape != nullptr ? "seen" : "never seen");
      }
    }
  }
  return text;
}

using Event = std::function<void(Inventory&)>;
struct EventStep {
  std::string name;
  Event event;
  std::string seen;  // afterwards
};

const std::vector<EventStep> kSteps = {
    {"a slice",
     [](Inventory& i) { i.SetSlice(MakeApiSlice({.name = "s", .devices = {"a", "b"}})); }, "a b "},
    {"a claim", [](Inventory& i) { i.SetClaim(ClaimOf("c", {"b"})); }, "a b* "},
    {"a claim for what is not there", [](Inventory& i) { i.SetClaim(ClaimOf("x", {"z"})); },
     "a b* z(never seen) "},
    {"the slice without the device",
     [](Inventory& i) {
       i.SetSlice(MakeApiSlice({.name = "s", .generation = 2, .devices = {"a"}}));
     },
     "a b(seen) z(never seen) "},
    {"the slice with all of them",
     [](Inventory& i) {
       i.SetSlice(MakeApiSlice({.name = "s", .generation = 3, .devices = {"a", "b", "z"}}));
     },
     "a b* z* "},
    {"a claim changes", [](Inventory& i) { i.SetClaim(ClaimOf("c", {"a"})); }, "a* b z* "},
    {"a claim goes", [](Inventory& i) { i.RemoveClaim(ClaimOf("x", {})); }, "a* b z "},
    {"the slice goes", [](Inventory& i) { i.RemoveSlice("s"); }, ""},
    {"another slice comes",
     [](Inventory& i) { i.SetSlice(MakeApiSlice({.name = "t", .devices = {"c"}})); }, "c a(seen) "},
};

TEST(Events, AreFollowedStepByStepAndLeaveEarlierSnapshotsAlone) {
  const selector::Language language(nullptr);
  Inventory inventory(language, Features());
  inventory.SetNode(NodeNamed("n1"));
  std::vector<Snapshot> taken;
  for (const EventStep& step : kSteps) {
    step.event(inventory);
    taken.push_back(inventory.Take());
    EXPECT_EQ(Seen(taken.back()), step.seen) << step.name;
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(Seen(taken[i]), kSteps[i].seen) << "later: " << kSteps[i].name;
  }
}

TEST(Events, AForkGoesItsOwnWay) {
  const selector::Language language(nullptr);
  Inventory inventory(language, Features());
  inventory.SetNode(NodeNamed("n1"));
  inventory.SetSlice(MakeApiSlice({.name = "s", .devices = {"a"}}));
  const Snapshot before = inventory.Take();
  Inventory fork = before.Fork();
  fork.SetClaim(ClaimOf("c", {"a"}));
  fork.SetSlice(MakeApiSlice({.name = "t", .node = "n1", .devices = {"b"}}));
  inventory.RemoveSlice("s");
  EXPECT_EQ(Seen(before), "a ");
  EXPECT_EQ(Seen(inventory.Take()), "");
  EXPECT_EQ(fork.Take().ViewOf("n1")->pools.size(), 1U);
}

TEST(Shapes, AreSharedByDevicesThatAgree) {
  const selector::Language language(nullptr);
  Inventory inventory(language, Features());
  inventory.AddSlice(MakeApiSlice({.name = "a", .devices = {"x", "y"}}));
  const Snapshot cluster = inventory.Take();
  const Slice& slice = *cluster.slices().Find("a");
  EXPECT_EQ(slice.devices[0].shape, slice.devices[1].shape);
}

}  // namespace
}  // namespace quadra::inventory
