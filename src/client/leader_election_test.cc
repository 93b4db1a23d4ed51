#include "client/leader_election.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "client/client_for_tests.h"
#include "client/lease.h"
#include "json/value.h"

namespace quadra::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A server that keeps one Lease and refuses updates of old ones.
class LeaseServer {
 public:
  enum class Mood { kAnswers, kHangs, kFails };

  void Serve(const net::Request& request, net::Exchange exchange) {
    MutexLock lock(mutex_);
    if (mood_ == Mood::kHangs) {
      held_.push_back(std::make_unique<net::Exchange>(std::move(exchange)));
    } else if (mood_ == Mood::kFails) {
      exchange.Answer(Json(500, StatusJson(500, "InternalError", "no")));
    } else {
      exchange.Answer(Answer(request));
    }
  }

  void Become(Mood mood) {
    MutexLock lock(mutex_);
    mood_ = mood;
  }
  // Empty where there is none.
  Lease lease() const {
    MutexLock lock(mutex_);
    return object_ ? LeaseOf(*object_) : Lease();
  }
  // What somebody else writes.
  void Write(const Lease& lease) {
    MutexLock lock(mutex_);
    Keep(*json::ParseValue(WithLease(NewLeaseObject("kube-system", "role"), lease)));
  }
  void Drop() {
    MutexLock lock(mutex_);
    object_.reset();
  }

 private:
  net::Response Answer(const net::Request& request) QUADRA_REQUIRES(mutex_) {
    if (request.method == "GET") {
      return object_ ? Json(200, json::ToJson(*object_))
                     : Json(404, StatusJson(404, "NotFound", "no lease"));
    }
    json::Value body = *json::ParseValue(request.body);
    const json::Value& given = body.Get("metadata").Get("resourceVersion");
    if (request.method == "PUT" &&
        (!object_ || given != object_->Get("metadata").Get("resourceVersion"))) {
      return Json(409, StatusJson(409, "Conflict", "changed"));
    }
    if (request.method == "POST" && object_) {
      return Json(409, StatusJson(409, "AlreadyExists", "there"));
    }
    return Json(200, Keep(std::move(body)));
  }

  // As it is kept.
  std::string Keep(json::Value object) QUADRA_REQUIRES(mutex_) {
    object.Find("metadata")->Set("resourceVersion", json::Value(std::to_string(++revision_)));
    std::string text = json::ToJson(object);
    object_ = std::move(object);
    return text;
  }

  mutable Mutex mutex_;
  Mood mood_ QUADRA_GUARDED_BY(mutex_) = Mood::kAnswers;
  std::optional<json::Value> object_ QUADRA_GUARDED_BY(mutex_);
  int revision_ QUADRA_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<net::Exchange>> held_ QUADRA_GUARDED_BY(mutex_);
};

class LeaderElectionTest : public testing::Test {
 protected:
  // What happens to it is noted as "a started", "a stopped", "a sees b".
  std::unique_ptr<LeaderElection> Candidate(const std::string& name) {
    auto election = std::make_unique<LeaderElection>(
        world_.api, LeaderElectionOptions{.name = "role", .identity = name},
        LeaderCalls{.started = [this, name] { said_.push_back(name + " started"); },
                    .stopped = [this, name] { said_.push_back(name + " stopped"); },
                    .new_leader =
                        [this, name](const std::string& leader) {
                          said_.push_back(name + " sees " + leader);
                        }});
    election->Start();
    return election;
  }

  std::vector<std::string> TakeSaid() { return std::exchange(said_, {}); }

  using Said = std::vector<std::string>;

  LeaseServer server_;
  Scripted world_{[this](const net::Request& request, net::Exchange exchange) {
                    server_.Serve(request, std::move(exchange));
                  },
                  {.timeout = seconds(60), .most_retries = 0}};
  std::vector<std::string> said_;
};

TEST_F(LeaderElectionTest, CreatesTheLeaseAndRenewsIt) {
  const auto a = Candidate("a");
  world_.Settle();
  EXPECT_EQ(TakeSaid(), (Said{"a sees a", "a started"}));
  EXPECT_TRUE(a->leads());
  const Lease first = server_.lease();
  EXPECT_EQ(first.holder, "a");
  EXPECT_EQ(first.duration_seconds, 15);
  EXPECT_EQ(first.transitions, 0);
  EXPECT_EQ(first.acquire_time, "2019-12-20T00:00:00.000000Z");
  world_.Advance(seconds(20));
  const Lease later = server_.lease();
  EXPECT_EQ(later.acquire_time, first.acquire_time);
  EXPECT_EQ(later.renew_time, "2019-12-20T00:00:20.000000Z");
  EXPECT_EQ(world_.asked().size(), 12U) << "one look, one creation, a renewal every two seconds";
  EXPECT_EQ(TakeSaid(), Said{});
}

TEST_F(LeaderElectionTest, AnotherTakesOverOnlyAfterTheLeaseDidNotChangeForItsDuration) {
  auto a = Candidate("a");
  world_.Settle();
  const auto b = Candidate("b");
  world_.Advance(seconds(60));
  EXPECT_EQ(TakeSaid(), (Said{"a sees a", "a started", "b sees a"}));
  a.reset();  // as if it had crashed
  world_.Advance(seconds(14));
  EXPECT_FALSE(b->leads());
  world_.Advance(seconds(8));
  EXPECT_TRUE(b->leads());
  EXPECT_EQ(TakeSaid(), (Said{"b sees b", "b started"}));
  EXPECT_EQ(server_.lease().transitions, 1);
}

