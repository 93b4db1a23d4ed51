#include "scheduler/scheduler.h"

#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/scenario_for_tests.h"

namespace quadra::scheduler {
namespace {

using claims::At;
using claims::kClaims;
using claims::kPods;

bool IsBinding(const net::Request& request) {
  return request.target.find("/binding") != std::string::npos;
}

bool IsStatusOfClaim(const net::Request& request) {
  return request.method != "GET" && request.target.find("/resourceclaims/") != std::string::npos &&
         request.target.find("/status") != std::string::npos;
}

// --- Placing.

TEST(SchedulerTest, BindsAPodWithOneRequest) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 cpu=4
    run 1
  )");
  scenario.cluster.TakeAsked();
  scenario.Play(R"(
    pod web cpu=1
    run 1
    expect web=n1
    event Normal Scheduled Successfully assigned default/web to n1
  )");
  EXPECT_EQ(scenario.cluster.TakeAsked(),
            claims::TestCluster::Lines{
                "POST /api/v1/namespaces/default/pods/web/binding?fieldManager=quadra"});
}

TEST(SchedulerTest, SaysWhichNodeAPodWillHaveThatWaitsForItsDevices) {
  Scenario scenario;
  scenario.cluster.Create(
      claims::kSlices,
      R"({"metadata":{"name":"n1"},"spec":{"driver":"d.example.com","nodeName":"n1",)"
      R"("pool":{"name":"n1","generation":1,"resourceSliceCount":1},"devices":[{"name":"gpu-0",)"
      R"("bindingConditions":["ready"],"bindingFailureConditions":["broken"]}]}})");
  scenario.Play(R"(
    node n1 cpu=4
    claim a
    pod web claims=a
    run 3
    expect web=-
    event Normal BindingConditionsPending waiting for binding conditions for device on node n1
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "web"), "{.status.nominatedNodeName}"), "n1");
  scenario.cluster.Patch(
      At(claims::kClaims, "a") + "/status",
      R"({"status":{"devices":[{"driver":"d.example.com","pool":"n1","device":"gpu-0",)"
      R"("conditions":[{"type":"ready","status":"True","reason":"Ready","message":"",)"
      R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}]}})");
  scenario.Play("run 3\n expect web=n1");
}

TEST(SchedulerTest, WakesAPodWhenANodeComesThatFits) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 cpu=1
    pod web cpu=2
    run 5
    expect web=-
    says web 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
    event Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
    node n2 cpu=1
    run 20
    expect web=-
    node n3 cpu=4
    run 5
    expect web=n3
  )");
}

TEST(SchedulerTest, WaitsForNodesWhereThereAreNone) {
  Scenario scenario;
  scenario.Play(R"(
    pod web cpu=2
    run 5
    expect web=-
    says web no nodes available to schedule pods
    node n1 cpu=4
    run 12
    expect web=n1
  )");
}

TEST(SchedulerTest, PlacesTheMostImportantFirst) {
  Scenario scenario;
  scenario.Play(R"(
    priority high 1000
    pod low cpu=3
    pod high cpu=3 priority=high
    node n1 cpu=4
    run 12
    expect low=- high=n1
  )");
}

TEST(SchedulerTest, AnEndedPodMakesRoom) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 cpu=4
    pod first cpu=3
    run 1
    pod second cpu=3
    run 2
    expect first=n1 second=-
    end first
    run 5
    expect second=n1
  )");
}

// --- What fails on the way.

TEST(SchedulerTest, TriesAgainElsewhereWhenTheNodeGoesWhileItBinds) {
  Scenario scenario;
  scenario.cluster.refuse = [](const net::Request& request) {
    return IsBinding(request) ? 500 : 0;
  };
  scenario.Play(R"(
    node n1 cpu=4
    pod web cpu=1
    run 0.5
    expect web=-
    delete nodes/n1
  )");
  scenario.cluster.refuse = [](const net::Request&) { return 0; };
  scenario.Play(R"(
    node n2 cpu=4
    run 12
    expect web=n2
  )");
}

