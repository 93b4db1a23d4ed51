#include <array>
#include <string>

#include <fmt/format.h>

#include "cli/hollow_options.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/verb.h"
#include "cli/working.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kUsualNodes = 1;

constexpr auto kSimulateFlags =
    WithAccessFlags(std::array{kNodesFlag, kDevicesPerNodeFlag, kSeedFlag, kMetricsAddressFlag});

ExitCode RunSimulate(const Invocation& invocation, Console& console) {
  const Verb* const verb = FindVerb("simulate");
  if (invocation.arguments != std::vector<std::string>{"node"}) {
    return RefuseUsage(Usage("what is to be simulated is missing", "write quadra simulate node"),
                       invocation.program, verb, console);
  }
  Result<std::vector<hollow::HollowNode>> nodes = ReadFleet(invocation, kUsualNodes);
  if (!nodes) {
    return RefuseUsage(nodes.error(), invocation.program, verb, console);
  }
  const Result<client::ClusterAccess> access =
      client::FindAccess(AccessOf(invocation), client::SystemEnvironment());
  if (!access) {
    PrintLine(console.err, "error: " + access.error().ToString());
    return ExitCode::kUsage;
  }
  return WorkOn(*access, {.role = HollowRole(*std::move(nodes), console)}, invocation, console);
}

}  // namespace

const Verb kSimulateVerb{
    .name = "simulate",
    .synopsis = "node [--nodes N] [--devices-per-node N] [--kubeconfig FILE] [flags]",
    .summary = "be hollow nodes of a cluster: simulated kubelets that run nothing",
    .description =
        "Registers nodes node-1, node-2, …, keeps their leases, publishes their devices, and says "
        "of the pods bound to them that they run: when their claims are allocated and reserved for "
        "them and their requests fit. A pod with the annotation hollow.quadra/runs-for-seconds "
        "ends "
        "after so long. For trying things out, on any cluster without nodes of these names. Prints "
        "`ready` when its copies of the cluster are complete. Ctrl-C ends it.",
    .examples = "  quadra simulate node --nodes 3 --kubeconfig ./state/kubeconfig\n",
    .flags = kSimulateFlags,
    .argument_choices = "node",
    .most_arguments = 1,
    .run = RunSimulate,
};

}  // namespace quadra::cli
