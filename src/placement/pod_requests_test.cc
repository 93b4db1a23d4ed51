#include "placement/pod_requests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

std::string TextOf(const PodRequests& requests) {
  std::string text;
  for (const auto& [resource, count] : requests.amounts) {
    text += fmt::format("{}={} ", resource, CountText(resource, count));
  }
  for (const HostPort& port : requests.ports) {
    text += fmt::format("{}:{}/{} ", port.ip, port.port, port.protocol);
  }
  return text;
}

struct Row {
  std::string_view what;
  std::string_view pod;  // spec and status
  std::string_view told;
};

void Compare(const Row& row, PodRequests (*requests)(const api::Pod&)) {
  SCOPED_TRACE(row.what);
  const Cluster cluster =
      ClusterOf(fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\n{}\n", row.pod));
  EXPECT_EQ(TextOf(requests(cluster.pods().all().front())), row.told);
}

TEST(PodRequests, AddsUpAsTheSchedulerDoes) {
  for (const Row& row : {
           Row{"nothing", "spec: {containers: [{name: a}]}", ""},
           Row{"containers together",
               "spec: {containers: [{name: a, resources: {requests: {cpu: 1, memory: 1Gi}}}, "
               "{name: b, resources: {requests: {cpu: 500m}}}]}",
               "cpu=1500m memory=1Gi "},
           Row{"a limit is a request",
               "spec: {containers: [{name: a, resources: {limits: {cpu: 2}}}]}", "cpu=2 "},
           Row{"fractions count as whole",
               "spec: {containers: [{name: a, resources: {requests: {cpu: 100u, memory: 1100m}}}]}",
               "cpu=1m memory=2 "},
           Row{"what nodes do not count",
               "spec: {containers: [{name: a, resources: {requests: {storage: 1, pods: 1, "
               "example.com/x: 0}}}]}",
               ""},
           Row{"the peak of init containers",
               "spec: {initContainers: [{name: i, resources: {requests: {cpu: 3}}}, {name: j, "
               "resources: {requests: {cpu: 2}}}], containers: [{name: a, resources: {requests: "
               "{cpu: 1}}}]}",
               "cpu=3 "},
           Row{"sidecars run beside all that comes later",
               "spec: {initContainers: [{name: s, restartPolicy: Always, resources: {requests: "
               "{cpu: 1}}}, {name: i, resources: {requests: {cpu: 3}}}], containers: [{name: a, "
               "resources: {requests: {cpu: 2}}}]}",
               "cpu=4 "},
           Row{"the pod as a whole, and overhead on top",
               "spec: {overhead: {cpu: 1}, resources: {requests: {cpu: 5, example.com/x: 7}}, "
               "containers: [{name: a, resources: {requests: {cpu: 2, memory: 1}}}]}",
               "cpu=6 memory=1 "},
           Row{"ports of the host",
               "spec: {initContainers: [{name: i, ports: [{containerPort: 1, hostPort: 1}]}, "
               "{name: "
               "s, restartPolicy: Always, ports: [{containerPort: 2, hostPort: 2, protocol: "
               "UDP}]}], "
               "containers: [{name: a, ports: [{containerPort: 3}, {containerPort: 4, hostPort: 4, "
               "hostIP: 10.0.0.1}]}]}",
               "10.0.0.1:4/TCP 0.0.0.0:2/UDP "},
       }) {
    Compare(row, RequestsOf);
  }
}

TEST(PodRequests, CountsOnTheNodeWhatTheKubeletGave) {
  for (const Row& row : {
           Row{"no status", "spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}",
               "cpu=1 "},
           Row{"allocated more",
               "spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}\nstatus: "
               "{containerStatuses: [{name: a, allocatedResources: {cpu: 2}}]}",
               "cpu=2 "},
           Row{"still using more",
               "spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}\nstatus: "
               "{containerStatuses: [{name: a, allocatedResources: {cpu: 2}, resources: {requests: "
               "{cpu: 3}}}]}",
               "cpu=3 "},
           Row{"asks for what cannot be",
               "spec: {containers: [{name: a, resources: {requests: {cpu: 9}}}]}\nstatus: "
               "{conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}], "
               "containerStatuses: [{name: a, allocatedResources: {cpu: 2}}]}",
               "cpu=2 "},
       }) {
    Compare(row, RequestsOnNode);
  }
}

}  // namespace
}  // namespace quadra::placement