TEST(SchedulerTest, APodThatGoesWhileItBindsLeavesItsRoom) {
  Scenario scenario;
  scenario.cluster.fate = [](const net::Request& request) {
    return IsBinding(request) ? net::Fate{.there = std::chrono::seconds(5)} : net::Fate();
  };
  scenario.Play(R"(
    node n1 cpu=4
    pod web cpu=3
    run 1
    delete pods/web
    pod next cpu=3
    run 10
    expect next=n1
  )");
}

TEST(SchedulerTest, ALostAnswerToABindingPlacesNobodyTwice) {
  bool lost = false;
  Scenario scenario;
  scenario.cluster.fate = [&](const net::Request& request) {
    const bool loses = IsBinding(request) && !std::exchange(lost, true);
    return loses ? net::Fate{.loss = net::Fate::Loss::kAnswer, .there = std::chrono::seconds(1)}
                 : net::Fate();
  };
  scenario.Play(R"(
    node n1 cpu=4
    pod web cpu=3
    run 0.5
    pod next cpu=3
    run 30
    expect web=n1 next=-
  )");
}

// --- Preemption.

constexpr std::string_view kCrowded = R"(
    priority high 1000
    node n1 cpu=4
    pod low cpu=3
    run 1
    expect low=n1
    pod high cpu=3 priority=high
    run 1
  )";

TEST(SchedulerTest, PreemptsAndThenBinds) {
  Scenario scenario;
  scenario.Play(std::string(kCrowded));
  const std::string victim = At(kPods, "low");
  EXPECT_EQ(
      scenario.cluster.Pick(victim, R"({range .status.conditions[?(@.type=="DisruptionTarget")]})"
                                    R"({.status} {.reason} {.message}{end})"),
      "True PreemptionByScheduler default-scheduler: preempting to accommodate a higher "
      "priority pod");
  EXPECT_NE(scenario.cluster.Pick(victim, "{.metadata.deletionTimestamp}"), "");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "high"), "{.status.nominatedNodeName}"), "n1");
  scenario.Play(fmt::format(R"(
    expect high=-
    says high 0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on node n1, preempting 1 victims
    event Normal Preempted Preempted by pod {} on node n1
    run 20
    expect high=-
    delete pods/low
    run 5
    expect high=n1
  )",
                            scenario.cluster.Uid(At(kPods, "high"))));
  EXPECT_EQ(scenario.Metric("scheduler_preemption_victims_count"), 1);
}

TEST(SchedulerTest, RemembersWhomItPreemptsAndWhy) {
  Scenario scenario;
  scenario.Play(std::string(kCrowded));
  const auto last = scenario.attempts->Find("default", "high");
  ASSERT_TRUE(last && last->preemption);
  EXPECT_EQ(last->nominated, "n1");
  const PreemptionPlan expected{.node = "n1",
                                .victims = {{.pod = "default/low", .priority = 0, .devices = {}}},
                                .candidates = 1,
                                .why = "no other node would do"};
  EXPECT_EQ(*last->preemption, expected);
  EXPECT_NE(ToJson(*last).find(R"("why": "no other node would do")"), std::string::npos);
}

TEST(SchedulerTest, KeepsTheRoomForWhoPreempted) {
  Scenario scenario;
  scenario.Play(std::string(kCrowded));
  scenario.Play(R"(
    delete pods/low
    pod thief cpu=3
    run 10
    expect high=n1 thief=-
  )");
}

TEST(SchedulerTest, PreemptsNobodyTwice) {
  Scenario scenario;
  scenario.Play(R"(
    priority high 1000
    node n1 cpu=4
    pod low cpu=3
    pod tiny cpu=500m
    run 1
    pod high cpu=3 priority=high
    run 3
    end tiny
    run 3
    says high 0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to a terminating pod on the nominated node.
  )");
  EXPECT_EQ(scenario.Metric("scheduler_preemption_victims_count"), 1);
  const auto last = scenario.attempts->Find("default", "high");
  EXPECT_TRUE(last && last->preemption) << "whom it waits for is told as long as it waits";
  scenario.Play("delete pods/low\n run 12\n expect high=n1");
}

