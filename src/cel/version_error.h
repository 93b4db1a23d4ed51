// The words upstream has for a version that cannot be parsed.
#pragma once

#include <string>

#include "base/result.h"

namespace quadra::cel {

// `error` is that of semver::Version; the offending part is quoted.
std::string VersionErrorText(const Error& error);

}  // namespace quadra::cel
