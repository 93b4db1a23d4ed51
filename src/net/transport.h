// Transport: one TCP connection with TLS, and the Session that speaks HTTP over it.
//
// Moves bytes between socket, TLS and session, and nothing else. The session is made when the
// handshake has agreed on a protocol. The socket is read only when it has something, into the
// loop's buffer, and written as long as it takes something, so an idle connection has no buffers.
//
// Closing is gentle: after the last byte it waits a little for the peer's end, since closing on
// unread bytes would make the system throw away what the peer has not read yet.
//
// Threads: the loop's alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>

#include "base/result.h"
#include "net/loop.h"
#include "net/reply.h"
#include "net/session.h"
#include "net/tls.h"

namespace quadra::net {

class Transport : public std::enable_shared_from_this<Transport> {
 public:
  // What a finished handshake knows.
  struct Handshake {
    std::string_view protocol;  // of ALPN
    Peer peer;
    std::shared_ptr<Mailbox> mailbox;  // wakes this transport
    Instant now;
  };
  struct Plan {
    std::shared_ptr<const TlsContext> tls;
    bool server = true;
    std::chrono::milliseconds handshake_timeout{};
    std::chrono::milliseconds stall_timeout{};  // of a peer whose socket takes nothing
    std::function<std::unique_ptr<Session>(Handshake)> make_session;
    // Called once, last. Without an error the session had finished.
    std::function<void(const Status& how, bool shook_hands)> closed;
  };

  Transport(Loop& loop, boost::asio::ip::tcp::socket socket, Plan plan);

  void Start();
  // Sends what the session has.
  void Pump();
  void OnTick(Instant now);
  void Drain();
  void Abort(const Error& why);

 private:
  enum class Phase { kHandshake, kOpen, kLingering, kClosed };

  void AwaitInput();
  void OnReadable();
  void TakeCipher(std::string_view cipher);
  void Open();
  bool SaysPlainHttp(std::string_view first_bytes);
  void OnEndOfInput();
  bool Fill();
  bool Flush();
  void GiveBackBuffer();
  void AwaitRoom();
  // Sends what is left, waits for the peer to end its side, and closes.
  void Linger(Status outcome);
  void Close(const Status& how);

  Loop& loop_;
  boost::asio::ip::tcp::socket socket_;
  Plan plan_;
  TlsStream tls_;
  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<Session> session_;
  Phase phase_ = Phase::kHandshake;
  bool draining_ = false;
  bool first_bytes_ = true;
  bool awaits_input_ = false;
  bool awaits_room_ = false;
  std::size_t sent_ = 0;  // how much of what TLS has for the peer has left
  Instant since_;         // when the phase began, or the socket last took something
  Status outcome_;        // of a connection that lingers
};

// "127.0.0.1:6443", "[::1]:6443".
std::string ToText(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace quadra::net
