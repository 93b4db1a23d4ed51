// Where we deviate from upstream on purpose: each row is played by our rules, and by upstream's.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/dynamic_resources/trial_for_tests.h"

namespace quadra::scheduler {
namespace {

struct Rule {
  std::string name;
  std::string script;
  std::string ours;
  std::string upstreams;
};

std::string UsedBy(int pods) {
  std::string lines = "claim c\ngive c worker/instance-1=req-1 on worker\n";
  for (int i = 0; i < pods; ++i) {
    lines += fmt::format("use c p{}\n", i);
  }
  return "node worker\n" + lines + "pod c";
}

TEST(DynamicResourcesOwnRulesTest, DeviateFromUpstreamsOnlyWhereTheySay) {
  const std::string broken_on_one =
      R"(node worker
         node worker-2
         class my-class
         slice worker instance-1
         slice worker-2 instance-1 {"attributes":{"healthy":{"bool":true}}}
         claim c {"spec":{"devices":{"requests":[{"name":"req-1","exactly":{"deviceClassName":"my-class","allocationMode":"ExactCount","count":1,"selectors":[{"cel":{"expression":"device.attributes[\"some-driver\"].healthy"}}]}}]}}}
         pod c)";
  const std::string error =
      "claim default/c: selector #0 on device some-driver/worker/instance-1: CEL runtime error: no "
      "such key: healthy. consider using CEL optional chaining (.? followed by orValue()) or "
      "guarding the check with has() for optional fields\n";
  const std::string plain = "node worker\nclass my-class\nslice worker instance-1\nclaim c\npod c";
  const std::string gets =
      "holds c: worker/instance-1=req-1\n"
      "c: worker/instance-1=req-1 on worker for my-pod timed protected\n";
  const std::vector<Rule> rules = {
      {"plain", plain, gets, gets},
      {"255 others", UsedBy(255), "", ""},
      {"256 others", UsedBy(256),
       "prefilter UnschedulableAndUnresolvable: resourceclaim in use\npostfilter Unschedulable\n",
       ""},
      {"being settled",
       "node worker\nclaim c\ngive c worker/instance-1=req-1 on worker\n"
       "flight c worker/instance-1=req-1\npod c",
       "prefilter UnschedulableAndUnresolvable: resource claim default/c is in the process of "
       "being "
       "allocated\npostfilter Unschedulable\n",
       "c: worker/instance-1=req-1 on worker for my-pod timed protected\n"},
      {"a node that fails", broken_on_one,
       "filter worker UnschedulableAndUnresolvable: cannot allocate all claims\n"
       "holds c: worker-2/instance-1=req-1\n"
       "c: worker-2/instance-1=req-1 on worker-2 for my-pod timed protected\n",
       "filter worker Error: " + error},
      {"named twice", "node worker\nclass my-class\nslice worker instance-1\nclaim c\npod c,c",
       gets,
       "filter worker UnschedulableAndUnresolvable: cannot allocate all claims\n"
       "postfilter Unschedulable\n"},
  };
  for (const Rule& rule : rules) {
    const bool short_form = rule.name.ends_with(" others");
    const auto play = [&](bool strict) {
      const std::string said = DeviceTrial(strict).Play(rule.script);
      return short_form && said.starts_with("c:") ? std::string() : said;
    };
    EXPECT_EQ(play(false), rule.ours) << rule.name;
    EXPECT_EQ(play(true), rule.upstreams) << rule.name;
  }
}

// A world of one node and one device, which a pod of less importance holds.
struct Preemption {
  Preemption() {
    devices.Put(ObjectFrom<api::Node>("Node", R"({"metadata":{"name":"n"}})"));
    devices.Put(
        ObjectFrom<api::DeviceClass>("DeviceClass", R"({"metadata":{"name":"any"},"spec":{}})"));
    devices.Put(ObjectFrom<api::ResourceSlice>(
        "ResourceSlice",
        R"({"metadata":{"name":"s"},"spec":{"driver":"d","nodeName":"n","pool":{"name":"p",)"
        R"("generation":1,"resourceSliceCount":1},"devices":[{"name":"d0"}]}})"));
  }
  void PutClaim(const std::string& name, const std::vector<std::string>& users) {
    auto claim = ObjectFrom<api::ResourceClaim>(
        "ResourceClaim",
        fmt::format(
            R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"{0}"}},"spec":{{"devices":)"
            R"({{"requests":[{{"name":"r","exactly":{{"deviceClassName":"any","allocationMode":)"
            R"("ExactCount","count":1}}}}]}}}}}})",
            name));
    for (const std::string& user : users) {
      claim.status.reserved_for.push_back(
          {.api_group = "", .resource = "pods", .name = user, .uid = user});
    }
    if (!users.empty()) {
      claim.status.allocation.emplace().devices.results.push_back(
          {.request = "r", .driver = "d", .pool = "p", .device = "d0"});
    }
    devices.Put(std::make_shared<const api::ResourceClaim>(std::move(claim)));
  }
  PodInfoPtr PodOf(const std::string& name, const std::string& claim, int priority,
                   const std::string& node) const {
    return PodInfo::Of(
        ObjectFrom<api::Pod>(
            "Pod",
            fmt::format(
                R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"{0}"}},"spec":{{"priority":)"
                R"({2},"nodeName":"{3}","resourceClaims":[{{"name":"e","resourceClaimName":"{1}"}}]}}}})",
                name, claim, priority, node)),
        gates);
  }

  selector::Language language;
  api::FeatureGates gates;
  Cache snapshot;
  Devices devices{language, gates};
  SeededRandom random{1};
  Handle handle{.gates = gates,
                .snapshot = snapshot,
                .devices = devices,
                .random = random,
                .preempt_devices = true};
  DynamicResources plugin{handle, {}};
  NodeInfo node{std::make_shared<const api::Node>(
      ObjectFrom<api::Node>("Node", R"({"metadata":{"name":"n"}})"))};
};

