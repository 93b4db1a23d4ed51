#include "cli/serving.h"

#include <chrono>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/line.h"
#include "cli/progress.h"

namespace quadra::cli {

std::unique_ptr<apiserver::ApiServer> StartServer(apiserver::ApiServerOptions options,
                                                  Console& console) {
  Progress progress(console, "loading the store", {.lines_elsewhere = true});
  options.on_load = [&](std::size_t entries) { progress.Reach(entries, "entries"); };
  Result<std::unique_ptr<apiserver::ApiServer>> server =
      apiserver::ApiServer::Start(std::move(options));
  if (!server) {
    PrintLine(console.err, "error: " + server.error().ToString());
    return nullptr;
  }
  return *std::move(server);
}

void PrintWelcome(const apiserver::ApiServer& server, std::ostream& out) {
  fmt::print(out,
             "serving {0}\n"
             "next:\n"
             "  export KUBECONFIG={1}\n"
             "  kubectl get resourceslices,deviceclasses\n"
             "  kubectl get namespaces\n",
             server.url(), server.kubeconfig().string());
  out << std::flush;
}

void StopServer(apiserver::ApiServer& server, Console& console) {
  console.err << "ending: waiting for requests under way\n";
  if (!server.Stop(std::chrono::seconds(10))) {
    console.err << "note: some requests did not end in time and were broken off\n";
  }
}

}  // namespace quadra::cli
