// PodResize: what a write to pods/NAME/resize changes of a pod (the cpu and memory of its containers,
// and of the pod as a whole), and whether it may.
//
// Pure functions, thread-safe. REQUIRES of all: Pods.
#pragma once

#include <vector>

#include "api/object.h"
#include "api/vocabulary.h"
#include "validation/validate.h"

namespace quadra::apiserver {

// The standing pod with the resources of `from`, and all else of it as it stands. Where `from` has other
// containers they are taken as they are, for JudgeResize to refuse.
api::Object WithResourcesOf(const api::Object& from, api::Object standing);

// What is wrong with the change, beyond what is wrong with the pod by itself: in upstream's words and
// order.
std::vector<validation::FieldError> JudgeResize(const api::Object& wanted,
                                                const api::Object& standing,
                                                const api::FeatureGates& gates);

}  // namespace quadra::apiserver
