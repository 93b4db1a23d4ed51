// Server and client over real sockets on loopback, by both protocols.
#include "net/server.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

class BothProtocols : public testing::TestWithParam<Protocols> {
 protected:
  std::unique_ptr<Client> ClientFor(const Server& server, ClientOptions options = {}) const {
    options.protocols = GetParam();
    return MakeClient(server, std::move(options));
  }
};
INSTANTIATE_TEST_SUITE_P(Server, BothProtocols,
                         testing::Values(Protocols::kHttp2, Protocols::kHttp1),
                         [](const auto& row) {
                           return row.param == Protocols::kHttp2 ? "Http2" : "Http1";
                         });

// Answers with what it was asked.
void Echo(Request request, Exchange exchange) {
  Response answer{.status = 200, .headers = {{"X-Method", request.method}}};
  answer.headers.Add("x-target", request.target);
  answer.headers.Add("x-colour", std::string(request.headers.Find("x-colour").value_or("none")));
  answer.headers.Add("x-host", std::string(request.headers.Find("host").value_or("none")));
  answer.body = Share(std::move(request.body));
  exchange.Answer(std::move(answer));
}

TEST_P(BothProtocols, CarryWhatWasAskedAndAnswered) {
  struct Row {
    const char* name;
    Request request;
    std::string method, target, colour, body;
  };
  const std::string large(std::size_t{2900} << 10, 'x');
  const Row rows[] = {
      {"plain", {.method = "GET", .target = "/a?b=c%20d"}, "GET", "/a?b=c%20d", "none", ""},
      {"header",
       {.method = "GET", .target = "/", .headers = {{"X-Colour", "red"}}},
       "GET",
       "/",
       "red",
       ""},
      {"body", {.method = "POST", .target = "/", .body = "some"}, "POST", "/", "none", "some"},
      {"large body", {.method = "PUT", .target = "/", .body = large}, "PUT", "/", "none", large},
      {"no body to delete", {.method = "DELETE", .target = "/x"}, "DELETE", "/x", "none", ""},
      {"unknown method", {.method = "BREW", .target = "/tea"}, "BREW", "/tea", "none", ""},
      {"head has no body", {.method = "HEAD", .target = "/", .body = ""}, "HEAD", "/", "none", ""},
  };
  const auto server = StartServer(Echo);
  const auto client = ClientFor(*server);
  const std::string host = "127.0.0.1:" + std::to_string(server->port());
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Result<Response> answer = client->Fetch(row.request);
    ASSERT_TRUE(answer) << answer.error().ToString();
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->headers.Find("x-method"), row.method);
    EXPECT_EQ(answer->headers.Find("x-target"), row.target);
    EXPECT_EQ(answer->headers.Find("x-colour"), row.colour);
    EXPECT_EQ(answer->headers.Find("x-host"), host);
    EXPECT_EQ(*answer->body, row.body);
  }
  EXPECT_EQ(client->connected(), 1U) << "one connection serves one request after the other";
}

TEST_P(BothProtocols, CarryStatusesWithAndWithoutBody) {
  const auto server = StartServer([](const Request& request, Exchange exchange) {
    exchange.Answer({.status = std::stoi(request.target.substr(1)), .body = Share("body")});
  });
  const auto client = ClientFor(*server);
  for (const int status : {200, 201, 204, 304, 404, 429, 499, 503}) {
    const Result<Response> answer =
        client->Fetch({.method = "GET", .target = "/" + std::to_string(status)});
    ASSERT_TRUE(answer) << status << ": " << answer.error().ToString();
    EXPECT_EQ(answer->status, status);
    EXPECT_EQ(*answer->body, HasBody("GET", status) ? "body" : "");
  }
}

TEST_P(BothProtocols, CarryLargeAnswers) {
  const Bytes large = Share(std::string(std::size_t{8} << 20, 'y'));
  const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
    exchange.Answer({.status = 200, .body = large});
  });
  const Result<Response> answer = ClientFor(*server)->Fetch({.method = "GET", .target = "/"});
  ASSERT_TRUE(answer);
  EXPECT_TRUE(*answer->body == *large);
}