TEST(SchedulerTest, TriesAgainWhenAVictimCannotBeEnded) {
  int refusals = 0;
  Scenario scenario;
  scenario.cluster.refuse = [&](const net::Request& request) {
    return request.method == "DELETE" && refusals++ < 1 ? 500 : 0;
  };
  scenario.Play(std::string(kCrowded));
  scenario.Play("run 15");
  EXPECT_NE(scenario.cluster.Pick(At(kPods, "low"), "{.metadata.deletionTimestamp}"), "");
  EXPECT_FALSE(scenario.cluster.TakeLog().empty());
  scenario.Play("delete pods/low\n run 12\n expect high=n1");
}

TEST(SchedulerTest, TriesAgainWhenAVictimWasGoneBefore) {
  Scenario scenario;
  scenario.cluster.fate = [](const net::Request& request) {
    const bool marks =
        request.method == "PATCH" && request.target.find("/pods/low-") != std::string::npos;
    return marks ? net::Fate{.there = std::chrono::seconds(5)} : net::Fate();
  };
  scenario.Play(R"(
    priority high 1000
    node n1 cpu=4
    pod low-1 cpu=2
    pod low-2 cpu=2
    run 1
    pod high cpu=4 priority=high
    run 1
    delete pods/low-1 pods/low-2
    run 2
    expect high=-
    run 12
    expect high=n1
  )");
}

TEST(SchedulerTest, EndsAllVictimsAndSparesWhomBudgetsProtect) {
  Scenario scenario;
  scenario.Play(R"(
    priority high 1000
    node n1 cpu=4
    node n2 cpu=4
    budget web 0
    pod a cpu=2 app=web only=n1
    pod b cpu=2 app=web only=n1
    pod c cpu=2 only=n2
    pod d cpu=2 only=n2
    run 2
    pod high cpu=4 priority=high
    run 3
    delete pods/c pods/d
    run 5
    expect a=n1 b=n1 high=n2
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "a"), "{.metadata.deletionTimestamp}"), "");
}

TEST(SchedulerTest, APodThatMustNotPreemptWaits) {
  Scenario scenario;
  scenario.Play(R"(
    priority modest 1000 Never
    node n1 cpu=4
    pod low cpu=3
    run 1
    pod high cpu=3 priority=modest
    run 3
    expect low=n1 high=-
    says high 0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "low"), "{.metadata.deletionTimestamp}"), "");
}

TEST(SchedulerTest, TakesTheNominationOfLessImportantPods) {
  Scenario scenario;
  scenario.Play(R"(
    priority middle 500
    priority high 1000
    node n1 cpu=4
    pod one cpu=2
    pod two cpu=2
    run 1
    pod middle cpu=2 priority=middle
    run 1
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "middle"), "{.status.nominatedNodeName}"), "n1");
  scenario.Play("pod high cpu=4 priority=high\n run 0.5");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "middle"), "{.status.nominatedNodeName}"), "");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "high"), "{.status.nominatedNodeName}"), "n1");
  scenario.Play("delete pods/one pods/two\n run 12\n expect high=n1 middle=-");
}

TEST(SchedulerTest, TakesBackAVictimForWhichPreBindStillWorks) {
  Scenario scenario;
  scenario.cluster.fate = [](const net::Request& request) {
    return IsStatusOfClaim(request) ? net::Fate{.there = std::chrono::seconds(20)} : net::Fate();
  };
  scenario.Play(R"(
    priority high 1000
    node n1 cpu=4 gpus=1
    claim a
    pod low cpu=3 claims=a
    run 1
    pod high cpu=3 priority=high
    run 3
    expect high=n1 low=-
    event Warning FailedScheduling preempted by DefaultPreemption
  )");
  EXPECT_NE(scenario.cluster.Events().find("on node n1 (in kube-scheduler memory)."),
            std::string::npos);
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "low"), "{.metadata.deletionTimestamp}"), "");
  scenario.cluster.fate = [](const net::Request&) { return net::Fate(); };
  scenario.Play("delete pods/high\n run 40\n expect low=n1");
}

