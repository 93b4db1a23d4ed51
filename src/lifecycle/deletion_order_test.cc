#include "lifecycle/deletion_order.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/expectations.h"
#include "lifecycle/own_writes.h"

namespace quadra::lifecycle {
namespace {

using std::chrono::seconds;

const Time kNow = Time(std::chrono::hours(500'000));

struct Sketch {
  std::string name;
  std::string node = "n";
  std::string phase = "Running";
  int ready_for = 1000;  // seconds; zero: it is not ready
  int age = 2000;
  std::string cost = "";
  int restarts = 0;
  int sidecar_restarts = 0;
  std::string uid = "";
};

void AddSidecar(api::Pod& pod, int restarts) {
  pod.spec.init_containers.push_back({.name = "sidecar", .restart_policy = "Always"});
  pod.status.init_container_statuses.push_back({.name = "sidecar", .restart_count = restarts});
}

PodPointer Make(const Sketch& sketch) {
  api::Pod pod;
  pod.metadata.name = sketch.name;
  pod.metadata.uid = sketch.uid.empty() ? sketch.name : sketch.uid;
  pod.metadata.creation_timestamp = kNow - seconds(sketch.age);
  if (!sketch.cost.empty()) {
    pod.metadata.annotations["controller.kubernetes.io/pod-deletion-cost"] = sketch.cost;
  }
  pod.spec.node_name = sketch.node;
  pod.status.phase = sketch.phase;
  if (sketch.ready_for > 0) {
    pod.status.conditions.push_back({.type = "Ready",
                                     .status = "True",
                                     .last_transition_time = kNow - seconds(sketch.ready_for)});
  }
  pod.status.container_statuses.push_back({.name = "main", .restart_count = sketch.restarts});
  AddSidecar(pod, sketch.sidecar_restarts);
  return std::make_shared<const api::Pod>(std::move(pod));
}

std::vector<PodPointer> MakeAll(const std::vector<Sketch>& sketches) {
  std::vector<PodPointer> pods;
  for (const Sketch& sketch : sketches) {
    pods.push_back(Make(sketch));
  }
  return pods;
}

std::string OrderOf(std::vector<DeletionCandidate> candidates, bool costs = true) {
  OrderForDeletion(candidates, kNow, {.deletion_costs = costs});
  std::string names;
  for (const DeletionCandidate& candidate : candidates) {
    names += candidate.pod->metadata.name;
  }
  return names;
}

TEST(DeletionOrder, PrefersWhatIsWorthLess) {
  struct Row {
    std::string what;
    std::vector<Sketch> pods;
    std::string order;
  };
  const Row rows[] = {
      {"without a node", {{.name = "a"}, {.name = "b", .node = ""}}, "ba"},
      {"two nodes are no reason", {{.name = "a", .node = "n"}, {.name = "b", .node = "m"}}, "ab"},
      {"pending, unknown, running",
       {{.name = "a"}, {.name = "b", .phase = "Unknown"}, {.name = "c", .phase = "Pending"}},
       "cba"},
      {"not ready", {{.name = "a"}, {.name = "b", .ready_for = 0}}, "ba"},
      {"a lower cost, none is zero",
       {{.name = "a"}, {.name = "b", .cost = "10"}, {.name = "c", .cost = "-1"}},
       "cab"},
      {"what is no cost is none",
       {{.name = "a"}, {.name = "b", .cost = "+5"}, {.name = "c", .cost = "007"}},
       "abc"},
      {"ready for a shorter time, by powers of two",
       {{.name = "a", .ready_for = 1000}, {.name = "b", .ready_for = 100}},
       "ba"},
      {"ready for about as long: by uid",
       {{.name = "a", .ready_for = 1000, .uid = "2"}, {.name = "b", .ready_for = 1001, .uid = "1"}},
       "ba"},
      {"more restarts", {{.name = "a"}, {.name = "b", .restarts = 1}}, "ba"},
      {"more restarts of sidecars",
       {{.name = "a"}, {.name = "b", .sidecar_restarts = 2}, {.name = "c", .restarts = 1}},
       "cba"},
      {"younger", {{.name = "a", .age = 90'000}, {.name = "b", .age = 1100}}, "ba"},
      {"alike: as they were", {{.name = "b"}, {.name = "a"}}, "ba"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(OrderOf(CandidatesOf(MakeAll(row.pods), {})), row.order) << row.what;
  }
}

TEST(DeletionOrder, SpreadsOverNodesByRelatedPods) {
  const std::vector<PodPointer> pods =
      MakeAll({{.name = "a", .node = "few"}, {.name = "b", .node = "many"}});
  std::vector<PodPointer> related =
      MakeAll({{.name = "x", .node = "many"}, {.name = "y", .node = "few", .phase = "Failed"}});
  related.insert(related.end(), pods.begin(), pods.end());
  EXPECT_EQ(OrderOf(CandidatesOf(pods, related)), "ba");
  EXPECT_EQ(OrderOf(CandidatesOf(pods, {})), "ab");
}

TEST(DeletionOrder, LeavesCostsOutWhereTheirGateIsOff) {
  const std::vector<PodPointer> pods =
      MakeAll({{.name = "a", .cost = "5"}, {.name = "b", .cost = "1"}});
  EXPECT_EQ(OrderOf(CandidatesOf(pods, {}), true), "ba");
  EXPECT_EQ(OrderOf(CandidatesOf(pods, {}), false), "ab");
}

TEST(Expectations, AreMetWhenAllWasSeenOrTimeHasPassed) {
  Expectations expectations;
  EXPECT_TRUE(expectations.Met("s", kNow));
  expectations.ExpectCreations("s", 2, kNow);
  expectations.SawCreation("s");
  EXPECT_FALSE(expectations.Met("s", kNow));
  EXPECT_FALSE(expectations.Met("s", kNow + std::chrono::minutes(5)));
  EXPECT_TRUE(expectations.Met("s", kNow + std::chrono::minutes(6)));
  expectations.SawCreation("s");
  EXPECT_TRUE(expectations.Met("s", kNow));

  expectations.ExpectDeletions("s", {"a", "b"}, kNow);
  expectations.SawDeletion("s", "a");
  expectations.SawDeletion("s", "a");
  EXPECT_FALSE(expectations.Met("s", kNow));
  EXPECT_TRUE(expectations.Met("other", kNow));
  expectations.Forget("s");
  EXPECT_TRUE(expectations.Met("s", kNow));
}

TEST(OwnWrites, AreSeenWhenTheCopyHasComeAsFar) {
  OwnWrites writes;
  EXPECT_TRUE(writes.SeenIn("", "s"));
  writes.Note("s", "100");
  writes.Note("s", "99");
  EXPECT_FALSE(writes.SeenIn("99", "s"));
  EXPECT_TRUE(writes.SeenIn("99", "other"));
  EXPECT_TRUE(writes.SeenIn("100", "s"));
  EXPECT_TRUE(writes.SeenIn("1", "s")) << "what was seen is forgotten";
}

}  // namespace
}  // namespace quadra::lifecycle
