#include "client/event_recorder.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "client/client_for_tests.h"
#include "client/event_correlator.h"

namespace quadra::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

using Lines = std::vector<std::string>;

const ObjectReference kPod{.api_version = "v1",
                           .kind = "Pod",
                           .ns = "team-a",
                           .name = "train",
                           .uid = "u1",
                           .resource_version = "7"};
const Time kStart(std::chrono::hours(24 * 365 * 50));

// ---- What becomes of events.

class EventCorrelatorTest : public testing::Test {
 protected:
  // "3 message", or "dropped".
  std::string Take(const std::string& message, const std::string& reason = "Failed",
                   const ObjectReference& about = kPod, EventType type = EventType::kWarning) {
    const auto event = correlator_.Take(about, type, reason, message, now_);
    return event ? fmt::format("{} {}", event->count, event->message) : "dropped";
  }

  SeededRandom random_{7};
  EventCorrelator correlator_{"tester", random_};
  Time now_ = kStart;
};

TEST_F(EventCorrelatorTest, CountsWhatIsTheSame) {
  EXPECT_EQ(Take("a"), "1 a");
  EXPECT_EQ(Take("a"), "2 a");
  EXPECT_EQ(Take("b"), "1 b");
  EXPECT_EQ(Take("a", "Other"), "1 a");
  EXPECT_EQ(Take("a", "Failed", kPod, EventType::kNormal), "1 a");
  ObjectReference second = kPod;
  second.uid = "u2";
  EXPECT_EQ(Take("a", "Failed", second), "1 a");
  EXPECT_EQ(Take("a"), "3 a");
}

TEST_F(EventCorrelatorTest, TheTenthThatDiffersAndWhatFollowsAreCombined) {
  for (int i = 1; i <= 9; ++i) {
    EXPECT_EQ(Take(fmt::format("m{}", i)), fmt::format("1 m{}", i));
  }
  EXPECT_EQ(Take("m10"), "1 (combined from similar events): m10");
  EXPECT_EQ(Take("m11"), "2 (combined from similar events): m11");
  EXPECT_EQ(Take("m11"), "3 (combined from similar events): m11");
  EXPECT_EQ(Take("m1"), "2 m1") << "that one is known by itself";
  now_ += minutes(10);
  EXPECT_EQ(Take("m12"), "4 (combined from similar events): m12");
  now_ += minutes(10) + seconds(1);
  EXPECT_EQ(Take("m13"), "1 m13") << "after more than ten quiet minutes all begins anew";
}

TEST_F(EventCorrelatorTest, OneObjectGetsTwentyFiveAtOnceAndThenOneInFiveMinutes) {
  for (int i = 1; i <= 25; ++i) {
    EXPECT_EQ(Take("a"), fmt::format("{} a", i));
  }
  EXPECT_EQ(Take("a"), "dropped");
  EXPECT_EQ(Take("b", "Other"), "dropped");
  EXPECT_EQ(Take("a", "Failed", kPod, EventType::kNormal), "1 a") << "types are counted apart";
  now_ += minutes(5) - seconds(1);
  EXPECT_EQ(Take("a"), "dropped");
  now_ += seconds(2);
  EXPECT_EQ(Take("a"), "28 a") << "what was dropped is counted";
  EXPECT_EQ(Take("a"), "dropped");
}

TEST_F(EventCorrelatorTest, NamesAreThoseOfTheObjectAndTheMoment) {
  struct Row {
    std::string about;
    std::string name;  // empty: a UUID
  };
  const std::vector<Row> rows = {
      {"train", "train.15e1eb3ee9d60000"},
      {"train", "train.15e1eb3ee9d60001"},  // of the same moment
      {"Not:AName", ""},
      {std::string(250, 'a'), ""},
  };
  for (const Row& row : rows) {
    ObjectReference about = kPod;
    about.name = row.about;
    const auto event = correlator_.Take(about, EventType::kNormal, "R", row.name, now_);
    ASSERT_TRUE(event.has_value());
    const std::string name = event.value_or(EventRecord()).name;
    if (row.name.empty()) {
      EXPECT_EQ(name.size(), 36U) << name;
    } else {
      EXPECT_EQ(name, row.name);
    }
  }
}

TEST_F(EventCorrelatorTest, KeepsThe4096ObjectsThatWereToldOfLast) {
  ObjectReference about = kPod;
  EXPECT_EQ(Take("a"), "1 a");
  for (int i = 0; i < 4096; ++i) {
    about.uid = std::to_string(i);
    EXPECT_EQ(Take("a", "Failed", about), "1 a");
  }
  EXPECT_EQ(Take("a", "Failed", about), "2 a");
  EXPECT_EQ(Take("a"), "1 a") << "forgotten";
}

// ---- How they are written.

