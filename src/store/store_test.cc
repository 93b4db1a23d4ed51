#include "store/store.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "store/desk_for_tests.h"

namespace quadra::store {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using Lines = std::vector<std::string>;

// Every promise holds whatever the log is made of.
class StoreTest : public testing::TestWithParam<const char*> {
 protected:
  Desk desk_{GetParam()};

  std::unique_ptr<Watch> WatchFrom(Revision after, std::string prefix = "",
                                   std::size_t most_waiting = 100) {
    auto watch =
        desk_->Watch({.prefix = std::move(prefix), .after = after, .most_waiting = most_waiting});
    return watch ? *std::move(watch) : nullptr;
  }
};
INSTANTIATE_TEST_SUITE_P(Logs, StoreTest, testing::Values("memory", "sqlite"),
                         [](const auto& log) { return std::string(log.param); });

TEST_P(StoreTest, WritesHappenOnlyIfTheirPreconditionHolds) {
  EXPECT_EQ(desk_->Head().revision(), kFirstRevision);
  EXPECT_EQ(desk_.Put("a", "one", Precondition::Absent()), "committed 2");
  EXPECT_EQ(desk_.Put("a", "two", Precondition::Absent()), "conflict with a@2=one");
  EXPECT_EQ(desk_.Put("a", "two", Precondition::ModifiedAt(7)), "conflict with a@2=one");
  EXPECT_EQ(desk_.Put("a", "two", Precondition::ModifiedAt(2)), "committed 3");
  EXPECT_EQ(desk_.Put("a", "three"), "committed 4");
  EXPECT_EQ(desk_.Put("b", "one", Precondition::ModifiedAt(4)), "conflict with nothing");
  EXPECT_EQ(desk_.Delete("b"), "conflict with nothing");
  EXPECT_EQ(desk_.Delete("a", Precondition::ModifiedAt(3)), "conflict with a@4=three");
  EXPECT_EQ(desk_.Delete("a", Precondition::ModifiedAt(4)), "committed 5");
  EXPECT_EQ(desk_.Put("a", "four", Precondition::Absent()), "committed 6");
  EXPECT_EQ(desk_.List(""), "a@6=four");
  EXPECT_EQ(desk_->Head().revision(), 6);
}

TEST_P(StoreTest, WritesHappenOnlyIfNobodyElseHasTheirSoleTerms) {
  EXPECT_EQ(desk_.PutAlone("b", "#red #blue", {"#red", "#blue"}), "committed 2");
  EXPECT_EQ(desk_.PutAlone("b", "#red again", {"#red"}), "committed 3") << "it has it itself";
  EXPECT_EQ(desk_.PutAlone("a", "#red", {"#red"}), "#red is taken by b@3=#red again");
  EXPECT_EQ(desk_.PutAlone("c", "nothing", {"#green", "#red"}), "#red is taken by b@3=#red again");
  EXPECT_EQ(desk_.PutAlone("c", "#blue", {"#blue"}), "committed 4") << "b has given it up";
  EXPECT_EQ(desk_.PutAlone("a", "#re", {"#re"}), "committed 5") << "another word";
  EXPECT_EQ(desk_.Put("c", "#red"), "committed 6") << "who does not ask is not told";
  EXPECT_EQ(desk_.PutAlone("b", "#red", {"#red"}), "#red is taken by c@6=#red");
  desk_.Restart();
  EXPECT_EQ(desk_.PutAlone("d", "#red", {"#red"}), "#red is taken by b@3=#red again");
  desk_.Delete("b");
  desk_.Delete("c");
  EXPECT_EQ(desk_.PutAlone("d", "#red", {"#red"}), "committed 9");
}

TEST_P(StoreTest, OfManyWritesAtOnceOneGetsTheTerm) {
  constexpr int kWriters = 200;
  std::atomic<int> committed = 0;
  std::atomic<int> taken = 0;
  {
    std::vector<std::jthread> writers;
    for (int thread = 0; thread < 4; ++thread) {
      writers.emplace_back([&, thread] {
        for (int i = 0; i < kWriters; ++i) {
          desk_->Submit({.key = std::to_string(thread * kWriters + i),
                         .draft = DraftOf("#red"),
                         .sole_terms = {"#red"}},
                        [&](const Outcome& outcome) {
                          committed += std::holds_alternative<Committed>(outcome) ? 1 : 0;
                          taken += std::holds_alternative<Taken>(outcome) ? 1 : 0;
                        });
        }
      });
    }
  }
  desk_.Restart();  // commits what waits
  EXPECT_EQ(committed, 1);
  EXPECT_EQ(taken, 4 * kWriters - 1);
}

TEST_P(StoreTest, RemembersWhenARecordWasCreated) {
  desk_.Put("a", "one");
  desk_.Put("a", "two");
  desk_.Restart();
  desk_.Put("a", "three");
  const RecordPtr record = desk_->Head().Find("a");
  EXPECT_EQ(record->created, 2);
  EXPECT_EQ(record->modified, 4);
}

TEST_P(StoreTest, ScansInTheOrderOfKeys) {
  for (const char* key : {"b/2", "a/1", "b/1", "b", "c/1", "b/\xff"}) {
    desk_.Put(key, "x");
  }
  struct Row {
    std::string prefix;
    std::string from;
    Lines keys;
  };
  const Row rows[] = {
      {"", "", {"a/1", "b", "b/1", "b/2", "b/\xff", "c/1"}},
      {"b/", "", {"b/1", "b/2", "b/\xff"}},
      {"b/", "b/1", {"b/1", "b/2", "b/\xff"}},
      {"b/", "b/1\x01", {"b/2", "b/\xff"}},
      {"b/", "c", {}},
      {"b/\xff", "", {"b/\xff"}},
      {"\xff", "", {}},
      {"", "b/2", {"b/2", "b/\xff", "c/1"}},
      {"d", "", {}},
  };
  const Snapshot head = desk_->Head();
  for (const Row& row : rows) {
    Lines keys;
    head.Scan(row.prefix, row.from, [&](const RecordPtr& record) {
      keys.push_back(record->key.text());
      return true;
    });
    EXPECT_EQ(keys, row.keys) << row.prefix << " from " << row.from;
    EXPECT_EQ(head.Count(row.prefix, row.from), row.keys.size());
  }
  std::size_t visits = 0;
  head.Scan("", "", [&](const RecordPtr&) { return ++visits < 2; });
  EXPECT_EQ(visits, 2);
}

TEST_P(StoreTest, FindsRecordsByTheirTerms) {
  desk_.Put("pods/a", "x #n1");
  desk_.Put("pods/b", "x #n1 #gpu");
  desk_.Put("pods/c", "x #n10");
  desk_.Put("slices/a", "x #n1");
  EXPECT_EQ(desk_.ListTerm("#n1", "pods/"), "pods/a@2=x #n1 pods/b@3=x #n1 #gpu");
  desk_.Put("pods/a", "x #n2");
  desk_.Put("pods/b", "y #n1");
  EXPECT_EQ(desk_.ListTerm("#n1", "pods/"), "pods/b@7=y #n1");
  EXPECT_EQ(desk_.ListTerm("#gpu", ""), "");
  desk_.Delete("pods/b");
  desk_.Restart();
  EXPECT_EQ(desk_.ListTerm("#n1", ""), "slices/a@5=x #n1");
  EXPECT_EQ(desk_.ListTerm("#n2", ""), "pods/a@6=x #n2");
}

TEST_P(StoreTest, ExtractsOnceAVersion) {
  desk_.Put("a", "one");
  desk_.Put("a", "two");
  desk_->Head().Scan("", "", [](const RecordPtr&) { return true; });
  TakeAll(*WatchFrom(1));
  EXPECT_EQ(desk_.extractor().calls(), 2);
  desk_.Restart();
  EXPECT_EQ(desk_.extractor().calls(), 4);
}

TEST_P(StoreTest, ShowsThePastAlsoAfterARestart) {
  desk_.Put("a", "one");
  desk_.Put("b", "one");
  desk_.Put("a", "two");
  desk_.Delete("b");
  desk_.Put("b", "three");
  const Lines states = {"",        "a@2=one",          "a@2=one b@3=one", "a@4=two b@3=one",
                        "a@4=two", "a@4=two b@6=three"};
  for (int round = 0; round < 2; ++round) {
    for (std::size_t at = 0; at < states.size(); ++at) {
      EXPECT_EQ(Say(desk_->At(at + 1)), states[at]);
    }
    EXPECT_EQ(Say(desk_->At(7)), "not yet");
    EXPECT_EQ(Say(desk_->At(0)), "expired");
    desk_.Restart();
  }
}

TEST_P(StoreTest, SnapshotsStayAsTheyAre) {
  desk_.Put("a", "one #x");
  const Snapshot before = desk_->Head();
  desk_.Put("a", "two");
  desk_.Delete("a");
  EXPECT_EQ(Say(before), "a@2=one #x");
  EXPECT_EQ(desk_.List(""), "");
}

TEST_P(StoreTest, WatchesTellEveryChangeOnce) {
  desk_.Put("pods/a", "one");
  const auto watch = WatchFrom(1, "pods/");
  desk_.Put("pods/a", "two");
  desk_.Put("nodes/n", "one");
  desk_.Delete("pods/a");
  const Lines all = {"+pods/a@2=one", "~pods/a@3=two was @2=one", "-pods/a@5=two was @3=two"};
  EXPECT_EQ(TakeAll(*watch), all);
  EXPECT_EQ(TakeAll(*watch), Lines{});
  desk_.Put("pods/b", "one");
  EXPECT_EQ(TakeAll(*watch), Lines{"+pods/b@6=one"});
  desk_.Restart();
  EXPECT_EQ(TakeAll(*watch), Lines{"ended: closed"});
  EXPECT_EQ(TakeAll(*WatchFrom(3, "pods/")), (Lines{all[2], "+pods/b@6=one"}));
}

TEST_P(StoreTest, APositionCoversWhatOthersWroteToo) {
  const auto watch = WatchFrom(1, "pods/");
  desk_.Put("pods/a", "one");
  desk_.Put("nodes/n", "one");
  EXPECT_EQ(watch->Take().through, 3) << "from the past";
  desk_.Put("nodes/n", "two");
  EXPECT_EQ(watch->Take().through, 4);
  desk_.Put("pods/a", "two");
  desk_.Put("pods/a", "three");
  desk_.Put("nodes/n", "three");
  const Delivery part = watch->Take(1);
  EXPECT_EQ(part.through, 5) << "a later event is still waiting";
  EXPECT_TRUE(part.more);
  EXPECT_EQ(watch->Take(1).through, 7);
}

TEST_P(StoreTest, AWatchFromTheFutureWaitsForIt) {
  const auto watch = WatchFrom(3);
  EXPECT_EQ(watch->Take().through, 3);
  desk_.Put("a", "one");
  desk_.Put("b", "one");
  EXPECT_EQ(TakeAll(*watch), Lines{});
  desk_.Put("c", "one");
  EXPECT_EQ(TakeAll(*watch), Lines{"+c@4=one"});
}

TEST_P(StoreTest, AWatcherThatIsTooSlowIsEndedAndMayResume) {
  const auto watch = WatchFrom(1, "", 2);
  TakeAll(*watch);
  for (const char* key : {"a", "b", "c", "d"}) {
    desk_.Put(key, "x");
  }
  const Delivery first = watch->Take(1);
  EXPECT_EQ(first.ended, std::nullopt) << "what was queued comes first";
  EXPECT_EQ(TakeAll(*watch), (Lines{"+b@3=x", "ended: too slow"}));
  EXPECT_EQ(watch->Take().through, 3) << "what was dropped was not delivered";
  EXPECT_EQ(TakeAll(*WatchFrom(3, "", 2)), (Lines{"+c@4=x", "+d@5=x"}));
}

TEST_P(StoreTest, WatchesDoNotDisturbEachOther) {
  const auto a = WatchFrom(1, "a/");
  auto b = WatchFrom(1, "b/");
  auto also_b = WatchFrom(1, "b/");
  const auto all = WatchFrom(1);
  for (Watch* watch : {a.get(), b.get(), also_b.get(), all.get()}) {
    TakeAll(*watch);
  }
  b.reset();
  desk_.Put("a/1", "x");
  desk_.Put("b/1", "x");
  EXPECT_EQ(TakeAll(*also_b), Lines{"+b/1@3=x"});
  also_b.reset();
  desk_.Put("a/2", "x");
  desk_.Put("b", "x");
  EXPECT_EQ(TakeAll(*a), (Lines{"+a/1@2=x", "+a/2@4=x"}));
  EXPECT_EQ(TakeAll(*all).size(), 4U);
}

TEST_P(StoreTest, WakesOncePerSilence) {
  int wakes = 0;
  const auto watch = *desk_->Watch({.prefix = "", .after = 1, .wake = [&] { ++wakes; }});
  TakeAll(*watch);
  desk_.Put("a", "one");
  desk_.Put("a", "two");
  EXPECT_EQ(wakes, 1);
  TakeAll(*watch);
  desk_.Put("a", "three");
  EXPECT_EQ(wakes, 2);
}

TEST_P(StoreTest, RecordsExpireLikeAnyDeletion) {
  desk_.PutFor(seconds(60), "a", "one");
  desk_.PutFor(seconds(60), "b", "one");
  desk_.Put("c", "one");
  desk_.clock().Advance(seconds(59));
  desk_->Maintain();
  desk_.PutFor(seconds(60), "b", "two");
  desk_.Restart();
  const auto watch = WatchFrom(5);
  desk_.clock().Advance(seconds(1));
  desk_->Maintain();
  EXPECT_EQ(TakeAll(*watch), Lines{"-a@6=one was @2=one"});
  EXPECT_EQ(desk_.List(""), "b@5=two c@4=one");
  desk_.clock().Advance(seconds(59));
  desk_->Maintain();
  EXPECT_EQ(desk_.List(""), "c@4=one");
}

TEST_P(StoreTest, AClockThatJumpsBackOnlyDelays) {
  desk_.clock().Advance(minutes(60));
  desk_.PutFor(seconds(10), "a", "one");
  desk_.clock().Advance(-minutes(30));
  desk_->Maintain();
  EXPECT_EQ(desk_.List(""), "a@2=one");
  desk_.clock().Advance(minutes(31));
  desk_->Maintain();
  EXPECT_EQ(desk_.List(""), "");
}

class RetentionTest : public testing::TestWithParam<const char*> {
 protected:
  // Writes a/0 … a/n-1 twice, then deletes them.
  static void Churn(Desk& desk, int n) {
    for (int pass = 0; pass < 3; ++pass) {
      for (int at = 0; at < n; ++at) {
        const std::string key = "a/" + std::to_string(at);
        pass < 2 ? desk.Put(key, "x") : desk.Delete(key);
      }
    }
  }
  // The least revision from which a watch may begin.
  static Revision Oldest(Desk& desk) { return desk->Watch({.after = 0}).error().oldest; }
};
INSTANTIATE_TEST_SUITE_P(Logs, RetentionTest, testing::Values("memory", "sqlite"),
                         [](const auto& log) { return std::string(log.param); });

TEST_P(RetentionTest, ForgetsWhatIsOldAndMoreThanTheLeast) {
  Desk desk(GetParam(), {.retention = {.least_events = 10, .least_age = minutes(5)},
                         .writer = {.compaction_step = 3}});
  Churn(desk, 10);
  desk->Maintain();
  EXPECT_EQ(Oldest(desk), 1) << "young";
  desk.clock().Advance(minutes(5));
  desk.Put("b", "x");
  desk->Maintain();
  EXPECT_EQ(Oldest(desk), 22);
  EXPECT_EQ(Say(desk->At(21)), "expired");
  EXPECT_EQ(desk->At(22)->size(), 9);
  desk.Restart();
  EXPECT_EQ(Oldest(desk), 22) << "the log was compacted too";
  EXPECT_EQ(desk->At(22)->size(), 9);
  EXPECT_EQ(desk.List(""), "b@32=x");
  EXPECT_EQ(desk->Head().revision(), 32);
}

TEST_P(RetentionTest, NeverKeepsMoreThanTheMost) {
  struct Row {
    const char* name;
    Retention retention;
    Revision oldest;
  };
  const Row rows[] = {
      {"events", {.least_events = 1000, .most_events = 4}, 27},
      {"bytes", {.least_events = 1000, .most_bytes = 5 * std::string("rv=31:x").size()}, 26},
  };
  for (const Row& row : rows) {
    Desk desk(GetParam(), {.retention = row.retention});
    Churn(desk, 10);
    EXPECT_EQ(Oldest(desk), row.oldest) << row.name;
    desk->Maintain();
    desk.Restart();
    EXPECT_EQ(Oldest(desk), row.oldest) << row.name;
  }
}

TEST_P(RetentionTest, GivesNoRevisionTwiceThoughTheLastWereForgotten) {
  Desk desk(GetParam(), {.retention = {.least_events = 0, .least_age = seconds(0)}});
  Churn(desk, 1);
  desk->Maintain();
  desk.Restart();
  EXPECT_EQ(desk->Head().revision(), 4);
  EXPECT_EQ(desk.Put("a", "x"), "committed 5");
}

TEST_P(RetentionTest, AWatcherOfThePastThatFallsBehindExpires) {
  Desk desk(GetParam(), {.retention = {.least_events = 1000, .most_events = 4}});
  Churn(desk, 1);
  const auto watch = *desk->Watch({.prefix = "", .after = 1});
  watch->Take(1);
  Churn(desk, 2);
  EXPECT_EQ(TakeAll(*watch), Lines{"ended: expired"});
}

}  // namespace
}  // namespace quadra::store
