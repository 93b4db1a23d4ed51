// NodeResources: what the devices of placed pods imply of their nodes' own cpu, memory and huge
// pages (allocator/node_allocatable.h), with gate DRANodeAllocatableResources.
#pragma once

#include "inventory/inventory.h"
#include "offline/dump.h"
#include "offline/report.h"

namespace quadra::offline {

// Sets Outcome::node_allocatable of all that have their devices, by name of claim, as the scheduler
// would write it into the pod's status. Does nothing where the gate is off.
void AddNodeResources(Report& report, const Dump& dump, const inventory::Snapshot& cluster);

}  // namespace quadra::offline
