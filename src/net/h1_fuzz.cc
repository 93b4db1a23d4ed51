// Any bytes as HTTP/1.1, to a server and to a client: no crash, limits hold, and it does not matter
// in which pieces the bytes arrive.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/h1_client.h"
#include "net/h1_server.h"

namespace quadra::net {
namespace {

constexpr Limits kLimits = {.header_bytes = 512, .body_bytes = 256};

std::string ToText(const Headers& headers) {
  std::string text;
  for (const Header& header : headers) {
    text += header.name + "=" + header.value + ";";
  }
  return text;
}

// What a server makes of it: the requests it saw, and all it sent.
std::string Served(std::string_view bytes, std::size_t piece) {
  std::string seen;
  Service service;
  service.limits = kLimits;
  service.oversized = [](const Request&) { return PlainText(413, "too large"); };
  service.handler = [&](const Request& request, Exchange exchange) {
    QUADRA_CHECK(!request.method.empty() && !request.target.empty(), "a request has a first line");
    QUADRA_CHECK(request.body.size() <= kLimits.body_bytes, "bodies are limited");
    seen += request.method + " " + request.target + " " + ToText(request.headers) + request.body;
    exchange.Begin(200, {});
    exchange.Write(Share("answer"));
    exchange.End();
  };
  const auto mailbox = std::make_shared<Mailbox>([] {});
  std::string sent;
  {
    H1Server server(service, std::make_shared<Peer>(), mailbox, {});
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      server.Receive(bytes.substr(0, piece), {});
      server.Send(sent, sent.size() + 10'000, {});
    }
  }
  mailbox->Close();
  return seen + sent;
}

// What a client makes of it as the answer to two requests, one after the other.
std::string Received(std::string_view bytes, std::size_t piece) {
  std::string seen;
  const ClientOptions options;
  H1Client client(options, {.retry = [](const std::shared_ptr<Call>&) {}, .room = [] {}}, {});
  const auto submit = [&] {
    if (client.Room() > 0) {
      auto call = std::make_shared<Call>();
      call->request = {.method = "POST", .target = "/"};
      call->receiver = {
          .head = [&](int status,
                      const Headers& headers) { seen += std::to_string(status) + ToText(headers); },
          .data = [&](std::string_view part) { seen += part; },
          .end = [&](const Status& how) { seen += how ? "(end)" : "(error)"; }};
      client.Submit(std::move(call));
    }
  };
  submit();
  std::string sent;
  for (; !bytes.empty() && !client.Finished(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    client.Receive(bytes.substr(0, piece), {});
    client.Send(sent, 10'000, {});
  }
  client.Lose({.message = "the end"});
  return seen;
}

}  // namespace
}  // namespace quadra::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  using quadra::net::Received;
  using quadra::net::Served;
  const std::string served = Served(bytes, std::max<std::size_t>(size, 1));
  QUADRA_CHECK(served == Served(bytes, 1), "pieces do not matter to a server");
  QUADRA_CHECK(served == Served(bytes, 7), "pieces do not matter to a server");
  const std::string received = Received(bytes, std::max<std::size_t>(size, 1));
  QUADRA_CHECK(received == Received(bytes, 1), "pieces do not matter to a client");
  return 0;
}
