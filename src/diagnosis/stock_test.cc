#include "diagnosis/stock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::diagnosis {
namespace {

std::string Slice(std::string_view name, std::string_view devices, std::int64_t generation = 1,
                  std::int64_t count = 1, std::string_view more = "") {
  return fmt::format(R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {}, creationTimestamp: "2026-08-0{}T00:00:00Z"}}
spec:
  driver: d
  nodeName: n1
  pool: {{name: p, generation: {}, resourceSliceCount: {}}}
  devices: [{}]
{})",
                     name, generation, generation, count, devices, more);
}

// A claim that holds `device`; `more` is added to the result, `consumers` are pods.
std::string Claim(std::string_view name, std::string_view device, std::string_view consumers,
                  std::string_view more = "") {
  std::string reserved;
  for (std::size_t begin = 0; begin < consumers.size();) {
    const std::size_t end = std::min(consumers.find(' ', begin), consumers.size());
    reserved += fmt::format("{{resource: pods, name: {0}, uid: u-{0}}},",
                            consumers.substr(begin, end - begin));
    begin = end + 1;
  }
  return fmt::format(R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {}, namespace: a}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c}}}}]}}}}
status:
  reservedFor: [{}]
  allocation: {{devices: {{results: [{{request: r, driver: d, pool: p, device: {}{}}}]}}}}
)",
                     name, reserved, device, more);
}

std::string PodOf(std::string_view ns, std::string_view name, std::string_view phase) {
  return fmt::format(R"(---
apiVersion: v1
kind: Pod
metadata: {{name: {0}, namespace: {2}, uid: u-{0}}}
spec: {{containers: [{{name: c, image: i}}]}}
status: {{phase: {1}}}
)",
                     name, phase, ns);
}

std::string Pod(std::string_view name, std::string_view phase) { return PodOf("a", name, phase); }

std::vector<PoolStock> StockOf(const std::string& yaml, std::string_view gates = "") {
  placement::Cluster cluster = placement::ClusterOf(yaml, gates);
  const inventory::Snapshot devices = cluster.Take();
  std::vector<PoolStock> pools;
  Stock(cluster, devices).Visit([&](const PoolStock& pool) {
    pools.push_back(pool);
    for (DeviceStock& device : pools.back().devices) {  // the claims do not outlive the cluster
      for (DeviceHolder& holder : device.holders) {
        holder.claim = nullptr;
      }
    }
  });
  return pools;
}

std::string Words(const PoolStock& pool) {
  std::string text = fmt::format("{} used {} free {} tainted {} leaked {}", pool.state, pool.used,
                                 pool.free, pool.tainted, pool.leaked);
  if (pool.largest) {
    text += " largest " + pool.devices[*pool.largest].id.device;
  }
  for (const DeviceStock& device : pool.devices) {
    text += fmt::format("; {} {}", device.id.device, NameOf(device.state));
  }
  return text;
}

// The other slice of the pool: its one counter set, with these counters.
std::string Counters(std::string_view counters) {
  return fmt::format(R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: t}}
spec:
  driver: d
  nodeName: n1
  pool: {{name: p, generation: 1, resourceSliceCount: 2}}
  sharedCounters: [{{name: c, counters: {{{}}}}}]
)",
                     counters);
}

const std::string kTwoPartitions =
    Slice("s",
          "{name: whole, consumesCounters: [{counterSet: c, counters: {m: {value: 8}}}]},"
          "{name: half, consumesCounters: [{counterSet: c, counters: {m: {value: 4}}}]},"
          "{name: quarter, consumesCounters: [{counterSet: c, counters: {m: {value: 2}}}]}",
          1, 2) +
    Counters("m: {value: 8}");

// Slices of memory are counters of their own: each partition has all of some of them.
const std::string kSliced =
    Slice("s",
          "{name: 7g, consumesCounters: [{counterSet: c, counters: {m0: {value: 1}, m1: {value: "
          "1}, m2: {value: 1}, m3: {value: 1}}}]},"
          "{name: 1g-0, consumesCounters: [{counterSet: c, counters: {m0: {value: 1}}}]},"
          "{name: 2g, consumesCounters: [{counterSet: c, counters: {m1: {value: 1}, m2: {value: "
          "1}}}]},"
          "{name: 1g-3, consumesCounters: [{counterSet: c, counters: {m3: {value: 1}}}]}",
          1, 2) +
    Counters("m0: {value: 1}, m1: {value: 1}, m2: {value: 1}, m3: {value: 1}");

const std::string kShared =
    Slice("s",
          "{name: nic, allowMultipleAllocations: true, capacity: {bw: {value: 10, requestPolicy: "
          "{default: 2, validRange: {min: 2}}}}},"
          "{name: small, allowMultipleAllocations: true, capacity: {bw: {value: 4}}}");

const std::string kBestEffort =
    Slice("s",
          "{name: nic, allowMultipleAllocations: true, capacity: {bw: {value: 4, requestPolicy: "
          "{default: 1, validRange: {min: 0}}}}}");

