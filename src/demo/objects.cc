#include "demo/objects.h"

#include <array>

#include <fmt/format.h>

namespace quadra::demo {
namespace {

constexpr std::array<std::string_view, 17> kObjects = {
    R"(
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
)",
    R"(
apiVersion: v1
kind: Namespace
metadata: {name: team-b}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  selectors:
  - cel: {expression: device.driver == "gpu.example.com"}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
spec:
  selectors:
  - cel: {expression: device.driver == "nic.example.com"}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: exclusive-cpu}
spec:
  selectors:
  - cel: {expression: device.driver == "cpu.example.com"}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: large-gpu, namespace: team-a}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu
          selectors:
          - cel: {expression: 'device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0'}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: cores, namespace: team-a}
spec:
  spec:
    devices:
      requests:
      - name: cores
        exactly: {deviceClassName: exclusive-cpu}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: small-gpu, namespace: team-b}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        firstAvailable:
        - name: quarter
          deviceClassName: gpu
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].?profile.orValue("") == "quarter"'}
        - name: small
          deviceClassName: gpu
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].model == "small"'}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: bandwidth, namespace: team-b}
spec:
  spec:
    devices:
      requests:
      - name: nic
        exactly:
          deviceClassName: nic
          capacity:
            requests: {bandwidth: 20G}
)",
    R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: trainer, namespace: team-a}
spec:
  replicas: 3
  selector: {matchLabels: {app: trainer}}
  template:
    metadata: {labels: {app: trainer}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimTemplateName: large-gpu}]
      containers:
      - name: main
        image: registry.example.com/trainer
        resources: {requests: {cpu: "4", memory: 16Gi}, claims: [{name: gpu}]}
)",
    R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: solver, namespace: team-a}
spec:
  replicas: 2
  selector: {matchLabels: {app: solver}}
  template:
    metadata: {labels: {app: solver}}
    spec:
      resourceClaims: [{name: cores, resourceClaimTemplateName: cores}]
      containers:
      - name: main
        image: registry.example.com/solver
        resources: {requests: {memory: 4Gi}, claims: [{name: cores}]}
)",
    R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: notebook, namespace: team-b}
spec:
  replicas: 4
  selector: {matchLabels: {app: notebook}}
  template:
    metadata: {labels: {app: notebook}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimTemplateName: small-gpu}]
      containers:
      - name: main
        image: registry.example.com/notebook
        resources: {requests: {cpu: "1"}, claims: [{name: gpu}]}
)",
    R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: gateway, namespace: team-b}
spec:
  replicas: 3
  selector: {matchLabels: {app: gateway}}
  template:
    metadata: {labels: {app: gateway}}
    spec:
      resourceClaims: [{name: nic, resourceClaimTemplateName: bandwidth}]
      containers:
      - name: main
        image: registry.example.com/gateway
        resources: {requests: {cpu: 500m}, claims: [{name: nic}]}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: huge-gpu, namespace: team-a}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors:
        - cel: {expression: 'device.capacity["gpu.example.com"].memory.compareTo(quantity("96Gi")) >= 0'}
)",
    R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: five-gpus, namespace: team-b}
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu
        count: 5
        selectors:
        - cel: {expression: 'device.attributes["gpu.example.com"].model == "small"'}
)",
    R"(
apiVersion: v1
kind: Pod
metadata: {name: stuck-too-large, namespace: team-a}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: huge-gpu}]
  containers:
  - name: main
    image: registry.example.com/trainer
    resources: {requests: {cpu: "4"}, claims: [{name: gpu}]}
)",
    R"(
apiVersion: v1
kind: Pod
metadata: {name: stuck-too-many, namespace: team-b}
spec:
  resourceClaims: [{name: gpus, resourceClaimName: five-gpus}]
  containers:
  - name: main
    image: registry.example.com/eval
    resources: {requests: {cpu: "2"}, claims: [{name: gpus}]}
)"};

}  // namespace

std::span<const std::string_view> DemoObjects() { return kObjects; }

std::span<const std::string_view> StuckPods() {
  static constexpr std::array<std::string_view, 2> kStuck = {"team-a/stuck-too-large",
                                                             "team-b/stuck-too-many"};
  return kStuck;
}

std::string BatchPod(std::size_t number) {
  const std::size_t seconds = 20 + number % 3 * 10;
  return fmt::format(R"(
apiVersion: v1
kind: Pod
metadata:
  generateName: batch-
  namespace: team-b
  labels: {{{}: "true"}}
  annotations: {{hollow.quadra/runs-for-seconds: "{}"}}
spec:
  restartPolicy: Never
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: small-gpu}}]
  containers:
  - name: main
    image: registry.example.com/batch
    resources: {{requests: {{cpu: "1"}}, claims: [{{name: gpu}}]}}
)",
                     kBatchLabel, seconds);
}

}  // namespace quadra::demo
