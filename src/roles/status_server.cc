#include "roles/status_server.h"

#include <string_view>
#include <utility>

#include "base/clock.h"
#include "metrics/registry.h"
#include "net/certificates.h"

namespace quadra::roles {
namespace {

net::Response Text(int status, std::string_view media_type, std::string text) {
  return {.status = status,
          .headers = {{"content-type", std::string(media_type)}},
          .body = net::Share(std::move(text))};
}

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kNotReady =
    "not ready: caches have not synced, or another process leads";

net::Response Answer(const StatusQuestions& questions, std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/metrics") {
    return Text(200, metrics::Registry::kMediaType, questions.metrics());
  }
  if (path == "/readyz" && !questions.ready()) {
    return Text(500, kPlain, std::string(kNotReady));
  }
  if (path == "/readyz" || path == "/livez" || path == "/healthz") {
    return Text(200, kPlain, "ok");
  }
  if (std::optional<std::string> other = questions.other(path)) {
    return Text(200, "application/json", *std::move(other));
  }
  return net::PlainText(404, "404 page not found");
}

Result<net::Credential> OwnCredential(const std::string& address) {
  const Time now = SystemClock().Now();
  QUADRA_TRY(const net::Credential authority, net::MakeAuthority("quadra-status", now));
  const net::ServerNames names{
      .common_name = "localhost", .dns = {"localhost"}, .ips = {"127.0.0.1", "::1", address}};
  return net::IssueServer(authority, names, now);
}

}  // namespace

Result<std::unique_ptr<StatusServer>> StatusServer::Start(const StatusAddress& address,
                                                          StatusQuestions questions) {
  QUADRA_TRY(net::Credential credential, OwnCredential(address.address));
  net::ServerOptions options{.address = address.address, .port = address.port};
  options.credential = std::move(credential);
  options.threads = 1;
  QUADRA_TRY(
      std::unique_ptr<net::Server> server,
      net::Server::Start(std::move(options), [questions = std::move(questions)](
                                                 net::Request request, net::Exchange exchange) {
        exchange.Answer(Answer(questions, request.target));
      }));
  return std::unique_ptr<StatusServer>(new StatusServer(std::move(server)));
}

}  // namespace quadra::roles