std::string Share(std::string_view name, std::string_view device, int amount) {
  return Claim(name, device, "p",
               fmt::format(", shareID: 00000000-0000-0000-0000-00000000000{}, consumedCapacity: "
                           "{{bw: {}}}",
                           amount, amount));
}

TEST(Stock, StatesAndCounts) {
  struct Row {
    std::string_view what;
    std::string yaml;
    std::string_view words;
  };
  const Row rows[] = {
      {"nothing held", Slice("s", "{name: a}, {name: b}"),
       "ok used 0 free 2 tainted 0 leaked 0 largest a; a free; b free"},
      {"one in use", Slice("s", "{name: a}, {name: b}") + Claim("x", "a", "p"),
       "ok used 1 free 1 tainted 0 leaked 0 largest b; a in-use; b free"},
      {"administrators take nothing",
       Slice("s", "{name: a}") + Claim("x", "a", "p", ", adminAccess: true"),
       "ok used 0 free 1 tainted 0 leaked 0 largest a; a free"},
      {"reserved for nobody", Slice("s", "{name: a}") + Claim("x", "a", ""),
       "ok used 1 free 0 tainted 0 leaked 1; a leaked"},
      {"the pod is gone from a dump with pods",
       Slice("s", "{name: a}") + Claim("x", "a", "p") + Pod("q", "Running"),
       "ok used 1 free 0 tainted 0 leaked 1; a leaked"},
      {"the dump has pods, but none of that namespace",
       Slice("s", "{name: a}") + Claim("x", "a", "p") + PodOf("other", "q", "Running"),
       "ok used 1 free 0 tainted 0 leaked 0; a unknown"},
      {"reserved for nobody, whatever pods there are",
       Slice("s", "{name: a}") + Claim("x", "a", "") + PodOf("other", "q", "Running"),
       "ok used 1 free 0 tainted 0 leaked 1; a leaked"},
      {"the pod has finished",
       Slice("s", "{name: a}") + Claim("x", "a", "p") + Pod("p", "Succeeded"),
       "ok used 1 free 0 tainted 0 leaked 1; a leaked"},
      {"one of two pods lives",
       Slice("s", "{name: a}") + Claim("x", "a", "p q") + Pod("p", "Failed") + Pod("q", "Running"),
       "ok used 1 free 0 tainted 0 leaked 0; a in-use"},
      {"a taint keeps pods away, a remark does not",
       Slice("s",
             "{name: a, taints: [{key: k, effect: NoExecute}]},"
             "{name: b, taints: [{key: k, effect: None}]}"),
       "ok used 0 free 1 tainted 1 leaked 0 largest b; a tainted; b free"},
      {"held and not published", Slice("s", "{name: a}") + Claim("x", "gone", "p"),
       "ok used 0 free 1 tainted 0 leaked 0 largest a; a free; gone unpublished"},
      {"a pool that nobody publishes", Claim("x", "gone", "p"),
       "gone used 0 free 0 tainted 0 leaked 0; gone unpublished"},
      {"an older generation", Slice("old", "{name: a}, {name: b}") + Slice("s", "{name: a}", 2),
       "ok used 0 free 1 tainted 0 leaked 0 largest a; a free; b outdated"},
      {"held in an older generation",
       Slice("old", "{name: b}") + Slice("s", "{name: a}", 2) + Claim("x", "b", "p"),
       "ok used 0 free 1 tainted 0 leaked 0 largest a; a free; b unpublished"},
      {"a slice is missing", Slice("s", "{name: a}", 1, 2) + Claim("x", "a", "p"),
       "incomplete used 1 free 0 tainted 0 leaked 0; a in-use"},
      {"a name is given twice", Slice("s", "{name: a}, {name: a}"),
       "invalid used 0 free 0 tainted 0 leaked 0; a invalid; a invalid"},
      {"partitions", kTwoPartitions,
       "ok used 0 free 3 tainted 0 leaked 0 largest whole; whole free; half free; quarter free"},
      {"partitions exclude each other", kTwoPartitions + Claim("x", "half", "p"),
       "ok used 1 free 1 tainted 0 leaked 0 largest quarter; whole blocked; half in-use; quarter "
       "free"},
      {"a share of all counters counts, not that of one", kSliced + Claim("x", "1g-0", "p"),
       "ok used 1 free 2 tainted 0 leaked 0 largest 2g; 7g blocked; 1g-0 in-use; 2g free; 1g-3 "
       "free"},
      {"one device, two claims",
       Slice("s", "{name: a}") + Claim("x", "a", "p") + Claim("z", "a", "q"),
       "ok used 1 free 0 tainted 0 leaked 0; a overbooked"},
      {"more in shares than there is", kShared + Share("x", "nic", 8) + Share("z", "nic", 3),
       "ok used 1 free 1 tainted 0 leaked 0 largest small; nic overbooked; small free"},
      {"shares", kShared, "ok used 0 free 2 tainted 0 leaked 0 largest nic; nic free; small free"},
      {"room for a share is left", kShared + Share("x", "nic", 8),
       "ok used 1 free 2 tainted 0 leaked 0 largest small; nic shared; small free"},
      {"less is left than the least share", kShared + Share("x", "nic", 9),
       "ok used 1 free 1 tainted 0 leaked 0 largest small; nic shared; small free"},
      {"nothing is left, and any amount may be asked for", kShared + Share("x", "small", 4),
       "ok used 1 free 1 tainted 0 leaked 0 largest nic; nic free; small shared"},
      {"nothing is left, and nothing is enough", kBestEffort + Share("x", "nic", 4),
       "ok used 1 free 1 tainted 0 leaked 0 largest nic; nic shared"},
      {"nothing there can be used up",
       Slice("s", "{name: nic, allowMultipleAllocations: true}") + Share("x", "nic", 0),
       "ok used 1 free 1 tainted 0 leaked 0 largest nic; nic shared"},
  };
  for (const Row& row : rows) {
    const std::vector<PoolStock> pools = StockOf(row.yaml);
    ASSERT_EQ(pools.size(), 1U) << row.what;
    EXPECT_EQ(Words(pools[0]), row.words) << row.what;
  }
}

