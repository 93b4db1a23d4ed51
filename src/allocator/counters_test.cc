#include "allocator/counters.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/questions_for_tests.h"
#include "fixtures/devices.h"

namespace quadra::allocator {
namespace {

using fixtures::Gpu;

// Calls of a Counters: "+a" charges device a, "-a" refunds it, "?a" only asks.
struct Call {
  std::string what;
  bool said = true;  // not looked at for refunds
};

struct Row {
  std::string name;
  std::vector<fixtures::CounterAmount> counters;  // of sets `s` and `t`
  std::vector<api::Device> devices;
  std::vector<std::string> held;
  std::vector<Call> calls;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

api::Device Grouped(const Gpu& device, const std::vector<std::string>& groups) {
  api::Device grouped = device;
  for (const std::string& group : groups) {
    grouped.consumes_counters[0].compatibility_groups.push_back(group);
  }
  return grouped;
}

Gpu Half(std::string_view name) { return Gpu(name).Draws("s", "memory", 4); }

const std::vector<fixtures::CounterAmount> kEight = {{"memory", 8}};

const std::vector<Row> kRows = {
    {"as many as the counter has",
     kEight,
     {Half("a"), Half("b"), Half("c")},
     {},
     {{"+a"}, {"+b"}, {"+c", false}}},
    {"what is given back can be taken again",
     kEight,
     {Half("a"), Half("b"), Half("c")},
     {},
     {{"+a"}, {"+b"}, {"-b"}, {"+c"}, {"+b", false}}},
    {"asking takes nothing",
     kEight,
     {Half("a"), Half("b")},
     {},
     {{"?a"}, {"?a"}, {"+a"}, {"?b"}, {"+b"}, {"?a", false}}},
    {"a refusal takes nothing",
     kEight,
     {Gpu("big").Draws("s", "memory", 9), Half("a"), Half("b")},
     {},
     {{"+big", false}, {"+a"}, {"+b"}}},
    {"what is held is gone",
     kEight,
     {Half("a"), Half("b"), Half("c")},
     {"a"},
     {{"+b"}, {"+c", false}}},
    {"sets are apart",
     kEight,
     {Gpu("a").Draws("s", "memory", 8), Gpu("b").Draws("t", "memory", 8)},
     {},
     {{"+a"}, {"+b"}}},
    {"each counter of a set bounds",
     {{"memory", 8}, {"slices", 1}},
     {Half("a").Draws("s", "slices", 1), Half("b").Draws("s", "slices", 1), Half("c")},
     {},
     {{"+a"}, {"+b", false}, {"+c"}}},
    {"an overdrawn counter blocks the whole pool",
     kEight,
     {Gpu("big").Draws("s", "memory", 9), Gpu("b").Draws("t", "memory", 1)},
     {"big"},
     {{"+b", false}}},
    {"groups that share one go together",
     kEight,
     {Grouped(Half("a"), {"x", "y"}), Grouped(Half("b"), {"y", "z"})},
     {},
     {{"+a"}, {"+b"}}},
    {"groups that share none do not",
     kEight,
     {Grouped(Half("a"), {"x"}), Grouped(Half("b"), {"y"})},
     {},
     {{"+a"}, {"+b", false}, {"-a"}, {"+b"}}},
    {"all need one group in common",
     {{"memory", 12}},
     {Grouped(Half("a"), {"x", "y"}), Grouped(Half("b"), {"y", "z"}),
      Grouped(Half("c"), {"x", "z"})},
     {},
     {{"+a"}, {"+b"}, {"+c", false}, {"-b"}, {"+c"}}},
    {"without groups only with their like",
     kEight,
     {Half("a"), Grouped(Half("b"), {"x"})},
     {},
     {{"+a"}, {"+b", false}, {"-a"}, {"+b"}, {"+a", false}}},
    {"groups of what is held count",
     kEight,
     {Grouped(Half("a"), {"x"}), Grouped(Half("b"), {"y"}), Grouped(Half("c"), {"x"})},
     {"a"},
     {{"+b", false}, {"+c"}}},
};

inventory::Snapshot ClusterOf(const Row& row, inventory::Inventory& inventory) {
  inventory.SetNode(fixtures::Node("n1"));
  inventory.SetSlice(fixtures::CounterSlice("p", "n1", {"s", "t"}, row.counters));
  inventory.SetSlice(fixtures::OfTwo(fixtures::Slice("p", "n1", row.devices)));
  for (const std::string& device : row.held) {
    api::ResourceClaim holder = fixtures::Claim("holder-of-" + device, {});
    api::DeviceRequestAllocationResult& result =
        holder.status.allocation.emplace().devices.results.emplace_back();
    result.driver = fixtures::kDriver;
    result.pool = "p";
    result.device = device;
    inventory.SetClaim(holder);
  }
  return inventory.Take();
}

class CountersTest : public ::testing::TestWithParam<Row> {};

TEST_P(CountersTest, ChargesAndRefunds) {
  const Row& row = GetParam();
  const selector::Language language;
  selector::ExpressionCache expressions(language);
  Verdicts verdicts(expressions);
  inventory::Inventory inventory(language, {.compatibility_groups = true});
  const inventory::Snapshot cluster = ClusterOf(row, inventory);
  Problem problem(cluster, {}, verdicts, Rules(), nullptr);
  ASSERT_FALSE(problem.Enter(**cluster.views().begin()));
  Counters counters(problem);
  const auto candidate = [&](const std::string& device) -> const Candidate& {
    Place place = 0;
    while (problem.IdOf(place).device != device) {
      ++place;
    }
    return problem.candidates()[place];
  };
  for (const Call& call : row.calls) {
    const Candidate& device = candidate(call.what.substr(1));
    if (call.what[0] == '-') {
      counters.Refund(device);
    } else {
      EXPECT_EQ(call.what[0] == '?' ? counters.CouldCharge(device) : counters.Charge(device),
                call.said)
          << call.what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, CountersTest, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace quadra::allocator
