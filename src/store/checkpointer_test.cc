#include "store/checkpointer.h"

#include <gtest/gtest.h>

namespace quadra::store {
namespace {

using Due = CheckpointRhythm::Due;

struct Interval {
  std::uint64_t commits;  // since the start
  int pages;
  Due due;
};

void Expect(const std::vector<Interval>& intervals) {
  CheckpointRhythm rhythm(100);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    EXPECT_EQ(rhythm.Next(intervals[i].commits, intervals[i].pages), intervals[i].due) << i;
  }
}

TEST(CheckpointRhythm, MovesWhatIsWorthIt) {
  Expect({{0, 0, Due::kNothing},
          {1, 99, Due::kNothing},
          {2, 100, Due::kMove},
          {3, 5, Due::kNothing},
          {3, 500, Due::kNothing}});
}

TEST(CheckpointRhythm, CutsOnceWhenNobodyWrites) {
  std::vector<Interval> intervals(20, {0, 0, Due::kNothing});
  intervals.push_back({1, 3, Due::kNothing});
  intervals.insert(intervals.end(), 9, {1, 3, Due::kNothing});
  intervals.push_back({1, 3, Due::kCut});
  intervals.insert(intervals.end(), 20, {1, 3, Due::kNothing});
  Expect(intervals);
}

}  // namespace
}  // namespace quadra::store
