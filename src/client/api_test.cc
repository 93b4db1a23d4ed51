#include "client/api.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/client_for_tests.h"

namespace quadra::client {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kClaim =
    R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"gpus",)"
    R"("namespace":"team-a","uid":"u1","resourceVersion":"7"},"spec":{"devices":{"requests":)"
    R"([{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}})";

// Awaits a Later as a task.
template <typename T>
loop::Task<T> Awaited(loop::Later<T> later) {
  co_return co_await later;
}

TEST(Api, GetsObjectsAsStructs) {
  Scripted world([](const net::Request&, net::Exchange exchange) {
    exchange.Answer(Json(200, std::string(kClaim)));
  });
  const auto claim = world.Run(world.api.Get<api::ResourceClaim>("team-a", "gpus"));
  ASSERT_TRUE(claim.has_value()) << claim.error().message;
  EXPECT_EQ(claim->metadata.uid, "u1");
  EXPECT_EQ(claim->spec.devices.requests[0].name, "gpu");
  EXPECT_EQ(world.asked(),
            Lines{"GET /apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims/gpus"});
}

TEST(Api, WritesWithVersionKindAndManager) {
  std::string body;
  std::string agent;
  Scripted world(
      [&](const net::Request& request, net::Exchange exchange) {
        body = request.body;
        agent = std::string(request.headers.Find("user-agent").value_or(""));
        exchange.Answer(Json(201, std::string(kClaim)));
      },
      {.user_agent = "test/1", .field_manager = "tester"});
  api::ResourceClaim claim;
  claim.metadata.name = "gpus";
  claim.metadata.ns = "team-a";
  ASSERT_TRUE(world.Run(world.api.Create(claim)).has_value());
  EXPECT_EQ(world.asked(), Lines{"POST /apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims"
                                 "?fieldManager=tester"});
  EXPECT_TRUE(body.starts_with(R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1",)"))
      << body;
  EXPECT_EQ(agent, "test/1");
}

TEST(Api, SaysWhyAServerRefused) {
  Scripted world([](const net::Request&, net::Exchange exchange) {
    exchange.Answer(Json(409, StatusJson(409, "Conflict", "the object has been modified")));
  });
  const auto answer =
      world.Run(Awaited(world.api.Update(ResourceFor("v1", "Pod"), "a", "b", "{}")));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(
      answer.error(),
      (Failure{.code = 409, .reason = "Conflict", .message = "the object has been modified"}));
  EXPECT_EQ(world.asked().size(), 1U);
}

// A server on which somebody else writes first, so many times.
struct Contended {
  explicit Contended(int conflicts)
      : world([left = conflicts](const net::Request& request, net::Exchange exchange) mutable {
          const bool refuses = request.method == "PUT" && left-- > 0;
          exchange.Answer(refuses ? Json(409, StatusJson(409, "Conflict", "it has been modified"))
                                  : Json(200, std::string(kClaim)));
        }) {}

  Answer<api::ResourceClaim> Alter(const std::function<bool(api::ResourceClaim&)>& change) {
    return world.Run(world.api.Alter<api::ResourceClaim>("team-a", "gpus", change, "status"));
  }

  Scripted world;
};

TEST(Api, AltersWhatOthersWriteToo) {
  const struct {
    int conflicts;
    bool altered;
    std::size_t asked;
  } rows[] = {{0, true, 2}, {2, true, 6}, {4, true, 10}, {5, false, 10}};
  for (const auto& [conflicts, altered, asked] : rows) {
    Contended contended(conflicts);
    std::size_t made = 0;
    const Answer<api::ResourceClaim> answer = contended.Alter([&](api::ResourceClaim&) {
      ++made;
      return true;
    });
    EXPECT_EQ(answer.has_value(), altered) << conflicts;
    EXPECT_EQ(contended.world.asked().size(), asked) << conflicts;
    EXPECT_EQ(made, asked / 2) << conflicts;
    EXPECT_TRUE(altered || answer.error().Is(refused::kConflict)) << conflicts;
  }
}

TEST(Api, WritesNothingWhereNothingIsToBeAltered) {
  Contended contended(0);
  const Answer<api::ResourceClaim> answer =
      contended.Alter([](api::ResourceClaim&) { return false; });
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->metadata.uid, "u1");
  EXPECT_EQ(contended.world.asked().size(), 1U);
}

// How often what is sent, where a server always answers so.
struct RetryCase {
  std::string name;
  std::string method;
  int status;  // 0: it breaks off
  std::string retry_after;
  std::size_t times;
};

class Retries : public testing::TestWithParam<RetryCase> {};

TEST_P(Retries, OnlyWhatWasNotServed) {
  const RetryCase& given = GetParam();
  Scripted world(
      [&](const net::Request&, net::Exchange exchange) {
        if (given.status == 0) {
          exchange.Begin(200, {});
          return;  // dropped: broken off
        }
        net::Response response = Json(given.status, "");
        if (!given.retry_after.empty()) {
          response.headers.Add("retry-after", given.retry_after);
        }
        exchange.Answer(std::move(response));
      },
      {.most_retries = 2});
  const auto answer = world.Run(Awaited(world.api.Fetch(given.method, "/x")));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, given.status);
  EXPECT_EQ(world.asked().size(), given.times);
}

