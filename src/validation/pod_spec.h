// The DRA parts of a pod's spec: the claims it lists and what its containers ask for.
#pragma once

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// Where the spec stands and what was stored before.
struct PodSpecContext {
  // Of the pod, to tell mirror pods; null inside pod templates.
  const api::ObjectMeta* metadata = nullptr;
  // Of the stored object; null on create.
  const api::PodSpec* old_spec = nullptr;
  // The gate PodLevelResources.
  bool pod_level_resources = true;
};

// Judges resourceClaims, then the resources of containers, initContainers and ephemeralContainers,
// then those of the whole pod, as upstream orders them. `path` is that of the spec.
void ValidatePodSpec(ErrorList& errors, const Path& path, const api::PodSpec& spec,
                     const PodSpecContext& context);

}  // namespace quadra::validation
