#include "cli/end_signal.h"
#include "cli/line.h"
#include "cli/role_options.h"
#include "cli/server_options.h"
#include "cli/serving.h"
#include "cli/verb.h"
#include "net/client.h"

namespace quadra::cli {
namespace {

constexpr auto kUpFlags = [] {
  std::array<Flag, kServerFlags.size() + 3> flags{};
  std::ranges::copy(kServerFlags, flags.begin());
  flags[kServerFlags.size()] = kControllersFlag;
  flags[kServerFlags.size() + 1] = kMetricsNamesFlag;
  flags[kServerFlags.size() + 2] = kNodeMonitorGraceFlag;
  return flags;
}();

// Whom the server takes the controllers of its own process for.
net::Peer ControllersPeer() {
  return {.address = "inside",
          .identity = net::Identity{"system:kube-controller-manager", {"system:masters"}},
          .distrust = ""};
}

// Everybody else is told of the server when controllers have seen all of it.
void Announce(apiserver::ApiServer& server, Console& console) {
  if (const Status announced = server.Announce(); !announced) {
    PrintLine(console.err, "error: " + announced.error().ToString());
    return EndSoon();
  }
  PrintWelcome(server, console.out);
}

ExitCode RunBoth(apiserver::ApiServerOptions server_options,
                 roles::ControllerRoleOptions role_options, Console& console) {
  server_options.announce = false;
  const std::unique_ptr<apiserver::ApiServer> server =
      StartServer(std::move(server_options), console);
  if (server == nullptr) {
    return ExitCode::kNo;
  }
  const std::unique_ptr<net::Client> inside =
      net::Client::Inside(server->handler(), ControllersPeer());
  roles::ControllerRole role(*inside, std::move(role_options));
  role.Start({.ready = [&] { Announce(*server, console); }});
  WaitForEnd();
  role.Stop();
  StopServer(*server, console);
  return ExitCode::kYes;
}

ExitCode RunUp(const Invocation& invocation, Console& console) {
  Result<apiserver::ApiServerOptions> server = ReadServerOptions(invocation, console);
  Result<roles::ControllerRoleOptions> role = ReadRoleOptions(invocation, console);
  if (!server || !role) {
    return RefuseUsage(server ? role.error() : server.error(), invocation.program, FindVerb("up"),
                       console);
  }
  HoldBackEnds();
  return RunBoth(*std::move(server), *std::move(role), console);
}

}  // namespace

const Verb kUpVerb{
    .name = "up",
    .synopsis = "[--data-dir DIR] [--listen HOST:PORT] [--controllers NAME,…] [flags]",
    .summary = "start everything that there is of the control plane in one process",
    .description =
        "The API server (quadra apiserver) and the controllers (quadra controller), which talk to "
        "it inside the process. The kubeconfig appears when the controllers have seen all that is "
        "stored. Ctrl-C ends both.",
    .examples =
        "  quadra up --data-dir ./state\n"
        "  quadra up --controllers '*,-node-lifecycle-controller'\n",
    .flags = kUpFlags,
    .argument_choices = "",
    .run = RunUp,
};

}  // namespace quadra::cli
