#include "store/inbox.h"

#include <gtest/gtest.h>

namespace quadra::store {
namespace {

constexpr std::chrono::milliseconds kAtOnce(0);

// How many writes of these sizes are taken over, and then taken at once until none is left.
struct Counts {
  std::size_t taken_over = 0;
  std::vector<std::size_t> batches;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts Count(const InboxLimits& limits, const std::vector<std::size_t>& sizes) {
  Inbox inbox(limits);
  Counts counts;
  for (const std::size_t size : sizes) {
    Pending pending{.write = {.key = "", .draft = {.bytes = std::string(size, 'x')}}};
    counts.taken_over += inbox.Put(pending) ? 0 : 1;
  }
  for (auto batch = inbox.Take(kAtOnce); !batch.empty(); batch = inbox.Take(kAtOnce)) {
    counts.batches.push_back(batch.size());
  }
  return counts;
}

TEST(Inbox, BoundsWhatWaitsAndWhatIsTaken) {
  struct Row {
    const char* name;
    InboxLimits limits;
    std::vector<std::size_t> sizes;
    Counts counts;
  };
  const Row rows[] = {
      {"nothing waits", {}, {}, {0, {}}},
      {"all at once", {}, {1, 2, 3}, {3, {3}}},
      {"too many for one batch", {.most_taken = 2}, {1, 1, 1, 1, 1}, {5, {2, 2, 1}}},
      {"too large for one batch", {.most_taken_bytes = 10}, {6, 4, 1, 9, 2}, {5, {2, 2, 1}}},
      {"one is taken however large", {.most_taken_bytes = 10}, {50, 50}, {2, {1, 1}}},
      {"too many wait", {.most_waiting = 2}, {1, 1, 1, 1}, {2, {2}}},
      {"too much waits", {.most_waiting_bytes = 10}, {6, 6, 6}, {2, {2}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Count(row.limits, row.sizes), row.counts) << row.name;
  }
}

TEST(Inbox, TakesRoomBackWithWhatIsTaken) {
  Inbox inbox({.most_waiting_bytes = 10});
  for (int round = 0; round < 3; ++round) {
    Pending pending{.write = {.draft = {.bytes = std::string(10, 'x')}}};
    EXPECT_EQ(inbox.Put(pending), std::nullopt);
    EXPECT_EQ(inbox.Put(pending), Refused::Why::kBusy);
    EXPECT_EQ(inbox.Take(kAtOnce).size(), 1U);
  }
}

// "f" or "b" for each write that waits; what is taken at once, one after the other.
TEST(Inbox, ABackgroundLetsOthersPass) {
  struct Row {
    const char* name;
    std::string waiting;
    std::vector<std::string> taken;
  };
  const Row rows[] = {
      {"a flood of the background", "bbbbbbbbbbbbff", {"ffbbbbbb", "bbbbbb"}},
      {"a flood of others", "ffffffffffffbb", {"fffffffb", "fffffb"}},
      {"the background alone", "bbbbbbbbbb", {"bbbbbbbb", "bb"}},
      {"others alone", "ffffffffff", {"ffffffff", "ff"}},
  };
  for (const Row& row : rows) {
    Inbox inbox({.most_waiting = 12, .most_taken = 8});
    for (const char lane : row.waiting) {
      Pending pending{.write = {.key = std::string(1, lane), .background = lane == 'b'}};
      EXPECT_EQ(inbox.Put(pending), std::nullopt) << row.name;
    }
    std::vector<std::string> taken;
    for (auto load = inbox.Take(kAtOnce); !load.empty(); load = inbox.Take(kAtOnce)) {
      std::string& keys = taken.emplace_back();
      for (const Pending& pending : load) {
        keys += pending.write.key;
      }
    }
    EXPECT_EQ(taken, row.taken) << row.name;
  }
}

TEST(Inbox, ARefusedWriteStaysWithItsAuthor) {
  Inbox inbox({});
  inbox.Close();
  Pending pending{.write = {.key = "mine"}};
  EXPECT_EQ(inbox.Put(pending), Refused::Why::kClosing);
  EXPECT_EQ(pending.write.key, "mine");
}

}  // namespace
}  // namespace quadra::store
