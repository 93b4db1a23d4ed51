// The order of versions in a group: which of two a client should prefer.
#pragma once

#include <string_view>

namespace quadra::apiserver {

// Stable before beta before alpha, then the greater number (v2, v1, v1beta2, v1beta1, v1alpha3);
// what is no Kubernetes version comes last, in the order of its letters. A strict weak order.
bool PrecedesVersion(std::string_view a, std::string_view b);

}  // namespace quadra::apiserver
