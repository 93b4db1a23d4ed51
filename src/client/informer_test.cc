#include "client/informer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "client/client_for_tests.h"
#include "client/informers.h"

namespace quadra::client {
namespace {

using Lines = std::vector<std::string>;

std::string PodJson(std::string_view name, std::string_view uid, int revision,
                    std::string_view node = "") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         R"(","namespace":"a","uid":")" + std::string(uid) + R"(","resourceVersion":")" +
         std::to_string(revision) + R"("},"spec":{"nodeName":")" + std::string(node) +
         R"(","containers":[]}})";
}

std::string Event(std::string_view type, std::string_view object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + std::string(object) + "}\n";
}

std::string Synced(int revision) {
  return Event("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":")" +
                               std::to_string(revision) +
                               R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}

// A server whose streams the test writes, and an informer of its pods that notes what it tells.
class InformerTest : public testing::Test {
 protected:
  void Begin(const net::Request& request, net::Exchange exchange) {
    if (refuse_streams && request.target.find("sendInitialEvents") != std::string::npos) {
      return exchange.Answer(Json(422, StatusJson(422, "Invalid", "no streams")));
    }
    if (request.target.find("watch=true") == std::string::npos) {
      return exchange.Answer(Json(200, list));
    }
    if (refuse_watches != 0) {
      return exchange.Answer(
          Json(refuse_watches, StatusJson(refuse_watches, "InternalError", "not now")));
    }
    exchange.Begin(200, {{"content-type", "application/json"}});
    streams.push_back(std::move(exchange));
  }

  void SetUp() override {
    pods.AddIndex("node", [](const api::Pod& pod) { return Lines{pod.spec.node_name}; });
    pods.OnChange({.added = [this](const api::Pod& pod) { Note("+", pod); },
                   .updated = [this](const api::Pod&, const api::Pod& now) { Note("~", now); },
                   .deleted = [this](const api::Pod& pod) { Note("-", pod); }});
    pods.OnSynced([this] { told.emplace_back("synced"); });
    pods.Start();
    world.Settle();
  }

  void Note(std::string_view what, const api::Pod& pod) {
    told.push_back(std::string(what) + pod.metadata.name + "@" + pod.metadata.resource_version);
  }
  void Send(const std::string& text) {
    streams.back().Write(net::Share(text));
    world.Settle();
  }
  void EndStream() {
    streams.back().End();
    streams.pop_back();
    world.Settle();
  }
  Lines Told() { return std::exchange(told, {}); }

  bool refuse_streams = false;
  int refuse_watches = 0;
  std::string list = R"({"metadata":{"resourceVersion":"1"},"items":[]})";
  std::vector<net::Exchange> streams;
  Lines told;
  Lines failures;
  Lines unreadable;
  Scripted world{[this](const net::Request& request, net::Exchange exchange) {
    Begin(request, std::move(exchange));
  }};
  Informer<api::Pod> pods{
      world.api,
      {.resource = ResourceOf<api::Pod>(),
       .on_unreadable = [this](const std::string& name,
                               const Error&) { unreadable.push_back(name); },
       .on_failure = [this](const Failure& failure) { failures.push_back(failure.message); }}};
};

TEST_F(InformerTest, TellsWhatIsThereThenWhatChanges) {
  Send(Event("ADDED", PodJson("p", "1", 4)));
  EXPECT_FALSE(pods.synced());
  EXPECT_EQ(Told(), Lines());
  Send(Synced(5));
  EXPECT_TRUE(pods.synced());
  EXPECT_EQ(Told(), (Lines{"+p@4", "synced"}));
  EXPECT_EQ(pods.resource_version(), "5");

  Send(Event("ADDED", PodJson("q", "2", 6)) + Event("MODIFIED", PodJson("p", "1", 7, "n")) +
       Event("DELETED", PodJson("q", "2", 8)));
  EXPECT_EQ(Told(), (Lines{"+q@6", "~p@7", "-q@8"}));
  EXPECT_EQ(pods.size(), 1U);
  EXPECT_EQ(pods.Find("a", "p")->spec.node_name, "n");
  EXPECT_EQ(pods.resource_version(), "8");
}

TEST_F(InformerTest, TakesEventsApartWhereverTheyAreSplit) {
  const std::string text =
      Event("ADDED", PodJson("p", "1", 4)) + Synced(5) + Event("MODIFIED", PodJson("p", "1", 6));
  for (const char byte : text) {
    streams.back().Write(net::Share(std::string(1, byte)));
  }
  world.Settle();
  EXPECT_EQ(Told(), (Lines{"+p@4", "synced", "~p@6"}));
}

TEST_F(InformerTest, WhatGoesWhileListingIsNotTold) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Event("ADDED", PodJson("q", "2", 4)) +
       Event("MODIFIED", PodJson("q", "2", 5)) + Event("DELETED", PodJson("p", "1", 5)) +
       Synced(5));
  EXPECT_EQ(Told(), (Lines{"+q@5", "synced"}));
}

