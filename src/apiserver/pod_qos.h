// PodQos: which class of service a pod's requests and limits of cpu and memory give it.
//
// Guaranteed: every container limits both and requests as much; BestEffort: none asks for any;
// Burstable: all others. Pure, thread-safe.
#pragma once

#include <string_view>

#include "api/object.h"

namespace quadra::apiserver {

// REQUIRES: a Pod, defaulted.
std::string_view QosClassOf(const api::Object& pod);

}  // namespace quadra::apiserver
