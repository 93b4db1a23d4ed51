// Which events wake a pod that was refused for its claims, as upstream's tests have it, and beyond.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/dynamic_resources/trial_for_tests.h"

namespace quadra::scheduler {
namespace {

struct Waiting {
  explicit Waiting(bool strict, api::FeatureGates on = {})
      : gates(std::move(on)),
        handle{.gates = gates,
               .snapshot = snapshot,
               .devices = devices,
               .random = random,
               .strict = strict},
        plugin(handle, {}) {}

  // Whether the event wakes the pod; "none" where nobody asked for it.
  std::string Hint(EventResource resource, Actions actions, const PodInfo& pod,
                   const EventObjects& objects) const {
    std::string hint = "none";
    for (const EventHint& each : plugin.EventsToRegister()) {
      if (!each.event.Matches({resource, actions})) {
        continue;
      }
      if (each.hint == nullptr || each.hint(pod, objects)) {
        return "wakes";
      }
      hint = "sleeps";
    }
    return hint;
  }

  selector::Language language;
  api::FeatureGates gates;
  Cache snapshot;
  Devices devices{language, gates};
  SeededRandom random{1};
  Handle handle;
  DynamicResources plugin;
};

struct ClaimText {
  std::string name = "c";
  std::string owner = "1234";
  bool has_devices = false;
  bool protects = false;
};
api::ResourceClaim ClaimOf(const ClaimText& text) {
  api::ResourceClaim claim;
  claim.metadata.ns = "default";
  claim.metadata.name = text.name;
  claim.metadata.uid = "uid-" + text.name;
  claim.metadata.owner_references.push_back({.api_version = "v1",
                                             .kind = "Pod",
                                             .name = "my-pod",
                                             .uid = text.owner,
                                             .controller = true});
  if (text.has_devices) {
    claim.status.allocation.emplace();
  }
  if (text.protects) {
    placement::AddFinalizer(claim);
  }
  return claim;
}

// `entries` of claims; those from templates are known as `made`.
PodInfoPtr PodOf(const std::vector<std::string>& given,
                 const std::vector<std::string>& templates = {},
                 const std::vector<std::string>& made = {}, const std::string& name = "my-pod") {
  api::Pod pod;
  pod.metadata.ns = "default";
  pod.metadata.name = name;
  pod.metadata.uid = name == "my-pod" ? "1234" : name;
  for (const std::string& claim : given) {
    pod.spec.resource_claims.emplace_back().name = claim;
    pod.spec.resource_claims[pod.spec.resource_claims.size() - 1].resource_claim_name = claim;
  }
  for (const std::string& entry : templates) {
    pod.spec.resource_claims.emplace_back().name = entry;
    pod.spec.resource_claims[pod.spec.resource_claims.size() - 1].resource_claim_template_name =
        "t";
  }
  for (const std::string& entry : made) {
    pod.status.resource_claim_statuses.push_back({.name = entry, .resource_claim_name = entry});
  }
  return PodInfo::Of(std::move(pod), {});
}

struct ClaimRow {
  std::string name;
  PodInfoPtr pod;
  std::vector<ClaimText> known;  // after the event
  std::optional<ClaimText> before;
  std::optional<ClaimText> now;
  std::string hint;
};

TEST(DynamicResourcesEventsTest, ChangesOfClaims) {
  const PodInfoPtr by_template = PodOf({}, {"c"});
  const PodInfoPtr by_name = PodOf({"c"});
  const ClaimText pending;
  const ClaimText allocated{.has_devices = true};
  const ClaimText other{.name = "other"};
  const ClaimText other_allocated{.name = "other", .has_devices = true};
  const std::vector<ClaimRow> rows = {
      {"skip-deletes", by_template, {}, pending, std::nullopt, "sleeps"},
      {"queue-on-delete-with-allocation", by_template, {}, allocated, std::nullopt, "wakes"},
      {"skip-wrong-claim", by_template, {}, std::nullopt, ClaimText{.owner = "1234123"}, "sleeps"},
      {"skip-unrelated-claim", by_template, {allocated, other}, std::nullopt, other, "sleeps"},
      {"queue-on-add", by_name, {pending}, std::nullopt, pending, "wakes"},
      {"skip-adding-finalizer", by_name, {pending}, pending, ClaimText{.protects = true}, "sleeps"},
      {"queue-on-status-change", by_name, {allocated}, pending, allocated, "wakes"},
      {"claim-deallocate", by_name, {pending, other}, other_allocated, other, "wakes"},
      {"others get devices", by_name, {pending, other_allocated}, other, other_allocated, "sleeps"},
  };
  for (const ClaimRow& row : rows) {
    Waiting waiting(true);
    for (const ClaimText& text : row.known) {
      waiting.devices.Put(std::make_shared<const api::ResourceClaim>(ClaimOf(text)));
    }
    const auto before = row.before ? std::optional(ClaimOf(*row.before)) : std::nullopt;
    const auto now = row.now ? std::optional(ClaimOf(*row.now)) : std::nullopt;
    EXPECT_EQ(waiting.Hint(EventResource::kResourceClaim, action::kUpdate, *row.pod,
                           {.claim_before = before ? &*before : nullptr,
                            .claim_now = now ? &*now : nullptr}),
              row.hint)
        << row.name;
  }
}

TEST(DynamicResourcesEventsTest, ChangesOfThePodItself) {
  struct Row {
    std::string name;
    bool is_there;
    PodInfoPtr now;
    std::string hint;
  };
  const std::vector<Row> rows = {{"complete", true, PodOf({}, {"c"}, {"c"}), "wakes"},
                                 {"missing-claim", false, PodOf({}, {"c"}, {"c"}), "sleeps"},
                                 {"incomplete", true, PodOf({}, {"c", "d"}, {"c"}), "sleeps"}};
  for (const Row& row : rows) {
    Waiting waiting(true);
    if (row.is_there) {
      waiting.devices.Put(std::make_shared<const api::ResourceClaim>(ClaimOf({})));
    }
    EXPECT_EQ(waiting.Hint(EventResource::kTargetPod, action::kUpdatePodGeneratedResourceClaim,
                           *row.now, {.pod_before = row.now.get(), .pod_now = row.now.get()}),
              row.hint)
        << row.name;
  }
}

TEST(DynamicResourcesEventsTest, WhoWaitsForASharedClaimIsWokenWhenItIsInUse) {
  const PodInfoPtr sharer = PodOf({"c"}, {}, {}, "sharer");
  const PodInfoPtr stranger = PodOf({"d"}, {}, {}, "stranger");
  for (const bool strict : {false, true}) {
    Waiting waiting(strict);
    waiting.devices.Put(std::make_shared<const api::ResourceClaim>(ClaimOf({})));
    const auto hint = [&](const PodInfoPtr& placed) {
      return waiting.Hint(EventResource::kAssignedPod, action::kAdd, *PodOf({"c"}),
                          {.pod_now = placed.get()});
    };
    EXPECT_EQ(hint(sharer), strict ? "none" : "wakes");
    EXPECT_EQ(hint(stranger), strict ? "none" : "sleeps");
  }
}

TEST(DynamicResourcesEventsTest, WhoLackedCpuForItsDevicesIsWokenWhenAPodGoes) {
  const PodInfoPtr stranger = PodOf({"d"}, {}, {}, "stranger");
  const api::FeatureGates counting = *api::FeatureGates::Parse("DRANodeAllocatableResources=true");
  struct Row {
    bool strict;
    api::FeatureGates gates;
    std::string hint;
  };
  const std::vector<Row> rows = {
      {false, counting, "wakes"}, {false, {}, "sleeps"}, {true, counting, "none"}};
  for (const Row& row : rows) {
    const Waiting waiting(row.strict, row.gates);
    EXPECT_EQ(waiting.Hint(EventResource::kAssignedPod, action::kDelete, *PodOf({"c"}),
                           {.pod_before = stranger.get()}),
              row.hint);
  }
}

TEST(DynamicResourcesEventsTest, WhatGoesMayHelpToo) {
  const struct {
    EventResource resource;
    Actions actions;
    bool needs_gate;
  } rows[] = {{EventResource::kDeviceClass, action::kDelete, false},
              {EventResource::kAssignedPod, action::kUpdatePodScaleDown, true},
              {EventResource::kTargetPod, action::kUpdatePodScaleDown, true},
              {EventResource::kTargetPod, action::kUpdatePodScaleUp, true}};
  for (const auto& row : rows) {
    for (const bool strict : {false, true}) {
      for (const bool has_gate : {false, true}) {
        const Waiting waiting(strict, *api::FeatureGates::Parse(
                                          fmt::format("DRANodeAllocatableResources={}", has_gate)));
        const bool wakes = !strict && (has_gate || !row.needs_gate);
        EXPECT_EQ(waiting.Hint(row.resource, row.actions, *PodOf({"c"}), {}),
                  wakes ? "wakes" : "none")
            << ClusterEvent{row.resource, row.actions, {}}.Label() << strict << has_gate;
      }
    }
  }
}

TEST(DynamicResourcesEventsTest, ASliceThatGoesHelpsWhoWantsAllDevices) {
  for (const std::string mode : {"All", "ExactCount"}) {
    for (const bool strict : {false, true}) {
      Waiting waiting(strict);
      api::ResourceClaim claim = ClaimOf({});
      claim.spec.devices.requests.emplace_back().exactly.emplace().allocation_mode = mode;
      waiting.devices.Put(std::make_shared<const api::ResourceClaim>(claim));
      EXPECT_EQ(waiting.Hint(EventResource::kResourceSlice, action::kDelete, *PodOf({"c"}), {}),
                strict ? "none" : (mode == "All" ? "wakes" : "sleeps"))
          << mode;
    }
  }
}

}  // namespace
}  // namespace quadra::scheduler