TEST_P(BothProtocols, ServeManyRequestsAtOnce) {
  const auto server = StartServer(Echo);
  const auto client = ClientFor(*server);
  constexpr int kRequests = 500;
  std::atomic<int> good = 0;
  std::atomic<int> ended = 0;
  Awaited<bool> all;
  for (int i = 0; i < kRequests; ++i) {
    client->Start({.method = "POST", .target = "/", .body = std::to_string(i)},
                  {.head = [&](int status, const Headers&) { good += status == 200 ? 1 : 0; },
                   .data = [](std::string_view) {},
                   .end =
                       [&](const Status&) {
                         if (++ended == kRequests) {
                           all.Set(true);
                         }
                       }});
  }
  EXPECT_TRUE(all.Get());
  EXPECT_EQ(good, kRequests);
  EXPECT_EQ(server->counts().requests, static_cast<std::uint64_t>(kRequests));
  EXPECT_LE(client->connected(), 8U);
}

// The head arrives before anything was written, the rest as it is written, from another thread.
TEST_P(BothProtocols, Stream) {
  Awaited<std::shared_ptr<Exchange>> begun;
  const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
    exchange.Begin(200, {{"content-type", "application/json"}});
    begun.Set(std::make_shared<Exchange>(std::move(exchange)));
  });
  const auto client = ClientFor(*server);
  Awaited<int> head;
  Awaited<std::string> first;
  Awaited<std::string> end;
  std::string read;
  client->Start({.method = "GET", .target = "/watch"},
                {.head = [&](int status, const Headers&) { head.Set(status); },
                 .data =
                     [&](std::string_view piece) {
                       if (read.empty()) {
                         first.Set(std::string(piece));
                       }
                       read.append(piece);
                     },
                 .end = [&](const Status& how) { end.Set(Told(how)); }});
  EXPECT_EQ(head.Get(), 200);
  const std::shared_ptr<Exchange> exchange = begun.Get().value_or(nullptr);
  ASSERT_TRUE(exchange);
  exchange->Write(Share("one\n"));
  EXPECT_EQ(first.Get(), "one\n");
  exchange->Write(Share("two\n"));
  exchange->Write(Share(""));
  exchange->End();
  EXPECT_EQ(end.Get(), "");
  EXPECT_EQ(read, "one\ntwo\n");
}

TEST_P(BothProtocols, TellTheProducerThatTheClientHasGone) {
  Awaited<std::shared_ptr<Exchange>> begun;
  Awaited<bool> gone;
  const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
    exchange.Notify({.gone = [gone]() mutable { gone.Set(true); }});
    exchange.Begin(200, {});
    begun.Set(std::make_shared<Exchange>(std::move(exchange)));
  });
  const auto client = ClientFor(*server);
  Awaited<std::string> end;
  auto watch = client->Start({.method = "GET", .target = "/"},
                             {.head = [](int, const Headers&) {},
                              .data = [](std::string_view) {},
                              .end = [&](const Status& how) { end.Set(Told(how)); }});
  const std::shared_ptr<Exchange> exchange = begun.Get().value_or(nullptr);
  ASSERT_TRUE(exchange);
  EXPECT_FALSE(exchange->Gone());
  watch.Cancel();
  EXPECT_TRUE(gone.Get());
  EXPECT_TRUE(exchange->Gone());
  exchange->Write(Share("to nobody"));
  EXPECT_EQ(exchange->Unsent(), 0U);
  EXPECT_EQ(end.Get(), "the request was cancelled");
}

