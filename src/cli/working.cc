#include "cli/working.h"

#include <atomic>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "cli/end_signal.h"
#include "cli/line.h"
#include "cli/listen_address.h"
#include "roles/status_server.h"

namespace quadra::cli {
namespace {

using StatusServerPtr = std::unique_ptr<roles::StatusServer>;

// Null where nobody asked for one.
Result<StatusServerPtr> ServeStatus(const Invocation& invocation, roles::Role& role,
                                    const Work& work) {
  const std::string_view flag = kMetricsAddressFlag.name;
  if (!invocation.Has(flag)) {
    return StatusServerPtr();
  }
  QUADRA_TRY(const ListenAddress address, ReadListenAddress(flag, invocation.Value(flag)));
  return roles::StatusServer::Start(
      {.address = address.host.value_or("127.0.0.1"), .port = address.port.value_or(0)},
      {.ready = [&role] { return role.ready(); },
       .metrics = [&role] { return role.metrics().Print(); },
       .other = work.answer});
}

ExitCode Refuse(const Error& error, ExitCode code, Console& console) {
  PrintLine(console.err, "error: " + error.ToString());
  return code;
}

ExitCode WaitWorking(roles::Role& role, Console& console) {
  std::atomic<bool> lost = false;
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

}  // namespace

ExitCode WorkOn(const client::ClusterAccess& access, Work work, const Invocation& invocation,
                Console& console) {
  HoldBackEnds();
  const Result<client::Connection> connection = client::Connect(access);
  if (!connection) {
    return Refuse(connection.error(), ExitCode::kUnreached, console);
  }
  const std::string name = work.role.name;
  work.role.headers = connection->headers;
  work.role.renew = connection->renew;
  if (work.elects) {
    SystemRandom random;
    work.role.leader =
        client::LeaderElectionOptions{.name = name, .identity = client::HostAndUuid(random)};
  }
  roles::Role role(*connection->client, std::move(work.role));
  const Result<StatusServerPtr> status = ServeStatus(invocation, role, work);
  if (!status) {
    return Refuse(status.error(), ExitCode::kUsage, console);
  }
  if (*status != nullptr) {
    PrintLine(console.err,
              fmt::format("{}: status at port {}",
                          std::string_view(name).substr(name.find('-') + 1), (*status)->port()));
  }
  return WaitWorking(role, console);
}

}  // namespace quadra::cli
