// Serving: how verbs start an API server in their own process, say where it is, and end it.
#pragma once

#include <iosfwd>
#include <memory>

#include "apiserver/server.h"
#include "cli/cli.h"

namespace quadra::cli {

// Shows how far it is where the store is large. Null after a failure, which was printed.
std::unique_ptr<apiserver::ApiServer> StartServer(apiserver::ApiServerOptions options,
                                                  Console& console);
// Where it is, and three commands to go on with.
void PrintWelcome(const apiserver::ApiServer& server, std::ostream& out);
// Lets requests under way end.
void StopServer(apiserver::ApiServer& server, Console& console);

}  // namespace quadra::cli
