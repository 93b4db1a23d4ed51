#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/data_directory.h"
#include "cli/detached.h"
#include "cli/end_signal.h"
#include "cli/hollow_options.h"
#include "cli/line.h"
#include "cli/role_options.h"
#include "cli/scheduler_options.h"
#include "cli/scheduler_question.h"
#include "cli/server_options.h"
#include "cli/serving.h"
#include "cli/verb.h"
#include "demo/demo.h"
#include "hollow/fleet.h"
#include "net/client.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kDemoNodes = 8;
// What devices of the demonstration need that is not on by default.
constexpr std::string_view kDemoGates = "DRANodeAllocatableResources=true";

constexpr Flag kDemo{
    .name = "demo",
    .help =
        "Show what there is: 8 hollow nodes with 64 devices of three drivers, two teams whose pods "
        "come and go, and two pods that cannot run. With --nodes so many nodes, of the same kinds. "
        "Without --data-dir it is kept beside the "
        "default directory, and quadra down --demo deletes it."};
constexpr Flag kDetach{
    .name = "detach",
    .help =
        "Go on in the background once all is ready; what it complains of is in DIR/quadra.log. "
        "quadra down ends it."};

constexpr auto kUpFlags = [] {
  constexpr std::array kOfRoles = {kControllersFlag,
                                   kMetricsNamesFlag,
                                   kNodeMonitorGraceFlag,
                                   kSchedulerConfigFlag,
                                   kPreemptDevicesFlag,
                                   kNodesFlag,
                                   kDevicesPerNodeFlag,
                                   kSeedFlag,
                                   kDemo,
                                   kDetach};
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

roles::RoleOptions DemoRole(std::function<void()> settled, Console& console) {
  roles::RoleOptions role{.name = "quadra-demo"};
  role.makers.emplace_back([settled = std::move(settled)](client::ControllerContext& context) {
    return demo::MakeDemoTeams(context, settled);
  });
  role.log = [&err = console.err](std::string_view line) {
    PrintLine(err, "demo: " + std::string(line));
  };
  return role;
}

// Everybody else is told of the server when all roles have seen all of it.
class Announcement {
 public:
  Announcement(apiserver::ApiServer& server, std::size_t roles, std::function<void()> welcome,
               Console& console)
      : server_(server), missing_(roles), welcome_(std::move(welcome)), console_(console) {}

  void Ready() {
    if (--missing_ > 0) {
      return;
    }
    if (const Status announced = server_.Announce(); !announced) {
      PrintLine(console_.err, "error: " + announced.error().ToString());
      return EndSoon();
    }
    welcome_();
  }

 private:
  apiserver::ApiServer& server_;
  std::atomic<std::size_t> missing_;
  const std::function<void()> welcome_;
  Console& console_;
};

struct Roles {
  ControllerChoice controllers;
  SchedulerChoice scheduler;
  std::vector<hollow::HollowNode> nodes;
  bool is_demo = false;
};

void PrintDemoWelcome(const apiserver::ApiServer& server,
                      const std::vector<hollow::HollowNode>& nodes, std::ostream& out) {
  fmt::print(out,
             "serving {0}, with {2} hollow nodes, {3} devices and two pods that cannot run\n"
             "next:\n"
             "  export KUBECONFIG={1}\n"
             "  quadra get pods,claims -A\n"
             "  quadra explain pod/stuck-too-large -n team-a\n",
             server.url(), server.kubeconfig().string(), nodes.size(), hollow::CountDevices(nodes));
  out << std::flush;
}

ExitCode RunAll(apiserver::ApiServerOptions server_options, const Roles& roles, Detached& detached,
                Console& console) {
  server_options.announce = false;
  server_options.ask_scheduler = AskOf(roles.scheduler.options.attempts);
  const std::unique_ptr<apiserver::ApiServer> server =
      StartServer(std::move(server_options), console);
  if (server == nullptr) {
    return ExitCode::kNo;
  }
  std::vector<std::unique_ptr<Inner>> inner;
  inner.push_back(std::make_unique<Inner>(*server, "system:kube-controller-manager",
                                          ControllersRole(roles.controllers, console)));
  inner.push_back(std::make_unique<Inner>(*server, "system:kube-scheduler",
                                          SchedulerRole(roles.scheduler, console)));
  if (!roles.nodes.empty()) {
    inner.push_back(
        std::make_unique<Inner>(*server, "quadra:hollow-nodes", HollowRole(roles.nodes, console)));
  }
  const auto welcome = [&] {
    if (roles.is_demo) {
      PrintDemoWelcome(*server, roles.nodes, console.out);
    } else {
      PrintWelcome(*server, console.out);
    }
    detached.Release();
  };
  const std::size_t teams = roles.is_demo ? 2 : 0;  // their role, and what they make
  Announcement announcement(*server, inner.size() + teams, welcome, console);
  if (roles.is_demo) {
    inner.push_back(std::make_unique<Inner>(*server, "quadra:demo-teams",
                                            DemoRole([&] { announcement.Ready(); }, console)));
  }
  for (const auto& each : inner) {
    each->role().Start({.ready = [&] { announcement.Ready(); }});
  }
  WaitForEnd();
  while (!inner.empty()) {
    inner.back()->role().Stop();
    inner.pop_back();
  }
  StopServer(*server, console);
  return ExitCode::kYes;
}

Result<Roles> ReadRoles(const Invocation& invocation, Console& console) {
  QUADRA_TRY(ControllerChoice controllers, ReadControllers(invocation));
  QUADRA_TRY(SchedulerChoice scheduler, ReadScheduler(invocation, console));
  const bool is_demo = invocation.Has(kDemo.name);
  QUADRA_TRY(std::vector<hollow::HollowNode> nodes,
             ReadFleet(invocation, is_demo ? kDemoNodes : 0));
  if (is_demo) {
    nodes = hollow::DemoFleet(nodes.size());
  }
  return Roles{.controllers = std::move(controllers),
               .scheduler = std::move(scheduler),
               .nodes = std::move(nodes),
               .is_demo = is_demo};
}

// Where the demonstration is and what it needs, as far as nobody says otherwise.
Result<Invocation> WithDemoDefaults(Invocation invocation) {
  if (invocation.Has(kDemo.name)) {
    const std::string given = invocation.Value(kFeatureGatesFlag.name);
    invocation.flags[std::string(kFeatureGatesFlag.name)] = {std::string(kDemoGates) +
                                                             (given.empty() ? "" : "," + given)};
    QUADRA_TRY(const std::filesystem::path directory, DataDirectoryOf(invocation, kDemoState));
    invocation.flags[std::string(kDataDirFlag.name)] = {directory.string()};
  }
  return invocation;
}

ExitCode RunUp(const Invocation& asked, Console& console) {
  const Result<Invocation> completed = WithDemoDefaults(asked);
  if (!completed) {
    return RefuseUsage(completed.error(), asked.program, FindVerb("up"), console);
  }
  const Invocation& invocation = *completed;
  Result<apiserver::ApiServerOptions> server =
      ReadServerOptions(invocation, console, /*guards_by_default=*/true);
  const Result<Roles> roles = ReadRoles(invocation, console);
  if (!server || !roles) {
    return RefuseUsage(server ? roles.error() : server.error(), invocation.program, FindVerb("up"),
                       console);
  }
  Detached detached(invocation.Has(kDetach.name), server->directory / "quadra.log", console);
  if (detached.is_starter()) {
    return detached.Await();
  }
  HoldBackEnds();
  return RunAll(*std::move(server), *roles, detached, console);
}

}  // namespace

const Verb kUpVerb{
    .name = "up",
    .synopsis = "[--data-dir DIR] [--listen HOST:PORT] [--controllers NAME,…] [flags]",
    .summary = "start everything that there is of the control plane in one process",
    .description =
        "The API server (quadra apiserver), the controllers (quadra controller) and the scheduler "
        "(quadra scheduler), which talk to it inside the process. The kubeconfig appears when both "
        "have seen all that is stored. Ctrl-C ends them.\n\n"
        "With --nodes or --demo there are hollow nodes too: simulated kubelets that publish "
        "devices "
        "and say of pods that they run. quadra status tells whether it runs, quadra down ends it.",
    .examples =
        "  quadra up --demo\n"
        "  quadra up --nodes 100 --devices-per-node 8 --detach\n"
        "  quadra up --data-dir ./state\n"
        "  quadra up --controllers '*,-node-lifecycle-controller'\n",
    .flags = kUpFlags,
    .argument_choices = "",
    .run = RunUp,
};

}  // namespace quadra::cli
