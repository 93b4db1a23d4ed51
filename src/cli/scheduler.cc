#include <array>
#include <string>

#include "cli/line.h"
#include "cli/live.h"
#include "cli/scheduler_options.h"
#include "cli/scheduler_question.h"
#include "cli/verb.h"
#include "cli/working.h"

namespace quadra::cli {
namespace {

constexpr Flag kLeaderElect{
    .name = "leader-elect",
    .help =
        "Work only while this process holds the lease kube-system/quadra-scheduler, so that "
        "several may run. A configuration can say so too."};

constexpr auto kSchedulerFlags = WithAccessFlags(std::array{
    Flag{.name = "scheduler-name",
         .value = "NAME",
         .help = "Whose pods it places, by their spec.schedulerName; default-scheduler by default, "
                 "or what the configuration says."},
    kSchedulerConfigFlag,
    kLeaderElect,
    kMetricsAddressFlag,
    kFeatureGatesFlag,
    Flag{.name = "strict",
         .help = "Do all as kube-scheduler does, also where Quadra deviates on purpose; see "
                 "docs/deviations.md."},
    kPreemptDevicesFlag,
});

ExitCode RunScheduler(const Invocation& invocation, Console& console) {
  const Result<SchedulerChoice> choice = ReadScheduler(invocation, console);
  if (!choice) {
    return RefuseUsage(choice.error(), invocation.program, FindVerb("scheduler"), console);
  }
  const Result<client::ClusterAccess> access =
      client::FindAccess(AccessOf(invocation), client::SystemEnvironment());
  if (!access) {
    PrintLine(console.err, "error: " + access.error().ToString());
    return ExitCode::kUsage;
  }
  return WorkOn(*access,
                {.role = SchedulerRole(*choice, console),
                 .elects = invocation.Has(kLeaderElect.name) || choice->options.config.leader_elect,
                 .answer = [log = choice->options.attempts](
                               std::string_view path) { return AttemptAt(*log, path); }},
                invocation, console);
}

}  // namespace

const Verb kSchedulerVerb{
    .name = "scheduler",
    .synopsis = "[--kubeconfig FILE] [--scheduler-name NAME] [--config FILE] [flags]",
    .summary = "give every pod that waits a node, and the devices that it claims",
    .description =
        "Places pods as kube-scheduler does, with its plugins, its order and its words, and goes "
        "on "
        "with reasons of its own where nothing fits. Instead of kube-scheduler; or beside it, for "
        "pods that name another scheduler (--scheduler-name). Beside a kube-scheduler, two "
        "schedulers must not give away the same devices: keep them apart by class or by pool, "
        "since kube-scheduler does not look whether a device was given away meanwhile. Several "
        "Quadra schedulers look, and the later yields. Prints `ready` when its copies of the "
        "cluster are complete and, with --leader-elect, it leads. A server that does not answer is "
        "waited for. Ctrl-C ends it and gives the lease up.",
    .examples =
        "  quadra scheduler --kubeconfig ./state/kubeconfig\n"
        "  quadra scheduler --scheduler-name quadra --metrics-address 127.0.0.1:10259\n"
        "  quadra scheduler --config scheduler.yaml --leader-elect\n",
    .flags = kSchedulerFlags,
    .argument_choices = "",
    .run = RunScheduler,
};

}  // namespace quadra::cli
