#include <set>
#include <string>
#include <vector>

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
    Readers readers;
    for (int step = 0; step < 60; ++step) {
      history.Step();
      ASSERT_TRUE(readers.Step(random, history.inventory())) << "seed " << seed;
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
    EXPECT_TRUE(readers.AllSeeTheSame()) << "seed " << seed;
    EXPECT_TRUE(!keeps_held || !history.lost()) << "this history was to lose nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(Held, HistoryTest, ::testing::Bool());

std::string DescribeNode(const Snapshot& cluster, const NodeView& view) {
  return DescribeView(cluster, view) + fmt::format("{}", ChargesOf(cluster, view));
}

// A node that VisitChanges() leaves out is as it was, between any two snapshots of a history, in
// either direction.
TEST(Changes, NameEveryNodeThatDiffers) {
  const selector::Language language;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SeededRandom random(seed);
    History history(language, random, false);
    std::vector<Snapshot> taken;
    for (int step = 0; step < 30; ++step) {
      history.Step();
      taken.push_back(history.inventory().Take());
      const Snapshot& before = taken[Choose(random, taken.size())];
      const Snapshot& after = taken[Choose(random, taken.size())];
      std::set<std::string> changed;
      after.VisitChanges(before, [&](const std::string& name, const NodeView* view) {
        EXPECT_EQ(view, after.ViewOf(name));
        changed.insert(name);
      });
      for (const auto& [name, node] : before.nodes()) {
        const NodeView* view = after.ViewOf(name);
        EXPECT_TRUE(view != nullptr || changed.contains(name)) << name << ", seed " << seed;
        if (view != nullptr && !changed.contains(name)) {
          EXPECT_EQ(DescribeNode(before, *before.ViewOf(name)), DescribeNode(after, *view));
        }
      }
      for (const auto& [name, node] : after.nodes()) {
        EXPECT_TRUE(before.ViewOf(name) != nullptr || changed.contains(name)) << "seed " << seed;
      }
    }
  }
}

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