TEST_F(InformerTest, IndexesFollowTheObjects) {
  Send(Event("ADDED", PodJson("p", "1", 4, "n1")) + Event("ADDED", PodJson("o", "2", 4, "n1")) +
       Synced(5));
  ASSERT_EQ(pods.With("node", "n1").size(), 2U);
  EXPECT_EQ(pods.With("node", "n1")[0]->metadata.name, "o");
  Send(Event("MODIFIED", PodJson("p", "1", 6, "n2")) +
       Event("DELETED", PodJson("o", "2", 7, "n1")));
  EXPECT_TRUE(pods.With("node", "n1").empty());
  EXPECT_EQ(pods.With("node", "n2").size(), 1U);
  EXPECT_TRUE(pods.With("nothing", "n2").empty());
}

TEST_F(InformerTest, AnotherUidIsAnotherObject) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Synced(5));
  Told();
  Send(Event("MODIFIED", PodJson("p", "2", 9)));
  EXPECT_EQ(Told(), (Lines{"-p@4", "+p@9"}));
}

TEST_F(InformerTest, WatchesOnFromTheLastRevision) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Synced(5));
  Send(
      Event("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"70"}})"));
  EndStream();
  ASSERT_EQ(world.asked().size(), 2U);
  EXPECT_NE(world.asked()[1].find("resourceVersion=70"), std::string::npos) << world.asked()[1];
  EXPECT_EQ(world.asked()[1].find("sendInitialEvents"), std::string::npos);
  Told();
  Send(Event("MODIFIED", PodJson("p", "1", 71)));
  EXPECT_EQ(Told(), Lines{"~p@71"});
}

TEST_F(InformerTest, ListsAnewWhenTheRevisionIsTooOld) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Event("ADDED", PodJson("q", "2", 4)) + Synced(5));
  Told();
  Send(Event("ERROR", StatusJson(410, "Expired", "too old resource version")));
  ASSERT_EQ(world.asked().size(), 2U);
  EXPECT_NE(world.asked()[1].find("sendInitialEvents=true"), std::string::npos);
  EXPECT_EQ(pods.size(), 2U) << "the old copy stays until there is a new one";
  Send(Event("ADDED", PodJson("q", "2", 4)) + Event("ADDED", PodJson("r", "3", 9)) + Synced(10));
  EXPECT_EQ(Told(), (Lines{"+r@9", "-p@4"}));
  EXPECT_TRUE(failures.empty());
}

TEST_F(InformerTest, AnUnreadableObjectStopsNobody) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Synced(5));
  Told();
  Send(Event("MODIFIED",
             R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"a",)"
             R"("resourceVersion":"6"},"spec":{"nodeName":7}})") +
       Event("ADDED", PodJson("q", "2", 7)));
  EXPECT_EQ(Told(), Lines{"+q@7"});
  EXPECT_EQ(unreadable, Lines{"a/p"});
  EXPECT_EQ(pods.Find("a/p")->metadata.resource_version, "4");
}

TEST_F(InformerTest, GarbageInTheStreamListsAnewLater) {
  Send(Event("ADDED", PodJson("p", "1", 4)) + Synced(5));
  Send("no event\n");
  EXPECT_EQ(failures.size(), 1U);
  EXPECT_EQ(world.asked().size(), 1U);
  world.Advance(std::chrono::seconds(2));
  ASSERT_EQ(world.asked().size(), 2U);
  EXPECT_NE(world.asked()[1].find("sendInitialEvents"), std::string::npos);
}

