// What the tests of src/net share: an authority, a server on a free port, clients for it, and a
// peer that sends whatever bytes it is told to.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "net/client.h"
#include "net/server.h"
#include "net/tls.h"

namespace quadra::net {

// Long enough for any machine; only a test that fails waits so long.
inline constexpr std::chrono::seconds kPatience(20);

// One authority for all tests of a process.
struct Pki {
  Credential authority;
  Credential server;
  Credential admin;

  static const Pki& Shared() {
    static const Pki pki = [] {
      const Time now = SystemClock().Now();
      Pki made;
      made.authority = *MakeAuthority("test authority", now);
      made.server = *IssueServer(
          made.authority,
          {.common_name = "test server", .dns = {"localhost"}, .ips = {"127.0.0.1", "::1"}}, now);
      made.admin =
          *IssueClient(made.authority,
                       {.common_name = "admin", .organizations = {"system:masters", "dev"}}, now);
      return made;
    }();
    return pki;
  }
};

inline std::unique_ptr<Server> StartServer(Handler handler, ServerOptions options = {}) {
  options.credential = Pki::Shared().server;
  options.client_authorities = Pki::Shared().authority.certificate;
  return *Server::Start(std::move(options), std::move(handler));
}

inline std::unique_ptr<Client> MakeClient(const Server& server, ClientOptions options = {}) {
  options.port = server.port();
  options.authorities = Pki::Shared().authority.certificate;
  return *Client::Make(std::move(options));
}

// The error's message; empty: none.
inline std::string Told(const Status& how) { return how ? "" : how.error().message; }

// Something that happens once on another thread and is waited for on this one.
template <typename T>
class Awaited {
 public:
  void Set(T value) { promise_->set_value(std::move(value)); }
  // Nothing where it does not happen.
  std::optional<T> Get() {
    return future_.wait_for(kPatience) == std::future_status::ready ? std::optional(future_.get())
                                                                    : std::nullopt;
  }

 private:
  std::shared_ptr<std::promise<T>> promise_ = std::make_shared<std::promise<T>>();
  std::shared_future<T> future_ = promise_->get_future().share();
};

// A TCP connection to a port of this machine that waits for every byte.
class RawSocket {
 public:
  explicit RawSocket(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = kPatience.count()};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    QUADRA_CHECK(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0,
                 "the server listens");
  }
  ~RawSocket() { ::close(fd_); }
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // What has arrived; empty at the end.
  std::string Receive() {
    std::array<char, 64 << 10> buffer;
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
    return got <= 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(got));
  }

  std::string ReceiveAll() {
    std::string all;
    for (std::string part = Receive(); !part.empty(); part = Receive()) {
      all += part;
    }
    return all;
  }

 private:
  int fd_;
};

// The same with TLS in between.
class RawPeer {
 public:
  explicit RawPeer(std::uint16_t port, std::string protocol = "http/1.1")
      : socket_(port),
        context_(*TlsContext::ForClient({.authorities = Pki::Shared().authority.certificate,
                                         .server_name = "127.0.0.1",
                                         .protocols = {std::move(protocol)}})),
        tls_(*context_) {
    std::string none;
    static_cast<void>(tls_.Receive({}, none));
    Flush();
    while (!tls_.established() && TakeIn()) {
    }
  }

  bool Send(std::string_view bytes) {
    tls_.Send(bytes);
    return Flush();
  }

  // Up to and with `ending`, or all there is until the server closes.
  std::string ReceiveUntil(std::string_view ending) {
    std::size_t searched = 0;
    std::size_t at = arrived_.find(ending);
    while (at == std::string::npos && TakeIn()) {
      at = arrived_.find(ending, searched);
      searched = arrived_.size() - std::min(arrived_.size(), ending.size());
    }
    const std::size_t size = at == std::string::npos ? arrived_.size() : at + ending.size();
    std::string taken = arrived_.substr(0, size);
    arrived_.erase(0, size);
    return taken;
  }

  std::string ReceiveAll() {
    while (TakeIn()) {
    }
    return std::exchange(arrived_, {});
  }

 private:
  bool Flush() {
    const bool sent = socket_.Send(tls_.Outgoing());
    tls_.Outgoing().clear();
    return sent;
  }

  bool TakeIn() {
    const std::string cipher = socket_.Receive();
    return !cipher.empty() && tls_.Receive(cipher, arrived_) && Flush() && !tls_.ended();
  }

  RawSocket socket_;
  std::shared_ptr<const TlsContext> context_;
  TlsStream tls_;
  std::string arrived_;
};

}  // namespace quadra::net
