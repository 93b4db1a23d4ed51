#include "claims/eviction.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "claims/cluster_for_tests.h"
#include "claims/pod_eviction.h"
#include "claims/rule_status.h"

namespace quadra::claims {
namespace {

using std::chrono::seconds;

constexpr Time kAdded(std::chrono::hours(1000));

// --- When a taint ends who holds the device.

TEST(EndBy, IsTheShortestTolerationThatMatches) {
  using Tolerations = api::List<api::DeviceToleration>;
  const api::DeviceToleration forever{.key = "k", .op = "Exists"};
  const auto for_seconds = [](std::int64_t length) {
    return api::DeviceToleration{.key = "k", .op = "Exists", .toleration_seconds = length};
  };
  const struct {
    std::string_view what;
    Tolerations tolerations;
    std::optional<std::int64_t> seconds;  // after the taint was added; absent: never
  } rows[] = {
      {"nothing tolerates it", {}, 0},
      {"a toleration without seconds is for ever", {forever}, std::nullopt},
      {"seconds count from when it was added", {for_seconds(30)}, 30},
      {"the smallest counts", {for_seconds(30), for_seconds(20)}, 20},
      {"less than nothing is nothing", {for_seconds(-5)}, 0},
      {"one without seconds beats all others", {for_seconds(20), forever}, std::nullopt},
      {"another key", {{.key = "l", .op = "Exists"}}, 0},
      {"no key is every key", {{.op = "Exists"}}, std::nullopt},
      {"the value is equal", {{.key = "k", .op = "Equal", .value = "v"}}, std::nullopt},
      {"no operator is Equal", {{.key = "k", .value = "v"}}, std::nullopt},
      {"the value differs", {{.key = "k", .op = "Equal", .value = "w"}}, 0},
      {"an unknown operator", {{.key = "k", .op = "In", .value = "v"}}, 0},
      {"the effect is equal", {{.key = "k", .op = "Exists", .effect = "NoExecute"}}, std::nullopt},
      {"another effect", {{.key = "k", .op = "Exists", .effect = "NoSchedule"}}, 0},
      {"as long as one likes", {for_seconds(INT64_MAX)}, std::int64_t{1} << 40},
  };
  const api::DeviceTaint taint{
      .key = "k", .value = "v", .effect = "NoExecute", .time_added = kAdded};
  for (const auto& row : rows) {
    const std::optional<Time> wanted =
        row.seconds ? std::optional(kAdded + seconds(*row.seconds)) : std::nullopt;
    EXPECT_EQ(EndBy(taint, row.tolerations, kAdded + std::chrono::hours(1)), wanted) << row.what;
  }
}

TEST(Selects, WhatAllGivenPartsMatchAndNothingWithoutASelector) {
  const struct {
    std::string_view what;
    std::optional<api::DeviceTaintSelector> selector;
    bool selects;
  } rows[] = {
      {"no selector", std::nullopt, false},
      {"an empty one", api::DeviceTaintSelector{}, true},
      {"its driver", api::DeviceTaintSelector{.driver = "d"}, true},
      {"another driver", api::DeviceTaintSelector{.driver = "e"}, false},
      {"another pool", api::DeviceTaintSelector{.driver = "d", .pool = "q"}, false},
      {"another device", api::DeviceTaintSelector{.pool = "p", .device = "x"}, false},
      {"all of it", api::DeviceTaintSelector{.driver = "d", .pool = "p", .device = "g"}, true},
  };
  for (const auto& row : rows) {
    api::DeviceTaintRule rule;
    rule.spec.device_selector = row.selector;
    EXPECT_EQ(Selects(rule, "d", "p", "g"), row.selects) << row.what;
  }
}

// --- Which devices are tainted.

api::ResourceSlice Slice(std::string_view name, std::int64_t generation,
                         std::initializer_list<std::string_view> tainted) {
  api::ResourceSlice slice;
  slice.metadata.name = name;
  slice.spec.driver = "d";
  slice.spec.pool.name = "p";
  slice.spec.pool.generation = generation;
  for (const std::string_view device : {"a", "b"}) {
    api::Device& added = slice.spec.devices.emplace_back();
    added.name = device;
    const bool is_tainted = std::ranges::find(tainted, device) != tainted.end();
    added.taints.push_back({.key = "k", .effect = is_tainted ? "NoExecute" : "NoSchedule"});
  }
  return slice;
}

TEST(TaintedDevices, AreThoseOfTheHighestGeneration) {
  using Names = std::vector<std::string>;
  TaintedDevices devices;
  EXPECT_EQ(devices.Put(Slice("one", 1, {"a"})), Names{"a"});
  EXPECT_EQ(devices.Put(Slice("one", 1, {"a"})), Names());
  EXPECT_EQ(devices.Put(Slice("two", 2, {"b"})), (Names{"a", "b"}));
  EXPECT_EQ(devices.Find("d/p", "a"), nullptr);
  ASSERT_NE(devices.Find("d/p", "b"), nullptr);
  EXPECT_EQ(devices.Find("d/p", "b")->size(), 1);
  EXPECT_EQ(devices.Remove(Slice("two", 2, {})), (Names{"b", "a"}));
  EXPECT_EQ(devices.Remove(Slice("one", 1, {})), Names{"a"});
  EXPECT_EQ(devices.Remove(Slice("one", 1, {})), Names());
}

// --- What is said of rules.

TEST(EvictionCondition, SaysWhatUpstreamSays) {
  const struct {
    std::string_view effect;
    RuleCounts counts;
    std::string_view said;
  } rows[] = {
      {"NoExecute", {}, "False NotStarted "},
      {"NoExecute",
       {.pods = 1, .namespaces = 1},
       "True PodsPendingEviction 1 pod needs to be evicted in 1 namespace."},
      {"NoExecute",
       {.pods = 3, .namespaces = 2, .evicted = 1},
       "True PodsPendingEviction 3 pods need to be evicted in 2 different namespaces. 1 pod "
       "evicted since starting the controller."},
      {"NoExecute",
       {.evicted = 2},
       "False Completed 2 pods evicted since starting the controller."},
      {"None",
       {.pods = 1, .namespaces = 1, .published_devices = 2, .allocated_devices = 1},
       "False NoEffect 2 published devices selected. 1 allocated device selected. 1 pod would be "
       "evicted in 1 namespace if the effect was NoExecute. This information will not be updated "
       "again. Recreate the DeviceTaintRule to trigger an update."},
      {"NoSchedule", {}, "False OtherEffect Eviction only happens for the NoExecute effect."},
  };
  for (const auto& row : rows) {
    api::DeviceTaintRule rule;
    rule.spec.taint.effect = row.effect;
    const api::Condition condition = EvictionCondition(rule, row.counts);
    EXPECT_EQ(fmt::format("{} {} {}", condition.status, condition.reason, condition.message),
              row.said);
  }
}

// --- Pods that go.

class TaintEvictionTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.AddController(MakeTaintEviction);
    cluster.Run();
  }
  // A pod that runs on device gpu-0.
  void HaveTrain(std::string_view tolerations = "[]") {
    cluster.Create(kClaims, ClaimJson("shared"));
    cluster.Create(kPods, PodJson("train", Given("gpu", "shared"), "node"));
    Allocate(cluster, "shared", {{"train", cluster.Uid(At(kPods, "train"))}}, tolerations);
    cluster.Run();
  }
  void PutRule(std::string_view effect,
               std::string_view selector = R"({"driver":"d.example.com"})") {
    cluster.Create(kRules,
                   fmt::format(R"({{"metadata":{{"name":"bad"}},"spec":{{)"
                               R"("deviceSelector":{},"taint":{{"key":"k","effect":"{}"}}}}}})",
                               selector, effect));
  }
  void PutSlice(std::string_view taints) {
    cluster.Create(
        kSlices,
        fmt::format(
            R"({{"metadata":{{"name":"s"}},"spec":{{"driver":"d.example.com","nodeName":"node",)"
            R"("pool":{{"name":"p","generation":1,"resourceSliceCount":1}},)"
            R"("devices":[{{"name":"gpu-0","taints":[{}]}}]}}}})",
            taints));
  }
  bool IsGoing() {
    return !cluster.Pick(At(kPods, "train"), "{.metadata.deletionTimestamp}").empty();
  }
  std::string RuleSays() {
    return cluster.Pick(At(kRules, "bad"),
                        "{range .status.conditions[*]}{.type} {.status} {.reason} {.message}{end}");
  }

