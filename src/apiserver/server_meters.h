// What is not counted but looked up when somebody asks for the server's metrics: how many objects
// there are, how large the store is, which features are on, which build this is.
#pragma once

#include <filesystem>

#include "apiserver/ask.h"
#include "metrics/registry.h"

namespace quadra::apiserver {

// All that it is given must outlive the registry's last printing. Cost of printing: a nanosecond an
// object.
void AddServerMeters(const Backend& backend, const std::filesystem::path& database,
                     metrics::Registry& registry);

}  // namespace quadra::apiserver
