#include "store/writer.h"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/desk_for_tests.h"
#include "store/doorbell.h"

namespace quadra::store {
namespace {

// What the writer asks of its log, counted.
class CountedLog : public Log {
 public:
  struct Counts {
    std::vector<std::size_t> appended;  // entries of each call
    std::size_t compactions = 0;
  };
  explicit CountedLog(Counts& counts) : counts_(counts) {}

  Revision Compacted() const override { return compacted_; }
  Status Replay(const std::function<Status(const LogEntry&)>& /*visit*/) override { return {}; }
  Status Append(std::span<const LogEntry> entries) override {
    counts_.appended.push_back(entries.size());
    return {};
  }
  Status Compact(Revision through) override {
    ++counts_.compactions;
    compacted_ = through;
    return {};
  }
  Status CopyTo(const std::filesystem::path& /*file*/) override { return {}; }

 private:
  Counts& counts_;
  Revision compacted_ = kFirstRevision;
};

// Blocks in Append until it may go on.
class GatedLog final : public CountedLog {
 public:
  using CountedLog::CountedLog;
  Status Append(std::span<const LogEntry> entries) override {
    entered.Ring();
    gate.Wait();
    return CountedLog::Append(entries);
  }

  Doorbell entered;
  Doorbell gate;
};

TEST(Writer, WhatWaitsIsBoundedAndSharesOneSync) {
  const WordExtractor extractor;
  const SystemClock clock;
  CountedLog::Counts counts;
  auto owned = std::make_unique<GatedLog>(counts);
  GatedLog& log = *owned;
  auto store = *Store::Open(
      std::move(owned), extractor, clock,
      {.writer = {.inbox = {.most_waiting = 5, .most_taken = 3}, .housekeeping = std::nullopt}});
  std::vector<std::string> refused;
  std::atomic<int> committed{0};
  const auto submit = [&](const std::string& key) {
    store->Submit({.key = key, .draft = DraftOf("x")}, [&](const Outcome& outcome) {
      if (std::holds_alternative<Committed>(outcome)) {
        ++committed;
      } else {
        refused.push_back(Say(outcome));
      }
    });
  };
  submit("first");
  log.entered.Wait();
  for (int at = 0; at < 7; ++at) {
    submit("k" + std::to_string(at));
  }
  EXPECT_EQ(refused, std::vector<std::string>(2, "refused: too many writes are waiting"));
  EXPECT_EQ(store->Head().size(), 0U) << "nothing is seen before it is durable";
  EXPECT_EQ(committed, 0);
  for (int append = 0; append < 2; ++append) {
    log.gate.Ring();
    log.entered.Wait();
  }
  log.gate.Ring();
  store.reset();
  EXPECT_EQ(committed, 6);
  EXPECT_EQ(counts.appended, (std::vector<std::size_t>{1, 3, 2}));
}

TEST(Writer, SyncsOnceAWriteAndSeldomToCompact) {
  const WordExtractor extractor;
  const SystemClock clock;
  CountedLog::Counts counts;
  auto store = *Store::Open(
      std::make_unique<CountedLog>(counts), extractor, clock,
      {.retention = {.least_events = 0, .least_age = std::chrono::seconds(0)},
       .writer = {.housekeeping = std::chrono::milliseconds(0), .compaction_step = 10}});
  for (int at = 0; at < 100; ++at) {
    store->Commit({.key = "k", .draft = DraftOf("x")});
  }
  store.reset();
  EXPECT_EQ(counts.appended, std::vector<std::size_t>(100, 1));
  EXPECT_LE(counts.compactions, 10U);
}

}  // namespace
}  // namespace quadra::store
