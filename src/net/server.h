// Server: HTTPS for one handler, h2 and HTTP/1.1 on one port.
//
//   QUADRA_TRY(const auto server, Server::Start({.credential = credential}, Hello));
//   fmt::print("https://127.0.0.1:{}\n", server->port());
//   server->Drain(std::chrono::seconds(10));
//
// Always TLS (1.2 or later), ALPN decides the protocol. One thread accepts, `threads` threads serve;
// a connection stays on one of them, and so do the calls of the handler for its requests. Nothing
// that a peer sends ends the process: what is no HTTP is answered 400 and the connection closed,
// what is over a limit (limits.h) is refused, what takes too long is closed.
//
// Threads: all members may be called by all, but for Drain() and the destructor by threads of the
// server's own (in a handler).
// Cost: 2 us of CPU a small request of h2 where many are under way, 13 us where one is; 45 KB an idle
// connection, most of it OpenSSL's, and 3 KB an idle stream of h2.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/certificates.h"
#include "net/exchange.h"
#include "net/limits.h"
#include "net/message.h"

namespace quadra::net {

struct ServerOptions {
  std::string address = "127.0.0.1";  // an IP address
  std::uint16_t port = 0;             // 0: any that is free
  Credential credential;
  std::string client_authorities;  // PEM; empty: clients are not asked for certificates
  std::size_t threads = 2;
  Limits limits;
  // Answers a request whose body is too large, from all but the body; by default 413 in plain text.
  std::function<Response(const Request&)> oversized;
};

class Server {
 public:
  // Since the start; `open` is now.
  struct Counts {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  // over the limit of connections
    std::uint64_t open = 0;
    std::uint64_t failed_handshakes = 0;
    std::uint64_t requests = 0;
  };

  // Listens when it returns. The handler is called until the server is destroyed.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler handler);
  // Closes what is still open.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  Counts counts() const;

  // Stops accepting, tells every client to go elsewhere (GOAWAY), and waits until the last answer
  // has left, but no longer than `patience`. Whether all went by themselves; the rest is closed.
  bool Drain(std::chrono::milliseconds patience);

 private:
  class Listener;

  explicit Server(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace quadra::net
