#include "scheduler/plugins/node_declared_features/node_declared_features.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kRestarts =
    "{containers: [{name: c, restartPolicyRules: [{action: RestartAllContainers}]}]}";
constexpr std::string_view kUsers = "{hostNetwork: true, hostUsers: false}";

TEST(NodeDeclaredFeatures, WantsNodesThatDeclareWhatThePodNeeds) {
  struct Row {
    std::string_view what;
    std::string_view pod;
    std::string_view declared;
    std::string_view told;
  };
  constexpr std::string_view kNo =
      "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features";
  const Row rows[] = {
      {"needs nothing", "{}", "[]", "Success"},
      {"restarts all containers", kRestarts, "[]", kNo},
      {"and the node can", kRestarts, "[RestartAllContainersOnContainerExits]", "Success"},
      {"and the node can do something else", kRestarts, "[VolumeBindMountOptions]", kNo},
      {"restarts one container",
       "{containers: [{name: c, restartPolicyRules: [{action: Restart}]}]}", "[]", "Success"},
      {"an init container restarts all",
       "{initContainers: [{name: i, restartPolicyRules: [{action: RestartAllContainers}]}]}", "[]",
       kNo},
      {"users of its own on the host's network", kUsers, "[]", kNo},
      {"and the node can", kUsers, "[UserNamespacesHostNetworkSupport]", "Success"},
      {"the host's users", "{hostNetwork: true, hostUsers: true}", "[]", "Success"},
      {"users unsaid", "{hostNetwork: true}", "[]", "Success"},
      {"its own network", "{hostUsers: false}", "[]", "Success"},
      {"options of mounts",
       "{containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w, "
       "bindMountOptions: [noexec]}]}]}",
       "[]", kNo},
      {"two features, one there",
       "{hostNetwork: true, hostUsers: false, containers: [{name: c, restartPolicyRules: [{action: "
       "RestartAllContainers}]}]}",
       "[UserNamespacesHostNetworkSupport]", kNo},
      {"two features, both there",
       "{hostNetwork: true, hostUsers: false, containers: [{name: c, restartPolicyRules: [{action: "
       "RestartAllContainers}]}]}",
       "[RestartAllContainersOnContainerExits, UserNamespacesHostNetworkSupport]", "Success"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeDeclaredFeatures"});
    trial.Put(NodeOf({.status = fmt::format("{{declaredFeatures: {}}}", row.declared)}));
    EXPECT_EQ(trial.Filter(PodOf({.spec = row.pod}), "node"), row.told) << row.what;
  }
  EXPECT_EQ(Trial({.plugin = "NodeDeclaredFeatures"}).PreFilter(PodOf({})), "Skip");
}

TEST(NodeDeclaredFeatures, WaitsForOtherFeatures) {
  const Trial trial({.plugin = "NodeDeclaredFeatures"});
  const PodInfoPtr pod = PodOf({.spec = kRestarts});
  const auto before = NodeOf({.status = "{declaredFeatures: [A]}"});
  const auto now = NodeOf({.status = "{declaredFeatures: [A, B]}"});
  constexpr ClusterEvent kUpdate{EventResource::kNode, action::kUpdateNodeDeclaredFeature, {}};
  EXPECT_TRUE(trial.Wakes(pod, kUpdate, {.node_before = before.get(), .node_now = now.get()}));
  EXPECT_FALSE(trial.Wakes(pod, kUpdate, {.node_before = before.get(), .node_now = before.get()}));
  EXPECT_TRUE(trial.Wakes(pod, {EventResource::kNode, action::kAdd, {}}, {.node_now = now.get()}));

  const PodInfoPtr other = PodOf({.spec = kUsers});
  constexpr ClusterEvent kTarget{EventResource::kTargetPod, action::kUpdate, {}};
  EXPECT_TRUE(trial.Wakes(pod, kTarget, {.pod_before = pod.get(), .pod_now = other.get()}));
  EXPECT_FALSE(trial.Wakes(pod, kTarget, {.pod_before = pod.get(), .pod_now = pod.get()}));
}

}  // namespace
}  // namespace quadra::scheduler
