#include <atomic>
#include <ostream>

#include <fmt/format.h>

#include "base/random.h"
#include "cli/end_signal.h"
#include "cli/line.h"
#include "cli/listen_address.h"
#include "cli/live.h"
#include "cli/role_options.h"
#include "cli/verb.h"
#include "roles/status_server.h"

namespace quadra::cli {
namespace {

constexpr auto kControllerFlags = WithAccessFlags(std::array{
    kControllersFlag,
    Flag{.name = "leader-elect",
         .help = "Work only while this process holds the lease kube-system/quadra-controller, so "
                 "that several may run."},
    Flag{.name = "metrics-address",
         .value = "HOST:PORT",
         .help = "Serve /metrics, /readyz, /livez and /healthz there, over HTTPS with a "
                 "certificate of its own. By default nowhere."},
    kMetricsNamesFlag,
    kNodeMonitorGraceFlag,
    kFeatureGatesFlag,
});

Result<std::unique_ptr<roles::StatusServer>> ServeStatus(const Invocation& invocation,
                                                         roles::ControllerRole& role) {
  if (!invocation.Has("metrics-address")) {
    return std::unique_ptr<roles::StatusServer>();
  }
  QUADRA_TRY(const ListenAddress address,
             ReadListenAddress("metrics-address", invocation.Value("metrics-address")));
  return roles::StatusServer::Start(
      {.address = address.host.value_or("127.0.0.1"), .port = address.port.value_or(0)},
      {.ready = [&role] { return role.ready(); },
       .metrics = [&role] { return role.metrics().Print(); }});
}

ExitCode Refuse(const Error& error, ExitCode code, Console& console) {
  PrintLine(console.err, "error: " + error.ToString());
  return code;
}

ExitCode Work(const Invocation& invocation, const client::Connection& connection,
              roles::ControllerRoleOptions options, Console& console) {
  options.headers = connection.headers;
  options.renew = connection.renew;
  if (invocation.Has("leader-elect")) {
    SystemRandom random;
    options.leader = client::LeaderElectionOptions{.name = "quadra-controller",
                                                   .identity = client::HostAndUuid(random)};
  }
  std::atomic<bool> lost = false;
  roles::ControllerRole role(*connection.client, std::move(options));
  const auto status = ServeStatus(invocation, role);
  if (!status) {
    return Refuse(status.error(), ExitCode::kUsage, console);
  }
  if (*status != nullptr) {
    PrintLine(console.err, fmt::format("controller: status at port {}", (*status)->port()));
  }
  role.Start({.ready = [&console] { console.out << "ready\n"
                                                << std::flush; },
              .lost =
                  [&lost] {
                    lost = true;
                    EndSoon();
                  }});
  WaitForEnd();
  role.Stop();
  if (lost) {
    console.err << "error: the lease was lost: another process leads\n";
  }
  return lost ? ExitCode::kNo : ExitCode::kYes;
}

ExitCode RunController(const Invocation& invocation, Console& console) {
  Result<roles::ControllerRoleOptions> options = ReadRoleOptions(invocation, console);
  if (!options) {
    return RefuseUsage(options.error(), invocation.program, FindVerb("controller"), console);
  }
  const Result<client::ClusterAccess> access =
      client::FindAccess(AccessOf(invocation), client::SystemEnvironment());
  if (!access) {
    return Refuse(access.error(), ExitCode::kUsage, console);
  }
  options->settings.root_ca.certificates = access->authorities;
  HoldBackEnds();
  const Result<client::Connection> connection = client::Connect(*access);
  if (!connection) {
    return Refuse(connection.error(), ExitCode::kUnreached, console);
  }
  return Work(invocation, *connection, *std::move(options), console);
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
