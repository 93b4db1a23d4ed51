// TLS as bytes in and bytes out: OpenSSL without a socket.
//
//   TlsStream tls(context);                     // context->Accepts or ->Connects
//   QUADRA_TRY(plain, tls.Receive(cipher))      // appends what it says to `plain`
//   tls.Send(plain);
//   socket.Write(tls.Outgoing());
//
// TLS 1.2 and 1.3 with forward secrecy, ALPN for h2 and http/1.1, no renegotiation and no tickets.
// A server asks for a client certificate where it has authorities to judge it, and accepts a
// connection whatever is shown: PeerOf() says whether it is trusted. A client refuses a server
// whose certificate is not vouched for or does not bear the name that was asked for.
//
// Threads: a TlsContext is shared by all; a TlsStream belongs to its connection. Cost: an idle
// stream keeps no buffers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/certificates.h"
#include "net/openssl.h"

namespace quadra::net {

class TlsContext {
 public:
  // `client_authorities` is PEM; empty: no client is asked for a certificate.
  static Result<std::shared_ptr<const TlsContext>> ForServer(const Credential& credential,
                                                             std::string_view client_authorities);

  struct ClientSide {
    std::string authorities;               // PEM; vouch for the server
    bool system_authorities = false;       // those of this machine vouch for it, too
    bool insecure = false;                 // the server's certificate is not judged
    std::optional<Credential> credential;  // shown to the server
    std::string server_name;               // DNS name or IP address in its certificate
    std::vector<std::string> protocols;    // ALPN, the preferred first
  };
  static Result<std::shared_ptr<const TlsContext>> ForClient(const ClientSide& side);

  // A new connection's end, with the server name set where it is a client's.
  OwnedSsl Open() const;

 private:
  TlsContext(OwnedSslContext context, bool server, std::string server_name)
      : context_(std::move(context)), server_(server), server_name_(std::move(server_name)) {}

  OwnedSslContext context_;
  bool server_;
  std::string server_name_;
};

class TlsStream {
 public:
  explicit TlsStream(const TlsContext& context);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  // Takes part in the handshake; the client's begins with an empty `cipher`. Appends what arrived
  // to `plain`. After an error only Outgoing() is worth sending: it tells the peer.
  Status Receive(std::string_view cipher, std::string& plain);

  // REQUIRES: established().
  void Send(std::string_view plain);

  // Tells the peer that nothing will follow.
  void Close();

  // Bytes for the peer; whoever sends them erases them.
  std::string& Outgoing() { return outgoing_; }

  bool established() const { return established_; }
  // The peer has said that nothing will follow.
  bool ended() const { return ended_; }

  // What ALPN agreed on; "" where the peer does not speak it. REQUIRES: established().
  std::string_view Protocol() const;
  // The address is left empty. REQUIRES: established().
  Peer PeerOf() const;

 private:
  friend struct TlsBio;

  Status Handshake();
  Error Failure(std::string_view doing) const;

  std::string_view incoming_;  // what the running call brought; empty between calls
  std::string outgoing_;
  OwnedSsl ssl_;
  bool established_ = false;
  bool ended_ = false;
};

// What a browser or curl that takes us for a plain HTTP server begins with.
bool LooksLikeHttp(std::string_view first_bytes);

}  // namespace quadra::net
