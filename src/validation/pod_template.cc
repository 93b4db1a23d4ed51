#include <algorithm>
#include <array>

#include "validation/pod.h"
#include "validation/pod_prepare.h"
#include "validation/pod_spec.h"
#include "validation/pod_strategy.h"

namespace quadra::validation {
namespace {

constexpr auto kKinds = std::to_array<WorkloadKind>({
    {"apps/v1", "DaemonSet", "daemonsets.apps", "spec.template"},
    {"apps/v1", "Deployment", "deployments.apps", "spec.template"},
    {"apps/v1", "ReplicaSet", "replicasets.apps", "spec.template"},
    {"apps/v1", "StatefulSet", "statefulsets.apps", "spec.template", /*tolerates_stored=*/true},
    {"batch/v1", "CronJob", "cronjobs.batch", "spec.jobTemplate.spec.template"},
    {"batch/v1", "Job", "jobs.batch", "spec.template"},
    {"v1", "PodTemplate", "podtemplates", "template"},
    {"v1", "ReplicationController", "replicationcontrollers", "spec.template"},
});

void PrepareWorkload(const Request& request, Workload& object, const Workload* old,
                     Dropped& /*dropped*/) {
  if (request.operation == Operation::kStatus) {
    object.pod_template = old->pod_template;
    return;
  }
  DropGatedFields(request.gates, object.pod_template.spec,
                  old != nullptr ? &old->pod_template.spec : nullptr);
}

void CheckTemplate(const Request& request, const Workload& object, const Workload* old,
                   ErrorList& errors) {
  const Path path(object.kind->template_path);
  ValidatePodSpec(errors, path.Child("spec"), object.pod_template.spec,
                  {.old_spec = old != nullptr ? &old->pod_template.spec : nullptr,
                   .pod_level_resources = request.gates.Enabled(Gate::kPodLevelResources)});
}

bool IsRefused(const Request& request, const Workload& stored) {
  ErrorList errors;
  CheckTemplate(request, stored, &stored, errors);
  return !errors.empty();
}

void CheckWorkload(const Request& request, const Workload& object, const Workload* old,
                   ErrorList& errors) {
  const bool status_write = request.operation == Operation::kStatus;
  const bool tolerated =
      old != nullptr && object.kind->tolerates_stored && IsRefused(request, *old);
  if (!status_write && !tolerated) {
    CheckTemplate(request, object, old, errors);
  }
}

void SetDefaults(Workload& object) { DefaultPodTemplate(object.pod_template); }

// All but the resource, of which each kind has its own.
constexpr Strategy<Workload> kStrategy{
    .namespaced = true, .prepare = PrepareWorkload, .check = CheckWorkload};

}  // namespace

const WorkloadKind* FindWorkloadKind(std::string_view api_version, std::string_view kind) {
  const auto found = std::ranges::find_if(kKinds, [&](const WorkloadKind& each) {
    return each.api_version == api_version && each.kind == kind;
  });
  return found != kKinds.end() ? &*found : nullptr;
}

Outcome Validate(const Request& request, Workload& object, const Workload* old) {
  Strategy<Workload> strategy = kStrategy;
  strategy.resource = object.kind->resource;
  return RunDraOnly(request, object, old, strategy, SetDefaults);
}

}  // namespace quadra::validation
