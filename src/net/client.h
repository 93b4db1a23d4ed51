// Client: requests to one server over TLS, h2 or HTTP/1.1, or to a handler in this process.
//
//   QUADRA_TRY(const auto client, Client::Make({.port = 6443, .authorities = ca_pem}));
//   QUADRA_TRY(const Response answer, client->Fetch({.method = "GET", .target = "/healthz"}));
//
//   auto watch = client->Start({.method = "GET", .target = "/watch"},
//                              {.head = ..., .data = ..., .end = ...});
//   watch.Cancel();
//
// Connections are made when they are needed, shared by as many requests as the server allows, and
// closed when idle. A dead peer is noticed: where a connection with open requests is silent, the
// server is pinged (h2). A request that the server certainly has not begun to serve, since it was
// going away, is sent once more.
//
// Threads: all members may be called by all; receivers are called on the client's one thread, one
// at a time, and must not wait: Fetch() in a receiver would wait for ever.
// Cost: 2 us of CPU a small request of h2 where many are under way, 13 us where one is.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/certificates.h"
#include "net/exchange.h"
#include "net/message.h"
#include "net/simulated_network.h"

namespace quadra::net {

enum class Protocols { kAny, kHttp2, kHttp1 };

// Of HTTP, without encryption up to it; asked to CONNECT.
struct Proxy {
  std::string host;
  std::uint16_t port = 0;
};

struct ClientOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 443;
  std::string server_name;               // in the server's certificate; empty: the host
  std::string authorities;               // PEM; vouch for the server
  bool system_authorities = false;       // those of this machine vouch for it, too
  bool insecure = false;                 // whoever answers is believed to be the server
  std::optional<Credential> credential;  // shown to the server
  std::string path;                      // put before every target, e.g. /clusters/a
  std::optional<Proxy> proxy;            // by which the server is reached
  Protocols protocols = Protocols::kAny;
  std::size_t connections = 8;  // open at once; further requests wait

  std::chrono::milliseconds connect_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds idle = std::chrono::seconds(90);
  // Go's: how long a connection with open requests may be silent, and then a ping unanswered.
  std::chrono::milliseconds ping_after = std::chrono::seconds(30);
  std::chrono::milliseconds ping_timeout = std::chrono::seconds(15);
};

// How an answer arrives: its head, its body in pieces that are gone after the call, its end. An
// error ends it too, at any time; `end` is called once and last.
struct Receiver {
  std::function<void(int status, const Headers& headers)> head;
  std::function<void(std::string_view piece)> data;
  std::function<void(const Status& how)> end;
};

struct Call;
class Carrier;

class Client {
 public:
  // A request that was started. Dropping it leaves the request running.
  class Ongoing {
   public:
    // Ends it soon with an error, unless it has ended.
    void Cancel();

   private:
    friend class Client;
    Ongoing(std::weak_ptr<Call> call, std::weak_ptr<Carrier> carrier);

    std::weak_ptr<Call> call_;
    std::weak_ptr<Carrier> carrier_;
  };

  // Connects to nothing yet; fails where certificates, key or options cannot be used.
  static Result<std::unique_ptr<Client>> Make(ClientOptions options);
  // For a handler of this process: no bytes are framed and nothing is encrypted, but all promises
  // hold, so that whoever has a client need not know where its server is. `peer` is what the
  // handler sees of us. The handler is called on the client's thread.
  static std::unique_ptr<Client> Inside(Handler handler, Peer peer);
  // As Inside, through a network whose faults and time a simulation makes up. No Fetch(): nobody
  // would move that time.
  static std::unique_ptr<Client> Simulated(SimulatedNetwork& network);
  // Ends what is running with an error.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // `timeout` is for the whole answer; zero: none, as for a watch.
  Ongoing Start(Request request, Receiver receiver, std::chrono::milliseconds timeout = {});

  // Waits for the whole answer. Any status is an answer; an Error says that there was none.
  Result<Response> Fetch(Request request,
                         std::chrono::milliseconds timeout = std::chrono::seconds(60));

  // Shown to the server on connections made from now on; those that are open take no more requests.
  // Fails, and changes nothing, where it cannot be used. Nothing where nothing is encrypted.
  Status Use(const Credential& credential);

  // Connections made since the start.
  std::uint64_t connected() const;

 private:
  explicit Client(std::shared_ptr<Carrier> carrier, std::string path = {});

  const std::shared_ptr<Carrier> carrier_;
  const std::string path_;
};

}  // namespace quadra::net
