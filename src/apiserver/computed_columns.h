// The columns that are more than one field, by kinds that belong together. Each list is a constant.
#pragma once

#include <span>
#include <string_view>

#include "apiserver/cell.h"

namespace quadra::apiserver {

std::span<const ComputedColumn> AccessColumns();  // bindings of roles
std::span<const ComputedColumn> CoreColumns();    // of any kind, and small kinds of core
std::span<const ComputedColumn> EventColumns();
std::span<const ComputedColumn> NodeColumns();
std::span<const ComputedColumn> PodColumns();
std::span<const ComputedColumn> ResourceColumns();  // of resource.k8s.io
std::span<const ComputedColumn> ServiceColumns();   // services and their endpoints
std::span<const ComputedColumn> VolumeColumns();    // volumes, and storage.k8s.io
std::span<const ComputedColumn> WorkloadColumns();  // apps, batch, policy

// Of this word (api::Column::path), or null.
const ComputedColumn* FindComputedColumn(std::string_view word);

}  // namespace quadra::apiserver
