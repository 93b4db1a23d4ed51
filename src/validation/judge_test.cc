#include "validation/judge.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "api/random_objects_for_tests.h"
#include "json/value.h"

namespace quadra::validation {
namespace {

constexpr Time kNow = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
constexpr std::uint64_t kSeeds = 25;

// All that a client may write.
constexpr std::string_view kMetadata =
    R"({"name":"n","namespace":"default","labels":{"a":"b"},"annotations":{"example.com/c":"<d>"},)"
    R"("ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"o","uid":"u"}],)"
    R"("finalizers":["example.com/f"]})";
constexpr std::string_view kClusterMetadata = R"({"name":"n","labels":{"a":"b"}})";

api::Object Decode(const std::string& json) {
  api::Decoded<api::Object> object = api::DecodeJson(json);
  EXPECT_TRUE(object) << object.error().message << " in " << json;
  return object ? *std::move(object) : api::Object();
}

// Without the fields that are judged, so that whatever is drawn is accepted.
api::Object Draw(const api::KindSchema& kind, std::uint64_t seed) {
  SeededRandom random(seed);
  api::RandomObjects objects(
      random,
      {.leave_out = {"claims", "resourceClaims", "requests", "resources", "resourceClaimStatuses",
                     "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses",
                     "allocatedResourcesStatus", "schedulingGroup"}});
  api::Object object = Decode(objects.Json(kind, kind.namespaced ? kMetadata : kClusterMetadata));
  api::ApplyDefaults(object, kNow);
  return object;
}

void SetText(api::Object& object, std::string_view part, std::string_view name, std::string text) {
  const auto field = [](const api::Struct& schema, std::string_view json) -> const api::Field& {
    return *std::ranges::find(schema.fields, json, &api::Field::json);
  };
  const api::Field& outer = field(*object.kind->fields, part);
  const api::Field& inner = field(*outer.type->fields, name);
  object.root.AddMember(outer).AddMember(inner).Set(std::move(text));
}

void SetGeneration(api::Object& object, std::int64_t generation) {
  const auto metadata =
      std::ranges::find(object.kind->fields->fields, "metadata", &api::Field::json);
  const auto field =
      std::ranges::find(metadata->type->fields->fields, "generation", &api::Field::json);
  object.root.AddMember(*metadata).AddMember(*field).Set(generation);
}

void Replace(api::Object& object, std::string_view part, const api::Object& by) {
  object.root.EraseMember(part);
  if (const api::Value* value = by.root.Member(part)) {
    object.root.AddMember(
        *std::ranges::find(object.kind->fields->fields, part, &api::Field::json)) = *value;
  }
}

std::vector<const api::KindSchema*> PodKinds() {
  std::vector<const api::KindSchema*> kinds;
  for (const api::KindSchema& kind : api::AllKinds()) {
    if (CoverageOf(kind) == Coverage::kDraOnly) {
      kinds.push_back(&kind);
    }
  }
  return kinds;
}

void ExpectStored(const Judgement& judged, const api::Object& wanted, std::uint64_t seed) {
  for (const FieldError& error : judged.outcome.errors) {
    ADD_FAILURE() << wanted.kind->kind << " " << seed << ": " << error.field << " "
                  << error.message;
  }
  EXPECT_EQ(api::EncodeJson(judged.stored), api::EncodeJson(wanted))
      << wanted.kind->kind << " " << seed;
}

TEST(Judge, KeepsEveryFieldOfWhatIsCreated) {
  for (const api::KindSchema* kind : PodKinds()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const api::Object sent = Draw(*kind, seed);
      api::Object wanted = sent;
      SetGeneration(wanted, 1);
      wanted.root.EraseMember("status");
      if (kind->kind == "Pod") {
        SetText(wanted, "status", "phase", "Pending");
      }
      ExpectStored(Judge({.now = kNow}, sent), wanted, seed);
    }
  }
}

TEST(Judge, KeepsTheStoredStatusInAnUpdate) {
  for (const api::KindSchema* kind : PodKinds()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      api::Object stored = Draw(*kind, seed);
      SetText(stored, "metadata", "resourceVersion", "7");
      SetText(stored, "metadata", "uid", "u");
      SetGeneration(stored, 3);
      api::Object sent = stored;
      Replace(sent, "status", Draw(*kind, seed + 1));
      ExpectStored(Judge({.operation = Operation::kUpdate, .now = kNow}, sent, stored), stored,
                   seed);
    }
  }
}

