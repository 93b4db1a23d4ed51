// What the kernel says of this process, under the names that every exporter gives it: CPU time,
// memory, open files, when it started.
#pragma once

#include "metrics/registry.h"

namespace quadra::metrics {

// process_cpu_seconds_total, process_resident_memory_bytes, process_virtual_memory_bytes,
// process_open_fds, process_max_fds, process_start_time_seconds. What cannot be read is left out.
// Cost: nothing until they are printed, then a few reads of /proc.
void AddProcess(Registry& registry);

}  // namespace quadra::metrics