// --- compatibility groups

const std::string kGrouped =
    Slice("s",
          "{name: a, consumesCounters: [{counterSet: c, compatibilityGroups: [x], counters: {m: "
          "{value: 1}}}]},"
          "{name: b, consumesCounters: [{counterSet: c, compatibilityGroups: [x, z], counters: {m: "
          "{value: 1}}}]},"
          "{name: d, consumesCounters: [{counterSet: c, compatibilityGroups: [z], counters: {m: "
          "{value: 1}}}]},"
          "{name: e, consumesCounters: [{counterSet: c, counters: {m: {value: 1}}}]}",
          1, 2) +
    Counters("m: {value: 8}");

TEST(Stock, DevicesOfOtherCompatibilityGroupsAreNotFree) {
  struct Row {
    std::string_view held;
    std::string_view words;
  };
  const Row rows[] = {
      {"a",
       "ok used 1 free 1 tainted 0 leaked 0 largest b; a in-use; b free; d blocked; e blocked"},
      {"b", "ok used 1 free 2 tainted 0 leaked 0 largest a; a free; b in-use; d free; e blocked"},
      {"e", "ok used 1 free 0 tainted 0 leaked 0; a blocked; b blocked; d blocked; e in-use"},
  };
  for (const Row& row : rows) {
    const std::vector<PoolStock> pools =
        StockOf(kGrouped + Claim("x", row.held, "p"), "DRADeviceCompatibilityGroups=true");
    ASSERT_EQ(pools.size(), 1U);
    EXPECT_EQ(Words(pools[0]), row.words) << row.held << " is held";
  }
}

TEST(Stock, AnOverdrawnCounterBlocksItsPool) {
  const std::vector<PoolStock> pools =
      StockOf(kTwoPartitions + Claim("x", "whole", "p") + Claim("z", "half", "p"));
  ASSERT_EQ(pools.size(), 1U);
  EXPECT_EQ(Words(pools[0]),
            "ok used 2 free 0 tainted 0 leaked 0; whole in-use; half in-use; quarter blocked");
}

TEST(Stock, DescribesPoolsAndDevices) {
  const std::vector<PoolStock> pools =
      StockOf(Slice("t", "{name: b}", 3, 2) +
              Slice("s", "{name: a, attributes: {uuid: {string: GPU-1}}}", 3, 2) +
              Claim("x", "a", "p") + Pod("p", "Running"));
  ASSERT_EQ(pools.size(), 1U);
  const PoolStock& pool = pools[0];
  EXPECT_EQ(pool.ToString(), "d/p");
  EXPECT_EQ(pool.node, "n1");
  EXPECT_EQ(pool.generation, 3);
  EXPECT_EQ(pool.slices, 2U);
  EXPECT_EQ(pool.slices_wanted, 2);
  EXPECT_EQ(FormatSeconds(pool.created.value_or(Time())), "2026-08-03T00:00:00Z");
  ASSERT_EQ(pool.devices.size(), 2U);
  EXPECT_EQ(pool.devices[0].id.ToString(), "d/p/a") << "slices by name";
  EXPECT_EQ(pool.devices[0].uuid, "GPU-1");
  EXPECT_EQ(pool.devices[0].slice, "s");
  ASSERT_EQ(pool.devices[0].holders.size(), 1U);
  ASSERT_EQ(pool.devices[0].holders[0].consumers.size(), 1U);
  EXPECT_EQ(pool.devices[0].holders[0].consumers[0].name, "a/p");
  EXPECT_EQ(pool.devices[0].holders[0].consumers[0].state, Consumer::State::kLive);
}

}  // namespace
}  // namespace quadra::diagnosis
