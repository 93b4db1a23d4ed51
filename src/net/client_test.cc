// What a client does when things go wrong, and how it uses its connections.
#include "net/client.h"

#include <thread>

#include <gtest/gtest.h>

#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

using std::chrono::milliseconds;

void Ok(const Request& /*request*/, Exchange exchange) { exchange.Answer({}); }

// A request that nobody is interested in.
Receiver Ignored(std::function<void(const Status&)> end) {
  return {
      .head = [](int, const Headers&) {}, .data = [](std::string_view) {}, .end = std::move(end)};
}

TEST(Client, SaysWhatIsWrongWithItsOptions) {
  const Pki& pki = Pki::Shared();
  struct Row {
    const char* name;
    ClientOptions options;
    const char* error;
  };
  const Row rows[] = {
      {"no authorities", {}, "the file of authorities is no PEM certificate"},
      {"no certificate",
       {.authorities = pki.authority.certificate, .credential = Credential{.key = pki.admin.key}},
       "the certificate is no PEM certificate"},
      {"another key",
       {.authorities = pki.authority.certificate,
        .credential = Credential{pki.admin.certificate, pki.server.key}},
       "the key does not belong to the certificate"},
  };
  for (const Row& row : rows) {
    const auto client = Client::Make(row.options);
    ASSERT_FALSE(client) << row.name;
    EXPECT_TRUE(client.error().message.starts_with(row.error)) << client.error().ToString();
  }
}

TEST(Client, SaysWhyAServerCannotBeReached) {
  const auto server = StartServer(Ok);
  const std::string ours = Pki::Shared().authority.certificate;
  const std::string other = MakeAuthority("other", SystemClock().Now())->certificate;
  struct Row {
    const char* name;
    ClientOptions options;
    const char* error;
  };
  const Row rows[] = {
      {"another authority",
       {.port = server->port(), .authorities = other},
       "certificate verify failed: unable to get local issuer certificate"},
      {"another name",
       {.port = server->port(), .server_name = "kubernetes", .authorities = ours},
       "certificate verify failed: hostname mismatch"},
      {"another address",
       {.port = server->port(), .server_name = "10.0.0.1", .authorities = ours},
       "certificate verify failed: IP address mismatch"},
      {"nobody listens", {.port = 1, .authorities = ours}, "Connection refused"},
      {"no such host",
       {.host = "no-such-host.invalid", .authorities = ours},
       "cannot reach no-such-host.invalid:443: "},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto answer = (*Client::Make(row.options))->Fetch({.method = "GET", .target = "/"});
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().message.find(row.error), std::string::npos)
        << answer.error().ToString();
  }
}

TEST(Client, FindsServersByName) {
  const auto server = StartServer(Ok);
  const auto client = MakeClient(*server, {.host = "localhost"});
  const auto answer = client->Fetch({.method = "GET", .target = "/"});
  EXPECT_TRUE(answer) << answer.error().ToString();
}

TEST(Client, GivesUpAfterTheTimeout) {
  for (const Protocols protocols : {Protocols::kHttp2, Protocols::kHttp1}) {
    std::vector<Exchange> held;
    const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
      held.push_back(std::move(exchange));
    });
    const auto client = MakeClient(*server, {.protocols = protocols});
    const auto answer = client->Fetch({.method = "GET", .target = "/"}, milliseconds(10));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, "the request took too long");
  }
}

TEST(Client, EndsEverythingWhenItIsDestroyed) {
  for (const Protocols protocols : {Protocols::kHttp2, Protocols::kHttp1}) {
    Awaited<bool> asked;
    std::vector<Exchange> held;
    const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
      held.push_back(std::move(exchange));
      asked.Set(true);
    });
    Awaited<std::string> running;
    Awaited<std::string> waiting;
    auto client = MakeClient(*server, {.protocols = protocols, .connections = 1});
    client->Start({.method = "GET", .target = "/"},
                  Ignored([&](const Status& how) { running.Set(Told(how)); }));
    EXPECT_TRUE(asked.Get());
    if (protocols == Protocols::kHttp1) {
      client->Start({.method = "GET", .target = "/"},
                    Ignored([&](const Status& how) { waiting.Set(Told(how)); }));
    }
    client.reset();
    EXPECT_NE(running.Get().value_or(""), "");
    if (protocols == Protocols::kHttp1) {
      EXPECT_EQ(waiting.Get(), "the client was closed");
    }
  }
}

TEST(Client, CancelsWhatWaitsForAConnection) {
  std::vector<Exchange> held;
  Awaited<bool> asked;
  const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
    held.push_back(std::move(exchange));
    asked.Set(true);
  });
  const auto client = MakeClient(*server, {.protocols = Protocols::kHttp1, .connections = 1});
  client->Start({.method = "GET", .target = "/"}, Ignored([](const Status&) {}));
  EXPECT_TRUE(asked.Get());
  Awaited<std::string> end;
  auto waiting = client->Start({.method = "GET", .target = "/"},
                               Ignored([&](const Status& how) { end.Set(Told(how)); }));
  waiting.Cancel();
  EXPECT_EQ(end.Get(), "the request was cancelled");
}

// A server whose thread hangs answers no pings, though its system still takes the bytes.
TEST(Client, NoticesADeadServer) {
  Awaited<bool> rescued;
  const auto server = StartServer(
      [&](const Request& /*request*/, Exchange exchange) {
        rescued.Get();
        exchange.Answer({});
      },
      {.threads = 1});
  const auto client = MakeClient(*server, {.protocols = Protocols::kHttp2,
                                           .ping_after = milliseconds(20),
                                           .ping_timeout = milliseconds(20)});
  const auto answer = client->Fetch({.method = "GET", .target = "/"});
  rescued.Set(true);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "the server does not answer pings");
}

TEST(Client, PingsKeepAQuietStreamAlive) {
  Awaited<std::shared_ptr<Exchange>> begun;
  const auto server = StartServer([&](const Request& /*request*/, Exchange exchange) {
    exchange.Begin(200, {});
    begun.Set(std::make_shared<Exchange>(std::move(exchange)));
  });
  const auto client = MakeClient(*server, {.protocols = Protocols::kHttp2,
                                           .ping_after = milliseconds(5),
                                           .ping_timeout = milliseconds(5000)});
  Awaited<std::string> end;
  client->Start({.method = "GET", .target = "/"},
                Ignored([&](const Status& how) { end.Set(Told(how)); }));
  const std::shared_ptr<Exchange> exchange = begun.Get().value_or(nullptr);
  ASSERT_TRUE(exchange);
  std::this_thread::sleep_for(milliseconds(100));  // some twenty pings
  exchange->End();
  EXPECT_EQ(end.Get(), "");
}

TEST(Client, ConnectsAgainAfterTheServerWentAway) {
  for (const Protocols protocols : {Protocols::kHttp2, Protocols::kHttp1}) {
    auto server = StartServer(Ok);
    const std::uint16_t port = server->port();
    const auto client = MakeClient(*server, {.protocols = protocols});
    ASSERT_TRUE(client->Fetch({.method = "GET", .target = "/"}));
    server.reset();
    ASSERT_FALSE(client->Fetch({.method = "GET", .target = "/"}));
    server = StartServer(Ok, {.port = port});
    const auto answer = client->Fetch({.method = "GET", .target = "/"});
    EXPECT_TRUE(answer) << answer.error().ToString();
    EXPECT_EQ(client->connected(), 2U);
  }
}

}  // namespace
}  // namespace quadra::net