// --- Claims.

TEST(SchedulerTest, AllocatesAndReservesBeforeItBinds) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 gpus=2
    claim a count=2
    pod train claims=a
    run 3
    expect train=n1
  )");
  EXPECT_EQ(
      scenario.cluster.Pick(At(kClaims, "a"), "{.status.allocation.devices.results[*].device}"),
      "gpu-0 gpu-1");
}

TEST(SchedulerTest, WakesAPodWhenDevicesCome) {
  Scenario scenario;
  scenario.Play(R"(
    node n1
    claim a
    pod train claims=a
    run 5
    expect train=-
    slice n1 1
    run 12
    expect train=n1
  )");
}

// A slice that goes takes a device with it that was in use: what is left is all.
TEST(SchedulerTest, WakesAPodWhenASliceGoes) {
  for (const bool strict : {false, true}) {
    Scenario scenario({.config = DefaultConfig(), .strict = strict});
    scenario.Play(R"(
      node n1 cpu=4 gpus=1
      claim one
      pod one claims=one
      run 5
      expect one=n1
    )");
    scenario.cluster.Create(
        claims::kSlices,
        R"({"metadata":{"name":"more"},"spec":{"driver":"d.example.com","nodeName":"n1",)"
        R"("pool":{"name":"more","generation":1,"resourceSliceCount":1},"devices":[{"name":"a"}]}})");
    scenario.cluster.Create(
        claims::kClaims, R"({"metadata":{"name":"all"},"spec":{"devices":{"requests":[{"name":"r",)"
                         R"("exactly":{"deviceClassName":"gpu","allocationMode":"All"}}]}}})");
    scenario.Play(R"(
      pod all claims=all
      run 5
      expect all=-
      delete slices/n1
      run 5
    )");
    EXPECT_EQ(scenario.NodeOf("all"), strict ? "-" : "n1");
    scenario.Play("delete pods/all");
  }
}

TEST(SchedulerTest, WakesAPodWhenTheLabelsOfANamespaceChange) {
  for (const bool strict : {false, true}) {
    Scenario scenario({.config = DefaultConfig(), .strict = strict});
    scenario.Play(R"(
      node n1 cpu=4
      pod base
      run 5
    )");
    scenario.cluster.Create(
        claims::kPods,
        R"({"metadata":{"name":"near"},"spec":{"containers":[{"name":"c","image":"i"}],)"
        R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
        R"({"topologyKey":"name","labelSelector":{},)"
        R"("namespaceSelector":{"matchLabels":{"team":"a"}}}]}}}})");
    scenario.Play(R"(
      run 5
      expect near=-
    )");
    scenario.cluster.Patch("/api/v1/namespaces/default", R"({"metadata":{"labels":{"team":"a"}}})");
    scenario.cluster.Run(std::chrono::seconds(5));
    EXPECT_EQ(scenario.NodeOf("near"), strict ? "-" : "n1");
    scenario.Play("delete pods/near");
  }
}

TEST(SchedulerTest, WakesAPodWhenItsClaimComes) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 gpus=1
    pod train claims=a
    run 5
    expect train=-
    claim a
    run 5
    expect train=n1
  )");
}

TEST(SchedulerTest, EightPodsShareAClaim) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 gpus=1
    node n2 gpus=1
    claim shared
    pod p0 claims=shared
    pod p1 claims=shared
    pod p2 claims=shared
    pod p3 claims=shared
    pod p4 claims=shared
    pod p5 claims=shared
    pod p6 claims=shared
    pod p7 claims=shared
    run 30
  )");
  const std::string node = scenario.NodeOf("p0");
  EXPECT_NE(node, "-");
  for (int i = 1; i < 8; ++i) {
    EXPECT_EQ(scenario.NodeOf(fmt::format("p{}", i)), node);
  }
}

