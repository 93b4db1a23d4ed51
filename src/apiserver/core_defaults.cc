#include "apiserver/core_defaults.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apiserver/computed_defaults.h"
#include "base/check.h"

namespace quadra::apiserver {
namespace {

struct EmptyStruct {};
using Given = std::variant<std::string_view, std::int64_t, bool, EmptyStruct>;

// `field` of the struct gets `value` when it is absent and, where `when` names one, a sibling has
// this value. Rows of one struct apply in their order.
struct DefaultRow {
  std::string_view in;  // as OpenAPI calls it, less io.k8s.api
  std::string_view field;
  Given value;
  std::string_view when_field = {};
  std::string_view when_value = {};
};

constexpr std::int64_t kReadable = 0644;
constexpr std::string_view kRbac = "rbac.authorization.k8s.io";

constexpr auto kDefaultRows = std::to_array<DefaultRow>({
    {"core.v1.PodSpec", "dnsPolicy", "ClusterFirst"},
    {"core.v1.PodSpec", "restartPolicy", "Always"},
    {"core.v1.PodSpec", "securityContext", EmptyStruct()},
    {"core.v1.PodSpec", "terminationGracePeriodSeconds", 30},
    {"core.v1.PodSpec", "schedulerName", "default-scheduler"},
    {"core.v1.Container", "terminationMessagePath", "/dev/termination-log"},
    {"core.v1.Container", "terminationMessagePolicy", "File"},
    {"core.v1.EphemeralContainer", "terminationMessagePath", "/dev/termination-log"},
    {"core.v1.EphemeralContainer", "terminationMessagePolicy", "File"},
    {"core.v1.Probe", "timeoutSeconds", 1},
    {"core.v1.Probe", "periodSeconds", 10},
    {"core.v1.Probe", "successThreshold", 1},
    {"core.v1.Probe", "failureThreshold", 3},
    {"core.v1.HTTPGetAction", "path", "/"},
    {"core.v1.HTTPGetAction", "scheme", "HTTP"},
    {"core.v1.GRPCAction", "service", ""},
    {"core.v1.ObjectFieldSelector", "apiVersion", "v1"},
    {"core.v1.HostPathVolumeSource", "type", ""},
    {"core.v1.SecretVolumeSource", "defaultMode", kReadable},
    {"core.v1.ConfigMapVolumeSource", "defaultMode", kReadable},
    {"core.v1.DownwardAPIVolumeSource", "defaultMode", kReadable},
    {"core.v1.ProjectedVolumeSource", "defaultMode", kReadable},
    {"core.v1.ServiceAccountTokenProjection", "expirationSeconds", 3600},
    {"core.v1.Secret", "type", "Opaque"},
    {"core.v1.PersistentVolumeSpec", "persistentVolumeReclaimPolicy", "Retain"},
    {"core.v1.PersistentVolumeSpec", "volumeMode", "Filesystem"},
    {"core.v1.PersistentVolumeStatus", "phase", "Pending"},
    {"core.v1.PersistentVolumeClaimSpec", "volumeMode", "Filesystem"},
    {"core.v1.PersistentVolumeClaimStatus", "phase", "Pending"},
    {"core.v1.NamespaceStatus", "phase", "Active"},
    {"core.v1.EndpointPort", "protocol", "TCP"},
    {"core.v1.ServiceSpec", "sessionAffinity", "None"},
    {"core.v1.ServiceSpec", "type", "ClusterIP"},
    {"core.v1.ServiceSpec", "externalTrafficPolicy", "Cluster", "type", "NodePort"},
    {"core.v1.ServiceSpec", "externalTrafficPolicy", "Cluster", "type", "LoadBalancer"},
    {"core.v1.ServiceSpec", "internalTrafficPolicy", "Cluster", "type", "ClusterIP"},
    {"core.v1.ServiceSpec", "internalTrafficPolicy", "Cluster", "type", "NodePort"},
    {"core.v1.ServiceSpec", "internalTrafficPolicy", "Cluster", "type", "LoadBalancer"},
    {"core.v1.ServiceSpec", "allocateLoadBalancerNodePorts", true, "type", "LoadBalancer"},
    {"apps.v1.DeploymentSpec", "replicas", 1},
    {"apps.v1.DeploymentSpec", "revisionHistoryLimit", 10},
    {"apps.v1.DeploymentSpec", "progressDeadlineSeconds", 600},
    {"apps.v1.DeploymentStrategy", "type", "RollingUpdate"},
    {"apps.v1.DeploymentStrategy", "rollingUpdate", EmptyStruct(), "type", "RollingUpdate"},
    {"apps.v1.RollingUpdateDeployment", "maxUnavailable", "25%"},
    {"apps.v1.RollingUpdateDeployment", "maxSurge", "25%"},
    {"apps.v1.DaemonSetSpec", "revisionHistoryLimit", 10},
    {"apps.v1.DaemonSetUpdateStrategy", "type", "RollingUpdate"},
    {"apps.v1.DaemonSetUpdateStrategy", "rollingUpdate", EmptyStruct(), "type", "RollingUpdate"},
    {"apps.v1.RollingUpdateDaemonSet", "maxUnavailable", 1},
    {"apps.v1.RollingUpdateDaemonSet", "maxSurge", 0},
    {"apps.v1.ReplicaSetSpec", "replicas", 1},
    {"apps.v1.StatefulSetSpec", "replicas", 1},
    {"apps.v1.StatefulSetSpec", "podManagementPolicy", "OrderedReady"},
    {"apps.v1.StatefulSetSpec", "revisionHistoryLimit", 10},
    {"apps.v1.StatefulSetSpec", "persistentVolumeClaimRetentionPolicy", EmptyStruct()},
    {"apps.v1.StatefulSetUpdateStrategy", "rollingUpdate", EmptyStruct(), "type", ""},
    {"apps.v1.StatefulSetUpdateStrategy", "type", "RollingUpdate"},
    {"apps.v1.RollingUpdateStatefulSetStrategy", "partition", 0},
    {"apps.v1.RollingUpdateStatefulSetStrategy", "maxUnavailable", 1},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", "whenDeleted", "Retain"},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", "whenScaled", "Retain"},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern", "status", "True"},
    {"batch.v1.CronJobSpec", "concurrencyPolicy", "Allow"},
    {"batch.v1.CronJobSpec", "suspend", false},
    {"batch.v1.CronJobSpec", "successfulJobsHistoryLimit", 3},
    {"batch.v1.CronJobSpec", "failedJobsHistoryLimit", 1},
    {"rbac.v1.RoleRef", "apiGroup", kRbac},
    {"rbac.v1.Subject", "apiGroup", kRbac, "kind", "User"},
    {"rbac.v1.Subject", "apiGroup", kRbac, "kind", "Group"},
    {"scheduling.v1.PriorityClass", "preemptionPolicy", "PreemptLowerPriority"},
    {"storage.v1.StorageClass", "reclaimPolicy", "Delete"},
    {"storage.v1.StorageClass", "volumeBindingMode", "Immediate"},
    {"storage.v1.CSIDriverSpec", "attachRequired", true},
    {"storage.v1.CSIDriverSpec", "podInfoOnMount", false},
    {"storage.v1.CSIDriverSpec", "storageCapacity", false},
    {"storage.v1.CSIDriverSpec", "fsGroupPolicy", "ReadWriteOnceWithFSType"},
    {"storage.v1.CSIDriverSpec", "requiresRepublish", false},
    {"storage.v1.CSIDriverSpec", "seLinuxMount", false},
    {"storage.v1.CSIDriverSpec", "preventPodSchedulingIfMissing", false},
});

const api::Struct& StructNamed(std::string_view name) {
  const api::Struct* found = api::FindStruct("io.k8s.api." + std::string(name));
  QUADRA_CHECK(found != nullptr, "the rows name structs of the tables");
  return *found;
}

// What a row says, with its names looked up.
struct Default {
  const api::Field* field;
  const DefaultRow* row;
};

struct OfStruct {
  std::vector<Default> defaults;
  ComputeDefaults compute = nullptr;
};

// By struct. Made once.
const std::map<const api::Struct*, OfStruct>& Plans() {
  static const auto* const plans = [] {
    auto made = std::make_unique<std::map<const api::Struct*, OfStruct>>();
    for (const DefaultRow& row : kDefaultRows) {
      const api::Struct& schema = StructNamed(row.in);
      std::size_t hint = 0;
      const api::Field* field = api::FindField(schema, row.field, hint);
      QUADRA_CHECK(field != nullptr, "the rows name fields of the tables");
      (*made)[&schema].defaults.push_back({.field = field, .row = &row});
    }
    for (const ComputedDefaults& each : AllComputedDefaults()) {
      (*made)[&StructNamed(each.in)].compute = each.compute;
    }
    return made.release();
  }();
  return *plans;
}

// Absent, or zero where absent does not differ.
bool IsUnset(const api::Field& field, const api::Value* value) {
  if (value == nullptr || value->is_nil()) {
    return true;
  }
  const auto* text = value->As<std::string>();
  const auto* number = value->As<std::int64_t>();
  return !field.pointer &&
         ((text != nullptr && text->empty()) || (number != nullptr && *number == 0));
}

std::string_view TextOf(const api::Value& tree, std::string_view member) {
  const api::Value* value = tree.Member(member);
  const auto* text = value == nullptr ? nullptr : value->As<std::string>();
  return text == nullptr ? std::string_view() : *text;
}

void Give(const Given& given, api::Value& value) {
  if (const auto* text = std::get_if<std::string_view>(&given)) {
    value.Set(std::string(*text));
  } else if (const auto* number = std::get_if<std::int64_t>(&given)) {
    value.Set(*number);
  } else if (const auto* truth = std::get_if<bool>(&given)) {
    value.Set(*truth);
  } else {
    value.Make<api::Value::Members>();
  }
}

void FillIn(const OfStruct& plan, api::Value& tree) {
  for (const auto& [field, row] : plan.defaults) {
    const bool holds = row->when_field.empty() || TextOf(tree, row->when_field) == row->when_value;
    if (holds && IsUnset(*field, tree.Member(*field))) {
      Give(row->value, tree.AddMember(*field));
    }
  }
}

void Walk(const api::Type& type, api::Value& value);

void WalkStruct(const api::Struct& schema, api::Value& tree) {
  tree.Make<api::Value::Members>();
  if (const auto plan = Plans().find(&schema); plan != Plans().end()) {
    if (plan->second.compute != nullptr) {
      plan->second.compute(schema, tree);
    }
    FillIn(plan->second, tree);
  }
  for (const api::Field& field : schema.fields) {
    // Structs that are no pointers exist even when not given.
    const bool is_always_there =
        field.type->kind == api::TypeKind::kStruct && !field.pointer && !field.omit_zero;
    if (is_always_there) {
      Walk(*field.type, tree.AddMember(field));
    } else if (api::Value* member = tree.Member(field); member != nullptr && !member->is_nil()) {
      Walk(*field.type, *member);
    }
  }
}

void Walk(const api::Type& type, api::Value& value) {
  if (type.kind == api::TypeKind::kStruct) {
    WalkStruct(*type.fields, value);
  } else if (auto* items = value.As<api::Value::Items>()) {
    std::ranges::for_each(*items, [&](api::Value& item) { Walk(*type.element, item); });
  } else if (auto* entries = value.As<api::Value::Entries>()) {
    std::ranges::for_each(*entries, [&](auto& entry) { Walk(*type.element, entry.second); });
  }
}

}  // namespace

void ApplyCoreDefaults(api::Object& object) { WalkStruct(*object.kind->fields, object.root); }

}  // namespace quadra::apiserver
