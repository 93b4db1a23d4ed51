#include "net/server.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

#include "net/best_effort.h"
#include "net/h1_server.h"
#include "net/h2_server.h"
#include "net/loop.h"
#include "net/service.h"
#include "net/tls.h"
#include "net/transport.h"

namespace quadra::net {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

Error CannotListen(const ServerOptions& options, const std::string& why) {
  return {.kind = ErrorKind::kInvalid,
          .message = "cannot listen: " + why,
          .value = fmt::format("{}:{}", options.address, options.port),
          .remedy = "choose another address or port"};
}

Response TooLarge(const Request& /*request*/) { return PlainText(413, ReasonPhrase(413)); }

std::chrono::milliseconds TickFor(const Limits& limits) {
  return net::TickFor({limits.idle, limits.header, limits.body, limits.stall});
}

}  // namespace

// Everything that lives as long as the server. Connections hold references to it, so the loops,
// which lose all connections, stop first.
class Server::Listener {
 public:
  Listener(ServerOptions options, Handler handler, std::shared_ptr<const TlsContext> tls)
      : options_(std::move(options)), tls_(std::move(tls)) {
    service_.handler = std::move(handler);
    service_.oversized = options_.oversized ? options_.oversized : TooLarge;
    service_.limits = options_.limits;
    service_.clock = &clock_;
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.threads, 1); ++i) {
      loops_.push_back(std::make_unique<Loop>(TickFor(service_.limits)));
    }
    acceptor_ = std::make_unique<tcp::acceptor>(loops_.front()->context());
  }

  ~Listener() {
    for (const auto& loop : loops_) {
      loop->Stop();
    }
  }

  Status Listen() {
    error_code error;
    const auto address = boost::asio::ip::make_address(options_.address, error);
    if (error) {
      return Fail(CannotListen(options_, "not an IP address"));
    }
    const tcp::endpoint endpoint(address, options_.port);
    if (acceptor_->open(endpoint.protocol(), error) ||
        acceptor_->set_option(tcp::acceptor::reuse_address(true), error) ||
        acceptor_->bind(endpoint, error) ||
        acceptor_->listen(tcp::acceptor::max_listen_connections, error)) {
      return Fail(CannotListen(options_, error.message()));
    }
    port_ = acceptor_->local_endpoint(error).port();
    loops_.front()->Post([this] {
      loops_.front()->AtTick([this](Instant /*now*/) { AcceptAgain(); });
      Accept();
    });
    return {};
  }

  std::uint16_t port() const { return port_; }

  Counts counts() const {
    return {.accepted = accepted_,
            .refused = refused_,
            .open = open_,
            .failed_handshakes = failed_handshakes_,
            .requests = service_.requests};
  }

  bool Drain(std::chrono::milliseconds patience) {
    StopAccepting();
    for (const auto& loop : loops_) {
      loop->Post([&each = *loop] { each.DrainAll(); });
    }
    if (AllClosedWithin(patience)) {
      return true;
    }
    for (const auto& loop : loops_) {
      loop->Post([&each = *loop] { each.AbortAll(); });
    }
    return false;
  }

 private:
  void StopAccepting() {
    loops_.front()->Post([this] {
      error_code ignored;
      BestEffort(acceptor_->close(ignored));
    });
  }

  bool AllClosedWithin(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return all_closed_.wait_for(lock, patience, [this] { return open_ == 0; });
  }

  void Accept() {
    Loop& loop = *loops_[next_loop_++ % loops_.size()];
    acceptor_->async_accept(
        loop.context(), [this, &loop](const error_code& error, tcp::socket socket) {
          if (!acceptor_->is_open()) {
            return;
          }
          if (error) {  // for want of descriptors or memory: others must go first
            accepts_again_ = true;
            return;
          }
          Take(loop, std::move(socket));
          Accept();
        });
  }

  void AcceptAgain() {
    if (std::exchange(accepts_again_, false)) {
      Accept();
    }
  }

  void Take(Loop& loop, tcp::socket socket) {
    ++accepted_;
    if (open_ >= service_.limits.connections) {
      ++refused_;
      return;
    }
    ++open_;
    loop.Post([this, &loop, shared = std::make_shared<tcp::socket>(std::move(socket))] {
      std::make_shared<Transport>(loop, std::move(*shared), MakePlan())->Start();
    });
  }

  Transport::Plan MakePlan() {
    return {.tls = tls_,
            .server = true,
            .handshake_timeout = service_.limits.header,
            .stall_timeout = service_.limits.stall,
            .make_session = [this](Transport::Handshake done) { return MakeSession(done); },
            .closed = [this](const Status& /*how*/, bool shook_hands) { Closed(shook_hands); }};
  }

  std::unique_ptr<Session> MakeSession(Transport::Handshake& done) {
    auto peer = std::make_shared<const Peer>(std::move(done.peer));
    if (done.protocol != "h2") {
      return std::make_unique<H1Server>(service_, std::move(peer), std::move(done.mailbox),
                                        done.now);
    }
    return std::make_unique<H2Server>(service_, std::move(peer), std::move(done.mailbox), done.now);
  }

  void Closed(bool shook_hands) {
    failed_handshakes_ += shook_hands ? 0 : 1;
    const std::scoped_lock lock(mutex_);
    --open_;
    all_closed_.notify_all();
  }

  const ServerOptions options_;
  const SystemClock clock_;
  Service service_;
  const std::shared_ptr<const TlsContext> tls_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<tcp::acceptor> acceptor_;  // used on the first loop alone
  std::uint16_t port_ = 0;
  std::size_t next_loop_ = 0;
  bool accepts_again_ = false;  // at the next tick
  std::atomic<std::uint64_t> accepted_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> failed_handshakes_ = 0;
  std::atomic<std::uint64_t> open_ = 0;
  std::mutex mutex_;
  std::condition_variable all_closed_;
};

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler handler) {
  QUADRA_TRY(std::shared_ptr<const TlsContext> tls,
             TlsContext::ForServer(options.credential, options.client_authorities));
  auto listener =
      std::make_unique<Listener>(std::move(options), std::move(handler), std::move(tls));
  QUADRA_RETURN_IF_ERROR(listener->Listen());
  return std::unique_ptr<Server>(new Server(std::move(listener)));
}

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return listener_->port(); }

Server::Counts Server::counts() const { return listener_->counts(); }

bool Server::Drain(std::chrono::milliseconds patience) { return listener_->Drain(patience); }

}  // namespace quadra::net