  TestCluster cluster;
};

TEST_F(TaintEvictionTest, ATaintedDeviceEndsItsPod) {
  HaveTrain();
  PutSlice(R"({"key":"k","effect":"NoExecute"})");
  cluster.Run();
  EXPECT_TRUE(IsGoing());
  EXPECT_EQ(
      cluster.Pick(At(kPods, "train"),
                   "{range .status.conditions[*]}{.type} {.status} {.reason} {.message}{end}"),
      "DisruptionTarget True DeletionByDeviceTaintManager Device Taint manager: deleting due "
      "to NoExecute taint");
  EXPECT_EQ(cluster.Events(), "Normal DeviceTaintManagerEviction Marking for deletion\n");
  EXPECT_NE(cluster.Metrics().find("device_taint_eviction_controller_pod_deletions_total 1"),
            std::string::npos);
}

TEST_F(TaintEvictionTest, WhoMayStayStays) {
  const struct {
    std::string_view what;
    std::string_view taint;
    std::string_view tolerations;
  } rows[] = {
      {"no effect on who runs", R"({"key":"k","effect":"NoSchedule"})", "[]"},
      {"no effect at all", R"({"key":"k","effect":"None"})", "[]"},
      {"tolerated", R"({"key":"k","effect":"NoExecute"})",
       R"([{"key":"k","operator":"Exists","effect":"NoExecute"}])"},
      {"an empty effect tolerates all, for the scheduler and for us",
       R"({"key":"k","effect":"NoExecute"})", R"([{"key":"k","operator":"Exists"}])"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    HaveTrain(row.tolerations);
    PutSlice(row.taint);
    cluster.Run(std::chrono::minutes(10));
    EXPECT_FALSE(IsGoing());
    EXPECT_NE(cluster.Uid(At(kPods, "train")), "");
    cluster.Delete(At(kPods, "train"));
    cluster.Delete(At(kSlices, "s"));
    cluster.Patch(At(kClaims, "shared", "/status"),
                  R"({"status":{"reservedFor":null,"allocation":null}})");
    cluster.Patch(At(kClaims, "shared"), R"({"metadata":{"finalizers":null}})");
    cluster.Delete(At(kClaims, "shared"));
    cluster.Run();
  }
}

TEST_F(TaintEvictionTest, TolerationSecondsAreWaitedForAndUntaintingCancels) {
  HaveTrain(R"([{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}])");
  PutRule("NoExecute");
  cluster.Run(seconds(50));
  EXPECT_FALSE(IsGoing());
  EXPECT_EQ(
      RuleSays(),
      "EvictionInProgress True PodsPendingEviction 1 pod needs to be evicted in 1 namespace.");
  cluster.Delete(At(kRules, "bad"));
  cluster.Run(std::chrono::minutes(5));
  EXPECT_FALSE(IsGoing());
  EXPECT_EQ(cluster.Events(), "Normal DeviceTaintManagerEviction Cancelling deletion\n");
  PutRule("NoExecute");
  cluster.Run(seconds(59));
  EXPECT_FALSE(IsGoing());
  cluster.Run(seconds(2));
  EXPECT_TRUE(IsGoing());
  cluster.Run();
  EXPECT_EQ(RuleSays(),
            "EvictionInProgress False Completed 1 pod evicted since starting the controller.");
}

TEST_F(TaintEvictionTest, ARuleWithoutEffectSaysWhatItWouldDo) {
  HaveTrain();
  PutSlice("");
  PutRule("None");
  cluster.Run();
  EXPECT_FALSE(IsGoing());
  EXPECT_TRUE(RuleSays().starts_with(
      "EvictionInProgress False NoEffect 1 published device selected. 1 allocated device selected. "
      "1 pod would be evicted in 1 namespace if the effect was NoExecute."))
      << RuleSays();
}

TEST_F(TaintEvictionTest, ARuleWithoutASelectorEvictsNobody) {
  HaveTrain();
  PutRule("NoExecute", "null");
  cluster.Run();
  EXPECT_FALSE(IsGoing());
}

TEST_F(TaintEvictionTest, DevicesForExtendedResourcesCountToo) {
  cluster.Create(kPods, ExtendedPodJson("train"));
  AllocateExtended(cluster, "train");
  PutRule("NoExecute");
  cluster.Run();
  EXPECT_TRUE(IsGoing());
}

TEST(TaintEvictionFaults, EveryRequestMayFailOnce) {
  for (const net::Fate::Loss loss : {net::Fate::Loss::kRequest, net::Fate::Loss::kAnswer}) {
    for (std::size_t at = 0, requests = 1; at < requests; ++at) {
      SCOPED_TRACE(at);
      TestCluster fresh;
      fresh.AddController(MakeTaintEviction);
      fresh.Run();
      std::size_t asked = 0;
      fresh.fate = [&](const net::Request& request) {
        const bool hit = !IsBackground(request) && asked++ == at;
        return net::Fate{.loss = hit ? loss : net::Fate::Loss::kNone};
      };
      fresh.Create(kClaims, ClaimJson("shared"));
      fresh.Create(kPods, PodJson("train", Given("gpu", "shared"), "node"));
      Allocate(fresh, "shared", {{"train", fresh.Uid(At(kPods, "train"))}});
      fresh.Create(kRules, R"({"metadata":{"name":"bad"},"spec":{"deviceSelector":{"pool":"p"},
                               "taint":{"key":"k","effect":"NoExecute"}}})");
      fresh.Run(std::chrono::minutes(2));
      EXPECT_NE(fresh.Pick(At(kPods, "train"), "{.metadata.deletionTimestamp}"), "");
      requests = asked;
    }
  }
}

