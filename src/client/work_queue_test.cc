#include "client/work_queue.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loop/event_loop.h"
#include "metrics/registry.h"

namespace quadra::client {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

using Lines = std::vector<std::string>;

// A queue whose looks are noted with the time since the start; they end when
// they are told to, or, where nothing is said, at once.
class WorkQueueTest : public testing::Test {
 protected:
  void Make(const WorkQueueOptions& options = {}) {
    queue_ = std::make_unique<WorkQueue>(loop_, options,
                                         [this](std::string key) { return Look(std::move(key)); });
  }

  loop::Task<Looked> Look(std::string key) {
    looked_.push_back(key);
    at_.push_back(std::chrono::duration_cast<milliseconds>(loop_.Now() - kStart));
    if (!holds_) {
      co_return fails_ ? Looked::kAgain : Looked::kDone;
    }
    loop::Later<Looked> later;
    held_[key] = later.Bring();
    co_return co_await later;
  }
  void End(const std::string& key, Looked how) {
    const auto end = std::exchange(held_[key], nullptr);
    end(how);
    loop_.RunDue();
  }

  Lines TakeLooked() {
    loop_.RunDue();
    return std::exchange(looked_, {});
  }
  std::vector<milliseconds> TakeTimes() { return std::exchange(at_, {}); }

  static constexpr Time kStart{};

