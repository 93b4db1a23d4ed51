#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/age.h"
#include "cli/data_directory.h"
#include "cli/line.h"
#include "cli/running_server.h"
#include "cli/verb.h"
#include "client/connection.h"
#include "live/session.h"

namespace quadra::cli {
namespace {

namespace fs = std::filesystem;

constexpr Flag kDemo{.name = "demo", .help = "Of the demonstration (quadra up --demo)."};
constexpr std::array kStatusFlags = {kDataDirFlag, kDemo};

using Answer = client::Answer<std::string>;

// What its server says; an Error where it cannot be asked.
Result<Answer> AskReady(const fs::path& kubeconfig, std::string& server) {
  QUADRA_TRY(const client::ClusterAccess access,
             client::FindAccess({.kubeconfig = kubeconfig.string()}, client::SystemEnvironment()));
  QUADRA_TRY(client::Connection connection, client::Connect(access));
  live::Session session(std::move(connection), {});
  server = session.server();
  return session.Run<Answer>([](client::Api& api) -> loop::Task<Answer> {
    loop::Later<Answer> asking = api.Fetch("GET", "/readyz");
    Answer answer = co_await asking;
    co_return answer;
  });
}

ExitCode Tell(const fs::path& directory, const RunningServer& running, Console& console) {
  const fs::path kubeconfig = directory / "kubeconfig";
  const std::string process =
      fmt::format("process {}, up {}", running.process, HumanDuration(running.up));
  if (!fs::exists(kubeconfig)) {
    PrintLine(console.out, fmt::format("starting: {}, on {}", process, directory.string()));
    return ExitCode::kNo;
  }
  std::string server;
  const Result<Answer> ready = AskReady(kubeconfig, server);
  if (!ready || !*ready) {
    const std::string why = ready ? ready->error().message : ready.error().ToString();
    PrintLine(console.err, fmt::format("error: {} does not answer: {}", process, why));
    return ExitCode::kUnreached;
  }
  PrintLine(console.out, fmt::format("running: {}, {}", server, process));
  PrintLine(console.out, "data:    " + directory.string());
  PrintLine(console.out, fmt::format("next:    export KUBECONFIG={}", kubeconfig.string()));
  return ExitCode::kYes;
}

ExitCode RunStatus(const Invocation& invocation, Console& console) {
  const Result<fs::path> directory =
      DataDirectoryOf(invocation, invocation.Has(kDemo.name) ? kDemoState : kUsualState);
  if (!directory) {
    return RefuseUsage(directory.error(), invocation.program, FindVerb("status"), console);
  }
  if (const std::optional<RunningServer> running = FindRunning(*directory)) {
    return Tell(*directory, *running, console);
  }
  PrintLine(console.out,
            fmt::format("nothing runs on {}; quadra up starts it", directory->string()));
  return ExitCode::kNo;
}

}  // namespace

const Verb kStatusVerb{
    .name = "status",
    .synopsis = "[--data-dir DIR] [--demo]",
    .summary = "tell whether quadra up runs, and where",
    .description =
        "Looks for the process that works on the directory, and asks its server. Exit status 0 "
        "when it is ready, 1 when nothing runs there or it is still starting.",
    .examples = "  quadra status\n",
    .flags = kStatusFlags,
    .argument_choices = "",
    .run = RunStatus,
};

}  // namespace quadra::cli
