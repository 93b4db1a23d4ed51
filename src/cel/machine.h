// Machine: one evaluation of one plan.
//
// A switch over plan nodes, recursive to the depth of the plan, which the planner bounds. Errors
// are values; a fatal one stops everything. The meter is exact: where a plan evaluates every node
// at most once the charge of each step is known from the node; otherwise the machine keeps
// upstream's own stack of observed values (`kStack`), whose gaps decide what is charged.
#pragma once

#include <cstdint>
#include <vector>

#include "cel/plan.h"

namespace quadra::cel {

// A value that upstream's meter has seen and not yet dropped.
struct Observed {
  std::uint32_t id = 0;
  std::uint32_t earlier = 0;  // one more than the position of the id's value before; 0: none
  Value value;
};

// What evaluations of one thread use again and again.
struct MachineMemory {
  Arena arena;
  std::vector<Observed> stack;
  std::vector<std::uint32_t> latest;  // by id: one more than its last position in the stack
  std::vector<const quantity::Quantity*> decimals;
};

Evaluation Execute(const Plan& plan, const Inputs& inputs, MachineMemory& memory,
                   const Limits& limits);

}  // namespace quadra::cel
