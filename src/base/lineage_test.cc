// Chunks, OrderedMap and HashedMap do as their plain counterparts do, through random histories in
// which copies are kept; no copy ever changes, and comparing two of them names what differs.
#include "base/lineage.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/chunks.h"
#include "base/hashed_map.h"
#include "base/ordered_map.h"
#include "base/random.h"

namespace quadra {
namespace {

using Numbers = Chunks<int, 8>;
using Ordered = OrderedMap<int, int>;
using Hashed = HashedMap<int, int>;

std::vector<int> Contents(const Numbers& numbers) {
  std::vector<int> all;
  all.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    all.push_back(numbers[i]);
  }
  return all;
}

std::map<int, int> Contents(const Ordered& map) {
  std::map<int, int> all;
  for (const auto& [key, value] : map) {
    EXPECT_TRUE(all.empty() || all.rbegin()->first < key) << "in order";
    all.emplace(key, value);
  }
  return all;
}

std::map<int, int> Contents(const Hashed& map) {
  std::map<int, int> all;
  map.VisitAll([&](int key, int value) { EXPECT_TRUE(all.emplace(key, value).second); });
  return all;
}

TEST(Chunks, CopiesStayAsTheyWere) {
  SeededRandom random(1);
  Lineage lineage;
  Epoch mine = lineage.Next();
  Numbers numbers;
  std::vector<int> plain;
  std::vector<std::pair<Numbers, std::vector<int>>> copies;
  for (int step = 0; step < 3000; ++step) {
    if (random.Below(10) == 0) {
      plain.resize(random.Below(60));
      numbers.Resize(mine, plain.size());
    } else if (!plain.empty()) {
      const std::size_t at = random.Below(plain.size());
      numbers.At(mine, at) = plain[at] = step;
    }
    if (random.Below(20) == 0) {
      copies.emplace_back(numbers, plain);
      mine = lineage.Next();
    }
  }
  EXPECT_EQ(Contents(numbers), plain);
  for (const auto& [copy, was] : copies) {
    EXPECT_EQ(Contents(copy), was);
  }
}

TEST(Chunks, AChangeIsFoundInItsChunk) {
  Lineage lineage;
  Epoch mine = lineage.Next();
  Numbers numbers;
  numbers.Resize(mine, 100);
  const Numbers before = numbers;
  mine = lineage.Next();
  numbers.At(mine, 20) = 1;
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto note = [&](std::size_t begin, std::size_t end) { found.emplace_back(begin, end); };
  Numbers::VisitDifferences(before, numbers, note);
  EXPECT_EQ(found, (std::vector<std::pair<std::size_t, std::size_t>>{{16, 24}}));
}

// Two writers go on from one copy, as a cluster and its fork do.
TEST(Lineage, ForksDoNotSeeEachOther) {
  Lineage lineage;
  const Epoch first = lineage.Next();
  Numbers numbers;
  numbers.Resize(first, 10);
  Numbers fork = numbers;
  const Epoch mine = lineage.Next();
  const Epoch theirs = lineage.Next();
  numbers.At(mine, 3) = 1;
  fork.At(theirs, 3) = 2;
  EXPECT_EQ(numbers[3], 1);
  EXPECT_EQ(fork[3], 2);
}

std::map<int, int> DifferencesOf(const std::map<int, int>& a, const std::map<int, int>& b) {
  std::map<int, int> differences;  // 1: only in a, 2: only in b, 3: in both
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other == b.end() || other->second != value) {
      differences[key] = other == b.end() ? 1 : 3;
    }
  }
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) {
      differences[key] = 2;
    }
  }
  return differences;
}

std::map<int, int> DifferencesOf(const Ordered& a, const Ordered& b) {
  std::map<int, int> differences;
  Ordered::VisitDifferences(a, b, [&](const auto* before, const auto* after) {
    const int key = before != nullptr ? before->first : after->first;
    differences[key] = (before != nullptr ? 1 : 0) + (after != nullptr ? 2 : 0);
  });
  return differences;
}