TEST(TaintEvictionGates, NothingHappensWhereTheFeatureIsOff) {
  const Result<api::FeatureGates> gates =
      api::FeatureGates::Parse("DRADeviceTaints=false,DRADeviceTaintRules=false");
  ASSERT_TRUE(gates.has_value());
  TestCluster cluster(*gates);
  cluster.AddController(MakeTaintEviction);
  cluster.Run();
  EXPECT_EQ(cluster.TakeAsked(), std::vector<std::string>());
}

// --- Whom a taint would evict.

TEST(EvictionsBy, NamesPodsInTheOrderInWhichTheyGo) {
  std::vector<api::Pod> pods(3);
  std::vector<api::ResourceClaim> claims(3);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const std::string name = fmt::format("pod-{}", i);
    pods[i].metadata = {.name = name, .ns = "a", .uid = "uid-" + name};
    pods[i].spec.node_name = i == 2 ? "" : "node";
    pods[i].spec.resource_claims = {{.name = "gpu", .resource_claim_name = "claim-" + name}};
    claims[i].metadata = {.name = "claim-" + name, .ns = "a"};
    claims[i].status.reserved_for = {{.resource = "pods", .name = name, .uid = "uid-" + name}};
    api::DeviceRequestAllocationResult device{.driver = "d", .pool = "p", .device = "g"};
    if (i == 0) {
      device.tolerations = {{.op = "Exists", .toleration_seconds = 5}};
    }
    claims[i].status.allocation.emplace().devices.results.push_back(device);
  }
  api::DeviceTaintRule rule;
  rule.spec.device_selector = {.driver = "d"};
  rule.spec.taint = {.key = "k", .effect = "NoSchedule"};
  const Bystanders bystanders{.pods = {&pods[0], &pods[1], &pods[2]},
                              .claims = {&claims[0], &claims[1], &claims[2]}};
  const std::vector<Eviction> wanted = {
      {"a", "pod-1", "uid-pod-1", kAdded, "claim-pod-1", "d/p/g"},
      {"a", "pod-0", "uid-pod-0", kAdded + seconds(5), "claim-pod-0", "d/p/g"}};
  EXPECT_EQ(EvictionsBy(rule, bystanders, kAdded), wanted);
}

}  // namespace
}  // namespace quadra::claims
