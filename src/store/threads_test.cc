// What many threads at once may rely on; to be run under TSan too.
#include <atomic>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "store/desk_for_tests.h"
#include "store/doorbell.h"
#include "store/memory_log.h"

namespace quadra::store {
namespace {

constexpr int kWriters = 4;
constexpr int kWritesEach = 300;

// Follows a stretch of keys until the last revision, checking order and positions.
class Follower {
 public:
  Follower(Store& store, std::string prefix, Revision last) : last_(last) {
    watch_ = *store.Watch(
        {.prefix = std::move(prefix), .after = kFirstRevision, .wake = [this] { bell_.Ring(); }});
    thread_ = std::jthread([this] { Follow(); });
  }

  void Join() { thread_.join(); }
  const std::map<std::string, std::string>& records() const { return records_; }
  bool in_order() const { return in_order_; }

 private:
  void Follow() {
    for (Revision through = 0; through < last_;) {
      const Delivery delivery = watch_->Take(50);
      for (const EventPtr& event : delivery.events) {
        in_order_ = in_order_ && event->revision() > through;
        through = event->revision();
        records_[event->record->key.text()] = Say(*event->record);
      }
      in_order_ = in_order_ && delivery.through >= through && !delivery.ended;
      through = delivery.through;
      if (!delivery.more && through < last_) {
        bell_.WaitFor(std::chrono::milliseconds(5));  // others' writes wake nobody here
      }
    }
  }

  const Revision last_;
  Doorbell bell_;
  std::unique_ptr<Watch> watch_;
  std::map<std::string, std::string> records_;
  bool in_order_ = true;
  std::jthread thread_;
};

TEST(Threads, WritersReadersAndWatchersAgree) {
  const WordExtractor extractor;
  const SystemClock clock;
  auto store = *Store::Open(std::make_unique<MemoryLog>(), extractor, clock,
                            {.writer = {.housekeeping = std::chrono::milliseconds(1)}});
  const Revision last = kFirstRevision + Revision{kWriters} * kWritesEach;
  Follower all(*store, "", last);
  Follower some(*store, "k1", last);
  std::atomic<bool> stale{false};
  {
    std::vector<std::jthread> writers;
    writers.reserve(kWriters);
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (int at = 0; at < kWritesEach; ++at) {
          const std::string key = "k" + std::to_string((at * 7 + writer) % 20);
          const Outcome outcome = store->Commit({.key = key, .draft = DraftOf("x")});
          const Revision mine = std::get<Committed>(outcome).record->modified;
          stale = stale || store->Head().Find(key)->modified < mine;
          stale = stale || store->At(mine)->Find(key)->modified != mine;
        }
      });
    }
  }
  all.Join();
  some.Join();
  EXPECT_FALSE(stale) << "who was answered sees the write";
  EXPECT_TRUE(all.in_order());
  EXPECT_TRUE(some.in_order());
  EXPECT_EQ(store->Head().revision(), last);
  std::map<std::string, std::string> final;
  store->Head().Scan("", "", [&](const RecordPtr& record) {
    final[record->key.text()] = Say(*record);
    return true;
  });
  EXPECT_EQ(all.records(), final);
  std::erase_if(final, [](const auto& record) { return !record.first.starts_with("k1"); });
  EXPECT_EQ(some.records(), final);
}

TEST(Threads, WatchesComeAndGoWhileOthersWrite) {
  const WordExtractor extractor;
  const SystemClock clock;
  auto store = *Store::Open(std::make_unique<MemoryLog>(), extractor, clock);
  std::atomic<bool> done{false};
  std::jthread writer([&] {
    for (int at = 0; at < 500; ++at) {
      store->Commit({.key = "k", .draft = DraftOf("x")});
    }
    done = true;
  });
  std::size_t watches = 0;
  while (!done) {
    auto alive = std::make_shared<int>(0);  // used by wake alone: it must not be called later
    auto watch = *store->Watch({.prefix = "k",
                                .after = store->Head().revision(),
                                .most_waiting = 1,
                                .wake = [alive = alive.get()] { ++*alive; }});
    watch->Take();
    watch->Take();
    watch.reset();
    ++watches;
  }
  EXPECT_GT(watches, 0U);
}

}  // namespace
}  // namespace quadra::store