TEST_P(BothProtocols, AnswerForHandlersThatDoNot) {
  struct Row {
    const char* name;
    Handler handler;
    int status;  // 0: the answer breaks off
  };
  const Row rows[] = {
      {"dropped", [](const Request&, const Exchange&) {}, 500},
      {"thrown", [](const Request&, const Exchange&) { throw std::runtime_error("oops"); }, 500},
      {"dropped in the middle",
       [](const Request&, Exchange exchange) {
         exchange.Begin(200, {});
         exchange.Write(Share("half"));
       },
       0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto server = StartServer(row.handler);
    const Result<Response> answer = ClientFor(*server)->Fetch({.method = "GET", .target = "/"});
    EXPECT_EQ(answer ? answer->status : 0, row.status);
  }
}

TEST_P(BothProtocols, RefuseWhatIsTooLarge) {
  struct Row {
    const char* name;
    std::size_t header, body;
    int status;
  };
  const Row rows[] = {
      {"as large as allowed", 100, 1000, 200},
      {"a body of one byte more", 100, 1001, 413},
      {"a body of much more", 100, 5 << 20, 413},
      {"headers", 5000, 0, 431},
  };
  const auto server = StartServer(Echo, {.limits = {.header_bytes = 4096, .body_bytes = 1000}});
  const auto client = ClientFor(*server);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Result<Response> answer =
        client->Fetch({.method = "POST",
                       .target = "/",
                       .headers = {{"x-colour", std::string(row.header, 'c')}},
                       .body = std::string(row.body, 'b')});
    ASSERT_TRUE(answer) << answer.error().ToString();
    EXPECT_EQ(answer->status, row.status);
  }
}

