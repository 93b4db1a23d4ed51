#include "scheduler/plugins/node_resources/served_devices.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

// A node with so many devices d0, d1, … of driver drv, known to the scheduler and to its devices.
void PutNode(Trial& trial, std::string_view name, std::string_view allocatable, int devices) {
  const auto node =
      NodeOf({.name = name, .status = fmt::format("{{allocatable: {}}}", allocatable)});
  trial.Put(node);
  trial.devices.Put(*node);
  std::string listed;
  for (int i = 0; i < devices; ++i) {
    listed += fmt::format("{}{{name: d{}}}", i == 0 ? "" : ", ", i);
  }
  if (devices > 0) {
    trial.devices.Put(ObjectOf<api::ResourceSlice>(fmt::format(
        "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: s-{0}}}, spec: "
        "{{driver: drv, nodeName: {0}, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, "
        "devices: [{1}]}}}}",
        name, listed)));
  }
}

void PutClass(Trial& trial, std::string_view selectors = "[]") {
  trial.devices.Put(ObjectOf<api::DeviceClass>(
      fmt::format("{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: gpu}}, "
                  "spec: {{extendedResourceName: example.com/gpu, selectors: {}}}}}",
                  selectors)));
}

void Hold(Trial& trial, std::string_view node, std::string_view device) {
  trial.devices.Put(
      std::make_shared<const api::ResourceClaim>(ObjectOf<api::ResourceClaim>(fmt::format(
          "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c, "
          "namespace: default, uid: c, resourceVersion: '1'}}, status: {{allocation: "
          "{{devices: {{results: [{{request: r, driver: drv, pool: {}, device: {}}}]}}}}}}}}",
          node, device))));
}

PodInfoPtr Asking(std::string_view requests) {
  return PodOf({.spec = fmt::format("{{containers: [{{name: c, resources: {{requests: {}}}}}]}}",
                                    requests)});
}

constexpr std::string_view kFitByGpus =
    "{scoringStrategy: {type: LeastAllocated, resources: [{name: example.com/gpu}]}}";

TEST(ServedDevices, CountInScoresWhereNoDevicePluginHasTheResource) {
  struct Row {
    std::string_view what;
    std::string_view selectors;
    std::string_view n1;  // has
    std::string_view scores;
  };
  const Row rows[] = {
      {"all devices", "[]", "{}", "n1=66 n2=50"},
      {"those of the class", "[{cel: {expression: 'device.driver == \"other\"'}}]", "{}",
       "n1=0 n2=0"},
      {"a selector that fails", "[{cel: {expression: 'device.attributes[\"drv\"].no == \"x\"'}}]",
       "{}", "n1=0 n2=0"},
      {"a device plugin comes first", "[]", "{example.com/gpu: 10}", "n1=90 n2=50"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesFit", .args = kFitByGpus});
    ASSERT_EQ(trial.error, "");
    PutClass(trial, row.selectors);
    PutNode(trial, "n1", row.n1, 3);
    PutNode(trial, "n2", "{}", 2);
    EXPECT_EQ(trial.Scores(Asking("{example.com/gpu: 1}")), row.scores) << row.what;
  }
}

TEST(ServedDevices, AreTakenByClaims) {
  Trial trial({.plugin = "NodeResourcesFit", .args = kFitByGpus});
  PutClass(trial);
  PutNode(trial, "n1", "{}", 4);
  PutNode(trial, "n2", "{}", 4);
  Hold(trial, "n1", "d2");
  EXPECT_EQ(trial.Scores(Asking("{example.com/gpu: 1}")), "n1=50 n2=75");
}

TEST(ServedDevices, CountForBalanceToo) {
  Trial trial({.plugin = "NodeResourcesBalancedAllocation",
               .args = "{resources: [{name: cpu}, {name: memory}, {name: example.com/gpu}]}"});
  PutClass(trial);
  PutNode(trial, "n1", "{cpu: 3500m, memory: 40000}", 8);
  PutNode(trial, "n2", "{cpu: 3500m, memory: 40000}", 0);
  trial.Put(PodOf({.name = "a",
                   .spec = "{nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "
                           "3}}}]}"}));
  trial.Put(PodOf({.name = "b",
                   .spec = "{nodeName: n2, containers: [{name: c, resources: {requests: {cpu: 3, "
                           "memory: 5000}}}]}"}));
  EXPECT_EQ(trial.Scores(Asking("{example.com/gpu: 1}")), "n1=76 n2=75");
}

}  // namespace
}  // namespace quadra::scheduler
