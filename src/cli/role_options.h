// What the command line says of controllers: which of them run, and how; for every verb that starts
// some.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/feature_gates.h"
#include "cli/verb.h"
#include "roles/controllers.h"
#include "roles/role.h"

namespace quadra::cli {

inline constexpr Flag kControllersFlag{
    .name = "controllers",
    .value = "NAME,…",
    .repeated = true,
    .joined = true,
    .help =
        "Which controllers run, by kube-controller-manager's names: * stands for all that no "
        "other word names (the default), NAME switches one on, -NAME off."};
inline constexpr Flag kNodeMonitorGraceFlag{
    .name = "node-monitor-grace-period",
    .value = "SECONDS",
    .help = "How long a node may give no sign of life before it is called Unknown; 50 by default."};
inline constexpr Flag kMetricsNamesFlag{
    .name = "metrics-names",
    .value = "RELEASE",
    .choices = "1.37 seed",
    .help =
        "Whose names metrics of claims have: those of Kubernetes 1.37 (the default) or of the "
        "enhancement proposal."};

// Which controllers run, and how.
struct ControllerChoice {
  std::vector<const roles::ControllerRow*> rows;
  roles::ControllerSettings settings;
  api::FeatureGates gates;
};
// Errors are of kind kUsage and name the flag.
Result<ControllerChoice> ReadControllers(const Invocation& invocation);
// Lines of the log go to `console.err`, which must outlive the role.
roles::RoleOptions ControllersRole(const ControllerChoice& choice, Console& console);

}  // namespace quadra::cli
