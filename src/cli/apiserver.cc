#include <algorithm>
#include <array>

#include "cli/end_signal.h"
#include "cli/scheduler_question.h"
#include "cli/server_options.h"
#include "cli/serving.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr auto kApiserverFlags = [] {
  std::array<Flag, kServerFlags.size() + 1> flags{};
  *std::ranges::copy(kServerFlags, flags.begin()).out = kSchedulerAddressFlag;
  return flags;
}();

Result<apiserver::ApiServerOptions> ReadOptions(const Invocation& invocation, Console& console) {
  QUADRA_TRY(apiserver::ApiServerOptions options, ReadServerOptions(invocation, console));
  QUADRA_TRY(options.ask_scheduler, AskAtAddress(invocation));
  return options;
}

ExitCode Serve(const Invocation& invocation, Console& console) {
  Result<apiserver::ApiServerOptions> options = ReadOptions(invocation, console);
  if (!options) {
    return RefuseUsage(options.error(), invocation.program, FindVerb("apiserver"), console);
  }
  HoldBackEnds();
  const std::unique_ptr<apiserver::ApiServer> server = StartServer(*std::move(options), console);
  if (server == nullptr) {
    return ExitCode::kNo;
  }
  PrintWelcome(*server, console.out);
  WaitForEnd();
  StopServer(*server, console);
  return ExitCode::kYes;
}

}  // namespace

const Verb kApiserverVerb{
    .name = "apiserver",
    .synopsis = "[--data-dir DIR] [--listen HOST:PORT] [flags]",
    .summary = "serve the Kubernetes API from one process and one file",
    .description =
        "Keeps objects durably and speaks the Kubernetes API over TLS, so that kubectl and "
        "client-go "
        "work with it. The first start makes a certificate authority and a kubeconfig for its "
        "administrator. Ctrl-C "
        "ends it once requests under way are answered.",
    .examples = "  quadra apiserver --data-dir ./state --listen 127.0.0.1:0\n",
    .flags = kApiserverFlags,
    .argument_choices = "",
    .run = Serve,
};

}  // namespace quadra::cli
