// StatusServer: what a role tells of itself over HTTPS: /healthz, /livez, /readyz, /metrics. A door of this
// folder.
//
//   QUADRA_TRY(const auto status, StatusServer::Start({.address = "127.0.0.1", .port = 10257},
//                                                     {.ready = …, .metrics = …}));
//
// As kube-controller-manager, it signs its certificate itself; whoever can reach the address is
// answered, so bind it where only those can who may.
// Threads: calls come on threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/server.h"

namespace quadra::roles {

struct StatusAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
};

struct StatusQuestions {
  std::function<bool()> ready;
  std::function<std::string()> metrics;  // Prometheus' text
  // JSON that is at another path; absent: nothing is.
  std::function<std::optional<std::string>(std::string_view path)> other =
      [](std::string_view /*path*/) { return std::nullopt; };
};

class StatusServer {
 public:
  // Listens when it returns.
  static Result<std::unique_ptr<StatusServer>> Start(const StatusAddress& address,
                                                     StatusQuestions questions);

  std::uint16_t port() const { return server_->port(); }

 private:
  explicit StatusServer(std::unique_ptr<net::Server> server) : server_(std::move(server)) {}

  std::unique_ptr<net::Server> server_;
};

}  // namespace quadra::roles
