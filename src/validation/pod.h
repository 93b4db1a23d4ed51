// Validate for pods, and for the pod templates of workloads: DRA fields only.
//
// Judged, with upstream's errors in upstream's order:
// - spec.resourceClaims; limits, requests and claims of containers, initContainers and
//   ephemeralContainers; spec.resources.claims. On update also that these, and the other resources
//   of the pod, did not change.
// - On a status write: resourceClaimStatuses, extendedResourceClaimStatus,
//   nodeAllocatableResourceClaimStatuses, and allocatedResourcesStatus of all containers.
// - That the stored object is the one the request means (resourceVersion).
// All else is taken to be fine: metadata, images, volumes, amounts of the pod as a whole, and in
// workloads what surrounds the template, also whether it may change (that of a Job may not). There
// are no warnings.
//
// Threads, purity and the meaning of Outcome are as in validate.h. Unlike other kinds, pods need
// not have the defaults that depend on other fields (requests from limits, amounts rounded up to
// thousandths): Validate fills them in.
//
//   Outcome outcome = Validate({.operation = Operation::kCreate}, pod);
//
//   // Errors at spec.template.spec...
//   if (const WorkloadKind* kind = FindWorkloadKind("apps/v1", "Deployment")) {
//     Workload workload{kind, metadata, TemplateAt(kind->template_path)};
//     outcome = Validate({.operation = Operation::kCreate}, workload);
//   }
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "validation/validate.h"

namespace quadra::validation {

Outcome Validate(const Request& request, api::Pod& object, const api::Pod* old = nullptr);

// A kind that makes pods from a template.
struct WorkloadKind {
  std::string_view api_version;
  std::string_view kind;
  std::string_view resource;       // with its group, e.g. deployments.apps
  std::string_view template_path;  // names joined by dots
  // An update is not judged when the stored template is refused itself.
  bool tolerates_stored = false;
};

// Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob, ReplicationController, PodTemplate;
// null for others.
const WorkloadKind* FindWorkloadKind(std::string_view api_version, std::string_view kind);

struct Workload {
  const WorkloadKind* kind;  // not null
  api::ObjectMeta metadata;
  api::PodTemplateSpec pod_template;
};

// `old` is of the same kind. A status write never judges the template.
Outcome Validate(const Request& request, Workload& object, const Workload* old = nullptr);

}  // namespace quadra::validation
