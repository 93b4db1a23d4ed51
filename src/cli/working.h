// Working: how verbs that run a role on a cluster do so until they are ended: the lease where there
// is an election, the address at which it tells of itself, the line `ready`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/verb.h"
#include "client/connection.h"
#include "roles/role.h"

namespace quadra::cli {

inline constexpr Flag kMetricsAddressFlag{
    .name = "metrics-address",
    .value = "HOST:PORT",
    .help =
        "Serve /metrics, /readyz, /livez and /healthz there, over HTTPS with a "
        "certificate of its own. By default nowhere."};

struct Work {
  roles::RoleOptions role;
  bool elects = false;  // works only while it holds the lease, which has the role's name
  // What else it answers at its address, by path; absent: nothing is there.
  std::function<std::optional<std::string>(std::string_view path)> answer =
      [](std::string_view /*path*/) { return std::nullopt; };
};

// Connects and works until it is ended, or another leads. What fails is printed.
ExitCode WorkOn(const client::ClusterAccess& access, Work work, const Invocation& invocation,
                Console& console);

}  // namespace quadra::cli
