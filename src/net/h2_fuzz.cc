// Any bytes as h2 frames, to a server and to a client: no crash, limits hold, every request and
// every call has one end. The first byte says how large the pieces are in which they arrive.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "net/h2_client.h"
#include "net/h2_server.h"

namespace quadra::net {
namespace {

constexpr Limits kLimits = {
    .header_bytes = 512, .body_bytes = 256, .streams_per_connection = 4, .stream_window = 300};
constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
// Settings without any, which both ends must send first.
constexpr std::string_view kSettings("\0\0\0\x04\0\0\0\0\0", 9);

void Feed(Session& session, std::string_view bytes, std::size_t piece) {
  Instant now;
  std::string sent;
  for (; !bytes.empty() && !session.Finished();
       bytes.remove_prefix(std::min(piece, bytes.size()))) {
    session.Receive(bytes.substr(0, piece), now);
    sent.clear();
    session.Send(sent, 1000, now);
    now += std::chrono::milliseconds(10);
    session.OnTick(now);
  }
}

void FeedServer(std::string_view bytes, std::size_t piece) {
  std::vector<Exchange> held;
  Service service;
  service.limits = kLimits;
  service.oversized = [](const Request&) { return PlainText(413, "too large"); };
  service.handler = [&](const Request& request, Exchange exchange) {
    QUADRA_CHECK(!request.method.empty() && !request.target.empty(), "a request has its parts");
    QUADRA_CHECK(request.body.size() <= kLimits.body_bytes, "bodies are limited");
    exchange.Begin(200, {{"content-type", "text/plain"}});
    exchange.Write(Share(std::string(1000, 'x')));
    held.push_back(std::move(exchange));
    if (held.size() > kLimits.streams_per_connection) {
      held.front().End();
      held.erase(held.begin());
    }
  };
  const auto mailbox = std::make_shared<Mailbox>([] {});
  {
    H2Server server(service, std::make_shared<Peer>(), mailbox, {});
    Feed(server, std::string(kPreface).append(kSettings).append(bytes), piece);
  }
  for (const Exchange& exchange : held) {
    QUADRA_CHECK(exchange.Gone(), "a connection that ended tells every producer");
  }
  held.clear();
  mailbox->Close();
}

void FeedClient(std::string_view bytes, std::size_t piece) {
  const ClientOptions options;
  int ended = 0;
  H2Client client(options, {.retry = [&](const std::shared_ptr<Call>&) { ++ended; }, .room = [] {}},
                  {});
  Feed(client, kSettings, kSettings.size());
  constexpr int kCalls = 3;
  for (int i = 0; i < kCalls; ++i) {
    auto call = std::make_shared<Call>();
    call->request = {.method = "POST", .target = "/", .body = std::string(100, 'b')};
    call->receiver = {.head =
                          [](int status, const Headers&) {
                            QUADRA_CHECK(status >= 200,
                                         "what precedes an answer is not handed over");
                          },
                      .data = [](std::string_view) {},
                      .end = [&](const Status&) { ++ended; }};
    client.Submit(std::move(call));
  }
  std::string sent;
  client.Send(sent, 10'000, {});
  Feed(client, bytes, piece);
  client.Lose({.message = "the end"});
  QUADRA_CHECK(ended == kCalls, "every call ends once, or is taken back");
}

}  // namespace
}  // namespace quadra::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) {
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    quadra::net::FeedServer(bytes, std::size_t{data[0]} + 1);
    quadra::net::FeedClient(bytes, std::size_t{data[0]} + 1);
  }
  return 0;
}
