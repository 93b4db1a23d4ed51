#include "net/transport.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "net/best_effort.h"

namespace quadra::net {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// Text of a session is encrypted and sent in portions of this size.
constexpr std::size_t kSessionPortion = 64 << 10;
// After so many portions, or reads, others get their turn.
constexpr int kPortionsATurn = 16;
constexpr int kReadsATurn = 4;
// How long the peer of a finished connection may take to end its side.
constexpr std::chrono::milliseconds kLinger(500);
// A buffer that grew beyond this is given back when there is nothing to send.
constexpr std::size_t kKeptBuffer = 4 << 10;

// A peer that vanished without a word is noticed after minutes, not hours; kube-apiserver's value.
constexpr std::chrono::seconds kProbeAfter(180);
using ProbeAfter = boost::asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;

// The words of Go's server.
constexpr std::string_view kPlainHttpAnswer =
    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

Error Broken(std::string message) {
  return {.kind = ErrorKind::kUnreadable, .message = std::move(message)};
}

Instant Now() { return std::chrono::steady_clock::now(); }

}  // namespace

Transport::Transport(Loop& loop, tcp::socket socket, Plan plan)
    : loop_(loop), socket_(std::move(socket)), plan_(std::move(plan)), tls_(*plan_.tls) {}

void Transport::Start() {
  error_code ignored;
  BestEffort(socket_.non_blocking(true, ignored));
  BestEffort(socket_.set_option(tcp::no_delay(true), ignored));
  BestEffort(socket_.set_option(boost::asio::socket_base::keep_alive(true), ignored));
  BestEffort(socket_.set_option(ProbeAfter(kProbeAfter.count()), ignored));
  since_ = Now();
  mailbox_ = std::make_shared<Mailbox>([&loop = loop_, weak = weak_from_this()] {
    loop.Post([weak] {
      if (const auto self = weak.lock()) {
        self->Pump();
      }
    });
  });
  loop_.Join(shared_from_this());
  if (!plan_.server) {
    TakeCipher({});
  }
  Pump();
}

void Transport::AwaitInput() {
  const bool wanted = phase_ != Phase::kOpen || session_->WantsInput();
  if (awaits_input_ || !wanted || phase_ == Phase::kClosed) {
    return;
  }
  awaits_input_ = true;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code& error) {
    self->awaits_input_ = false;
    if (!error && self->phase_ != Phase::kClosed) {
      self->OnReadable();
    }
  });
}

void Transport::OnReadable() {
  auto& buffer = loop_.scratch().received;
  for (int i = 0; i < kReadsATurn && phase_ != Phase::kClosed; ++i) {
    const ssize_t got = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      break;
    }
    if (got <= 0) {
      OnEndOfInput();
      return;
    }
    TakeCipher({buffer.data(), static_cast<std::size_t>(got)});
    if (static_cast<std::size_t>(got) < buffer.size()) {
      break;
    }
  }
  Pump();
}

void Transport::TakeCipher(std::string_view cipher) {
  if (phase_ == Phase::kLingering || SaysPlainHttp(cipher)) {
    return;
  }
  std::string& plain = loop_.scratch().plain;
  plain.clear();
  const Status read = tls_.Receive(cipher, plain);
  if (phase_ == Phase::kHandshake && tls_.established()) {
    Open();
  }
  if (!plain.empty()) {
    session_->Receive(plain, Now());
  }
  if (!read && plan_.server) {
    Linger(read);
  } else if (!read) {
    Close(read);
  } else if (tls_.ended()) {
    OnEndOfInput();
  }
}

void Transport::Open() {
  phase_ = Phase::kOpen;
  Peer peer = tls_.PeerOf();
  error_code gone;
  const tcp::endpoint remote = socket_.remote_endpoint(gone);
  peer.address = gone ? "" : ToText(remote);
  session_ = plan_.make_session(
      {.protocol = tls_.Protocol(), .peer = std::move(peer), .mailbox = mailbox_, .now = Now()});
  if (draining_) {
    session_->Drain(Now());
  }
}

// Whoever takes us for a plain server is told in the words it understands.
bool Transport::SaysPlainHttp(std::string_view first_bytes) {
  if (!plan_.server || !std::exchange(first_bytes_, false) || !LooksLikeHttp(first_bytes)) {
    return false;
  }
  tls_.Outgoing() = kPlainHttpAnswer;
  Linger(Fail(Broken("the peer does not speak TLS")));
  return true;
}