INSTANTIATE_TEST_SUITE_P(Table, Retries,
                         testing::Values(RetryCase{"Busy", "POST", 429, "1", 3},
                                         RetryCase{"BusySilent", "POST", 429, "", 3},
                                         RetryCase{"Unavailable", "PUT", 503, "1", 3},
                                         RetryCase{"UnavailableSilent", "PUT", 503, "", 1},
                                         RetryCase{"ReadTimedOut", "GET", 504, "1", 3},
                                         RetryCase{"WriteTimedOut", "POST", 504, "1", 1},
                                         RetryCase{"ReadBroken", "GET", 0, "", 3},
                                         RetryCase{"WriteBroken", "POST", 0, "", 1},
                                         RetryCase{"Conflict", "PUT", 409, "", 1},
                                         RetryCase{"Missing", "GET", 404, "", 1}),
                         [](const auto& row) { return row.param.name; });

TEST(Api, WaitsAsLongAsTheServerSays) {
  int asked = 0;
  Scripted world([&](const net::Request&, net::Exchange exchange) {
    net::Response busy = Json(429, "");
    busy.headers.Add("retry-after", "5");
    exchange.Answer(++asked == 1 ? std::move(busy) : Json(200, "{}"));
  });
  const Time start = world.loop.Now();
  ASSERT_TRUE(world.Run(Awaited(world.api.Fetch("GET", "/x"))).has_value());
  EXPECT_EQ(world.loop.Now() - start, std::chrono::seconds(5));
}

TEST(Api, RenewsHeadersOnceAfterUnauthorized) {
  std::string token = "old";
  Scripted world(
      [](const net::Request& request, net::Exchange exchange) {
        const bool good = request.headers.Find("authorization") == "new";
        exchange.Answer(Json(good ? 200 : 401, "{}"));
      },
      {.headers = [&] { return net::Headers{{"authorization", token}}; },
       .renew =
           [&] {
             token = token == "old" ? "new" : "worse";
             return true;
           }});
  EXPECT_TRUE(world.Run(Awaited(world.api.Fetch("GET", "/x"))).has_value());
  token = "worst";
  EXPECT_EQ(world.Run(Awaited(world.api.Fetch("GET", "/x"))).error().code, 401);
  EXPECT_EQ(world.asked().size(), 4U);
}

TEST(Api, TellsEveryWarningOnce) {
  Lines warnings;
  Scripted world(
      [](const net::Request&, net::Exchange exchange) {
        net::Response response = Json(200, "{}");
        response.headers.Add("warning", R"(299 - "v1beta1 is deprecated")");
        exchange.Answer(std::move(response));
      },
      {.on_warning = [&](const std::string& text) { warnings.push_back(text); }});
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(world.Run(Awaited(world.api.Fetch("GET", "/x"))));
  }
  EXPECT_EQ(warnings, Lines{"v1beta1 is deprecated"});
}

TEST(Api, UndoesTheQuotingOfWarnings) {
  Lines warnings;
  Scripted world(
      [](const net::Request&, net::Exchange exchange) {
        net::Response response = Json(200, "{}");
        response.headers.Add("warning", R"(299 - "unknown field \"datta\"", 299 - "a, \\b" "Thu")");
        exchange.Answer(std::move(response));
      },
      {.on_warning = [&](const std::string& text) { warnings.push_back(text); }});
  static_cast<void>(world.Run(Awaited(world.api.Fetch("GET", "/x"))));
  EXPECT_EQ(warnings, (Lines{R"(unknown field "datta")", R"(a, \b)"}));
}

TEST(Api, DeletesWithPreconditions) {
  std::string body;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    body = request.body;
    exchange.Answer(Json(200, "{}"));
  });
  Deletion deletion{.uid = "u1",
                    .resource_version = "7",
                    .propagation = Propagation::kForeground,
                    .grace_seconds = 0};
  static_cast<void>(
      world.Run(Awaited(world.api.Delete(ResourceFor("v1", "Pod"), "a", "b", deletion))));
  EXPECT_EQ(body,
            R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":)"
            R"({"uid":"u1","resourceVersion":"7"},"propagationPolicy":"Foreground"})");
}

TEST(Api, ListsAllPagesAndNamesTheirKind) {
  Scripted world([](const net::Request& request, net::Exchange exchange) {
    const bool second = request.target.find("continue=t%2F1") != std::string::npos;
    exchange.Answer(Json(
        200, second ? R"({"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"b"}}]})"
                    : R"({"metadata":{"resourceVersion":"5","continue":"t/1"},)"
                      R"("items":[{"metadata":{"name":"a"}}]})"));
  });
  const auto page = world.Run(world.api.List(ResourceFor("v1", "Pod"), {.label_selector = "a=b"}));
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->resource_version, "5");
  EXPECT_EQ(page->items, (Lines{R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}})",
                                R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}})"}));
  EXPECT_EQ(world.asked(),
            (Lines{"GET /api/v1/pods?labelSelector=a%3Db&limit=500",
                   "GET /api/v1/pods?labelSelector=a%3Db&limit=500&continue=t%2F1"}));
}

