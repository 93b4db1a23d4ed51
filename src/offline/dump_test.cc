#include "offline/dump.h"

#include "offline/worlds_for_tests.h"

namespace quadra::offline {
namespace {

constexpr std::string_view kThreeVersions = R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: new, namespace: a}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}
---
apiVersion: resource.k8s.io/v1beta2
kind: ResourceClaim
metadata: {name: middle, namespace: a}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: old, namespace: a}
spec: {devices: {requests: [{name: r, deviceClassName: c}]}}
)";

TEST(Dump, ReadsAllVersionsAsOneWithDefaults) {
  Dump dump = DumpOf(kThreeVersions);
  ASSERT_EQ(dump.cluster().claims().all().size(), 3U);
  for (const api::ResourceClaim& claim : dump.cluster().claims().all()) {
    ASSERT_EQ(claim.spec.devices.requests.size(), 1U) << claim.metadata.name;
    const api::ExactDeviceRequest exactly =
        claim.spec.devices.requests[0].exactly.value_or(api::ExactDeviceRequest());
    EXPECT_EQ(exactly.device_class_name, "c");
    EXPECT_EQ(exactly.allocation_mode, "ExactCount");
    EXPECT_EQ(exactly.count, 1);
  }
}

TEST(Dump, CountsWhatItDoesNotUse) {
  Dump dump = DumpOf(R"(
apiVersion: apps/v1
kind: Deployment
---
apiVersion: apps/v1
kind: Deployment
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
---
apiVersion: v1
kind: Service
)");
  EXPECT_EQ(dump.UnusedText(), "2 Deployments, 2 NetworkPolicies, 1 Service");
}

TEST(Dump, TheLaterOfTwoCountsAndHoldsAlone) {
  Dump dump = DumpOf(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, uid: one}
status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: first}]}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, uid: two}
status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: second}]}}}
)");
  ASSERT_EQ(dump.cluster().claims().all().size(), 1U);
  EXPECT_EQ(dump.cluster().claims().Find("default", "c")->metadata.uid, "two");
  const inventory::Snapshot cluster = dump.cluster().Take();
  EXPECT_EQ(cluster.held().Find({"d", "p", "first"}), nullptr);
  EXPECT_NE(cluster.held().Find({"d", "p", "second"}), nullptr);
  ASSERT_EQ(dump.notes().size(), 1U);
  EXPECT_EQ(dump.notes()[0], "dump:7: resourceclaim default/c is given twice; this one counts");
}

TEST(Dump, NamesObjectsThatLeaveTheirNameToTheServer) {
  Dump dump = DumpOf(R"(
apiVersion: v1
kind: Pod
metadata: {generateName: web-}
---
apiVersion: v1
kind: Pod
metadata: {generateName: web-}
)");
  EXPECT_NE(dump.cluster().pods().Find("default", "web-00001"), nullptr);
  EXPECT_NE(dump.cluster().pods().Find("default", "web-00002"), nullptr);
}

TEST(Dump, TaintRulesFollowTheirGate) {
  constexpr std::string_view kRule = R"(
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec: {taint: {key: k, effect: NoSchedule}}
)";
  EXPECT_EQ(DumpOf(kRule).cluster().Take().taint_rules().size(), 1U);
  Dump without = DumpOf(kRule, "DRADeviceTaintRules=false");
  EXPECT_TRUE(without.cluster().Take().taint_rules().empty());
  EXPECT_EQ(without.UnusedText(), "1 DeviceTaintRule");
}

TEST(Dump, KnowsNamespacesPrioritiesAndSlices) {
  Dump dump = DumpOf(R"(
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {x: "y"}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1, creationTimestamp: 2026-08-01T00:00:00Z}
spec: {driver: d, nodeName: n2, pool: {name: p, generation: 1, resourceSliceCount: 1}}
)");
  const placement::Cluster& cluster = dump.cluster();
  ASSERT_NE(cluster.NamespaceLabels("a"), nullptr);
  EXPECT_EQ(*cluster.NamespaceLabels("a")->Find("x"), "y");
  EXPECT_EQ(cluster.PriorityOf({.spec = {.priority_class_name = "high"}}), 1000);
  EXPECT_TRUE(cluster.CreationOf("s1"));
}

