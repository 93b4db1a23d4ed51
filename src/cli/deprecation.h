// Deprecation: the warning a server of Kubernetes 1.37 sends along when a deprecated version of a
// kind is used.
#pragma once

#include <string>

#include "api/object.h"

namespace quadra::cli {

// Empty when the version is not deprecated in 1.37.
std::string DeprecationWarning(const api::KindSchema& kind);

}  // namespace quadra::cli
