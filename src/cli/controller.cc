#include <array>

#include "cli/line.h"
#include "cli/live.h"
#include "cli/role_options.h"
#include "cli/verb.h"
#include "cli/working.h"

namespace quadra::cli {
namespace {

constexpr Flag kLeaderElect{
    .name = "leader-elect",
    .help =
        "Work only while this process holds the lease kube-system/quadra-controller, so that "
        "several may run."};

constexpr auto kControllerFlags = WithAccessFlags(std::array{
    kControllersFlag,
    kLeaderElect,
    kMetricsAddressFlag,
    kMetricsNamesFlag,
    kNodeMonitorGraceFlag,
    kFeatureGatesFlag,
});

ExitCode RunController(const Invocation& invocation, Console& console) {
  Result<ControllerChoice> choice = ReadControllers(invocation);
  if (!choice) {
    return RefuseUsage(choice.error(), invocation.program, FindVerb("controller"), console);
  }
  const Result<client::ClusterAccess> access =
      client::FindAccess(AccessOf(invocation), client::SystemEnvironment());
  if (!access) {
    PrintLine(console.err, "error: " + access.error().ToString());
    return ExitCode::kUsage;
  }
  choice->settings.root_ca.certificates = access->authorities;
  return WorkOn(
      *access,
      {.role = ControllersRole(*choice, console), .elects = invocation.Has(kLeaderElect.name)},
      invocation, console);
}

}  // namespace

const Verb kControllerVerb{
    .name = "controller",
    .synopsis = "[--kubeconfig FILE] [--controllers NAME,…] [--leader-elect] [flags]",
    .summary = "run the controllers of claims and of a cluster's housekeeping",
    .description =
        "Makes claims from templates, keeps their reservations and frees them; evicts pods from "
        "devices and nodes that are tainted; collects garbage, empties namespaces, keeps the "
        "status of nodes, budgets and ReplicaSets. Instead of kube-controller-manager: "
        "the controllers have its names, and --controllers its words. Or beside it: then each "
        "controller must run on one side alone, since two claim controllers each make claims; "
        "switch off there what runs here, with --controllers '*,-resourceclaim-controller,…', or "
        "here what runs there. Prints `ready` when its "
        "copies of the cluster are complete and, with --leader-elect, it leads. A server that does "
        "not answer is waited for. Ctrl-C ends it and gives the lease up.",
    .examples =
        "  quadra controller --kubeconfig ./state/kubeconfig\n"
        "  quadra controller --controllers "
        "resourceclaim-controller,device-taint-eviction-controller --leader-elect\n"
        "  quadra controller --controllers '*,-garbage-collector-controller' "
        "--metrics-address 127.0.0.1:10257\n",
    .flags = kControllerFlags,
    .argument_choices = "",
    .run = RunController,
};

}  // namespace quadra::cli