TEST_F(InformerTest, BacksOffWhileTheServerFails) {
  Send(Synced(5));
  refuse_watches = 500;
  EndStream();
  world.Advance(std::chrono::minutes(5));
  // Waits of 0.8 s, doubled each time up to 30 s, each up to twice as long.
  EXPECT_GE(failures.size(), 8U);
  EXPECT_LE(failures.size(), 16U);
  refuse_watches = 0;
  world.Advance(std::chrono::minutes(1));
  ASSERT_FALSE(streams.empty());
  const std::size_t before = failures.size();
  Send(Event("ADDED", PodJson("p", "1", 6)));
  refuse_watches = 500;
  EndStream();
  EXPECT_EQ(failures.size(), before + 1);
  refuse_watches = 0;
  world.Advance(std::chrono::milliseconds(1601));
  EXPECT_EQ(streams.size(), 1U) << "after progress the first wait is short again";
}

TEST(Informer, ListsInPagesWhereAServerDoesNotStream) {
  std::vector<net::Exchange> streams;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    if (request.target.find("sendInitialEvents") != std::string::npos) {
      return exchange.Answer(Json(422, StatusJson(422, "Invalid", "no streams")));
    }
    if (request.target.find("watch=true") == std::string::npos) {
      return exchange.Answer(Json(
          200, R"({"metadata":{"resourceVersion":"12"},"items":[)" + PodJson("p", "1", 4) + "]}"));
    }
    exchange.Begin(200, {});
    streams.push_back(std::move(exchange));
  });
  Informer<api::Pod> pods(world.api, {.resource = ResourceOf<api::Pod>()});
  pods.Start();
  world.Settle();
  EXPECT_TRUE(pods.synced());
  EXPECT_EQ(pods.size(), 1U);
  ASSERT_EQ(world.asked().size(), 3U);
  EXPECT_EQ(world.asked()[1], "GET /api/v1/pods?limit=500");
  EXPECT_NE(world.asked()[2].find("resourceVersion=12"), std::string::npos);
}

TEST(Informers, OneCopyForAllAndOneCallWhenAllHaveSynced) {
  std::map<std::string, net::Exchange> streams;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    exchange.Begin(200, {});
    streams.emplace(request.target.substr(0, request.target.find('?')), std::move(exchange));
  });
  Informers informers(world.api);
  EXPECT_EQ(&informers.Of<api::Pod>(), &informers.Of<api::Pod>());
  Informer<Metadata>& sets = informers.MetadataOf(ResourceFor("apps/v1", "ReplicaSet"));
  Informer<api::Object>& trees = informers.Objects(ResourceFor("apps/v1", "Deployment"));
  int synced = 0;
  informers.Start([&] { ++synced; });
  world.Settle();
  for (auto& [target, stream] : streams) {
    EXPECT_EQ(synced, 0);
    stream.Write(net::Share(
        Event("ADDED", R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d",)"
                       R"("namespace":"a","uid":"7","resourceVersion":"3"}})") +
        Synced(5)));
    world.Settle();
  }
  EXPECT_EQ(synced, 1);
  EXPECT_TRUE(informers.synced());
  EXPECT_EQ(sets.Find("a/d")->kind, "ReplicaSet");
  EXPECT_EQ(MetaOf(*trees.Find("a/d")).uid, "7");
}

TEST(Informer, MayBeDroppedAtAnyTime) {
  std::vector<net::Exchange> streams;
  Scripted world([&](const net::Request&, net::Exchange exchange) {
    exchange.Begin(200, {});
    streams.push_back(std::move(exchange));
  });
  {
    Informer<api::Pod> pods(world.api, {.resource = ResourceOf<api::Pod>()});
    pods.Start();
    world.Settle();
    streams.back().Write(net::Share(Event("ADDED", PodJson("p", "1", 4))));
  }
  world.Settle();
  EXPECT_TRUE(streams.back().Gone());
}

}  // namespace
}  // namespace quadra::client