  loop::ManualLoop loop_{kStart};
  bool holds_ = false;
  bool fails_ = false;
  Lines looked_;
  std::vector<milliseconds> at_;
  std::map<std::string, std::function<void(Looked)>> held_;
  std::unique_ptr<WorkQueue> queue_;
};

TEST_F(WorkQueueTest, KeysGatherUntilItIsStarted) {
  Make();
  queue_->Add("a");
  EXPECT_EQ(TakeLooked(), Lines{});
  EXPECT_FALSE(queue_->idle());
  queue_->Start();
  EXPECT_EQ(TakeLooked(), Lines{"a"});
  EXPECT_TRUE(queue_->idle());
}

TEST_F(WorkQueueTest, AKeyThatWaitsIsLookedAtOnce) {
  Make();
  for (const std::string key : {"a", "b", "a", "c", "b"}) {
    queue_->Add(key);
  }
  EXPECT_EQ(queue_->depth(), 3U);
  queue_->Start();
  EXPECT_EQ(TakeLooked(), (Lines{"a", "b", "c"}));
  EXPECT_EQ(queue_->looks(), 3U);
}

TEST_F(WorkQueueTest, WhatIsAddedDuringALookIsLookedAtAfterwards) {
  holds_ = true;
  Make({.workers = 5});
  queue_->Start();
  queue_->Add("a");
  EXPECT_EQ(TakeLooked(), Lines{"a"});
  queue_->Add("a");
  queue_->Add("a");
  EXPECT_EQ(TakeLooked(), Lines{}) << "never twice at once";
  End("a", Looked::kDone);
  EXPECT_EQ(TakeLooked(), Lines{"a"});
  End("a", Looked::kDone);
  EXPECT_EQ(TakeLooked(), Lines{});
  EXPECT_TRUE(queue_->idle());
}

TEST_F(WorkQueueTest, NoMoreLooksAtOnceThanWorkers) {
  holds_ = true;
  Make({.workers = 2});
  queue_->Start();
  for (const std::string key : {"a", "b", "c", "d"}) {
    queue_->Add(key);
  }
  EXPECT_EQ(TakeLooked(), (Lines{"a", "b"}));
  End("b", Looked::kDone);
  EXPECT_EQ(TakeLooked(), Lines{"c"});
  End("a", Looked::kDone);
  EXPECT_EQ(TakeLooked(), Lines{"d"});
}

TEST_F(WorkQueueTest, FailuresAreTriedAgainTwiceAsLateEachTime) {
  fails_ = true;
  Make({.retries_per_second = 1e6, .burst = 1e6});
  queue_->Start();
  queue_->Add("a");
  loop_.Advance(milliseconds(5 + 10 + 20 + 40 + 80));
  std::vector<milliseconds> expected = {milliseconds(0),  milliseconds(5),  milliseconds(15),
                                        milliseconds(35), milliseconds(75), milliseconds(155)};
  EXPECT_EQ(TakeTimes(), expected);
  EXPECT_EQ(queue_->retries(), 6U);
  EXPECT_EQ(queue_->depth(), 1U);
  EXPECT_TRUE(queue_->idle()) << "nothing is to be done now";
}

TEST_F(WorkQueueTest, DelaysGrowToAThousandSecondsAndBeginAnewAfterSuccess) {
  fails_ = true;
  Make({.retries_per_second = 1e6, .burst = 1e6});
  queue_->Start();
  queue_->Add("a");
  loop_.Advance(std::chrono::hours(10));
  const std::vector<milliseconds> times = TakeTimes();
  ASSERT_GT(times.size(), 25U);
  EXPECT_EQ(times.back() - times[times.size() - 2], seconds(1000));
  fails_ = false;
  loop_.Advance(seconds(1000));
  TakeTimes();
  fails_ = true;
  const auto now = std::chrono::duration_cast<milliseconds>(loop_.Now() - kStart);
  queue_->Add("a");
  loop_.Advance(milliseconds(5));
  EXPECT_EQ(TakeTimes(), (std::vector<milliseconds>{now, now + milliseconds(5)}));
}

TEST_F(WorkQueueTest, AllKeysTogetherAreRetriedSoManyTimesASecond) {
  fails_ = true;
  Make({.workers = 50});
  queue_->Start();
  for (int i = 0; i < 300; ++i) {
    queue_->Add(std::to_string(i));
  }
  loop_.RunDue();
  EXPECT_EQ(queue_->looks(), 300U);
  fails_ = false;
  loop_.Advance(milliseconds(50));
  EXPECT_EQ(queue_->looks(), 400U) << "100 of them at once";
  loop_.Advance(seconds(10));
  EXPECT_EQ(queue_->looks(), 500U) << "then ten a second";
  loop_.Advance(seconds(10));
  EXPECT_EQ(queue_->looks(), 600U);
}

TEST_F(WorkQueueTest, OfTwoDelaysTheEarlierCounts) {
  struct Row {
    milliseconds first;
    milliseconds second;
    std::vector<milliseconds> looks;
  };
  const std::vector<Row> rows = {
      {milliseconds(100), milliseconds(200), {milliseconds(100)}},
      {milliseconds(200), milliseconds(100), {milliseconds(100)}},
      {milliseconds(100), milliseconds(0), {milliseconds(0), milliseconds(100)}},
  };
  for (const Row& row : rows) {
    Make();
    queue_->Start();
    const auto start = std::chrono::duration_cast<milliseconds>(loop_.Now() - kStart);
    queue_->AddAfter(row.first, "a");
    queue_->AddAfter(row.second, "a");
    loop_.Advance(seconds(1));
    std::vector<milliseconds> times = TakeTimes();
    for (milliseconds& time : times) {
      time -= start;
    }
    EXPECT_EQ(times, row.looks);
  }
}

TEST_F(WorkQueueTest, LooksThatTakeNoTimeLetOthersHaveTheLoop) {
  Make({.workers = 1});
  queue_->Start();
  for (int i = 0; i < 10'000; ++i) {
    queue_->Add(std::to_string(i));
  }
  std::uint64_t when_asked = 0;
  loop_.Post([&] { loop_.Post([&] { when_asked = queue_->looks(); }); });
  loop_.RunDue();
  EXPECT_LT(when_asked, 1000U);
  EXPECT_EQ(queue_->looks(), 10'000U);
}

TEST_F(WorkQueueTest, IsCountedAsClientGoCounts) {
  metrics::Registry registry;
  const WorkMeters meters(registry, loop_);
  const auto tells = [&](std::string_view name, std::string_view value) {
    const std::string line = fmt::format("workqueue_{}{{name=\"claims\"}} {}\n", name, value);
    return registry.Print().find(line) != std::string::npos;
  };
  Make({.meter = meters.For("claims")});
  holds_ = true;
  queue_->Add("a");
  queue_->Add("a");  // waits already
  queue_->Add("b");
  EXPECT_TRUE(tells("adds_total", "2"));
  EXPECT_TRUE(tells("depth", "2"));
  loop_.Advance(seconds(1));
  queue_->Start();
  loop_.RunDue();
  EXPECT_TRUE(tells("depth", "1"));
  EXPECT_TRUE(tells("queue_duration_seconds_sum", "1"));
  loop_.Advance(seconds(3));
  queue_->Add("a");  // again afterwards
  EXPECT_TRUE(tells("adds_total", "3"));
  EXPECT_TRUE(tells("unfinished_work_seconds", "3"));
  EXPECT_TRUE(tells("longest_running_processor_seconds", "3"));
  EXPECT_TRUE(tells("work_duration_seconds_count", "0"));
  End("a", Looked::kAgain);
  EXPECT_TRUE(tells("work_duration_seconds_sum", "3"));
  EXPECT_TRUE(tells("retries_total", "1"));
  EXPECT_TRUE(tells("unfinished_work_seconds", "0"));
  EXPECT_TRUE(tells("depth", "1"));
}

TEST_F(WorkQueueTest, WhatIsDroppedForgetsItsLooks) {
  holds_ = true;
  Make();
  queue_->Start();
  queue_->Add("a");
  queue_->AddAfter(seconds(1), "b");
  EXPECT_EQ(TakeLooked(), Lines{"a"});
  queue_.reset();
  End("a", Looked::kDone);
  loop_.Advance(seconds(2));
  EXPECT_EQ(TakeLooked(), Lines{});
}

}  // namespace
}  // namespace quadra::client