struct MapCase {
  std::string name;
  std::size_t keys;
  std::size_t erased;  // of ten writes
};

class MapTest : public ::testing::TestWithParam<MapCase> {};

TEST_P(MapTest, CopiesStayAsTheyWereAndAreCompared) {
  SeededRandom random(2);
  Lineage lineage;
  Epoch mine = lineage.Next();
  Ordered ordered;
  Hashed hashed;
  std::map<int, int> plain;
  std::vector<std::pair<Ordered, Hashed>> copies;
  std::vector<std::map<int, int>> were;
  for (int step = 0; step < 6000; ++step) {
    const int key = static_cast<int>(random.Below(GetParam().keys));
    if (random.Below(10) < GetParam().erased) {
      EXPECT_EQ(ordered.Erase(mine, key), plain.erase(key) == 1);
      hashed.Erase(mine, key);
    } else {
      ordered.Set(mine, key, step);
      hashed.Set(mine, key, step);
      plain[key] = step;
    }
    ASSERT_EQ(ordered.size(), plain.size());
    ASSERT_EQ(hashed.size(), plain.size());
    if (random.Below(300) == 0) {
      copies.emplace_back(ordered, hashed);
      were.push_back(plain);
      mine = lineage.Next();
    }
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ASSERT_EQ(Contents(copies[i].first), were[i]);
    ASSERT_EQ(Contents(copies[i].second), were[i]);
    ASSERT_EQ(DifferencesOf(copies[i].first, ordered), DifferencesOf(were[i], plain));
    ASSERT_EQ(DifferencesOf(ordered, copies[i].first), DifferencesOf(plain, were[i]));
  }
  for (int key = -1; key <= static_cast<int>(GetParam().keys); ++key) {
    const auto expected = plain.lower_bound(key);
    const auto found = ordered.lower_bound(key);
    ASSERT_EQ(found == ordered.end(), expected == plain.end());
    ASSERT_TRUE(found == ordered.end() || found->first == expected->first);
    ASSERT_EQ(ordered.contains(key), plain.contains(key));
    ASSERT_EQ(hashed.contains(key), plain.contains(key));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, MapTest,
                         ::testing::Values(MapCase{"few keys", 20, 5}, MapCase{"many", 3000, 1},
                                           MapCase{"mostly erased", 3000, 5},
                                           MapCase{"comes and goes", 100'000, 4}));

// What arrives in order fills the blocks; what goes again leaves none behind.
TEST(OrderedMap, EmptiesInAnyOrder) {
  Lineage lineage;
  const Epoch mine = lineage.Next();
  for (const bool forwards : {true, false}) {
    Ordered map;
    for (int key = 0; key < 10'000; ++key) {
      map.Set(mine, key, key);
    }
    for (int i = 0; i < 10'000; ++i) {
      ASSERT_TRUE(map.Erase(mine, forwards ? i : 9999 - i));
    }
    EXPECT_TRUE(map.empty());
    EXPECT_TRUE(map.begin() == map.end());
  }
}

// Comparing costs what differs: of a hundred thousand entries few are looked at.
TEST(OrderedMap, ComparesWithoutLookingAtWhatIsShared) {
  struct Counted {
    int value = 0;
    int* comparisons = nullptr;
    bool operator==(const Counted& other) const {
      ++*comparisons;
      return value == other.value;
    }
  };
  int comparisons = 0;
  Lineage lineage;
  Epoch mine = lineage.Next();
  OrderedMap<int, Counted> map;
  for (int key = 0; key < 100'000; ++key) {
    map.Set(mine, key, {key, &comparisons});
  }
  const OrderedMap<int, Counted> before = map;
  mine = lineage.Next();
  map.Set(mine, 5'000, {-1, &comparisons});
  std::vector<int> found;
  OrderedMap<int, Counted>::VisitDifferences(
      before, map, [&](const auto* then, const auto*) { found.push_back(then->first); });
  EXPECT_EQ(found, std::vector<int>{5'000});
  EXPECT_LE(comparisons, 64);
}

}  // namespace
}  // namespace quadra
