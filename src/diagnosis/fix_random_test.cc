// Every fix that is offered holds: on drawn worlds each is made, as `explain --fix` prints it, and
// the question asked again; likewise what preemption is said to come to. QUADRA_WORLDS=20000 draws more of them, QUADRA_SEED=n others.
#include <cstdlib>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "diagnosis/diagnose.h"
#include "placement/worlds_for_tests.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;

std::uint64_t NumberIn(const char* variable, std::uint64_t otherwise) {
  const char* wanted = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return wanted == nullptr || *wanted == 0 ? otherwise : std::strtoull(wanted, nullptr, 10);
}

// YAML of a world: few nodes, scarce devices, and one pod p that wants some.
class WorldDrawer {
 public:
  explicit WorldDrawer(std::uint64_t seed) : random_(seed) {}

  std::string Draw() {
    ease_ = 1 + random_.Below(4);
    DrawClasses();
    nodes_ = 1 + random_.Below(4);
    for (std::uint64_t n = 0; n < nodes_; ++n) {
      DrawNode(fmt::format("n{}", n));
    }
    if (OneIn(3)) {
      DrawSlice("shared", "allNodes: true");
    }
    if (OneIn(4)) {
      DrawSlice("zoned",
                "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, "
                "values: [a, c]}]}]}");
    }
    if (OneIn(6)) {
      Object("resource.k8s.io/v1beta2", "DeviceTaintRule", "name: rule",
             "spec: {deviceSelector: {device: d0}, taint: {key: ruled, value: out, effect: "
             "NoSchedule}}");
    }
    for (std::uint64_t h = random_.Below(8); h > 0; --h) {
      DrawHolder(fmt::format("h{}", h));
    }
    if (OneIn(4)) {
      Object("v1", "Pod", "name: nominated, uid: u-nominated",
             "spec: {priority: 5, containers: [{name: m, resources: {requests: {cpu: 1}}}]}\n"
             "status: {nominatedNodeName: n0}");
    }
    DrawPod();
    return std::move(yaml_);
  }

 private:
  bool OneIn(std::uint64_t many) { return random_.Below(many) == 0; }
  // Of what is in the way: worlds in which less is are easier to mend.
  bool Rarely(std::uint64_t many) { return OneIn(many * ease_); }
  std::string OneOf(std::initializer_list<std::string_view> words) {
    return std::string(words.begin()[random_.Below(words.size())]);
  }

  void Object(std::string_view version, std::string_view kind, std::string_view meta,
              std::string_view rest) {
    yaml_ += fmt::format("---\napiVersion: {}\nkind: {}\nmetadata: {{{}}}\n{}\n", version, kind,
                         meta, rest);
  }
  void Resource(std::string_view kind, std::string_view meta, std::string_view rest) {
    Object("resource.k8s.io/v1", kind, meta, rest);
  }

  void DrawClasses() {
    Resource("DeviceClass", "name: gpu", "spec: {extendedResourceName: example.com/gpu}");
    Resource(
        "DeviceClass", "name: gpx",
        R"(spec: {selectors: [{cel: {expression: 'device.attributes["drv"].model == "x"'}}]})");
  }

  void DrawNode(const std::string& name) {
    std::string spec;
    if (Rarely(4)) {
      spec += "unschedulable: true, ";
    }
    if (Rarely(4)) {
      spec += OneOf({"taints: [{key: team, value: a, effect: NoSchedule}]",
                     "taints: [{key: hot, effect: NoExecute}, {key: old, effect: NoSchedule}]"});
    }
    Object("v1", "Node",
           fmt::format("name: {}, labels: {{zone: {}}}", name, OneOf({"a", "b", "c"})),
           fmt::format("spec: {{{}}}\nstatus: {{allocatable: {{pods: 20{}}}}}", spec,
                       OneIn(3) ? ", cpu: 2" : ""));
    DrawSlice(name, "nodeName: " + name);
  }

