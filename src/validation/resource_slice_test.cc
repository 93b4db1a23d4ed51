#include <span>

#include <gtest/gtest.h>

#include "validation/expectations.h"
#include "validation/validate.h"

namespace quadra::validation {
namespace {

using api::Device;
using api::ResourceSlice;
using quantity::Quantity;

Device Gpu(std::string name = "gpu-0") {
  Device device;
  device.name = std::move(name);
  device.attributes["model"].string_value = "A100";
  device.capacity["memory"].value = *Quantity::Parse("80Gi");
  return device;
}

ResourceSlice Good() {
  ResourceSlice slice;
  slice.metadata.name = "slice";
  slice.metadata.resource_version = "1";
  slice.spec.driver = "gpu.example.com";
  slice.spec.pool = {.name = "pool", .generation = 1, .resource_slice_count = 1};
  slice.spec.node_name = "node-1";
  slice.spec.devices.push_back(Gpu());
  return slice;
}

using SliceRow = Row<ResourceSlice>;

Device& First(ResourceSlice& slice) { return slice.spec.devices[0]; }

void ExpectOnCreate(std::span<const SliceRow> rows, const FeatureGates& gates = AllGates()) {
  for (const SliceRow& row : rows) {
    ResourceSlice slice = Good();
    row.change(slice);
    const Outcome outcome = Validate({.gates = gates}, slice);
    EXPECT_EQ(Texts(outcome.errors), row.expected) << row.what;
  }
}

TEST(ResourceSlice, SaysWhereItBelongs) {
  const SliceRow rows[] = {
      {"good", [](ResourceSlice&) {}, {}},
      {"no driver, no pool",
       [](ResourceSlice& s) {
         s.spec.driver = "";
         s.spec.pool = {.generation = -1};
       },
       {"spec.driver: Required value", "spec.pool.name: Required value",
        "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
        "spec.pool.generation: Invalid value: -1: must be greater than or equal to zero"}},
      {"no node",
       [](ResourceSlice& s) { s.spec.node_name.reset(); },
       {"spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, "
        "`perDeviceNodeSelection` is "
        "required"}},
      {"two choices",
       [](ResourceSlice& s) { s.spec.all_nodes = true; },
       {"spec: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one of `nodeName`, "
        "`nodeSelector`, `allNodes`, "
        "`perDeviceNodeSelection` is required, but multiple fields are set"}},
      {"empty name, false flags",
       [](ResourceSlice& s) {
         s.spec.node_name = "";
         s.spec.all_nodes = false;
         s.spec.per_device_node_selection = false;
       },
       {"spec.nodeName: Invalid value: \"\": must be either unset or set to a non-empty string",
        "spec.allNodes: Invalid value: false: must be either unset or set to true",
        "spec.perDeviceNodeSelection: Invalid value: false: must be either unset or set to true",
        "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, "
        "`perDeviceNodeSelection` is "
        "required"}},
      {"a selector with two terms",
       [](ResourceSlice& s) {
         s.spec.node_name.reset();
         auto& terms = s.spec.node_selector.emplace().node_selector_terms;
         terms.emplace_back().match_expressions.push_back(
             {.key = "k", .op = "Exists", .values = {}});
         terms.emplace_back();
       },
       {"spec.nodeSelector.nodeSelectorTerms: Invalid value: "
        "[{\"MatchExpressions\":[{\"Key\":\"k\",\"Operator\":\"Exists\",\"Values\":null}],"
        "\"MatchFields\":null},"
        "{\"MatchExpressions\":null,\"MatchFields\":null}]: must have exactly one node selector "
        "term"}},
      {"counters beside devices",
       [](ResourceSlice& s) {
         s.spec.shared_counters.push_back({.name = "set", .counters = {{"c", {}}}});
       },
       {"spec: Invalid value: \"\": only one of `sharedCounters` or `devices` is allowed"}},
      {"prepared but never unprepared",
       [](ResourceSlice& s) { s.spec.skip_node_operations = {"NodePrepareResources", "x", "x"}; },
       {"spec.skipNodeOperations: Invalid value: [\"NodePrepareResources\",\"x\",\"x\"]: "
        "NodePrepareResources cannot be "
        "skipped unless NodeUnprepareResources is also skipped",
        "spec.skipNodeOperations[2]: Duplicate value: \"x\"",
        "spec.skipNodeOperations[1]: Unsupported value: \"x\": supported values: \"*\", "
        "\"NodePrepareResources\", "
        "\"NodeUnprepareResources\"",
        "spec.skipNodeOperations[2]: Unsupported value: \"x\": supported values: \"*\", "
        "\"NodePrepareResources\", "
        "\"NodeUnprepareResources\""}},
  };
  ExpectOnCreate(rows);
}

TEST(ResourceSlice, LimitsDevices) {
  const SliceRow rows[] = {
      {"128 plain ones",
       [](ResourceSlice& s) {
         for (int i = 1; i < 128; ++i) {
           s.spec.devices.push_back(Gpu("gpu-" + std::to_string(i)));
         }
       },
       {}},
      {"65, one of them tainted",
       [](ResourceSlice& s) {
         for (int i = 1; i < 65; ++i) {
           s.spec.devices.push_back(Gpu("gpu-" + std::to_string(i)));
         }
         First(s).taints.push_back({.key = "k", .effect = "NoSchedule"});
       },
       {"spec.devices: Too many: 65: must have at most 64 items"}},
      {"the same name twice",
       [](ResourceSlice& s) { s.spec.devices.push_back(Gpu()); },
       {"spec.devices[1]: Duplicate value: \"gpu-0\""}},
      {"33 attributes and capacities",
       [](ResourceSlice& s) {
         for (int i = 0; i < 31; ++i) {
           First(s).attributes["a" + std::to_string(i)].bool_value = true;
         }
       },
       {"spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must "
        "not exceed 32"}},
      {"49 values",
       [](ResourceSlice& s) {
         auto& ints = First(s).attributes["ints"].int_values;
         for (int i = 0; i < 48; ++i) {
           ints.push_back(i);
         }
       },
       {"spec.devices[0]: Invalid value: 49: the total number of attribute values must not exceed "
        "48"}},
  };
  ExpectOnCreate(rows);
}

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

TEST(ResourceSlice, JudgesRequestPolicies) {
  struct PolicyRow {
    std::string what;
    std::vector<const char*> values;
    const char *default_value, *min, *max, *step;
    std::vector<std::string> expected;  // below ...capacity[memory].requestPolicy
  };
  const PolicyRow rows[] = {
      {"good values", {"1Gi", "2Gi"}, "1Gi", nullptr, nullptr, nullptr, {}},
      {"no default",
       {"1Gi"},
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       {".default: Required value: required when validValues is defined"}},
      {"unsorted, repeated, too large",
       {"2Gi", "1Gi", "1Gi", "81Gi"},
       "3Gi",
       nullptr,
       nullptr,
       nullptr,
       {".validValues: Invalid value: \"3Gi\": default value is not valid according to the "
        "requestPolicy",
        ".validValues[1]: Invalid value: \"1Gi\": values must be sorted in ascending order",
        ".validValues[2]: Duplicate value: \"1073741824\"",
        ".validValues[3]: Invalid value: \"81Gi\": option is larger than capacity value: 80Gi"}},
      {"both kinds",
       {"1Gi"},
       "1Gi",
       "1Gi",
       nullptr,
       nullptr,
       {": Forbidden: exactly one policy can be specified, cannot specify \"validValues\" and "
        "\"validRange\" at the same "
        "time"}},
      {"good range", {}, "2Gi", "1Gi", "4Gi", "1Gi", {}},
      {"default outside",
       {},
       "5Gi",
       "1Gi",
       "4Gi",
       nullptr,
       {".validRange.default: Invalid value: \"5Gi\": default is more than max: 4Gi"}},
      {"off the steps",
       {},
       "2Gi",
       "1Gi",
       "4Gi",
       "2Gi",
       {".validRange.step: Invalid value: \"2Gi\": value is not a multiple of a given step (2Gi) "
        "from (1Gi)",
        ".validRange.step: Invalid value: \"4Gi\": value is not a multiple of a given step (2Gi) "
        "from (1Gi)"}},
      {"no step at all",
       {},
       "2Gi",
       "1Gi",
       nullptr,
       "0",
       {".validRange.step: Invalid value: \"0\": must be greater than zero"}},
      {"not even thousandths",
       {},
       "1",
       "1",
       nullptr,
       "0.5m",
       {".validRange.step: Invalid value: \"500u\": value cannot be represented as a milli value"}},
  };
  const auto set = [](std::optional<Quantity>& to, const char* text) {
    if (text != nullptr) {
      to = *Quantity::Parse(text);
    }
  };
  for (const PolicyRow& row : rows) {
    ResourceSlice slice = Good();
    First(slice).allow_multiple_allocations = true;
    api::CapacityRequestPolicy policy;
    set(policy.default_value, row.default_value);
    for (const char* value : row.values) {
      policy.valid_values.push_back(*Quantity::Parse(value));
    }
    if (row.min != nullptr) {
      api::CapacityRequestPolicyRange& range = policy.valid_range.emplace();
      set(range.min, row.min);
      set(range.max, row.max);
      set(range.step, row.step);
    }
    First(slice).capacity["memory"].request_policy = policy;
    std::vector<std::string> expected = row.expected;
    for (std::string& text : expected) {
      text.insert(0, "spec.devices[0].capacity[memory].requestPolicy");
    }
    EXPECT_EQ(Texts(Validate({.gates = AllGates()}, slice).errors), expected) << row.what;
  }
}

TEST(ResourceSlice, KeepsItsIdentityOnUpdate) {
  const ResourceSlice old = Good();
  const SliceRow rows[] = {
      {"nothing changed", [](ResourceSlice&) {}, {}},
      {"another driver and pool",
       [](ResourceSlice& s) {
         s.spec.driver = "other";
         s.spec.pool.name = "other";
       },
       {"spec.pool.name: Invalid value: \"other\": field is immutable",
        "spec.driver: Invalid value: \"other\": field is immutable"}},
      {"another node",
       [](ResourceSlice& s) {
         s.spec.node_name.reset();
         s.spec.all_nodes = true;
       },
       {"spec.nodeName: Invalid value: null: field is immutable"}},
      {"a stale version",
       [](ResourceSlice& s) { s.metadata.resource_version = "7"; },
       {": Operation cannot be fulfilled on resourceslices.resource.k8s.io \"slice\": the object "
        "has been modified; "
        "please apply your changes to the latest version and try again"}},
  };
  for (const SliceRow& row : rows) {
    ResourceSlice slice = Good();
    row.change(slice);
    EXPECT_EQ(Texts(Validate({.operation = Operation::kUpdate}, slice, &old).errors), row.expected)
        << row.what;
  }
}

TEST(ResourceSlice, ToleratesStoredFaultsThatStay) {
  ResourceSlice old = Good();
  First(old).taints.push_back({.key = "k", .effect = "Unknown"});
  First(old).capacity["memory"].request_policy.emplace();
  ResourceSlice slice = old;
  slice.spec.pool.generation = 2;
  EXPECT_EQ(Texts(Validate({.operation = Operation::kUpdate}, slice, &old).errors),
            std::vector<std::string>());
  EXPECT_EQ(slice.metadata.generation, 1);

  slice = old;
  First(slice).attributes["more"].bool_value = true;  // declarative rules see the whole list anew
  EXPECT_EQ(
      Texts(Validate({.operation = Operation::kUpdate}, slice, &old).errors),
      std::vector<std::string>{
          "spec.devices[0].taints[0].effect: Unsupported value: \"Unknown\": supported values: "
          "\"NoExecute\", \"NoSchedule\", \"None\""});
}

TEST(ResourceSlice, LosesWhatGatesForbid) {
  ResourceSlice slice = Good();
  First(slice).attributes["list"].int_values = {1};
  First(slice).taints.push_back({.key = "k", .effect = "NoSchedule"});
  First(slice).allow_multiple_allocations = true;
  First(slice).capacity["memory"].request_policy.emplace();
  slice.spec.skip_node_operations = {"*"};
  const ResourceSlice original = slice;
  const auto gates = FeatureGates::Parse(
      "DRADeviceTaints=false,DRADeviceTaintRules=false,DRAConsumableCapacity=false");
  const Outcome outcome = Validate({.version = "v1beta1", .gates = *gates}, slice);
  EXPECT_EQ(outcome.dropped,
            (std::vector<std::string>{"spec.devices[0].basic.allowMultipleAllocations",
                                      "spec.devices[0].basic.attributes[list].ints",
                                      "spec.devices[0].basic.capacity[memory].requestPolicy",
                                      "spec.devices[0].basic.taints", "spec.skipNodeOperations"}));
  EXPECT_TRUE(First(slice).taints.empty());

  ResourceSlice again = original;
  EXPECT_TRUE(Validate({.operation = Operation::kUpdate, .gates = *gates}, again, &original)
                  .dropped.empty())
      << "what is in use stays allowed";
}

TEST(ResourceSlice, WarnsOfUpperCaseDrivers) {
  ResourceSlice slice = Good();
  slice.spec.driver = "GPU.example.com";
  const Outcome outcome = Validate({}, slice);
  EXPECT_EQ(Texts(outcome.errors), std::vector<std::string>());
  EXPECT_EQ(outcome.warnings,
            std::vector<std::string>{"spec.driver: driver names should be lowercase; "
                                     "\"GPU.example.com\" contains uppercase characters"});
}

TEST(ResourceSlice, GetsAGeneratedName) {
  ResourceSlice slice = Good();
  slice.metadata.name = "";
  slice.metadata.generate_name = std::string(70, 'a');
  EXPECT_TRUE(Validate({}, slice).errors.empty());
  EXPECT_EQ(slice.metadata.name, std::string(58, 'a') + "xxxxx");
  EXPECT_EQ(slice.metadata.generation, 1);
}

}  // namespace
}  // namespace quadra::validation