TEST(SchedulerTest, TwoPodsTakeTwoClaimsCrosswise) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 gpus=2
    node n2 gpus=2
    claim a
    claim b
    pod one claims=a,b
    pod two claims=b,a
    run 30
  )");
  EXPECT_NE(scenario.NodeOf("one"), "-");
  EXPECT_EQ(scenario.NodeOf("one"), scenario.NodeOf("two"));
}

TEST(SchedulerTest, AClaimThatIsMadeAnewDuringPreBindIsAllocatedAnew) {
  Scenario scenario;
  scenario.cluster.fate = [](const net::Request& request) {
    return IsStatusOfClaim(request) ? net::Fate{.there = std::chrono::seconds(3)} : net::Fate();
  };
  scenario.Play(R"(
    node n1 gpus=1
    claim a
    pod train claims=a
    run 1
    patch claims/a {"metadata":{"finalizers":null}}
    delete claims/a
    claim a
    run 60
    expect train=n1
  )");
}

// A scheduler that was killed between its write and its look for others leaves this behind.
TEST(SchedulerTest, GivesBackWhatAPredecessorTookTwice) {
  Scenario scenario;
  scenario.Play("node n1 gpus=1\n claim a\n claim b\n pod holder on=n1 claims=b\n run 1");
  for (const std::string claim : {"b", "a"}) {
    scenario.cluster.Patch(
        At(kClaims, claim) + "/status",
        R"({"status":{"allocation":{"devices":{"results":[{"request":"one","driver":"d.example.com",)"
        R"("pool":"n1","device":"gpu-0"}]}}}})");
  }
  scenario.Play("run 2\n pod web claims=a\n run 5\n expect web=- holder=n1");
  EXPECT_EQ(scenario.cluster.Pick(At(kClaims, "a"), "{.status.allocation}"), "");
  scenario.Play("delete pods/holder claims/b\n run 12\n expect web=n1");
}

TEST(SchedulerTest, PreemptsForDevicesWhoseClaimsNobodyElseUses) {
  Scenario scenario;
  scenario.Play(R"(
    priority high 1000
    node n1 gpus=1
    claim a
    claim b
    pod low claims=a
    run 3
    expect low=n1
    pod high claims=b priority=high
    run 3
    expect high=-
  )");
  const auto last = scenario.attempts->Find("default", "high");
  ASSERT_TRUE(last && last->preemption) << last->message;
  EXPECT_EQ(last->preemption->victims.front().devices,
            std::vector<std::string>{"d.example.com/n1/gpu-0"});
  scenario.Play("delete pods/low\n run 30\n expect high=n1");
}

TEST(SchedulerTest, StrictlyPreemptsNobodyForDevices) {
  Scenario scenario({.config = DefaultConfig(), .strict = true});
  scenario.Play(R"(
    priority high 1000
    node n1 gpus=1
    claim a
    claim b
    pod low claims=a
    run 3
    pod high claims=b priority=high
    run 30
    expect low=n1 high=-
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "low"), "{.metadata.deletionTimestamp}"), "");
}

TEST(SchedulerTest, ASharedClaimKeepsItsDevicesFromPreemption) {
  Scenario scenario;
  scenario.Play(R"(
    priority high 1000
    priority top 2000
    node n1 gpus=1
    claim a
    claim b
    pod low claims=a
    pod other claims=a priority=top
    run 5
    pod high claims=b priority=high
    run 30
    expect low=n1 other=n1 high=-
  )");
  EXPECT_EQ(scenario.cluster.Pick(At(kPods, "low"), "{.metadata.deletionTimestamp}"), "");
}

// --- Bounds.