  std::string DrawDevice(std::uint64_t number, bool counted) {
    std::string device =
        fmt::format("name: d{}, attributes: {{model: {{string: {}}}{}}}", number, OneOf({"x", "v"}),
                    OneOf({", root: {int: 0}", ", root: {int: 1}", ", root: {int: 1}", ""}));
    if (Rarely(5)) {
      device += fmt::format(", taints: [{{key: {}, effect: NoSchedule}}]", OneOf({"sick", "old"}));
    }
    if (counted) {
      device += fmt::format(
          ", consumesCounters: [{{counterSet: card, counters: {{memory: {{value: {}}}, compute: "
          "{{value: {}}}}}}}]",
          1 + random_.Below(4), random_.Below(3));
    }
    if (OneIn(4)) {
      device += OneOf({", allowMultipleAllocations: true, capacity: {memory: {value: 8}}",
                       ", allowMultipleAllocations: true, capacity: {memory: {value: 8, "
                       "requestPolicy: {default: 2, validRange: {min: 1, step: 1}}}}",
                       ", allowMultipleAllocations: true, capacity: {memory: {value: 6, "
                       "requestPolicy: {default: 2, validValues: [2, 4, 6]}}}"});
    }
    return "{" + device + "}";
  }

  void DrawSlice(const std::string& pool, const std::string& where) {
    const bool counted = OneIn(3);
    std::string devices;
    const std::uint64_t count = random_.Below(4 + ease_);
    for (std::uint64_t d = 0; d < count; ++d) {
      devices += DrawDevice(d, counted) + ", ";
    }
    const std::string head =
        fmt::format("driver: drv, {}, pool: {{name: {}, generation: 1, resourceSliceCount: {}}}",
                    where, pool, counted ? 2 : 1);
    Resource("ResourceSlice", "name: devices-" + pool,
             fmt::format("spec: {{{}, devices: [{}]}}", head, devices));
    if (counted) {
      Resource("ResourceSlice", "name: counters-" + pool,
               fmt::format("spec: {{{}, sharedCounters: [{{name: card, counters: {{memory: "
                           "{{value: 6}}, compute: {{value: 4}}}}}}]}}",
                           head));
    }
  }

  std::string DrawExpression() {
    return OneOf(
        {R"(device.attributes["drv"].model == "v")", R"(device.attributes["drv"].model == "z")",
         R"(device.attributes["drv"].modle == "x")", R"(device.attributes["drv"].root == 0)",
         R"(device.attributes["drv"].?root.orValue(7) == 2)",
         R"(device.capacity["drv"].memory.compareTo(quantity("9")) >= 0)",
         R"(!device.allowMultipleAllocations)"});
  }

  std::string DrawDemand(std::uint64_t most, bool plain) {
    std::string demand =
        fmt::format("deviceClassName: {}", plain && Rarely(6) ? "gpp" : OneOf({"gpu", "gpx"}));
    demand +=
        Rarely(12) ? ", allocationMode: All" : fmt::format(", count: {}", 1 + random_.Below(most));
    if (Rarely(4)) {
      demand += fmt::format(
          ", selectors: [{{cel: {{expression: '{}'}}}}{}]", DrawExpression(),
          OneIn(4) ? fmt::format(", {{cel: {{expression: '{}'}}}}", DrawExpression()) : "");
    }
    if (Rarely(4)) {
      demand += fmt::format(", capacity: {{requests: {{memory: {}}}}}", 1 + random_.Below(9));
    }
    if (OneIn(8)) {
      demand += ", tolerations: [{key: sick, operator: Exists}]";
    }
    return demand;
  }

  std::string DrawRequest(int number, std::uint64_t most) {
    if (OneIn(4)) {
      return fmt::format("{{name: r{}, firstAvailable: [{{name: a, {}}}, {{name: b, {}}}]}}",
                         number, DrawDemand(most, false), DrawDemand(most, false));
    }
    return fmt::format("{{name: r{}, exactly: {{{}}}}}", number, DrawDemand(most, true));
  }

  std::string DrawSpec(std::uint64_t most) {
    std::string requests = DrawRequest(0, most);
    const bool two = OneIn(4);
    if (two) {
      requests += ", " + DrawRequest(1, most);
    }
    std::string constraints;
    for (std::uint64_t c = Rarely(4) ? 1 + random_.Below(2) : 0; c > 0; --c) {
      constraints += fmt::format("{{{}{}: drv/{}}}, ", two && OneIn(3) ? "requests: [r1], " : "",
                                 OneOf({"matchAttribute", "matchAttribute", "distinctAttribute"}),
                                 OneOf({"model", "root", "none"}));
    }
    return fmt::format("{{devices: {{requests: [{}], constraints: [{}]}}}}", requests, constraints);
  }

