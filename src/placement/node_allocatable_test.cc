#include "placement/node_allocatable.h"

#include <gtest/gtest.h>

#include "api/object.h"

namespace quadra::placement {
namespace {

using Status = api::NodeAllocatableResourceClaimStatus;

// The devices of KEP-5517's examples in the form of Kubernetes 1.37, and of its overheads.
constexpr std::string_view kSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d","nodeName":"n",
"pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[
{"name":"core0","nodeAllocatableResources":{"cpu":{"mapping":{"deviceMultiplier":"2"}}}},
{"name":"core1","nodeAllocatableResources":{"cpu":{"mapping":{"deviceMultiplier":"2"}}}},
{"name":"socket0","allowMultipleAllocations":true,
 "capacity":{"d/cpu":{"value":"128"},"d/memory":{"value":"256Gi"},"d/cores":{"value":"64"}},
 "nodeAllocatableResources":{"cpu":{"mapping":{"capacityKey":"d/cpu","capacityMultiplier":"1"}},
                             "memory":{"mapping":{"capacityKey":"d/memory","capacityMultiplier":"1"}}}},
{"name":"socket1","allowMultipleAllocations":true,"capacity":{"d/cores":{"value":"64"}},
 "nodeAllocatableResources":{"cpu":{"mapping":{"capacityKey":"d/cores","capacityMultiplier":"1500m"}}}},
{"name":"l3","capacity":{"d/cpu":{"value":"8"}},
 "nodeAllocatableResources":{"cpu":{"mapping":{"capacityKey":"d/cpu","capacityMultiplier":"1"}}}},
{"name":"xpu","nodeAllocatableResources":{
 "cpu":{"mapping":{"deviceMultiplier":"2"}},"memory":{"mapping":{"deviceMultiplier":"8Gi"}}}},
{"name":"taxed","nodeAllocatableResources":{
 "memory":{"overhead":{"perPod":"1Gi","perContainer":"256Mi"}},
 "hugepages-2Mi":{"mapping":{"deviceMultiplier":"4Mi"},"overhead":{"perPod":"2Mi"}}}},
{"name":"plain"}]}})";

inventory::Snapshot Cluster() {
  static const selector::Language language(nullptr);
  inventory::Inventory inventory(language, {});
  const auto slice = api::DecodeJson<api::ResourceSlice>(kSlice, api::Strictness::kStrict);
  EXPECT_TRUE(slice) << slice.error().message;
  inventory.SetSlice(*slice);
  return inventory.Take();
}

struct Taken {
  std::string device;
  std::map<std::string, std::string> consumed = {};
};

api::AllocationResult AllocationOf(const std::vector<Taken>& devices) {
  api::AllocationResult allocation;
  for (const Taken& taken : devices) {
    api::DeviceRequestAllocationResult result;
    result.driver = "d";
    result.pool = "p";
    result.device = taken.device;
    for (const auto& [key, amount] : taken.consumed) {
      result.consumed_capacity[key] = quantity::Quantity::Parse(amount).value();
    }
    allocation.devices.results.push_back(std::move(result));
  }
  return allocation;
}

std::string Words(const NodeAllocatableAmounts& amounts) {
  std::string text;
  for (const auto& [name, amount] : amounts) {
    text += (text.empty() ? "" : " ") + name + "=" + amount.ToString();
  }
  return text;
}

TEST(NodeAllocatable, AmountsOfAClaim) {
  struct Row {
    std::string_view what;
    std::vector<Taken> devices;
    std::size_t containers;
    std::string_view total;
  };
  const Row rows[] = {
      {"a device counts its multiplier", {{"core0"}, {"core1"}}, 1, "cpu=4"},
      {"a share counts what it consumes",
       {{"socket0", {{"d/cpu", "4"}, {"d/memory", "8Gi"}, {"d/cores", "64"}}}},
       2,
       "cpu=4 memory=8Gi"},
      {"a capacity that is not consumed does not count",
       {{"socket0", {{"d/cpu", "4"}}}},
       1,
       "cpu=4"},
      {"a capacity is multiplied exactly", {{"socket1", {{"d/cores", "7"}}}}, 1, "cpu=10500m"},
      {"a dedicated device consumes all it has", {{"l3"}}, 1, "cpu=8"},
      {"what an accelerator needs besides", {{"xpu"}}, 2, "cpu=2 memory=8Gi"},
      {"overhead counts once a pod and once a container",
       {{"taxed"}},
       2,
       "hugepages-2Mi=6Mi memory=1536Mi"},
      {"overhead of two devices", {{"taxed"}, {"taxed"}}, 0, "hugepages-2Mi=12Mi memory=2Gi"},
      {"devices without mappings add nothing", {{"plain"}, {"core0"}}, 1, "cpu=2"},
      {"a device that is gone adds nothing", {{"gone"}, {"core0"}}, 1, "cpu=2"},
  };
  const inventory::Snapshot cluster = Cluster();
  for (const Row& row : rows) {
    const auto found = NodeAllocatableOf(AllocationOf(row.devices), cluster);
    ASSERT_TRUE(found) << row.what;
    Status status = found.value_or(Status());
    for (std::size_t i = 0; i < row.containers; ++i) {
      status.containers.push_back("container");
    }
    EXPECT_EQ(Words(TotalOf({&status, 1})), row.total) << row.what;
  }
}

TEST(NodeAllocatable, NothingDeclaredIsNoStatus) {
  const inventory::Snapshot cluster = Cluster();
  EXPECT_EQ(NodeAllocatableOf(AllocationOf({{"plain"}, {"gone"}}), cluster), std::nullopt);
  EXPECT_EQ(NodeAllocatableOf({}, cluster), std::nullopt);
}

TEST(NodeAllocatable, StatusAsTheSchedulerWritesIt) {
  const auto pod = api::DecodeJson<api::Pod>(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{
      "initContainers":[{"name":"setup","resources":{"claims":[{"name":"tax"}]}}],
      "containers":[{"name":"app","resources":{"claims":[{"name":"other"},{"name":"tax","request":"x"}]}},
                    {"name":"idle"}]}})",
      api::Strictness::kLenient);
  ASSERT_TRUE(pod) << pod.error().message;
  const auto found = NodeAllocatableOf(AllocationOf({{"taxed"}, {"xpu"}}), Cluster());
  ASSERT_TRUE(found);
  Status status = found.value_or(Status());
  AddContainers(status, *pod, "tax");
  EXPECT_NE(api::EncodeJson(status).find(
                R"("containers":["setup","app"],"mapping":[{"name":"cpu","quantity":"2"},)"
                R"({"name":"hugepages-2Mi","quantity":"4Mi"},{"name":"memory","quantity":"8Gi"}],)"
                R"("overhead":[{"name":"hugepages-2Mi","perPod":"2Mi"},)"
                R"({"name":"memory","perPod":"1Gi","perContainer":"256Mi"}])"),
            std::string::npos)
      << api::EncodeJson(status);
}

TEST(NodeAllocatable, ClaimsOfAPodAddUp) {
  const inventory::Snapshot cluster = Cluster();
  const Status statuses[] = {
      NodeAllocatableOf(AllocationOf({{"socket0", {{"d/cpu", "10"}}}}), cluster).value_or(Status()),
      NodeAllocatableOf(AllocationOf({{"xpu"}}), cluster).value_or(Status())};
  EXPECT_EQ(Words(TotalOf(statuses)), "cpu=12 memory=8Gi");
}

}  // namespace
}  // namespace quadra::placement
