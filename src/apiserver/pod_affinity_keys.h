// Pod (anti-)affinity by label keys: what the server makes of matchLabelKeys and mismatchLabelKeys when
// a pod is created, so that schedulers need look at selectors alone.
#pragma once

#include "api/object.h"

namespace quadra::apiserver {

// Adds to the selector of each term, where it has one, the pod's own values of those keys: In and
// NotIn. A key that the pod has no label for adds nothing. REQUIRES: a Pod.
void MergeLabelKeys(api::Object& pod);

}  // namespace quadra::apiserver
