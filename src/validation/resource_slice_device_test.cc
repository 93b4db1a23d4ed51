#include "validation/slice_test_objects.h"

namespace quadra::validation {
namespace {

TEST(ResourceSlice, JudgesAttributes) {
  constexpr const char* kOneOf =
      "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`";
  const SliceRow rows[] = {
      {"nothing in it",
       [](ResourceSlice& s) { First(s).attributes["empty"] = {}; },
       {std::string(
            "spec.devices[0].attributes[empty]: Invalid value: \"\": must specify one of: ") +
        kOneOf}},
      {"two in it",
       [](ResourceSlice& s) {
         First(s).attributes["two"].string_value = "s";
         First(s).attributes["two"].version_value = "1.2";
       },
       {std::string("spec.devices[0].attributes[two]: Invalid value: \"{string, version}\": must "
                    "specify exactly one of: ") +
            kOneOf,
        "spec.devices[0].attributes[two].version: Invalid value: \"1.2\": must be a string "
        "compatible with semver.org spec "
        "2.0.0"}},
      {"an empty list",
       [](ResourceSlice& s) { First(s).attributes["list"].string_values.MakePresent(); },
       {std::string(
            "spec.devices[0].attributes[list]: Invalid value: \"\": must specify one of: ") +
            kOneOf,
        "spec.devices[0].attributes[list].strings: Invalid value: []: must not be empty if "
        "specified"}},
      {"a long text and a long key",
       [](ResourceSlice& s) {
         First(s).attributes["model"].string_value = std::string(65, 'x');
         First(s).attributes[std::string(100, 'k')].bool_value = true;
       },
       {"spec.devices[0].attributes: Too long: may not be more than 32 bytes",
        "spec.devices[0].attributes[model].string: Too long: may not be more than 64 bytes"}},
      {"half a name",
       [](ResourceSlice& s) { First(s).attributes["a/"].bool_value = true; },
       {"spec.devices[0].attributes: Invalid value: \"\": the name must not be empty"}},
  };
  ExpectOnCreate(rows);
}

TEST(ResourceSlice, ShowsBothRulesWordsAsGatesSay) {
  const auto gates = FeatureGates::Parse("DeclarativeValidationBeta=false");
  const SliceRow rows[] = {
      {"no effect, hand-written",
       [](ResourceSlice& s) { First(s).taints.push_back({.key = "k", .effect = "Never"}); },
       {"spec.devices[0].taints[0].effect: Unsupported value: \"Never\": supported values: "
        "\"NoExecute\", "
        "\"NoSchedule\", \"None\""}},
      {"no value, hand-written",
       [](ResourceSlice& s) { First(s).attributes["empty"] = {}; },
       {"spec.devices[0].attributes[empty]: Invalid value: \"\": exactly one value must be "
        "specified"}},
  };
  ExpectOnCreate(rows, *gates);
}

TEST(ResourceSlice, JudgesCounters) {
  const SliceRow rows[] = {
      {"sets",
       [](ResourceSlice& s) {
         s.spec.devices.Reset();
         s.spec.shared_counters.push_back({.name = "a", .counters = {{"c", {}}}});
         s.spec.shared_counters.push_back({.name = "a", .counters = {}});
       },
       {"spec.sharedCounters[1]: Duplicate value: {\"name\":\"a\"}",
        "spec.sharedCounters[1].counters: Required value"}},
      {"consumption",
       [](ResourceSlice& s) {
         First(s).consumes_counters.push_back({.counter_set = "", .counters = {{"C", {}}}});
         First(s).consumes_counters[0].compatibility_groups = {"g", "g"};
       },
       {"spec.devices[0].consumesCounters[0].counterSet: Required value",
        "spec.devices[0].consumesCounters[0].counters: Invalid value: \"C\": a lowercase RFC 1123 "
        "label must consist of "
        "lower case alphanumeric characters or '-', and must start and end with an alphanumeric "
        "character (e.g. "
        "'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "spec.devices[0].consumesCounters[0].compatibilityGroups[1]: Duplicate value: \"g\""}},
      {"too many",
       [](ResourceSlice& s) {
         for (const char* set : {"a", "b", "c"}) {
           First(s).consumes_counters.push_back({.counter_set = set});
         }
       },
       {"spec.devices[0].consumesCounters: Too many: 3: must have at most 2 items"}},
      {"a partition type that no device has",
       [](ResourceSlice& s) {
         First(s).consumes_counters.push_back({.counter_set = "a", .counters = {{"c", {}}}});
         s.spec.partition_type_attribute = "gpu.example.com/profile";
       },
       {"spec.devices[0].attributes[gpu.example.com/profile]: Required value: device consumes "
        "counters and "
        "`partitionTypeAttribute` names this attribute, so it must be set"}},
      {"the driver's own attribute without domain",
       [](ResourceSlice& s) {
         First(s).consumes_counters.push_back({.counter_set = "a", .counters = {{"c", {}}}});
         s.spec.partition_type_attribute = "gpu.example.com/model";
       },
       {}},
      {"a partition type without partitions",
       [](ResourceSlice& s) { s.spec.partition_type_attribute = "profile"; },
       {"spec.partitionTypeAttribute: Invalid value: \"profile\": may only be set on a slice which "
        "declares devices that "
        "consume counters",
        "spec.partitionTypeAttribute: Invalid value: \"profile\": a fully qualified name must be a "
        "domain and a name "
        "separated by a slash"}},
  };
  ExpectOnCreate(rows);
}

TEST(ResourceSlice, JudgesNodesOfDevices) {
  const SliceRow rows[] = {
      {"not asked for",
       [](ResourceSlice& s) { First(s).all_nodes = true; },
       {"spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only "
        "be set if "
        "`perDeviceNodeSelection` is set to true in the ResourceSlice spec"}},
      {"asked for",
       [](ResourceSlice& s) {
         s.spec.node_name.reset();
         s.spec.per_device_node_selection = true;
         First(s).node_name = "";
       },
       {"spec.devices[0].nodeName: Invalid value: \"\": must not be empty",
        "spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` "
        "is required when "
        "`perDeviceNodeSelection` is set to true in the ResourceSlice spec"}},
      {"binding conditions without their counterpart",
       [](ResourceSlice& s) { First(s).binding_conditions = {"a", "a"}; },
       {"spec.devices[0].bindingConditions[1]: Duplicate value: \"a\"",
        "spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions "
        "are required to use "
        "bindingConditions"}},
  };
  ExpectOnCreate(rows);
}

TEST(ResourceSlice, JudgesNodeAllocatableResources) {
  const SliceRow rows[] = {
      {"an unknown resource without content",
       [](ResourceSlice& s) { First(s).node_allocatable_resources["gpu"] = {}; },
       {"spec.devices[0].nodeAllocatableResources[gpu]: Invalid value: \"gpu\": must be a node "
        "allocatable resource name",
        "spec.devices[0].nodeAllocatableResources[gpu]: Required value: at least one of mapping or "
        "overhead must be set"}},
      {"a mapping to nothing",
       [](ResourceSlice& s) {
         First(s).node_allocatable_resources["cpu"].mapping.emplace().capacity_key = "cores";
       },
       {"spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey: Not found: \"cores\"",
        "spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier: Required value: "
        "capacityMultiplier is "
        "required when capacityKey is set"}},
      {"an empty mapping and overhead",
       [](ResourceSlice& s) {
         First(s).node_allocatable_resources["cpu"].mapping.emplace();
         First(s).node_allocatable_resources["cpu"].overhead.emplace();
       },
       {"spec.devices[0].nodeAllocatableResources[cpu].mapping: Invalid value: \"\": must specify "
        "one of: `capacityKey`, "
        "`deviceMultiplier`",
        "spec.devices[0].nodeAllocatableResources[cpu].overhead: Invalid value: \"\": at least one "
        "of perPod or "
        "perContainer must be set"}},
  };
  ExpectOnCreate(rows);
}

}  // namespace
}  // namespace quadra::validation