  void DrawHolder(const std::string& name) {
    Resource("ResourceClaim", fmt::format("name: {0}, uid: u-{0}", name), "spec: " + DrawSpec(2));
    Object("v1", "Pod", fmt::format("name: {0}, uid: u-{0}", name), HolderSpec(name));
    if (OneIn(3)) {
      Object("v1", "Pod", fmt::format("name: {0}b, uid: u-{0}b", name), HolderSpec(name));
    }
  }

  std::string HolderSpec(const std::string& claim) {
    return fmt::format(
        "spec: {{priority: {}, tolerations: [{{operator: Exists}}], resourceClaims: [{{name: c, "
        "resourceClaimName: {}}}], containers: [{{name: m, resources: {{requests: {{{}}}}}}}]}}",
        OneOf({"0", "1", "9"}), claim, OneOf({"", "cpu: 1"}));
  }

  // That was made for p from its template, before this was changed.
  void DrawMadeClaim(int number) {
    Resource("ResourceClaim",
             fmt::format("name: made{0}, uid: u-made{0}, annotations: "
                         "{{resource.kubernetes.io/pod-claim-name: c{0}}}, ownerReferences: "
                         "[{{apiVersion: v1, kind: Pod, name: p, uid: u-p, controller: true}}]",
                         number),
             "spec: " + DrawSpec(4));
    made_ += fmt::format("{{name: c{0}, resourceClaimName: made{0}}}, ", number);
  }

  // One entry of p: a claim by name, perhaps one that a holder has, or one from a template.
  std::string DrawEntry(int number) {
    if (OneIn(8)) {
      return fmt::format("{{name: c{}, resourceClaimName: h1}}", number);
    }
    if (OneIn(2)) {
      if (OneIn(4)) {
        DrawMadeClaim(number);
      }
      return fmt::format("{{name: c{}, resourceClaimTemplateName: t{}}}", number, random_.Below(2));
    }
    Resource("ResourceClaim", fmt::format("name: own{}", number), "spec: " + DrawSpec(4));
    return fmt::format("{{name: c{0}, resourceClaimName: own{0}}}", number);
  }

  void DrawPod() {
    for (const std::string_view name : {"t0", "t1"}) {
      Resource("ResourceClaimTemplate", fmt::format("name: {}", name),
               fmt::format("spec: {{spec: {}}}", DrawSpec(3)));
    }
    std::string spec = "resourceClaims: [" + DrawEntry(0);
    for (int i = 1; i < 3 && OneIn(3); ++i) {
      spec += ", " + DrawEntry(i);
    }
    spec += "]";
    if (Rarely(3)) {
      spec += ", nodeSelector: {zone: a}";
    }
    if (Rarely(6)) {
      spec +=
          ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
          "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a, "
          "b]}]}]}}}";
    }
    if (OneIn(2)) {
      spec += ", priority: " + OneOf({"1", "5", "10"});
    }
    if (OneIn(3)) {
      spec += ", tolerations: [{key: team, operator: Exists}]";
    }
    if (OneIn(3)) {
      spec += fmt::format(", containers: [{{name: m, resources: {{requests: {{{}}}}}}}]",
                          OneOf({"example.com/gpu: 1", "cpu: 1", "cpu: 2"}));
    }
    Object("v1", "Pod", "name: p, uid: u-p",
           fmt::format("spec: {{{}}}\nstatus: {{resourceClaimStatuses: [{}]}}", spec, made_));
  }

  SeededRandom random_;
  std::string yaml_;
  std::string made_;  // claims of p, as its status has them
  std::uint64_t nodes_ = 0;
  std::uint64_t ease_ = 1;
};

// The holders get their devices first, as far as there are any.
// Some of their pods ran to their end since.
void ServeHolders(Cluster& cluster, selector::ExpressionCache& expressions) {
  std::vector<placement::Decision> decisions;
  {
    placement::Placer placer(cluster, {}, expressions);
    for (const api::Pod* pod : placer.queue().waiting) {
      if (pod->metadata.name != "p") {
        decisions.push_back(placer.Place(*pod));
      }
    }
  }
  for (placement::Decision& decision : decisions) {
    api::Pod pod = *decision.pod;
    pod.spec.node_name = decision.node;
    pod.status.phase = pod.metadata.name == "h2" || pod.metadata.name == "h5" ? "Succeeded" : "";
    for (placement::ServedClaim& served : decision.claims) {
      cluster.Put(std::move(served.claim));
    }
    cluster.Put(std::move(pod));
  }
}

