#include "apiserver/strategy.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "apiserver/pod_affinity_keys.h"
#include "apiserver/pod_qos.h"
#include "apiserver/preparation.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
constexpr std::string_view kNamespaceFinalizer = "kubernetes";

void KeepNameLabel(api::Object& object) {
  api::ObjectMeta meta = MetaOf(object);
  meta.labels[std::string(kNameLabel)] = meta.name;
  SetMeta(object, meta);
}

void PrepareNamespace(api::Object& object) {
  KeepNameLabel(object);
  Reach(object, {"status", "phase"}).Set(std::string("Active"));
  auto& finalizers = Reach(object, {"spec", "finalizers"}).Make<api::Value::Items>();
  const bool has = std::ranges::any_of(finalizers, [](const api::Value& each) {
    const auto* text = each.As<std::string>();
    return text != nullptr && *text == kNamespaceFinalizer;
  });
  if (!has) {
    finalizers.emplace_back(std::string(kNamespaceFinalizer));
  }
}

// They go through the subresource finalize.
void KeepFinalizers(api::Object& object, const api::Object& standing) {
  const api::Value* kept = Look(standing, {"spec", "finalizers"});
  Reach(object, {"spec", "finalizers"}) = kept == nullptr ? api::Value() : *kept;
}

void PreparePod(api::Object& object) {
  Reach(object, {"status", "phase"}).Set(std::string("Pending"));
  Reach(object, {"status", "qosClass"}).Set(std::string(QosClassOf(object)));
  if (Look(object, {"spec", "affinity"}) != nullptr) {
    MergeLabelKeys(object);
  }
  if (!ItemsAt(object.root, {"spec", "schedulingGates"}).empty()) {
    const Time created = MetaOf(object).creation_timestamp.value_or(Time());
    AddItem(object, {"status", "conditions"}, [&](const Member& member) {
      member("type").Set(std::string("PodScheduled"));
      member("status").Set(std::string("False"));
      member("lastTransitionTime").Set(created);
      member("reason").Set(std::string("SchedulingGated"));
      member("message").Set(std::string("Scheduling is blocked due to non-empty scheduling gates"));
    });
  }
}

struct StrategyRow {
  std::string_view group;
  std::string_view kind;
  void (*create)(api::Object&);
  void (*update)(api::Object&, const api::Object&) = nullptr;
};
constexpr std::array kStrategyRows = {
    StrategyRow{"", "Namespace", PrepareNamespace, KeepFinalizers},
    StrategyRow{"", "PersistentVolume", BeginVolume},
    StrategyRow{"", "PersistentVolumeClaim", BeginPhase},
    StrategyRow{"", "Pod", PreparePod},
    StrategyRow{"", "PodTemplate", BeginGeneration, CountGeneration},
    StrategyRow{"", "ReplicationController", BeginGeneration, CountGeneration},
    StrategyRow{"", "Service", ListAddresses},
    StrategyRow{"apps", "Deployment", BeginGeneration, CountAnnotations},
    StrategyRow{"apps", "DaemonSet", BeginTemplateGeneration, CountTemplateGeneration},
    StrategyRow{"batch", "Job", SelectByUid},
    StrategyRow{"policy", "PodDisruptionBudget", BeginGeneration, CountGeneration},
    StrategyRow{"scheduling.k8s.io", "PriorityClass", BeginGeneration},
};

// Most kinds may be written unseen, and are created by POST alone.
struct Exception {
  std::string_view group;
  std::string_view plural;
};
constexpr auto kSeenOnly = std::to_array<Exception>({
    {"apiextensions.k8s.io", "customresourcedefinitions"},
    {"coordination.k8s.io", "leasecandidates"},
    {"coordination.k8s.io", "leases"},
    {"policy", "poddisruptionbudgets"},
    {"resource.k8s.io", "resourcepoolstatusrequests"},
    {"scheduling.k8s.io", "compositepodgroups"},
    {"scheduling.k8s.io", "podgroups"},
    {"scheduling.k8s.io", "workloads"},
    {"storage.k8s.io", "csidrivers"},
    {"storage.k8s.io", "csinodes"},
    {"storage.k8s.io", "csistoragecapacities"},
    {"storage.k8s.io", "volumeattachments"},
});
constexpr auto kCreatedByUpdate = std::to_array<Exception>({
    {"", "endpoints"},
    {"", "events"},
    {"", "limitranges"},
    {"", "services"},
    {"coordination.k8s.io", "leases"},
    {"events.k8s.io", "events"},
    {"rbac.authorization.k8s.io", "clusterrolebindings"},
    {"rbac.authorization.k8s.io", "clusterroles"},
    {"rbac.authorization.k8s.io", "rolebindings"},
    {"rbac.authorization.k8s.io", "roles"},
});

bool IsAmong(std::span<const Exception> exceptions, const api::KindSchema& kind) {
  return std::ranges::any_of(exceptions, [&](const Exception& each) {
    return each.group == kind.group && each.plural == kind.plural;
  });
}

const StrategyRow* StrategyRowOf(const api::KindSchema& kind) {
  const auto found = std::ranges::find_if(kStrategyRows, [&](const StrategyRow& row) {
    return row.kind == kind.kind && row.group == kind.group;
  });
  return found == kStrategyRows.end() ? nullptr : &*found;
}

}  // namespace

void PrepareForCreate(api::Object& object) {
  if (const StrategyRow* row = StrategyRowOf(*object.kind)) {
    row->create(object);
  }
}

void PrepareForUpdate(api::Object& object, const api::Object& standing) {
  if (const StrategyRow* row = StrategyRowOf(*object.kind);
      row != nullptr && row->update != nullptr) {
    row->update(object, standing);
  }
}

void PrepareStatus(api::Object& object, const api::Object& standing) {
  const api::KindSchema& kind = *object.kind;
  if (kind.group == "storage.k8s.io" && kind.kind == "VolumeAttachment") {
    KeepMetadata(object, standing);
  } else if (kind.group == "apps" && kind.kind == "Deployment") {
    KeepLabels(object, standing);
  }
}

void Canonicalize(api::Object& object) {
  if (object.kind->group.empty() && object.kind->kind == "Namespace") {
    KeepNameLabel(object);
  }
}

bool AllowsUnconditionalUpdate(const api::KindSchema& kind) { return !IsAmong(kSeenOnly, kind); }

bool AllowsCreateOnUpdate(const api::KindSchema& kind) { return IsAmong(kCreatedByUpdate, kind); }

}  // namespace quadra::apiserver