TEST(SchedulerTest, AFlappingSliceCostsAnAttemptEachTimeItComes) {
  Scenario scenario;
  scenario.Play("node n1 gpus=1\n claim a count=2\n pod train claims=a\n run 1");
  for (int i = 0; i < 60; ++i) {
    scenario.Play("delete slices/n1\n run 0.5\n slice n1 1\n run 0.5");
  }
  EXPECT_LE(scenario.Attempts(), 61) << "and none when it goes";
  scenario.Play("delete slices/n1\n slice n1 2\n run 12\n expect train=n1");
}

TEST(SchedulerTest, AThousandPodsThatWaitCostAnAttemptEach) {
  Scenario scenario;
  scenario.Play("node n1 cpu=4");
  for (int i = 0; i < 1'000; ++i) {
    scenario.Play(fmt::format("pod p{} cpu=5", i));
  }
  scenario.Play("run 60");
  EXPECT_EQ(scenario.Attempts(), 1'000);
  scenario.Play("node n2 cpu=1\n run 60");
  EXPECT_EQ(scenario.Attempts(), 1'000) << "a node that is too small as well wakes nobody";
  scenario.Play("node n3 cpu=5\n run 60");
  EXPECT_LE(scenario.Attempts(), 2'000);
  EXPECT_EQ(scenario.Metric("scheduler_pod_scheduling_attempts_count"), 1);
}

TEST(SchedulerTest, CountsWhoWaitsForWhat) {
  Scenario scenario;
  scenario.Play(R"(
    node n1 cpu=4
    pod web cpu=1
    pod big cpu=8
    pod huge cpu=9
    run 3
  )");
  const auto waiting = [&](std::string_view queue) {
    return scenario.cluster.Metrics().find(
               fmt::format("scheduler_pending_pods{{queue=\"{}\"}} ", queue)) != std::string::npos;
  };
  EXPECT_TRUE(waiting("gated"));
  EXPECT_EQ(scenario.Metric("scheduler_pending_pods"), 2) << "both unschedulable";
  EXPECT_EQ(scenario.Metric("scheduler_preemption_attempts_total"), 2);
  EXPECT_EQ(scenario.Metric("scheduler_queue_incoming_pods_total"), 5) << "three came, two stay";
  scenario.Play(R"(
    delete pods/huge
    run 1
  )");
  EXPECT_EQ(scenario.Metric("scheduler_pending_pods"), 1);
}

// A write takes longer than it takes to be refused anew: our copy still has the first text then.
TEST(SchedulerTest, APodIsToldWhatWasSaidLast) {
  constexpr std::string_view kClasses = "/apis/resource.k8s.io/v1/deviceclasses";
  Scenario scenario;
  scenario.Play(R"(
    node n1 cpu=4 gpus=2
    claim a count=3
    pod big claims=a
    run 3
  )");
  const std::string first = scenario.Message("big");
  scenario.cluster.fate = [](const net::Request& request) {
    return request.method == "PATCH" ? net::Fate{.there = std::chrono::seconds(5)} : net::Fate();
  };
  scenario.cluster.Delete(At(kClasses, "gpu"));
  scenario.Play("run 3");
  EXPECT_EQ(scenario.Message("big"), first) << "the write is under way";
  scenario.cluster.Create(kClasses, R"({"metadata":{"name":"gpu"}})");
  scenario.Play("run 3");
  EXPECT_NE(scenario.Message("big"), first);
  scenario.Play("run 10");
  EXPECT_EQ(scenario.Message("big"), first);
}

TEST(SchedulerTest, APodThatCanNeverRunIsNotTriedInVain) {
  Scenario scenario;
  scenario.Play("node n1 cpu=4\n pod huge cpu=1000\n run 5");
  const double before = scenario.Attempts();
  for (int i = 0; i < 50; ++i) {
    scenario.Play(fmt::format(
        "patch nodes/n1 {{\"metadata\":{{\"annotations\":{{\"beat\":\"{}\"}}}}}}\n run 1", i));
  }
  EXPECT_EQ(scenario.Attempts(), before) << "nothing happened that could help";
}

}  // namespace
}  // namespace quadra::scheduler