Diagnosis Ask(Cluster& cluster, selector::ExpressionCache& expressions, bool strict) {
  placement::Placer placer(cluster, {.strict = strict}, expressions);
  return DiagnosePod(placer, *cluster.pods().Find("default", "p"));
}

void Apply(const Repair& repair, Cluster& cluster) {
  for (const auto& claim : repair.claims) {
    cluster.Put(claim);
  }
  for (const auto& made : repair.templates) {
    cluster.Put(made);
  }
  for (const auto& pod : repair.pods) {
    cluster.Put(pod);
  }
  for (const auto& node : repair.nodes) {
    cluster.Put(node);
  }
}

// Where p goes once the fix is made, or why it does not.
std::string WhereAfter(const allocator::Fix& fix, const std::string& yaml, bool strict) {
  Cluster cluster = placement::ClusterOf(yaml);
  selector::ExpressionCache expressions(placement::TestLanguage());
  ServeHolders(cluster, expressions);
  Apply(RepairOf(cluster, fix, cluster.pods().Find("default", "p")), cluster);
  const Diagnosis diagnosis = Ask(cluster, expressions, strict);
  // A pod whose claims have their devices goes where those may be used.
  const bool has = diagnosis.state == Diagnosis::State::kHas;
  if (has || diagnosis.state == Diagnosis::State::kWouldGet) {
    return has && diagnosis.node.empty() ? fix.node : diagnosis.node;
  }
  return fmt::format("nowhere: {}", diagnosis.sentence);
}

// Where p goes once the pods are gone that kube-scheduler would end for it.
std::string WhereAfter(const Diagnosis::Preemption& preemption, const std::string& yaml,
                       bool strict) {
  Cluster cluster = placement::ClusterOf(yaml);
  selector::ExpressionCache expressions(placement::TestLanguage());
  ServeHolders(cluster, expressions);
  for (const std::string& victim : preemption.victims) {
    api::Pod gone = *cluster.pods().Find("default", victim.substr(victim.find('/') + 1));
    gone.status.phase = "Failed";
    cluster.Put(std::move(gone));
  }
  api::Pod pod = *cluster.pods().Find("default", "p");
  pod.status.nominated_node_name = preemption.node;
  cluster.Put(std::move(pod));
  return Ask(cluster, expressions, strict).node;
}

using Tally = std::map<std::string_view, std::size_t>;  // of fixes, by kind

void CheckWorld(std::uint64_t seed, Tally& tally) {
  const std::string yaml = WorldDrawer(seed).Draw();
  Cluster cluster = placement::ClusterOf(yaml);
  selector::ExpressionCache expressions(placement::TestLanguage());
  ServeHolders(cluster, expressions);
  const bool strict = seed % 2 == 0;
  const Diagnosis diagnosis = Ask(cluster, expressions, strict);
  if (const Diagnosis::Preemption& preemption = diagnosis.preemption; !preemption.node.empty()) {
    ++tally["(preemptions)"];
    ASSERT_EQ(WhereAfter(preemption, yaml, strict), preemption.node)
        << "seed " << seed << ": " << preemption.sentence << yaml;
  }
  for (const allocator::Fix& fix : diagnosis.fixes.found) {
    ++tally[allocator::KindName(fix.kind)];
    ASSERT_EQ(WhereAfter(fix, yaml, strict), fix.node)
        << "seed " << seed << ": " << fix.text << yaml;
  }
}

TEST(FixRandom, EveryFixThatIsOfferedHolds) {
  constexpr std::uint64_t kFew = 150;
  const std::uint64_t first = NumberIn("QUADRA_SEED", 1);
  const std::uint64_t count = NumberIn("QUADRA_WORLDS", kFew);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count && !HasFatalFailure(); ++seed) {
    CheckWorld(seed, tally);
  }
  for (const auto& [kind, found] : tally) {
    RecordProperty(std::string(kind), static_cast<int>(found));
    fmt::print("{} {}\n", found, kind);
  }
  // Of many worlds some offer every kind.
  EXPECT_GE(tally.size(), count < 2'000 ? 6 : allocator::kFixKinds + 1);
}

}  // namespace
}  // namespace quadra::diagnosis
