#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "cli/end_signal.h"
#include "cli/line.h"
#include "cli/role_options.h"
#include "cli/scheduler_options.h"
#include "cli/scheduler_question.h"
#include "cli/server_options.h"
#include "cli/serving.h"
#include "cli/verb.h"
#include "net/client.h"

namespace quadra::cli {
namespace {

constexpr auto kUpFlags = [] {
  constexpr std::array kOfRoles = {kControllersFlag, kMetricsNamesFlag, kNodeMonitorGraceFlag,
                                   kSchedulerConfigFlag, kPreemptDevicesFlag};
  std::array<Flag, kServerFlags.size() + kOfRoles.size()> flags{};
  std::ranges::copy(kOfRoles, std::ranges::copy(kServerFlags, flags.begin()).out);
  return flags;
}();

// Whom the server takes a role of its own process for.
net::Peer PeerNamed(std::string user) {
  return {.address = "inside",
          .identity = net::Identity{std::move(user), {"system:masters"}},
          .distrust = ""};
}

// A role on the server of its own process.
class Inner {
 public:
  Inner(apiserver::ApiServer& server, std::string user, roles::RoleOptions options)
      : client_(net::Client::Inside(server.handler(), PeerNamed(std::move(user)))),
        role_(*client_, std::move(options)) {}

  roles::Role& role() { return role_; }

 private:
  const std::unique_ptr<net::Client> client_;
  roles::Role role_;
};

// Everybody else is told of the server when all roles have seen all of it.
class Announcement {
 public:
  Announcement(apiserver::ApiServer& server, int roles, Console& console)
      : server_(server), missing_(roles), console_(console) {}

  void Ready() {
    if (--missing_ > 0) {
      return;
    }
    if (const Status announced = server_.Announce(); !announced) {
      PrintLine(console_.err, "error: " + announced.error().ToString());
      return EndSoon();
    }
    PrintWelcome(server_, console_.out);
  }

 private:
  apiserver::ApiServer& server_;
  std::atomic<int> missing_;
  Console& console_;
};

struct Roles {
  ControllerChoice controllers;
  SchedulerChoice scheduler;
};

ExitCode RunAll(apiserver::ApiServerOptions server_options, const Roles& roles, Console& console) {
  server_options.announce = false;
  server_options.ask_scheduler = AskOf(roles.scheduler.options.attempts);
  const std::unique_ptr<apiserver::ApiServer> server =
      StartServer(std::move(server_options), console);
  if (server == nullptr) {
    return ExitCode::kNo;
  }
  Announcement announcement(*server, 2, console);
  Inner controllers(*server, "system:kube-controller-manager",
                    ControllersRole(roles.controllers, console));
  Inner scheduler(*server, "system:kube-scheduler", SchedulerRole(roles.scheduler, console));
  for (Inner* const each : {&controllers, &scheduler}) {
    each->role().Start({.ready = [&] { announcement.Ready(); }});
  }
  WaitForEnd();
  scheduler.role().Stop();
  controllers.role().Stop();
  StopServer(*server, console);
  return ExitCode::kYes;
}

Result<Roles> ReadRoles(const Invocation& invocation, Console& console) {
  QUADRA_TRY(ControllerChoice controllers, ReadControllers(invocation));
  QUADRA_TRY(SchedulerChoice scheduler, ReadScheduler(invocation, console));
  return Roles{.controllers = std::move(controllers), .scheduler = std::move(scheduler)};
}

ExitCode RunUp(const Invocation& invocation, Console& console) {
  Result<apiserver::ApiServerOptions> server =
      ReadServerOptions(invocation, console, /*guards_by_default=*/true);
  const Result<Roles> roles = ReadRoles(invocation, console);
  if (!server || !roles) {
    return RefuseUsage(server ? roles.error() : server.error(), invocation.program, FindVerb("up"),
                       console);
  }
  HoldBackEnds();
  return RunAll(*std::move(server), *roles, console);
}

}  // namespace

const Verb kUpVerb{
    .name = "up",
    .synopsis = "[--data-dir DIR] [--listen HOST:PORT] [--controllers NAME,…] [flags]",
    .summary = "start everything that there is of the control plane in one process",
    .description =
        "The API server (quadra apiserver), the controllers (quadra controller) and the scheduler "
        "(quadra scheduler), which talk to it inside the process. The kubeconfig appears when both "
        "have seen all that is stored. Ctrl-C ends them.",
    .examples =
        "  quadra up --data-dir ./state\n"
        "  quadra up --controllers '*,-node-lifecycle-controller'\n",
    .flags = kUpFlags,
    .argument_choices = "",
    .run = RunUp,
};

}  // namespace quadra::cli