TEST(DynamicResourcesPreemptionTest, DevicesOfPodsImaginedAwayAreFreeOnceNobodyUsesThem) {
  struct Row {
    std::vector<std::string> users;
    std::vector<std::string> gone;
    bool fits;
  };
  const std::vector<Row> rows = {{{"low"}, {}, false},
                                 {{"low"}, {"low"}, true},
                                 {{"low", "other"}, {"low"}, false},
                                 {{"low", "other"}, {"low", "other"}, true}};
  for (const Row& row : rows) {
    Preemption world;
    world.PutClaim("held", row.users);
    world.PutClaim("wanted", {});
    const PodInfoPtr high = world.PodOf("high", "wanted", 10, "");
    CycleState state;
    ASSERT_TRUE(world.plugin.PreFilter(state, *high).status.ok());
    for (const std::string& user : row.users) {
      world.node.Add(world.PodOf(user, "held", 1, "n"));
    }
    // Preemption may help, since those on the node are less important.
    EXPECT_EQ(world.plugin.Filter(state, *high, world.node).code(), Code::kUnschedulable);
    CycleState trial = state.Clone();
    NodeInfo without = world.node;
    for (const std::string& user : row.gone) {
      const PodInfoPtr pod = world.PodOf(user, "held", 1, "n");
      without.Remove(*pod);
      ASSERT_TRUE(world.plugin.RemovePod(trial, *high, *pod, without).ok());
    }
    EXPECT_EQ(world.plugin.Filter(trial, *high, without).ok(), row.fits);
    for (const std::string& user : row.gone) {
      const PodInfoPtr pod = world.PodOf(user, "held", 1, "n");
      without.Add(pod);
      ASSERT_TRUE(world.plugin.AddPod(trial, *high, *pod, without).ok());
    }
    EXPECT_FALSE(world.plugin.Filter(trial, *high, without).ok());
    // What was imagined is not known of the node.
    EXPECT_FALSE(world.plugin.Filter(state, *high, world.node).ok());
    EXPECT_FALSE(world.plugin.Reserve(state, *high, "n").ok());
  }
}

TEST(DynamicResourcesPreemptionTest, WhoIsNominatedToANodeHasItsDevicesFirst) {
  Preemption world;
  world.PutClaim("of-nominated", {});
  world.PutClaim("wanted", {});
  const PodInfoPtr pod = world.PodOf("low", "wanted", 1, "");
  CycleState state;
  ASSERT_TRUE(world.plugin.PreFilter(state, *pod).status.ok());
  EXPECT_TRUE(world.plugin.Filter(state, *pod, world.node).ok());
  CycleState trial = state.Clone();
  const PodInfoPtr nominated = world.PodOf("high", "of-nominated", 10, "");
  ASSERT_TRUE(world.plugin.AddPod(trial, *pod, *nominated, world.node).ok());
  EXPECT_FALSE(world.plugin.Filter(trial, *pod, world.node).ok());
}

// Equal pods ask a node once, until something changes there.
TEST(DynamicResourcesOwnRulesTest, ANodesAnswerServesEqualPodsUntilItChanges) {
  Preemption world;
  world.PutClaim("a", {});
  world.PutClaim("b", {});
  const auto filter = [&](const std::string& claim) {
    const PodInfoPtr pod = world.PodOf("pod-" + claim, claim, 0, "");
    CycleState state;
    EXPECT_TRUE(world.plugin.PreFilter(state, *pod).status.ok());
    const bool fits = world.plugin.Filter(state, *pod, world.node).ok();
    return std::pair(fits, FindClaims(state)->variants.begin()->second.allocator->steps() > 0);
  };
  EXPECT_EQ(filter("a"), std::pair(true, true));
  EXPECT_EQ(filter("b"), std::pair(true, false));
  world.PutClaim("held", {"somebody"});
  EXPECT_EQ(filter("b").first, false);
  world.devices.RemoveClaim(*world.devices.Find("default", "held"));
  EXPECT_EQ(filter("a"), std::pair(true, true));
}

}  // namespace
}  // namespace quadra::scheduler
