#include "validation/slice_test_objects.h"

namespace quadra::validation {
namespace {

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
