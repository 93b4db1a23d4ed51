// HeldDevices: which devices claims hold, as the guard of allocations asks it: nobody is given a
// device that another claim holds for itself alone.
//
// An allocated device is held alone, unless the claim has a share of it (shareID), or looks after it
// (adminAccess), which keeps nobody from it.
//
// Pure functions, thread-safe. Cost: reading the claim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

namespace quadra::apiserver {

// The index terms of a stored claim, one for each device that it holds alone. Of other objects none.
std::vector<std::string> TermsOfHeld(std::string_view key, std::string_view json);

// The terms that nobody else may have once `wanted` stands in place of `standing`: those of the devices
// that it holds, alone or in shares, and did not before. Of other kinds none.
std::vector<std::string> TermsOfNewlyHeld(const api::Object& wanted, const api::Object& standing);

// What a term stands for, for people: device gpu.example.com/pool-1/gpu-0.
std::string_view DeviceOfTerm(std::string_view term);

}  // namespace quadra::apiserver
