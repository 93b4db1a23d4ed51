#include "validation/pod.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "validation/pod_prepare.h"
#include "validation/pod_spec.h"
#include "validation/pod_status.h"
#include "validation/pod_strategy.h"
#include "validation/pod_warnings.h"

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
void NoteChangedResources(const Path& path, const List<Container>& containers,
                          const List<Container>& old, std::vector<std::string>& changed) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (!(containers[i].resources == old[i].resources)) {
      const Path container = path.Index(i);
      changed.push_back(container.Child("resources").ToString());
    }
  }
}

// The DRA fields that an update changes although it may not.
std::vector<std::string> ChangedFields(const PodSpec& spec, const PodSpec& old) {
  const Path path("spec");
  std::vector<std::string> changed;
  const auto note = [&](bool same, std::string_view name) {
    if (!same) {
      changed.push_back(path.Child(name).ToString());
    }
  };
  NoteChangedResources(path.Child("containers"), spec.containers, old.containers, changed);
  NoteChangedResources(path.Child("initContainers"), spec.init_containers, old.init_containers,
                       changed);
  note(spec.ephemeral_containers == old.ephemeral_containers, "ephemeralContainers");
  note(spec.resource_claims == old.resource_claims, "resourceClaims");
  note(spec.resources == old.resources, "resources");
  note(spec.scheduling_group == old.scheduling_group, "schedulingGroup");
  return changed;
}

// Upstream follows its sentence by a line break and a diff of the whole spec; we by the paths that
// changed.
void ValidateImmutableFields(ErrorList& errors, const PodSpec& spec, const PodSpec& old) {
  if (spec.containers.size() != old.containers.size() ||
      spec.init_containers.size() != old.init_containers.size()) {
    return;  // refused as a whole, at spec.containers, before fields are compared
  }
  if (const auto changed = ChangedFields(spec, old); !changed.empty()) {
    errors.Forbidden(Path("spec"), fmt::format("{}\n{}", kImmutable, fmt::join(changed, "\n")));
  }
}

void CheckPod(const Request& request, const Pod& pod, const Pod* old, ErrorList& errors) {
  CheckKindMeta(errors, Path("metadata"), pod.metadata, {.namespaced = true});
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

constexpr Strategy<Pod> kCreate{.namespaced = true,
                                .prepare = PreparePod,
                                .check = CheckPod,
                                .declare = DeclarePod,
                                .warn = PodWarnings};
constexpr Strategy<Pod> kUpdate{
    .namespaced = true, .prepare = PreparePod, .check = CheckPod, .declare = DeclarePod};

}  // namespace

Outcome Validate(const Request& request, Pod& object, const Pod* old) {
  return RunDraOnly(request, object, old, old == nullptr ? kCreate : kUpdate, DefaultPod);
}

}  // namespace quadra::validation
