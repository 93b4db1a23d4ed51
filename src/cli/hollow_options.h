// What the command line says of hollow nodes, simulated kubelets: how many, with which devices; for
// every verb that starts some.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/verb.h"
#include "hollow/hollow.h"
#include "roles/role.h"

namespace quadra::cli {

inline constexpr Flag kNodesFlag{
    .name = "nodes",
    .value = "N",
    .help = "How many hollow nodes there are: simulated kubelets, which say that pods run."};
inline constexpr Flag kDevicesPerNodeFlag{.name = "devices-per-node",
                                          .value = "N",
                                          .help = "How many GPUs each of them has; 8 by default."};
inline constexpr Flag kSeedFlag{
    .name = "seed", .value = "N", .help = "Draws which nodes have which GPUs; 1 by default."};

// Nodes with GPUs, as the flags say; `nodes` of them where --nodes was not given.
Result<std::vector<hollow::HollowNode>> ReadFleet(const Invocation& invocation, std::size_t nodes);

// Lines of the log go to `console.err`, which must outlive the role.
roles::RoleOptions HollowRole(std::vector<hollow::HollowNode> nodes, Console& console);

}  // namespace quadra::cli
