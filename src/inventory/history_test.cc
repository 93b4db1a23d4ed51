#include <string>

#include <gtest/gtest.h>

#include "inventory/histories_for_tests.h"

namespace quadra::inventory {
namespace {

class HistoryTest : public ::testing::TestWithParam<bool> {};

// What events made of an inventory is what its objects make; what held devices charged that went
// away stays, which the objects cannot tell.
TEST_P(HistoryTest, EndsAsTheObjectsSay) {
  const bool keeps_held = GetParam();
  const selector::Language language;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SeededRandom random(seed);
    History history(language, random, keeps_held);
    for (int step = 0; step < 60; ++step) {
      history.Step();
      if (Choose(random, 4) != 0) {
        continue;
      }
      const Snapshot followed = history.inventory().Take();
      const Snapshot rebuilt = history.Rebuilt().Take();
      SCOPED_TRACE(fmt::format("seed {}, step {}", seed, step));
      ASSERT_EQ(Describe(followed), Describe(rebuilt));
      if (history.lost()) {
        ASSERT_TRUE(ChargesAtLeast(ChargesOf(followed), ChargesOf(rebuilt)));
        ASSERT_TRUE(history.IsChargedIn(followed));
      } else {
        ASSERT_EQ(ChargesOf(followed), ChargesOf(rebuilt));
      }
    }
    EXPECT_TRUE(!keeps_held || !history.lost()) << "this history was to lose nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(Held, HistoryTest, ::testing::Bool());

TEST(Fork, LeavesItsParentAlone) {
  const selector::Language language;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SeededRandom random(seed);
    History history(language, random, false);
    for (int step = 0; step < 30; ++step) {
      history.Step();
    }
    const Snapshot parent = history.inventory().Take();
    const std::string before = Describe(parent);
    const Charges charged = ChargesOf(parent);
    Inventory fork = parent.Fork();
    for (const auto& [name, claim] : history.objects().claims) {
      fork.RemoveClaim(claim);
    }
    for (const api::ResourceSlice& slice : history.objects().slices) {
      fork.RemoveSlice(slice.metadata.name);
    }
    const Snapshot emptied = fork.Take();
    for (int step = 0; step < 10; ++step) {
      history.Step();
    }
    EXPECT_EQ(Describe(parent), before) << "seed " << seed;
    EXPECT_EQ(ChargesOf(parent), charged) << "seed " << seed;
    for (const auto& view : emptied.views()) {
      EXPECT_TRUE(view->candidates.empty()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace quadra::inventory
