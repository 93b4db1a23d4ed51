#include "lifecycle/replica_set.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "client/api.h"
#include "lifecycle/patch_text.h"
#include "lifecycle/pod_state.h"
#include "lifecycle/tree.h"

namespace quadra::lifecycle {

namespace {

constexpr std::string_view kReplicaFailure = "ReplicaFailure";

bool IsFailing(const api::Value& root) {
  return std::ranges::any_of(ItemsAt(root, {"status", "conditions"}), [](const api::Value& one) {
    return TextAt(one, {"type"}) == kReplicaFailure;
  });
}

ReplicaSetStatus ReplicaSetStatusIn(const api::Value& root) {
  const auto count = [&](std::string_view name) {
    return IntAt(root, {"status", name}).value_or(0);
  };
  return {.replicas = count("replicas"),
          .fully_labeled = count("fullyLabeledReplicas"),
          .ready = count("readyReplicas"),
          .available = count("availableReplicas"),
          .terminating = IntAt(root, {"status", "terminatingReplicas"}),
          .observed_generation = count("observedGeneration"),
          .failing = IsFailing(root)};
}

const api::Field& FieldOf(const api::Struct& schema, std::string_view json) {
  std::size_t hint = 0;
  const api::Field* const field = api::FindField(schema, json, hint);
  QUADRA_CHECK(field != nullptr, "the schema has the field");
  return *field;
}

bool HasLabels(const api::Map<std::string>& labels, const api::Value& root) {
  const api::Value* const wanted = At(root, {"spec", "template", "metadata", "labels"});
  const auto* const entries = wanted == nullptr ? nullptr : wanted->As<api::Value::Entries>();
  return entries == nullptr || std::ranges::all_of(*entries, [&](const auto& entry) {
           const std::string* const have = labels.Find(entry.first);
           return have != nullptr && *have == TextAt(entry.second, {});
         });
}

void WriteCounts(json::Writer& writer, const ReplicaSetStatus& status) {
  WriteNumber(writer, "replicas", status.replicas);
  WriteNumber(writer, "fullyLabeledReplicas", status.fully_labeled);
  WriteNumber(writer, "readyReplicas", status.ready);
  WriteNumber(writer, "availableReplicas", status.available);
  WriteNumber(writer, "observedGeneration", status.observed_generation);
  writer.Key("terminatingReplicas");
  status.terminating ? writer.Int(*status.terminating) : writer.Null();
}

// What appears or goes of the condition ReplicaFailure.
void WriteFailure(json::Writer& writer, bool failing, std::string_view reason,
                  std::string_view message, Time now) {
  writer.Key("conditions");
  writer.BeginArray();
  writer.BeginObject();
  WriteMember(writer, "type", kReplicaFailure);
  if (failing) {
    WriteMember(writer, "status", "True");
    WriteMember(writer, "lastTransitionTime", now);
    WriteMember(writer, "reason", reason);
    WriteMember(writer, "message", message);
  } else {
    WriteMember(writer, "$patch", "delete");
  }
  writer.EndObject();
  writer.EndArray();
}

api::ObjectMeta PodMetadata(const api::ObjectMeta& set, const api::ObjectMeta& in_template) {
  api::ObjectMeta metadata;
  metadata.generate_name = set.name + "-";
  metadata.labels = in_template.labels;
  metadata.annotations = in_template.annotations;
  metadata.finalizers = in_template.finalizers;
  metadata.owner_references.push_back({.api_version = "apps/v1",
                                       .kind = "ReplicaSet",
                                       .name = set.name,
                                       .uid = set.uid,
                                       .controller = true,
                                       .block_owner_deletion = true});
  return metadata;
}

}  // namespace

Result<ReplicaSet> ReplicaSet::Read(const Pointer& object) {
  const api::Value& root = object->root;
  ReplicaSet set;
  set.object = object;
  set.metadata = client::MetaOf(*object);
  set.replicas = IntAt(root, {"spec", "replicas"}).value_or(1);
  set.min_ready_seconds = IntAt(root, {"spec", "minReadySeconds"}).value_or(0);
  QUADRA_TRY(set.selector, PodSelector::Read(At(root, {"spec", "selector"})));
  set.status = ReplicaSetStatusIn(root);
  return set;
}

ReplicaSetStatus ReplicaSet::StatusWith(const Replicas& there, Time now) const {
  ReplicaSetStatus result{.replicas = static_cast<std::int64_t>(there.active.size()),
                          .terminating = there.terminating,
                          .observed_generation = metadata.generation,
                          .failing = !there.trouble.empty()};
  for (const PodPointer& pod : there.active) {
    result.fully_labeled += HasLabels(pod->metadata.labels, object->root) ? 1 : 0;
    result.ready += IsReady(*pod) ? 1 : 0;
    result.available += IsAvailable(*pod, min_ready_seconds, now) ? 1 : 0;
  }
  return result;
}

std::string ReplicaSet::StatusPatch(const ReplicaSetStatus& wanted, const Replicas& there,
                                    Time now) const {
  const bool too_few = static_cast<std::int64_t>(there.active.size()) < replicas;
  return PatchText({.uid = metadata.uid, .resource_version = metadata.resource_version}, "status",
                   [&](json::Writer& writer) {
                     WriteCounts(writer, wanted);
                     if (wanted.failing != status.failing) {
                       WriteFailure(writer, wanted.failing,
                                    too_few ? "FailedCreate" : "FailedDelete", there.trouble, now);
                     }
                   });
}

std::string ReplicaSet::PodText() const {
  static const api::KindSchema* const pod_kind = api::FindKind("v1", "Pod");
  api::Object pod{.kind = pod_kind, .root = {}};
  if (const api::Value* const spec = At(object->root, {"spec", "template", "spec"})) {
    pod.root.AddMember(FieldOf(*pod_kind->fields, "spec")) = *spec;
  }
  auto part = api::ToTyped<api::Pod>(pod);
  part.type = {.kind = "Pod", .api_version = "v1"};
  static const api::Struct* const metadata_schema =
      api::FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  const api::Value* const in_template = At(object->root, {"spec", "template", "metadata"});
  part.metadata =
      PodMetadata(metadata, in_template == nullptr
                                ? api::ObjectMeta()
                                : api::ToTyped<api::ObjectMeta>(*metadata_schema, *in_template));
  api::Amend(pod, part);
  return api::EncodeJson(pod);
}

std::optional<Time> ReplicaSet::NextAvailable(std::span<const PodPointer> active, Time now) const {
  std::optional<Time> next;
  for (const PodPointer& pod : active) {
    const std::optional<Time> from = AvailableFrom(*pod, min_ready_seconds, now);
    next = from && (!next || *from < *next) ? from : next;
  }
  return next;
}

}  // namespace quadra::lifecycle
