// What a hollow kubelet says of pods in their status. Private to src/hollow; pure.
#pragma once

#include <string>
#include <string_view>

#include "api/kinds.h"
#include "base/clock.h"

namespace quadra::hollow {

// Members of status as JSON, for a strategic merge patch.
std::string RunningText(const api::Pod& pod, Time now);
std::string DoneText(const api::Pod& pod, bool failed, Time now);
// It never ran: the kubelet's word for why.
std::string RefusedText(std::string_view reason, std::string_view message);

// The patch of this very pod.
std::string PatchText(const api::Pod& pod, std::string_view status);

}  // namespace quadra::hollow
