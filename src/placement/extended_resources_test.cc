#include "placement/extended_resources.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

constexpr std::string_view kClasses = R"(
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu, creationTimestamp: 2026-01-02T00:00:00Z}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: older-gpu, creationTimestamp: 2026-01-01T00:00:00Z}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: same-b, creationTimestamp: 2026-01-01T00:00:00Z}
spec: {extendedResourceName: example.com/same}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: same-a, creationTimestamp: 2026-01-01T00:00:00Z}
spec: {extendedResourceName: example.com/same}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
)";

TEST(ExtendedResources, ClassesOfResources) {
  Cluster world = ClusterOf(kClasses);
  const ExtendedResources resources(world.Take().classes());
  EXPECT_EQ(resources.ClassOf("example.com/gpu"), "gpu");
  EXPECT_EQ(resources.ClassOf("example.com/same"), "same-a");
  EXPECT_EQ(resources.ClassOf("deviceclass.resource.kubernetes.io/nic"), "nic");
  EXPECT_EQ(resources.ClassOf("deviceclass.resource.kubernetes.io/none"), "");
  EXPECT_EQ(resources.ClassOf("cpu"), "");
}

// "name=class*count …; container/resource=request …", or why nothing is asked for.
std::string DemandText(std::string_view pod_spec, std::string_view node_status = "{}") {
  Cluster world = ClusterOf(fmt::format(
      "{}---\napiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nstatus: {}\n---\napiVersion: "
      "v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {}\n",
      kClasses, node_status, pod_spec));
  const inventory::Snapshot cluster = world.Take();
  const ExtendedResources resources(cluster.classes());
  const api::Pod& pod = world.pods().all().front();
  if (!resources.AreWantedBy(pod)) {
    return "not wanted";
  }
  const ExtendedDemand demand = resources.DemandOn(*cluster.nodes().begin()->second, pod);
  if (!demand.fits) {
    return "does not fit";
  }
  std::string text;
  for (const api::DeviceRequest& request : demand.requests) {
    const api::ExactDeviceRequest exactly = request.exactly.value_or(api::ExactDeviceRequest());
    text += fmt::format("{}={}*{} ", request.name, exactly.device_class_name, exactly.count);
  }
  text += ";";
  for (const auto& mapping : demand.mappings) {
    text += fmt::format(" {}/{}={}", mapping.container_name, mapping.resource_name,
                        mapping.request_name);
  }
  return text;
}

TEST(ExtendedResources, DemandsOfPods) {
  struct Row {
    std::string_view title;
    std::string_view pod;
    std::string_view demand;
    std::string_view node = "{}";
  };
  for (const Row& row : {
           Row{"none", "{containers: [{name: a, resources: {requests: {cpu: '1'}}}]}",
               "not wanted"},
           Row{"zero", "{containers: [{name: a, resources: {requests: {example.com/gpu: '0'}}}]}",
               "not wanted"},
           Row{"unknown to classes",
               "{containers: [{name: a, resources: {requests: {example.com/other: '1'}}}]}",
               "not wanted"},
           Row{"numbered by sorted names",
               "{containers: [{name: a, resources: {requests: {cpu: '1', example.com/gpu: '2', "
               "memory: 1Gi}}}]}",
               "container-0-request-1=gpu*2 ; a/example.com/gpu=container-0-request-1"},
           Row{"limits are requests",
               "{containers: [{name: a, resources: {limits: {example.com/gpu: '2'}}}]}",
               "container-0-request-0=gpu*2 ; a/example.com/gpu=container-0-request-0"},
           Row{"implicit names, two containers",
               "{containers: [{name: a, resources: {requests: "
               "{deviceclass.resource.kubernetes.io/nic: '1'}}}, {name: b, resources: {requests: "
               "{example.com/gpu: '1', deviceclass.resource.kubernetes.io/nic: '3'}}}]}",
               "container-0-request-0=nic*1 container-1-request-0=nic*3 "
               "container-1-request-1=gpu*1 ; "
               "a/deviceclass.resource.kubernetes.io/nic=container-0-request-0 "
               "b/deviceclass.resource.kubernetes.io/nic=container-1-request-0 "
               "b/example.com/gpu=container-1-request-1"},
           Row{"init containers use again what comes later",
               "{initContainers: [{name: i, resources: {requests: {example.com/gpu: '1'}}}], "
               "containers: [{name: a, resources: {requests: {example.com/gpu: '2'}}}]}",
               "container-1-request-0=gpu*2 ; a/example.com/gpu=container-1-request-0 "
               "i/example.com/gpu=container-1-request-0"},
           Row{"only the largest rest is added",
               "{initContainers: [{name: i, resources: {requests: {example.com/gpu: '3'}}}, {name: "
               "j, "
               "resources: {requests: {example.com/gpu: '4'}}}], containers: [{name: a, resources: "
               "{requests: {example.com/gpu: '2'}}}]}",
               "container-1-request-0=gpu*2 container-2-request-0=gpu*2 ; "
               "a/example.com/gpu=container-2-request-0 i/example.com/gpu=container-2-request-0 "
               "i/example.com/gpu=container-1-request-0 j/example.com/gpu=container-2-request-0 "
               "j/example.com/gpu=container-1-request-0"},
           Row{"sidecars keep theirs; earlier init containers may use it, later ones not",
               "{initContainers: [{name: i, resources: {requests: {example.com/gpu: '1'}}}, {name: "
               "s, "
               "restartPolicy: Always, resources: {requests: {example.com/gpu: '1'}}}, {name: j, "
               "resources: {requests: {example.com/gpu: '1'}}}]}",
               "container-1-request-0=gpu*1 container-2-request-0=gpu*1 ; "
               "s/example.com/gpu=container-1-request-0 i/example.com/gpu=container-1-request-0 "
               "j/example.com/gpu=container-2-request-0"},
           Row{"a device plugin serves it",
               "{containers: [{name: a, resources: {requests: {example.com/gpu: '2'}}}]}", ";",
               "{allocatable: {example.com/gpu: '1'}}"},
           Row{"a device plugin without devices does not",
               "{containers: [{name: a, resources: {requests: {example.com/gpu: '2'}}}]}",
               "container-0-request-0=gpu*2 ; a/example.com/gpu=container-0-request-0",
               "{allocatable: {example.com/gpu: '0'}}"},
           Row{"neither plugin nor class",
               "{containers: [{name: a, resources: {requests: {example.com/gpu: '2', "
               "example.com/other: '1'}}}]}",
               "does not fit"},
           Row{"plugin for one, class for the other",
               "{containers: [{name: a, resources: {requests: {example.com/gpu: '2', "
               "example.com/other: '1'}}}]}",
               "container-0-request-0=gpu*2 ; a/example.com/gpu=container-0-request-0",
               "{allocatable: {example.com/other: '4'}}"},
       }) {
    EXPECT_EQ(DemandText(row.pod, row.node), row.demand) << row.title;
  }
}

}  // namespace
}  // namespace quadra::placement