// Two bodies on their way at once, of which only one finds room.
TEST_P(BothProtocols, RefuseBodiesForWhichThereIsNoRoom) {
  const auto server =
      StartServer(Echo, {.limits = {.body_bytes = 100'000, .arriving_bytes = 150'000}});
  RawPeer stranger(server->port());
  stranger.Send("POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 100000\r\n\r\n" +
                std::string(99'999, 's'));
  const auto client = ClientFor(*server);
  const auto post = [&] {
    const Result<Response> answer =
        client->Fetch({.method = "POST", .target = "/", .body = std::string(100'000, 'b')});
    return answer ? answer->status : 0;
  };
  for (int i = 0; i < 100 && post() == 200; ++i) {  // until the stranger's body has arrived
  }
  EXPECT_EQ(post(), 429);
  stranger.Send("s");
  EXPECT_TRUE(stranger.ReceiveUntil("\r\n").starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(post(), 200);
}

TEST_P(BothProtocols, LetTheOwnerWordTheRefusalOfABody) {
  ServerOptions options{.limits = {.body_bytes = 10}};
  options.oversized = [](const Request& request) {
    return PlainText(413, request.target + " is limited");
  };
  const auto server = StartServer(Echo, std::move(options));
  const Result<Response> answer = ClientFor(*server)->Fetch(
      {.method = "POST", .target = "/pods", .body = std::string(11, 'b')});
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(*answer->body, "/pods is limited\n");
}

TEST_P(BothProtocols, SayWhoTheClientIs) {
  const Time now = SystemClock().Now();
  const Credential stranger_authority = *MakeAuthority("stranger", now);
  const Credential stranger = *IssueClient(stranger_authority, {"admin", {"system:masters"}}, now);
  struct Row {
    const char* name;
    std::optional<Credential> credential;
    std::string answer;
  };
  const Row rows[] = {
      {"without a certificate", std::nullopt, "nobody"},
      {"our own", Pki::Shared().admin, "admin of system:masters,dev,"},
      {"of an authority we do not know", stranger,
       "distrusted: unable to get local issuer certificate"},
      {"for servers only", Pki::Shared().server, "distrusted: unsuitable certificate purpose"},
  };
  const auto server = StartServer([](const Request& request, Exchange exchange) {
    std::string text = "nobody";
    if (const auto& identity = request.peer->identity) {
      text = identity->common_name + " of ";
      for (const std::string& organization : identity->organizations) {
        text += organization + ",";
      }
    } else if (!request.peer->distrust.empty()) {
      text = "distrusted: " + request.peer->distrust;
    }
    EXPECT_TRUE(request.peer->address.starts_with("127.0.0.1:"));
    EXPECT_EQ(request.peer->fingerprint.size(), request.peer->identity ? 64U : 0U);
    exchange.Answer({.body = Share(text)});
  });
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Result<Response> answer =
        ClientFor(*server, {.credential = row.credential})->Fetch({.method = "GET", .target = "/"});
    ASSERT_TRUE(answer) << answer.error().ToString();
    EXPECT_EQ(*answer->body, row.answer);
  }
}

// A stream far larger than all buffers on the way: the producer sees that it is not taken, and is
// told when it may go on.
TEST(Server, HoldsProducersBack) {
  constexpr std::size_t kPiece = 1 << 20;
  constexpr std::size_t kPieces = 24;
  Awaited<bool> blocked;
  const auto server = StartServer([&](const Request& /*request*/, Exchange given) {
    const auto exchange = std::make_shared<Exchange>(std::move(given));
    const auto written = std::make_shared<std::size_t>(0);
    const auto write = [exchange, written] {
      while (*written < kPieces && exchange->Unsent() < 2 * kPiece) {
        exchange->Write(Share(std::string(kPiece, 'z')));
        if (++*written == kPieces) {
          exchange->End();
        }
      }
    };
    exchange->Begin(200, {});
    exchange->Notify({.writable = write, .writable_below = kPiece});
    write();
    blocked.Set(exchange->Unsent() >= 2 * kPiece);
  });
  RawPeer peer(server->port());
  peer.Send("GET / HTTP/1.1\r\nhost: h\r\n\r\n");
  EXPECT_EQ(blocked.Get(), true);
  const std::string answer = peer.ReceiveUntil("\r\n0\r\n\r\n");
  EXPECT_EQ(std::ranges::count(answer, 'z'), static_cast<std::ptrdiff_t>(kPiece * kPieces));
}

TEST(Server, RefusesConnectionsOverTheLimit) {
  const auto server = StartServer(Echo, {.limits = {.connections = 2}});
  RawPeer first(server->port());
  RawPeer second(server->port());
  RawSocket third(server->port());
  EXPECT_EQ(third.ReceiveAll(), "");
  EXPECT_EQ(server->counts().refused, 1U);
  first.Send("GET /still HTTP/1.1\r\nhost: h\r\n\r\n");
  EXPECT_TRUE(first.ReceiveUntil("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(Server, OpensAnotherConnectionWhereStreamsRunOut) {
  Awaited<bool> two;
  std::vector<Exchange> held;
  std::mutex mutex;
  const auto server = StartServer(
      [&](const Request& /*request*/, Exchange exchange) {
        const std::scoped_lock lock(mutex);
        exchange.Begin(200, {});
        held.push_back(std::move(exchange));
        if (held.size() == 5) {
          two.Set(true);
        }
      },
      {.limits = {.streams_per_connection = 2}});
  const auto client = MakeClient(*server, {.protocols = Protocols::kHttp2});
  for (int i = 0; i < 5; ++i) {
    client->Start({.method = "GET", .target = "/"}, {.head = [](int, const Headers&) {},
                                                     .data = [](std::string_view) {},
                                                     .end = [](const Status&) {}});
  }
  EXPECT_TRUE(two.Get());
  EXPECT_GE(client->connected(), 3U);
}

TEST(Server, TellsItsErrorsAtStart) {
  const auto taken = StartServer(Echo);
  const Credential& good = Pki::Shared().server;
  struct Row {
    const char* name;
    ServerOptions options;
    const char* error;
  };
  const Row rows[] = {
      {"no certificate",
       {.credential = {.key = good.key}},
       "the certificate is no PEM certificate"},
      {"no key",
       {.credential = {.certificate = good.certificate}},
       "the key is no PEM private key"},
      {"another key",
       {.credential = {good.certificate, Pki::Shared().admin.key}},
       "the key does not belong to the certificate"},
      {"no authorities",
       {.credential = good, .client_authorities = "x"},
       "the file of authorities is no PEM certificate"},
      {"a name", {.address = "localhost", .credential = good}, "cannot listen: not an IP address"},
      {"a port that is taken",
       {.port = taken->port(), .credential = good},
       "cannot listen: Address already in use"},
      {"an address of nobody's",
       {.address = "192.0.2.1", .credential = good},
       "cannot listen: Cannot assign requested address"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto server = Server::Start(row.options, Echo);
    ASSERT_FALSE(server);
    EXPECT_TRUE(server.error().message.starts_with(row.error)) << server.error().ToString();
  }
}

}  // namespace
}  // namespace quadra::net