class EventRecorderTest : public testing::Test {
 protected:
  void Record(const std::string& message) {
    recorder_.Record(kPod, EventType::kWarning, "Failed", message);
  }

  void AnswerWith(int status) {
    MutexLock lock(mutex_);
    status_ = status;
  }
  Lines TakeBodies() {
    MutexLock lock(mutex_);
    return std::exchange(bodies_, {});
  }

  Mutex mutex_;
  int status_ QUADRA_GUARDED_BY(mutex_) = 201;
  Lines bodies_ QUADRA_GUARDED_BY(mutex_);
  Scripted world_{[this](const net::Request& request, net::Exchange exchange) {
                    MutexLock lock(mutex_);
                    bodies_.push_back(request.method + " " + request.body);
                    const bool gone = status_ == 404 && request.method == "POST";
                    if (status_ == 0) {
                      exchange.Begin(200, {});  // and breaks off
                    } else {
                      exchange.Answer(Json(gone ? 201 : status_, "{}"));
                    }
                  },
                  {.most_retries = 0}};
  EventRecorder recorder_{world_.api, "resource_claim"};
};

TEST_F(EventRecorderTest, WritesOnceAndThenPatchesTheCount) {
  Record("no \"class\"");
  world_.Settle();
  EXPECT_EQ(
      TakeBodies(),
      Lines{R"(POST {"kind":"Event","apiVersion":"v1","metadata":{"name":"train.15e1eb3ee9d60000",)"
            R"("namespace":"team-a"},"involvedObject":{"kind":"Pod","namespace":"team-a",)"
            R"("name":"train","uid":"u1","apiVersion":"v1","resourceVersion":"7"},)"
            R"("reason":"Failed","message":"no \"class\"","source":{"component":"resource_claim"},)"
            R"("firstTimestamp":"2019-12-20T00:00:00Z","lastTimestamp":"2019-12-20T00:00:00Z",)"
            R"("count":1,"type":"Warning","eventTime":null,)"
            R"("reportingComponent":"resource_claim","reportingInstance":""})"});
  world_.Advance(seconds(5));
  Record("no \"class\"");
  world_.Settle();
  EXPECT_EQ(TakeBodies(), Lines{R"(PATCH {"count":2,"lastTimestamp":"2019-12-20T00:00:05Z",)"
                                R"("message":"no \"class\""})"});
  EXPECT_EQ(world_.asked(), (Lines{"POST /api/v1/namespaces/team-a/events?fieldManager=quadra",
                                   "PATCH /api/v1/namespaces/team-a/events/train.15e1eb3ee9d60000"
                                   "?fieldManager=quadra"}));
}

TEST_F(EventRecorderTest, EventsOfObjectsWithoutNamespaceAreInDefault) {
  recorder_.Record({.api_version = "v1", .kind = "Node", .name = "n1"}, EventType::kNormal, "R",
                   "m");
  world_.Settle();
  EXPECT_EQ(world_.asked(), Lines{"POST /api/v1/namespaces/default/events?fieldManager=quadra"});
}

TEST_F(EventRecorderTest, WritesAnewWhatWasDeleted) {
  Record("m");
  world_.Settle();
  AnswerWith(404);
  TakeBodies();
  Record("m");
  world_.Settle();
  const Lines bodies = TakeBodies();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_TRUE(bodies[0].starts_with("PATCH ")) << bodies[0];
  EXPECT_TRUE(bodies[1].starts_with("POST ") && bodies[1].find(R"("count":2)") != std::string::npos)
      << bodies[1];
}

TEST_F(EventRecorderTest, DropsWhatIsRefusedAndTriesAgainWhatIsNotAnswered) {
  struct Row {
    int status;
    std::size_t requests;
  };
  for (const Row& row : {Row{403, 1}, Row{409, 1}, Row{422, 1}, Row{500, 1}, Row{0, 12}}) {
    AnswerWith(row.status);
    TakeBodies();
    Record(fmt::format("{}", row.status));
    world_.Advance(minutes(5));
    EXPECT_EQ(TakeBodies().size(), row.requests) << row.status;
  }
  AnswerWith(201);
  Record("still there");
  world_.Settle();
  EXPECT_EQ(TakeBodies().size(), 1U);
}

TEST_F(EventRecorderTest, HoldsNoMoreThanAThousand) {
  AnswerWith(0);
  ObjectReference about = kPod;
  for (int i = 0; i < 1200; ++i) {
    about.name = fmt::format("pod-{}", i);
    recorder_.Record(about, EventType::kNormal, "R", "m");
  }
  world_.Settle();
  AnswerWith(201);
  TakeBodies();
  world_.Advance(minutes(1));
  EXPECT_EQ(TakeBodies().size(), 1001U) << "the one under way and those that wait";
}

}  // namespace
}  // namespace quadra::client
