#include "validation/pod.h"

#include <algorithm>
#include <string>
#include <vector>

#include "validation/pod_prepare.h"
#include "validation/pod_spec.h"
#include "validation/pod_status.h"
#include "validation/pod_strategy.h"

namespace quadra::validation {
namespace {

using api::Container;
using api::List;
using api::Pod;
using api::PodSpec;

constexpr std::string_view kImmutable =
    "pod updates may not change fields other than "
    "`spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

// REQUIRES: both lists have the same length.
bool SameResources(const List<Container>& containers, const List<Container>& old) {
  return std::ranges::equal(containers, old, {}, &Container::resources, &Container::resources);
}

// Whether an update leaves the DRA fields as they are, as it must.
bool SameDraFields(const PodSpec& spec, const PodSpec& old) {
  return SameResources(spec.containers, old.containers) &&
         SameResources(spec.init_containers, old.init_containers) &&
         spec.ephemeral_containers == old.ephemeral_containers &&
         spec.resource_claims == old.resource_claims && spec.resources == old.resources &&
         spec.scheduling_group == old.scheduling_group;
}

// Upstream adds a line break and a diff of the whole spec as Go prints it.
void ValidateImmutableFields(ErrorList& errors, const PodSpec& spec, const PodSpec& old) {
  const bool same_containers = spec.containers.size() == old.containers.size() &&
                               spec.init_containers.size() == old.init_containers.size();
  // Other containers are refused at spec.containers, before fields are compared.
  if (same_containers && !SameDraFields(spec, old)) {
    errors.Forbidden(Path("spec"), kImmutable);
  }
}

void CheckPod(const Request& request, const Pod& pod, const Pod* old, ErrorList& errors) {
  if (request.operation == Operation::kStatus) {
    ValidatePodStatus(errors, pod);
    return;
  }
  ValidatePodSpec(errors, Path("spec"), pod.spec,
                  {.metadata = &pod.metadata,
                   .old_spec = old != nullptr ? &old->spec : nullptr,
                   .pod_level_resources = request.gates.Enabled(Gate::kPodLevelResources)});
  if (old != nullptr) {
    ValidateImmutableFields(errors, pod.spec, old->spec);
  }
}

void DeclarePod(const Site& site, const Pod& pod, const Pod* old) {
  DeclarePodStatus(site, pod.status, old != nullptr ? &old->status : nullptr);
}

constexpr Strategy<Pod> kStrategy{.resource = "pods",
                                  .namespaced = true,
                                  .prepare = PreparePod,
                                  .check = CheckPod,
                                  .declare = DeclarePod};

}  // namespace

Outcome Validate(const Request& request, Pod& object, const Pod* old) {
  return RunDraOnly(request, object, old, kStrategy, DefaultPod);
}

}  // namespace quadra::validation