TEST(Judge, KeepsTheStoredSpecInAStatusWrite) {
  const api::KindSchema& kind = *api::FindKind("v1", "Pod");
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    api::Object stored = Draw(kind, seed);
    SetText(stored, "metadata", "resourceVersion", "7");
    api::Object wanted = stored;
    Replace(wanted, "status", Draw(kind, seed + 1));
    SetText(wanted, "status", "qosClass", "Burstable");
    api::Object sent = wanted;
    Replace(sent, "spec", Draw(kind, seed + 2));
    stored.root.EraseMember("status");
    ExpectStored(Judge({.operation = Operation::kStatus, .now = kNow}, sent, stored), wanted, seed);
  }
}

TEST(Judge, KeepsNodesAsTheyAre) {
  const api::KindSchema& kind = *api::FindKind("v1", "Node");
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const api::Object node = Draw(kind, seed);
    ExpectStored(Judge({.now = kNow}, node), node, seed);
  }
}

struct Row {
  const char* what;
  Operation operation;
  const char* sent;
  const char* old;     // empty for a creation
  const char* stored;  // empty when it is refused
};

const Row kRows[] = {
    {"the oldest version is stored as v1, with its defaults", Operation::kCreate,
     R"({"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}]}}})",
     "",
     R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","namespace":"default"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}},"status":{}})"},
    {"so is v1beta2, with the time of a taint", Operation::kCreate,
     R"({"apiVersion":"resource.k8s.io/v1beta2","kind":"DeviceTaintRule","metadata":{"generateName":"a-"},"spec":{"taint":{"key":"k","effect":"None"}}})",
     "",
     R"({"kind":"DeviceTaintRule","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a-xxxxx","generateName":"a-","generation":1},"spec":{"taint":{"key":"k","effect":"None","timeAdded":"2026-01-01T00:00:00Z"}},"status":{}})"},
    {"a kind without v1 stays in its version", Operation::kCreate,
     R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourcePoolStatusRequest","metadata":{"name":"a"},"spec":{"driver":"d.example.com"}})",
     "",
     R"({"kind":"ResourcePoolStatusRequest","apiVersion":"resource.k8s.io/v1alpha3","metadata":{"name":"a"},"spec":{"driver":"d.example.com","limit":100}})"},
    {"what only the server sets is gone from a new object", Operation::kCreate,
     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u","selfLink":"/a","deletionGracePeriodSeconds":5},"data":{"b":"c"}})",
     "",
     R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default"},"data":{"b":"c"}})"},
    {"requests follow limits, other fields of the container stay", Operation::kCreate,
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","tty":true,"resources":{"limits":{"cpu":"1100.5m"}}}]}})",
     "",
     R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"default","generation":1},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1101m"},"requests":{"cpu":"1101m"}},"tty":true}]},"status":{"phase":"Pending"}})"},
    {"a change that no rule sees counts as a generation", Operation::kUpdate,
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"paused":true,"template":{"spec":{"containers":[]}}}})",
     R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"4","generation":2},"spec":{"template":{"spec":{"containers":[]}}},"status":{"replicas":3}})",
     R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"4","generation":3},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":[]}},"strategy":{},"paused":true},"status":{"replicas":3}})"},
    {"a stale write is refused", Operation::kUpdate,
     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"3"}})",
     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default","resourceVersion":"4"}})",
     ""},
};

std::vector<std::string> Texts(const Outcome& outcome) {
  std::vector<std::string> texts = outcome.warnings;
  texts.insert(texts.end(), outcome.dropped.begin(), outcome.dropped.end());
  for (const FieldError& error : outcome.errors) {
    texts.push_back(error.field + ": " + error.message);
  }
  return texts;
}

TEST(Judge, StoresWhatTheServerWould) {
  for (const Row& row : kRows) {
    std::optional<api::Object> old;
    if (row.operation != Operation::kCreate) {
      old = Decode(row.old);
    }
    const Judgement judged =
        Judge({.operation = row.operation, .now = kNow}, Decode(row.sent), old);
    EXPECT_EQ(Texts(Assess({.operation = row.operation, .now = kNow}, Decode(row.sent), old)),
              Texts(judged.outcome))
        << row.what;
    EXPECT_EQ(judged.outcome.errors.empty() ? api::EncodeJson(judged.stored) : "", row.stored)
        << row.what;
  }
}

}  // namespace
}  // namespace quadra::validation
