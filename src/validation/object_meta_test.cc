#include "validation/object_meta.h"

#include <chrono>
#include <functional>

#include <gtest/gtest.h>

namespace quadra::validation {
namespace {

using api::ObjectMeta;

struct Row {
  std::string what;
  std::function<void(ObjectMeta&)> change;
  std::vector<std::string> expected;  // "field: message"
};

std::vector<std::string> Texts(const ErrorList& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors.errors()) {
    texts.push_back(error.field + ": " + error.message);
  }
  return texts;
}

ObjectMeta Good() {
  ObjectMeta meta;
  meta.name = "good";
  meta.resource_version = "1";
  meta.uid = "u";
  return meta;
}

TEST(ObjectMeta, IsJudgedOnCreate) {
  const Row rows[] = {
      {"good", [](ObjectMeta&) {}, {}},
      {"no name",
       [](ObjectMeta& m) { m.name = ""; },
       {"metadata.name: Required value: name or generateName is required"}},
      {"namespace on a cluster-wide kind",
       [](ObjectMeta& m) { m.ns = "x"; },
       {"metadata.namespace: Forbidden: not allowed on this type"}},
      {"negative generation",
       [](ObjectMeta& m) { m.generation = -1; },
       {"metadata.generation: Invalid value: -1: must be greater than or equal to 0"}},
      {"annotations too large",
       [](ObjectMeta& m) { m.annotations["a"] = std::string(std::size_t{256} * 1024, 'x'); },
       {"metadata.annotations: Too long: may not be more than 262144 bytes"}},
      {"an owner without anything",
       [](ObjectMeta& m) { m.owner_references.emplace_back(); },
       {"metadata.ownerReferences[0].apiVersion: Required value: must not be empty",
        "metadata.ownerReferences[0].kind: Required value: must not be empty",
        "metadata.ownerReferences[0].name: Required value: must not be empty",
        "metadata.ownerReferences[0].uid: Required value: must not be empty"}},
      {"owned by an event",
       [](ObjectMeta& m) {
         m.owner_references.push_back(
             {.api_version = "v1", .kind = "Event", .name = "e", .uid = "u"});
       },
       {"metadata.ownerReferences[0]: Invalid value: "
        "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":\"e\",\"uid\":\"u\"}: "
        "/v1, Kind=Event is disallowed from being an owner"}},
      {"two controllers",
       [](ObjectMeta& m) {
         for (const char* name : {"a", "b"}) {
           m.owner_references.push_back(
               {.api_version = "v1", .kind = "K", .name = name, .uid = "u", .controller = true});
         }
       },
       {"metadata.ownerReferences: Invalid value: "
        "[{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"a\",\"uid\":\"u\",\"controller\":true},"
        "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"b\",\"uid\":\"u\",\"controller\":true}]: "
        "Only one reference can "
        "have Controller set to true. Found \"true\" in references for K/a and K/b"}},
      {"finalizers that exclude each other",
       [](ObjectMeta& m) { m.finalizers = {"orphan", "foregroundDeletion"}; },
       {"metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan "
        "and "
        "foregroundDeletion cannot be both set"}},
      {"a finalizer without domain",
       [](ObjectMeta& m) { m.finalizers = {"mine"}; },
       {"metadata.finalizers[0]: Invalid value: \"mine\": name is neither a standard finalizer "
        "name nor is it fully "
        "qualified"}},
      {"managed fields",
       [](ObjectMeta& m) {
         m.managed_fields.push_back({.manager = "a\x07", .operation = "Patch", .fields_type = "F"});
       },
       {"metadata.managedFields[0].operation: Unsupported value: \"Patch\": supported values: "
        "\"Apply\", \"Update\"",
        "metadata.managedFields[0].fieldsType: Invalid value: \"F\": must be `FieldsV1`",
        "metadata.managedFields[0].manager: Invalid value: \"a\\a\": invalid character U+0007 (at "
        "position 1)"}},
  };
  for (const Row& row : rows) {
    ObjectMeta meta = Good();
    row.change(meta);
    ErrorList errors;
    CheckKindMeta(errors, Path("metadata"), meta, {});
    EXPECT_EQ(Texts(errors), row.expected) << row.what;
  }
}

TEST(ObjectMeta, IsJudgedOnUpdate) {
  const Time day = std::chrono::sys_days(std::chrono::year(2026) / 8 / 1);
  const Row rows[] = {
      {"nothing changed", [](ObjectMeta&) {}, {}},
      {"no resource version",
       [](ObjectMeta& m) { m.resource_version = ""; },
       {"metadata.resourceVersion: Invalid value: \"\": must be specified for an update"}},
      {"another name",
       [](ObjectMeta& m) { m.name = "other"; },
       {"metadata.name: Invalid value: \"other\": field is immutable"}},
      {"another uid",
       [](ObjectMeta& m) { m.uid = "<v>"; },
       {"metadata.uid: Invalid value: \"\\u003cv\\u003e\": field is immutable"}},
      {"deletion times",
       [day](ObjectMeta& m) {
         m.deletion_timestamp = day;
         m.deletion_grace_period_seconds = 3;
       },
       {"metadata.deletionTimestamp: Invalid value: \"2026-08-01T00:00:00Z\": field is immutable",
        "metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable"}},
  };
  for (const Row& row : rows) {
    ObjectMeta meta = Good();
    row.change(meta);
    ErrorList errors;
    CheckKindMetaUpdate(errors, Path("metadata"), meta, Good());
    EXPECT_EQ(Texts(errors), row.expected) << row.what;
  }
}

TEST(ObjectMeta, GetsNoNewFinalizersWhileBeingDeleted) {
  ObjectMeta old = Good();
  old.deletion_timestamp = Time();
  old.finalizers = {"a/b"};
  ObjectMeta meta = old;
  meta.finalizers = {"a/d", "a/b", "a/c"};
  ErrorList errors;
  CheckKindMetaUpdate(errors, Path("metadata"), meta, old);
  EXPECT_EQ(
      Texts(errors),
      std::vector<std::string>{
          "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
          "deleted, found new finalizers []string{\"a/c\", \"a/d\"}"});
}

TEST(Conditions, AreJudged) {
  ErrorList errors;
  api::List<api::Condition> conditions;
  conditions.push_back(
      {.type = "Ready", .status = "True", .last_transition_time = Time(), .reason = "Ok"});
  conditions.push_back(
      {.type = "Ready", .status = "maybe", .observed_generation = -1, .reason = "no way"});
  CheckConditions(errors, Path("conditions"), conditions);
  // The texts are long. NOLINTBEGIN(bugprone-suspicious-missing-comma)
  EXPECT_EQ(Texts(errors),
            (std::vector<std::string>{"conditions[1]: Duplicate value: \"Ready\"",
                                      "conditions[1].status: Unsupported value: \"maybe\": "
                                      "supported values: \"False\", \"True\", \"Unknown\"",
                                      "conditions[1].observedGeneration: Invalid value: -1: must "
                                      "be greater than or equal to zero",
                                      "conditions[1].lastTransitionTime: Required value",
                                      "conditions[1].reason: Invalid value: \"no way\": a "
                                      "condition reason must start with alphabetic character, "
                                      "optionally followed by a string of alphanumeric characters "
                                      "or '_,:', and must end with an alphanumeric "
                                      "character or '_' (e.g. 'my_name',  or 'MY_NAME',  or "
                                      "'MyName',  or 'ReasonA,ReasonB',  or "
                                      "'ReasonA:ReasonB', regex used for validation is "
                                      "'[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"}));
  // NOLINTEND(bugprone-suspicious-missing-comma)
}

TEST(NodeSelector, IsJudged) {
  ErrorList errors;
  api::NodeSelector selector;
  api::NodeSelectorTerm& term = selector.node_selector_terms.emplace_back();
  term.match_expressions.push_back({.key = "k", .op = "In", .values = {}});
  term.match_expressions.push_back({.key = "k", .op = "Exists", .values = {"v"}});
  term.match_expressions.push_back({.key = "k", .op = "Near", .values = {}});
  term.match_fields.push_back({.key = "spec.x", .op = "In", .values = {"v"}});
  CheckNodeSelector(errors, Path("s"), selector);
  EXPECT_EQ(Texts(errors),
            (std::vector<std::string>{"s.nodeSelectorTerms[0].matchExpressions[0].values: Required "
                                      "value: must be specified when `operator` is "
                                      "'In' or 'NotIn'",
                                      "s.nodeSelectorTerms[0].matchExpressions[1].values: "
                                      "Forbidden: may not be specified when `operator` is "
                                      "'Exists' or 'DoesNotExist'",
                                      "s.nodeSelectorTerms[0].matchExpressions[2].operator: "
                                      "Invalid value: \"Near\": not a valid selector operator",
                                      "s.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "
                                      "\"spec.x\": not a valid field selector key"}));
}

}  // namespace
}  // namespace quadra::validation
