#include "allocator/packing.h"

#include <algorithm>
#include <bit>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"

namespace quadra::allocator {
namespace {

std::vector<std::int64_t> Times(std::size_t count, std::int64_t draw) {
  return std::vector<std::int64_t>(count, draw);
}

std::vector<std::int64_t> Together(std::vector<std::int64_t> a,
                                   const std::vector<std::int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr std::int64_t kGi = std::int64_t{1} << 30U;

struct Row {
  std::string name;
  std::vector<CounterColumn> columns;
  std::size_t enough;
  std::size_t most;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kRows = {
    {"one counter, the smallest first", {{10, {5, 4, 3, 2, 1}}}, 5, 4},
    {"no more than enough", {{100, Times(20, 1)}}, 7, 7},
    {"each counter has room, both have not", {{6, {4, 4, 1, 1}}, {6, {1, 1, 4, 4}}}, 4, 2},
    {"fifteen of four in 59",
     {{29, Together(Times(15, 3), Times(15, 1))}, {30, Together(Times(15, 1), Times(15, 3))}},
     15,
     14},
    {"memory in bytes, compute in slices",
     {{79 * kGi, Together(Times(8, 10 * kGi), Times(4, 20 * kGi))},
      {7, Together(Times(8, 1), Times(4, 1))}},
     8,
     7},
    {"large and even, of odd totals",
     {{22692717, Together(Times(15, 1480090), Times(15, 1519910))},
      {22307283, Together(Times(15, 1519910), Times(15, 1480090))}},
     15,
     14},
    {"slices by name, two each of seven",
     {{1, {1, 0, 0, 1}}, {1, {1, 1, 0, 0}}, {1, {0, 1, 1, 0}}, {1, {0, 0, 1, 1}}},
     4,
     2},
    {"nothing is left of one", {{0, {1, 0, 1}}, {9, {1, 9, 1}}}, 3, 1},
};

class PackingTest : public ::testing::TestWithParam<Row> {};

TEST_P(PackingTest, HasNoMore) {
  EXPECT_EQ(MostPacked(GetParam().columns, GetParam().enough).most, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Rows, PackingTest, ::testing::ValuesIn(kRows));

// Every choice, tried.
std::size_t MostTried(const std::vector<CounterColumn>& columns) {
  const std::size_t devices = columns.front().draws.size();
  std::size_t most = 0;
  for (std::uint32_t choice = 0; choice < (1U << devices); ++choice) {
    const bool fits = std::ranges::all_of(columns, [&](const CounterColumn& column) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < devices; ++i) {
        sum += (choice >> i & 1U) != 0 ? column.draws[i] : 0;
      }
      return sum <= column.left;
    });
    most =
        fits ? std::max<std::size_t>(most, static_cast<std::size_t>(std::popcount(choice))) : most;
  }
  return most;
}

TEST(PackingRandomTest, IsABoundAndExactForTwo) {
  SeededRandom random(7);
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random.Next() % limit);
  };
  for (int world = 0; world < 400; ++world) {
    std::vector<CounterColumn> columns(1 + static_cast<std::size_t>(below(4)));
    const auto devices = static_cast<std::size_t>(1 + below(9));
    for (CounterColumn& column : columns) {
      column.left = below(40);
      for (std::size_t i = 0; i < devices; ++i) {
        column.draws.push_back(below(12));
      }
    }
    const std::size_t most = MostPacked(columns, devices).most;
    const std::size_t tried = MostTried(columns);
    EXPECT_GE(most, tried);
    EXPECT_TRUE(columns.size() > 2 || most == tried) << world;
  }
}

}  // namespace
}  // namespace quadra::allocator
