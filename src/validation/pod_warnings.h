// Warnings about pods and pod templates that follow from fields we store: a name that is no host
// name, and fractions of bytes.
#pragma once

#include <string>
#include <vector>

#include "api/kinds.h"
#include "validation/path.h"

namespace quadra::validation {

std::vector<std::string> PodWarnings(const api::Pod& pod);
// `path` is that of the template.
std::vector<std::string> PodTemplateWarnings(const Path& path,
                                             const api::PodTemplateSpec& pod_template);

}  // namespace quadra::validation
