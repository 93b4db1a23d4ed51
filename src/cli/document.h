// Documents of ours, printed in the format people ask for.
#pragma once

#include <string>
#include <string_view>

namespace quadra::cli {

// REQUIRES: JSON that we wrote ourselves.
std::string AsYaml(std::string_view json);

}  // namespace quadra::cli