TEST(Dump, ErrorsNameTheField) {
  const Result<api::FeatureGates> gates = api::FeatureGates::Parse("");
  Dump dump(TestLanguage(), *gates);
  const Status read = json::ReadManifestText(
      "bad.yaml",
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: 5x}\nspec: 3\n",
      [&](const json::Manifest& manifest) {
        return dump.Take(manifest, "resource.k8s.io/v1", "ResourceClaim");
      });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().field, "spec");
  EXPECT_TRUE(dump.cluster().claims().all().empty());
}

TEST(Dump, WorkloadsThatAreNotStoredStandForTheirPods) {
  Dump dump = DumpOf(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team}
spec: {replicas: 2, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {parallelism: 5, completions: 1, template: {spec: {containers: [{name: c}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: stored, uid: u}
spec: {replicas: 2, template: {spec: {containers: [{name: c}]}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: none}
spec: {replicas: 0, template: {spec: {containers: [{name: c}]}}}
)");
  EXPECT_EQ(dump.cluster().pods().all().size(), 3U);
  ASSERT_NE(dump.cluster().pods().Find("team", "web-1"), nullptr);
  EXPECT_EQ(*dump.cluster().pods().Find("team", "web-1")->metadata.labels.Find("app"), "web");
  EXPECT_NE(dump.cluster().pods().Find("default", "once-0"), nullptr);
  EXPECT_EQ(dump.UnusedText(), "1 ReplicaSet, 1 StatefulSet");
}

struct Broken {
  std::string_view what;
  std::string_view yaml;
  Dump::Salvaged salvaged;
};

constexpr Broken kBroken[] = {
    {"a label of a node decides where pods go",
     "{apiVersion: v1, kind: Node, metadata: {name: node, labels: {a: y}}}",
     Dump::Salvaged::kNothing},
    {"conditions of a node decide nothing",
     "{apiVersion: v1, kind: Node, metadata: {name: node}, status: {conditions: 5}}",
     Dump::Salvaged::kDeciding},
    {"annotations of a pod decide nothing",
     "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {a: 5}}}",
     Dump::Salvaged::kDeciding},
    {"nor do its volumes, or the environment of its containers",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: 5, containers: [{name: c, "
     "env: 7}]}}",
     Dump::Salvaged::kDeciding},
    {"what a pod requests decides",
     "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: "
     "5}]}}",
     Dump::Salvaged::kNothing},
    {"a claim keeps what it holds",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, labels: {a: 5}}, "
     "spec: {devices: 3}, status: {allocation: {devices: {results: [{request: r, driver: d, pool: "
     "p, device: held}]}}}}",
     Dump::Salvaged::kHoldings},
    {"a claim that holds nothing would mean something else without its spec",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: "
     "3}}",
     Dump::Salvaged::kNothing},
    {"an allocation that is broken itself",
     "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, status: "
     "{allocation: {devices: 5}}}",
     Dump::Salvaged::kNothing},
};

TEST(Dump, SalvagesWhatMeansTheSameWithoutTheBrokenField) {
  const Result<api::FeatureGates> gates = api::FeatureGates::Parse("");
  for (const Broken& broken : kBroken) {
    Dump dump(TestLanguage(), *gates);
    const auto salvage = [&](const json::Manifest& manifest) -> Status {
      const api::Decoded<api::Header> header = api::ReadHeader(manifest.json());
      EXPECT_FALSE(dump.Take(manifest, header->api_version, header->kind)) << broken.what;
      EXPECT_EQ(dump.Salvage(manifest, header->api_version, header->kind), broken.salvaged)
          << broken.what;
      return {};
    };
    EXPECT_TRUE(json::ReadManifestText("dump", "# YAML\n" + std::string(broken.yaml), salvage));
    EXPECT_EQ(dump.cluster().Take().held().Find({"d", "p", "held"}) != nullptr,
              broken.salvaged == Dump::Salvaged::kHoldings)
        << broken.what;
  }
}

}  // namespace
}  // namespace quadra::offline
