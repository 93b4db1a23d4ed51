#include <algorithm>
#include <array>

#include "validation/pod.h"
#include "validation/pod_prepare.h"
#include "validation/pod_spec.h"
#include "validation/pod_strategy.h"

namespace quadra::validation {
namespace {

constexpr auto kKinds = std::to_array<WorkloadKind>({
    {.api_version = "apps/v1", .kind = "DaemonSet", .template_path = "spec.template"},
    {.api_version = "apps/v1", .kind = "Deployment", .template_path = "spec.template"},
    {.api_version = "apps/v1", .kind = "ReplicaSet", .template_path = "spec.template"},
    {.api_version = "apps/v1",
     .kind = "StatefulSet",
     .template_path = "spec.template",
     .tolerates_stored = true},
    {.api_version = "batch/v1",
     .kind = "CronJob",
     .template_path = "spec.jobTemplate.spec.template"},
    {.api_version = "batch/v1", .kind = "Job", .template_path = "spec.template"},
    {.api_version = "v1", .kind = "PodTemplate", .template_path = "template"},
    {.api_version = "v1", .kind = "ReplicationController", .template_path = "spec.template"},
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
  return RunDraOnly(request, object, old, kStrategy, SetDefaults);
}

}  // namespace quadra::validation
