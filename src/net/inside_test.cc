// Calls to a handler of the same process keep the promises of calls over the network.
#include <stdexcept>

#include <gtest/gtest.h>

#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

const Peer kUs = {.address = "inside",
                  .identity = Identity{"scheduler", {"system:kube-scheduler"}}};

TEST(Inside, Answers) {
  const auto client = Client::Inside(
      [](const Request& request, Exchange exchange) {
        exchange.Answer({.status = 201,
                         .headers = {{"X-Who", request.peer->identity->common_name}},
                         .body = Share(request.method + request.target + request.body)});
      },
      kUs);
  const Result<Response> answer =
      client->Fetch({.method = "POST", .target = "/x", .body = std::string(200'000, 'b')});
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->headers.Find("x-who"), "scheduler");
  EXPECT_EQ(*answer->body, "POST/x" + std::string(200'000, 'b'));
}

TEST(Inside, EndsAsOverTheNetwork) {
  struct Row {
    const char* name;
    Handler handler;
    std::string outcome;  // the status, or the error
  };
  std::vector<Exchange> held;
  const Row rows[] = {
      {"dropped", [](const Request&, const Exchange&) {}, "500"},
      {"thrown", [](const Request&, const Exchange&) { throw std::runtime_error("oops"); }, "500"},
      {"dropped in the middle", [](const Request&, Exchange exchange) { exchange.Begin(200, {}); },
       "the handler broke the answer off"},
      {"kept", [&](const Request&, Exchange exchange) { held.push_back(std::move(exchange)); },
       "the request took too long"},
  };
  for (const Row& row : rows) {
    const auto client = Client::Inside(row.handler, kUs);
    const auto answer =
        client->Fetch({.method = "GET", .target = "/"}, std::chrono::milliseconds(200));
    EXPECT_EQ(answer ? std::to_string(answer->status) : answer.error().message, row.outcome)
        << row.name;
  }
  EXPECT_TRUE(held.front().Gone());
}

TEST(Inside, StreamsUntilCancelled) {
  Awaited<std::shared_ptr<Exchange>> begun;
  Awaited<bool> gone;
  const auto client = Client::Inside(
      [&](const Request& /*request*/, Exchange exchange) {
        exchange.Begin(200, {});
        exchange.Notify({.gone = [gone]() mutable { gone.Set(true); }});
        begun.Set(std::make_shared<Exchange>(std::move(exchange)));
      },
      kUs);
  Awaited<std::string> first;
  Awaited<std::string> end;
  auto watch =
      client->Start({.method = "GET", .target = "/"},
                    {.head = [](int, const Headers&) {},
                     .data = [&](std::string_view piece) { first.Set(std::string(piece)); },
                     .end = [&](const Status& how) { end.Set(Told(how)); }});
  const std::shared_ptr<Exchange> exchange = begun.Get().value_or(nullptr);
  ASSERT_TRUE(exchange);
  exchange->Write(Share("event"));
  EXPECT_EQ(first.Get(), "event");
  watch.Cancel();
  EXPECT_EQ(end.Get(), "the request was cancelled");
  EXPECT_TRUE(gone.Get());
}

TEST(Inside, EndsEverythingWhenItIsDestroyed) {
  std::vector<Exchange> held;
  Awaited<bool> asked;
  Awaited<std::string> end;
  auto client = Client::Inside(
      [&](const Request& /*request*/, Exchange exchange) {
        held.push_back(std::move(exchange));
        asked.Set(true);
      },
      kUs);
  client->Start({.method = "GET", .target = "/"},
                {.head = [](int, const Headers&) {},
                 .data = [](std::string_view) {},
                 .end = [&](const Status& how) { end.Set(Told(how)); }});
  EXPECT_TRUE(asked.Get());
  client.reset();
  EXPECT_EQ(end.Get(), "the client was closed");
  EXPECT_TRUE(held.front().Gone());
}

}  // namespace
}  // namespace quadra::net