void Transport::OnEndOfInput() {
  Close(Fail(Broken(phase_ == Phase::kHandshake ? "the peer went away during the TLS handshake"
                                                : "the peer closed the connection")));
}

void Transport::Pump() {
  for (int i = 0; phase_ != Phase::kClosed && !awaits_room_; ++i) {
    if (i == kPortionsATurn) {
      loop_.Post([self = shared_from_this()] { self->Pump(); });
      return;
    }
    if (!Fill()) {
      GiveBackBuffer();
      break;
    }
    Flush();
  }
  if (phase_ == Phase::kOpen && !awaits_room_ && session_->Finished()) {
    tls_.Close();
    Linger({});
    Flush();
  }
  AwaitInput();
}

// Whether there is anything for the socket.
bool Transport::Fill() {
  if (phase_ == Phase::kOpen) {
    std::string& plain = loop_.scratch().plain;
    plain.clear();
    session_->Send(plain, kSessionPortion, Now());
    tls_.Send(plain);
  }
  return !tls_.Outgoing().empty();
}

void Transport::GiveBackBuffer() {
  std::string& outgoing = tls_.Outgoing();
  if (outgoing.capacity() > kKeptBuffer) {
    outgoing.shrink_to_fit();
  }
}

// Whether all of it has left.
bool Transport::Flush() {
  std::string& outgoing = tls_.Outgoing();
  while (sent_ < outgoing.size() && phase_ != Phase::kClosed) {
    const ssize_t left = ::send(socket_.native_handle(), outgoing.data() + sent_,
                                outgoing.size() - sent_, MSG_NOSIGNAL);
    if (left < 0 && errno != EINTR) {
      if (errno == EAGAIN) {
        AwaitRoom();
      } else {
        Close(Fail(Broken("the connection broke while sending")));
      }
      return false;
    }
    sent_ += left < 0 ? 0 : static_cast<std::size_t>(left);
    since_ = Now();
  }
  sent_ = 0;
  outgoing.clear();
  if (phase_ == Phase::kLingering) {
    error_code ignored;
    BestEffort(socket_.shutdown(tcp::socket::shutdown_send, ignored));
  }
  return true;
}

void Transport::AwaitRoom() {
  if (std::exchange(awaits_room_, true)) {
    return;
  }
  since_ = Now();
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](const error_code& error) {
    self->awaits_room_ = false;
    if (!error && self->Flush()) {
      self->Pump();
    }
  });
}

void Transport::OnTick(Instant now) {
  if (phase_ == Phase::kHandshake && now - since_ > plan_.handshake_timeout) {
    return Close(Fail(Broken("the TLS handshake took too long")));
  }
  if (phase_ == Phase::kLingering && now - since_ > kLinger) {
    return Close(outcome_);
  }
  if (awaits_room_ && now - since_ > plan_.stall_timeout) {
    return Close(Fail(Broken("the peer takes nothing")));
  }
  if (phase_ == Phase::kOpen) {
    session_->OnTick(now);
    Pump();
  }
}

void Transport::Drain() {
  draining_ = true;
  if (phase_ == Phase::kOpen) {
    session_->Drain(Now());
    Pump();
  }
}

void Transport::Abort(const Error& why) { Close(Fail(why)); }

void Transport::Linger(Status outcome) {
  phase_ = Phase::kLingering;
  outcome_ = std::move(outcome);
  since_ = Now();
  if (session_) {
    session_->Lose(Broken("the connection has ended"));
  }
}

void Transport::Close(const Status& how) {
  if (phase_ == Phase::kClosed) {
    return;
  }
  const Status outcome = phase_ == Phase::kLingering ? outcome_ : how;
  phase_ = Phase::kClosed;
  const auto self = shared_from_this();
  mailbox_->Close();
  if (session_) {
    session_->Lose(how ? Broken("the connection has ended") : how.error());
  }
  error_code ignored;
  BestEffort(socket_.close(ignored));
  loop_.Leave(self);
  plan_.closed(outcome, session_ != nullptr);
}

std::string ToText(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", address, endpoint.port())
                                    : fmt::format("{}:{}", address, endpoint.port());
}

}  // namespace quadra::net
