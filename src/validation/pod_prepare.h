// What the API server does to a pod before it judges it, as far as the DRA fields are concerned.
#pragma once

#include "api/kinds.h"
#include "validation/strategy.h"
#include "validation/validate.h"

namespace quadra::validation {

// Defaults that depend on other fields: a request that is not given equals its limit (pods only,
// not templates), and amounts are rounded up to thousandths. Applying them twice changes nothing.
void DefaultPod(api::Pod& pod);
void DefaultPodTemplate(api::PodTemplateSpec& pod_template);

// Keeps what the request may not write (the status on create and update, the spec on a status
// write), then takes out what closed gates forbid. A feature that the stored pod uses stays open to
// it. `old` is null on create.
void PreparePod(const Request& request, api::Pod& pod, const api::Pod* old, Dropped& dropped);

// The same for the spec of a template; `old` may be null.
void DropGatedFields(const FeatureGates& gates, api::PodSpec& spec, const api::PodSpec* old);

}  // namespace quadra::validation
