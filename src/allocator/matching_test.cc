#include "allocator/matching.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::allocator {
namespace {

struct Wish {
  std::size_t count;
  std::vector<std::uint32_t> devices;
};
struct Row {
  std::string name;
  std::vector<Wish> wishes;  // of devices 0 to 3
  std::vector<std::size_t> shareable;
  bool feasible;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kRows = {
    {"nothing wanted", {}, {}, true},
    {"each its own", {{1, {0}}, {1, {1}}}, {}, true},
    {"two want the same", {{1, {0}}, {1, {0}}}, {}, false},
    {"one gives way", {{1, {0, 1}}, {1, {0}}}, {}, true},
    {"a chain gives way", {{1, {0, 1}}, {1, {1, 2}}, {1, {0}}}, {}, true},
    {"more wanted than there are", {{3, {0, 1}}}, {}, false},
    {"several of several", {{2, {0, 1, 2}}, {2, {2, 3}}}, {}, true},
    {"a shared device serves both", {{1, {0}}, {1, {0}}}, {0}, true},
    {"a shared device serves each once", {{2, {0}}}, {0}, false},
};

class MatchingTest : public ::testing::TestWithParam<Row> {};

TEST_P(MatchingTest, SaysWhetherAllCanBeServed) {
  Matching matching(4);
  for (const std::size_t device : GetParam().shareable) {
    matching.SetShareable(device);
  }
  for (const Wish& wish : GetParam().wishes) {
    matching.AddDemand(wish.count, wish.devices);
  }
  EXPECT_EQ(matching.IsFeasible(), GetParam().feasible);
}

INSTANTIATE_TEST_SUITE_P(Rows, MatchingTest, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace quadra::allocator