TEST(Api, ListsAnewInOnePieceWhenAPageHasExpired) {
  Scripted world([](const net::Request& request, net::Exchange exchange) {
    if (request.target.find("continue=") != std::string::npos) {
      return exchange.Answer(Json(410, StatusJson(410, "Expired", "too old")));
    }
    const bool paged = request.target.find("limit=") != std::string::npos;
    exchange.Answer(
        Json(200, paged ? R"({"metadata":{"resourceVersion":"5","continue":"t"},"items":[{}]})"
                        : R"({"metadata":{"resourceVersion":"9"},"items":[{},{}]})"));
  });
  const auto page = world.Run(world.api.List(ResourceFor("v1", "Pod"), {}));
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->resource_version, "9");
  EXPECT_EQ(page->items.size(), 2U);
}

TEST(Api, UsesTheVersionsThatTheServerHas) {
  Scripted world([](const net::Request& request, net::Exchange exchange) {
    if (request.target == "/apis/resource.k8s.io") {
      return exchange.Answer(
          Json(200, R"({"versions":[{"version":"v1alpha3"},{"version":"v1beta1"}]})"));
    }
    const bool alpha = request.target.ends_with("v1alpha3");
    exchange.Answer(
        Json(200, alpha ? R"({"resources":[{"name":"devicetaintrules","kind":"DeviceTaintRule"},)"
                          R"({"name":"resourceclaims","kind":"ResourceClaim"}]})"
                        : R"({"resources":[{"name":"resourceclaims","kind":"ResourceClaim"}]})"));
  });
  ASSERT_TRUE(world.Run(world.api.UseVersions()).has_value());
  EXPECT_EQ(world.api.Served(ResourceOf<api::ResourceClaim>()).version, "v1beta1");
  EXPECT_EQ(world.api.Served(ResourceOf<api::DeviceTaintRule>()).version, "v1alpha3");
  EXPECT_FALSE(world.api.Serves(ResourceOf<api::DeviceClass>()));
  EXPECT_TRUE(world.api.Serves(ResourceOf<api::Pod>()));
}

TEST(Api, WritesOldVersionsAsTheyAre) {
  std::string body;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    if (request.method == "POST") {
      body = request.body;
    }
    const bool group = request.target == "/apis/resource.k8s.io";
    exchange.Answer(
        Json(200, group ? R"({"versions":[{"version":"v1beta1"}]})"
                        : R"({"resources":[{"name":"resourceclaims","kind":"ResourceClaim"}]})"));
  });
  ASSERT_TRUE(world.Run(world.api.UseVersions()).has_value());
  static_cast<void>(world.Run(world.api.Create(*Kind<api::ResourceClaim>::Decode(kClaim))));
  EXPECT_TRUE(
      body.starts_with(R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1beta1",)"))
      << body;
  EXPECT_NE(body.find(R"("requests":[{"name":"gpu","deviceClassName":"gpu")"), std::string::npos)
      << body;
}

TEST(Api, AServerWithoutTheGroupNamesTheRemedy) {
  Scripted world([](const net::Request&, net::Exchange exchange) {
    exchange.Answer(Json(404, StatusJson(404, "NotFound", "")));
  });
  const auto answer = world.Run(world.api.UseVersions());
  ASSERT_FALSE(answer.has_value());
  EXPECT_NE(answer.error().message.find("--runtime-config"), std::string::npos);
}

TEST(Api, ReadsMetadataOfAnyKind) {
  std::string accept;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    accept = std::string(request.headers.Find("accept").value_or(""));
    exchange.Answer(
        Json(200, R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)"
                  R"({"name":"a","uid":"u","ownerReferences":[{"kind":"Node","name":"n"}]}})"));
  });
  const auto read = world.Run(Awaited(world.api.GetMetadata(ResourceFor("v1", "Pod"), "x", "a")));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->kind, "Pod");
  EXPECT_EQ(read->metadata.owner_references[0].name, "n");
  EXPECT_TRUE(accept.starts_with("application/json;as=PartialObjectMetadata;"));
}

TEST(Api, WhatIsDroppedIsForgotten) {
  std::vector<net::Exchange> held;
  Scripted world(
      [&](const net::Request&, net::Exchange exchange) { held.push_back(std::move(exchange)); });
  {
    loop::TaskGroup group;
    group.Start([](Api& api) -> loop::Task<void> {
      static_cast<void>(co_await api.Fetch("GET", "/x"));
      ADD_FAILURE() << "it was dropped";
    }(world.api));
    world.Settle();
  }
  held.front().Answer(Json(200, "{}"));
  world.Settle();
}

}  // namespace
}  // namespace quadra::client
