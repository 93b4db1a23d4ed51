#include <algorithm>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "api/object.h"
#include "api/random_objects_for_tests.h"
#include "api/slot.h"

namespace quadra::api {
namespace {

// Whether a struct has a place for every field of its schema, and so have the structs in it.
bool KeepsEverything(const Binding& binding);

bool KeepsEverything(const Slot& slot) {
  return slot.inner != nullptr            ? KeepsEverything(*slot.inner)
         : slot.form == SlotForm::kStruct ? KeepsEverything(slot.binding())
                                          : true;
}

bool KeepsEverything(const Binding& binding) {
  return std::ranges::all_of(binding.TableOf(binding.schema()).members, [](const Member& member) {
    return member.slot != nullptr && KeepsEverything(*member.slot);
  });
}

template <typename T>
void ExpectOneAsDeclared() {
  EXPECT_EQ(kIsPartial<T>, !KeepsEverything(BindingOf<T>())) << BindingOf<T>().schema().name;
}

template <typename... Structs>
void ExpectPartialAsDeclared() {
  (ExpectOneAsDeclared<Structs>(), ...);
}

TEST(Partial, IsWhatHasNoPlaceForSomeField) {
  ExpectPartialAsDeclared<DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate,
                          ResourcePoolStatusRequest, ResourceSlice, ObjectMeta>();
  ExpectPartialAsDeclared<Pod, PodSpec, PodStatus, PodTemplateSpec, Container, ContainerStatus,
                          ContainerPort, ResourceRequirements, PodResourceClaim, Toleration,
                          Affinity, NodeAffinity, PreferredSchedulingTerm, PodSchedulingGate,
                          PodSchedulingGroup, PodCondition, ResourceStatus, PodResourceClaimStatus,
                          PodExtendedResourceClaimStatus, NodeAllocatableResourceClaimStatus>();
  ExpectPartialAsDeclared<Node, NodeSpec, NodeStatus, NodeCondition, Taint>();
}

template <typename T>
concept Encodable = requires(const T& value) { EncodeJson(value); };
static_assert(Encodable<ResourceClaim>);
static_assert(!Encodable<Pod> && !Encodable<PodSpec> && !Encodable<Node>);

struct Row {
  const char* what;
  const char* before;  // the spec of a pod
  void (*change)(Pod& pod);
  const char* after;  // the spec and the status
};

const Row kRows[] = {
    {"nothing changes", R"({"hostname":"h","containers":[{"name":"a","env":[{"name":"E"}]}]})",
     [](Pod&) {},
     R"({"containers":[{"name":"a","env":[{"name":"E"}],"resources":{}}],"hostname":"h"},"status":{})"},
    {"a field is set beside unknown ones", R"({"hostname":"h","containers":[]})",
     [](Pod& pod) { pod.spec.node_name = "n"; },
     R"({"containers":[],"nodeName":"n","hostname":"h"},"status":{})"},
    {"a field is taken away", R"({"hostname":"h","containers":[],"priority":7,"nodeName":"n"})",
     [](Pod& pod) {
       pod.spec.priority.reset();
       pod.spec.node_name.clear();
     },
     R"({"containers":[],"hostname":"h"},"status":{})"},
    {"an item changes and keeps its other fields",
     R"({"containers":[{"name":"a","env":[{"name":"E"}]},{"name":"b","tty":true}]})",
     [](Pod& pod) { pod.spec.containers[1].image = "i"; },
     R"({"containers":[{"name":"a","env":[{"name":"E"}],"resources":{}},{"name":"b","image":"i","resources":{},"tty":true}]},"status":{})"},
    {"a list gets longer, another shorter",
     R"({"containers":[],"tolerations":[{"key":"a"}],"schedulingGates":[{"name":"g"},{"name":"h"}]})",
     [](Pod& pod) {
       pod.spec.tolerations.push_back({.key = "b"});
       pod.spec.scheduling_gates.EraseIf([](const auto& gate) { return gate.name == "g"; });
     },
     R"({"containers":[],"tolerations":[{"key":"a"},{"key":"b"}],"schedulingGates":[{"name":"h"}]},"status":{})"},
    {"entries of a map come, change and go",
     R"({"containers":[],"nodeSelector":{"a":"1","b":"2","d":"4"}})",
     [](Pod& pod) { pod.spec.node_selector = {{"b", "3"}, {"c", "0"}, {"d", "4"}}; },
     R"({"nodeSelector":{"b":"3","c":"0","d":"4"},"containers":[]},"status":{})"},
    {"structs are made on the way", R"({"containers":[]})",
     [](Pod& pod) {
       pod.spec.affinity.emplace().node_affinity.emplace();
       pod.status.phase = "Running";
     },
     R"({"containers":[],"affinity":{"nodeAffinity":{}}},"status":{"phase":"Running"})"},
    {"an amount keeps its spelling unless it changes",
     R"({"containers":[],"overhead":{"cpu":"+1","memory":"1.500"}})",
     [](Pod& pod) {
       pod.spec.overhead["memory"] = Quantity::Of(1500, quantity::Format::kDecimalSi, -3);
     },
     R"({"containers":[],"overhead":{"cpu":"+1","memory":"1500m"}},"status":{})"},
};

TEST(Amend, WritesWhatChangedAndNothingElse) {
  for (const Row& row : kRows) {
    const std::string head = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":)";
    auto object = DecodeJson(head + row.before + "}");
    ASSERT_TRUE(object) << row.what << ": " << object.error().message;
    Pod pod = ToTyped<Pod>(*object);
    row.change(pod);
    Amend(*object, pod);
    const auto wanted = DecodeJson(head + row.after + "}");
    ASSERT_TRUE(wanted) << row.what << ": " << wanted.error().message;
    EXPECT_EQ(EncodeJson(*object), EncodeJson(*wanted)) << row.what;
  }
}

template <typename T>
void ExpectNothingAmended(const char* api_version, const char* kind, std::uint64_t seed) {
  SeededRandom random(seed);
  const auto object = DecodeJson(RandomObjects(random).Json(*FindKind(api_version, kind)));
  ASSERT_TRUE(object) << kind << " " << seed << ": " << object.error().message;
  Object amended = *object;
  Amend(amended, ToTyped<T>(*object));
  EXPECT_EQ(EncodeJson(amended), EncodeJson(*object)) << kind << " " << seed;
}

TEST(Amend, ChangesNothingInRandomObjects) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ExpectNothingAmended<Pod>("v1", "Pod", seed);
    ExpectNothingAmended<Node>("v1", "Node", seed);
    ExpectNothingAmended<ResourceClaim>("resource.k8s.io/v1", "ResourceClaim", seed);
    ExpectNothingAmended<ResourceSlice>("resource.k8s.io/v1beta2", "ResourceSlice", seed);
  }
}

TEST(Whole, StructsGiveTheirObjectsBack) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededRandom random(seed);
    const KindSchema& kind = *FindKind("resource.k8s.io/v1", "ResourceSlice");
    const auto object = DecodeJson(RandomObjects(random).Json(kind));
    ASSERT_TRUE(object) << seed << ": " << object.error().message;
    EXPECT_EQ(EncodeJson(ToTyped<ResourceSlice>(*object)), EncodeJson(*object)) << seed;
  }
}

}  // namespace
}  // namespace quadra::api