// The times in a lease are of another machine's clock and decide nothing.
TEST_F(LeaderElectionTest, IgnoresWhatOtherClocksSay) {
  for (const std::string time : {"1999-01-01T00:00:00.000000Z", "2099-01-01T00:00:00.000000Z"}) {
    server_.Write({.holder = "other",
                   .duration_seconds = 30,
                   .acquire_time = time,
                   .renew_time = time,
                   .transitions = 4});
    const auto a = Candidate("a");
    world_.Advance(seconds(29));
    EXPECT_FALSE(a->leads()) << time;
    world_.Advance(seconds(6));
    EXPECT_TRUE(a->leads()) << time;
    EXPECT_EQ(server_.lease().transitions, 5);
  }
}

TEST_F(LeaderElectionTest, StopsWhereItCannotRenewInTime) {
  for (const auto mood : {LeaseServer::Mood::kHangs, LeaseServer::Mood::kFails}) {
    server_.Become(LeaseServer::Mood::kAnswers);
    server_.Drop();
    const auto a = Candidate("a");
    world_.Advance(seconds(4));
    TakeSaid();
    server_.Become(mood);
    world_.Advance(milliseconds(11'900));  // the last renewal was when this began
    EXPECT_TRUE(a->leads());
    world_.Advance(milliseconds(200));
    EXPECT_FALSE(a->leads());
    EXPECT_EQ(TakeSaid(), Said{"a stopped"});
    const std::size_t asked = world_.asked().size();
    world_.Advance(seconds(60));
    EXPECT_EQ(world_.asked().size(), asked) << "it is over";
  }
}

TEST_F(LeaderElectionTest, GoesOnWhereRenewingSucceedsInTheEnd) {
  const auto a = Candidate("a");
  world_.Settle();
  server_.Become(LeaseServer::Mood::kFails);
  world_.Advance(seconds(9));
  server_.Become(LeaseServer::Mood::kAnswers);
  world_.Advance(seconds(30));
  EXPECT_TRUE(a->leads());
  EXPECT_EQ(TakeSaid(), (Said{"a sees a", "a started"}));
}

TEST_F(LeaderElectionTest, StopsAtOnceWhenItSeesAnotherLeader) {
  const auto a = Candidate("a");
  world_.Settle();
  TakeSaid();
  server_.Write({.holder = "b", .duration_seconds = 15});
  world_.Advance(seconds(2));
  EXPECT_FALSE(a->leads());
  EXPECT_EQ(TakeSaid(), (Said{"a sees b", "a stopped"}));
}

TEST_F(LeaderElectionTest, MakesALeaseAnewThatWasDeleted) {
  const auto a = Candidate("a");
  world_.Settle();
  server_.Drop();
  world_.Advance(seconds(2));
  EXPECT_TRUE(a->leads());
  EXPECT_EQ(server_.lease().holder, "a");
}

TEST_F(LeaderElectionTest, WhatIsReleasedIsTakenAtOnce) {
  const auto a = Candidate("a");
  world_.Settle();
  const auto b = Candidate("b");
  world_.Settle();
  TakeSaid();
  a->Release([this] { said_.emplace_back("a released"); });
  EXPECT_EQ(TakeSaid(), Said{"a stopped"});
  world_.Settle();
  EXPECT_EQ(TakeSaid(), Said{"a released"});
  EXPECT_EQ(server_.lease().holder, "");
  EXPECT_EQ(server_.lease().duration_seconds, 1);
  world_.Advance(seconds(5));
  EXPECT_TRUE(b->leads());
  EXPECT_EQ(server_.lease().transitions, 1);
  EXPECT_EQ(TakeSaid(), (Said{"b sees b", "b started"}));
}

TEST_F(LeaderElectionTest, ReleasingWaitsNoLongerThanTheDeadline) {
  const auto a = Candidate("a");
  world_.Settle();
  TakeSaid();
  server_.Become(LeaseServer::Mood::kHangs);
  a->Release([this] { said_.emplace_back("a released"); });
  world_.Advance(milliseconds(9'900));
  EXPECT_EQ(TakeSaid(), Said{"a stopped"});
  world_.Advance(milliseconds(200));
  EXPECT_EQ(TakeSaid(), Said{"a released"});
}

TEST_F(LeaderElectionTest, WhoDoesNotLeadReleasesNothing) {
  server_.Write({.holder = "other", .duration_seconds = 15});
  const auto a = Candidate("a");
  world_.Settle();
  a->Release([this] { said_.emplace_back("a released"); });
  world_.Settle();
  EXPECT_EQ(TakeSaid(), (Said{"a sees other", "a released"}));
  EXPECT_EQ(server_.lease().holder, "other");
}

TEST_F(LeaderElectionTest, MayBeDroppedInItsCalls) {
  std::unique_ptr<LeaderElection> election;
  bool stopped = false;
  election = std::make_unique<LeaderElection>(
      world_.api, LeaderElectionOptions{.name = "role", .identity = "a"},
      LeaderCalls{.started = [] {},
                  .stopped =
                      [&] {
                        stopped = true;
                        election.reset();
                      }});
  election->Start();
  world_.Settle();
  server_.Become(LeaseServer::Mood::kFails);
  world_.Advance(seconds(60));
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace quadra::client
