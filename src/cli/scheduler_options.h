// What the command line says of a scheduler, for every verb that runs one: the file of its
// configuration, and how strictly it does as upstream.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/feature_gates.h"
#include "cli/verb.h"
#include "roles/role.h"
#include "scheduler/scheduler.h"

namespace quadra::cli {

inline constexpr Flag kSchedulerConfigFlag{
    .name = "config",
    .value = "FILE",
    .help =
        "A KubeSchedulerConfiguration: profiles, plugins and their arguments. What of it is "
        "not honoured is listed at the start."};
inline constexpr Flag kPreemptDevicesFlag{
    .name = "preempt-devices",
    .value = "BOOL",
    .choices = "true false",
    .help =
        "Whether pods of less priority may have to go for the devices that they hold; true by "
        "default. kube-scheduler never does that."};

struct SchedulerChoice {
  scheduler::SchedulerOptions options;
  api::FeatureGates gates;
};

// Errors are of kind kUsage and name the flag. What of a configuration is not honoured is told on
// `console.err`.
Result<SchedulerChoice> ReadScheduler(const Invocation& invocation, Console& console);
// Lines of the log go to `console.err`, which must outlive the role.
roles::RoleOptions SchedulerRole(const SchedulerChoice& choice, Console& console);

}  // namespace quadra::cli
