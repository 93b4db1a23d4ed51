#include "allocator/release.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace quadra::allocator {
namespace {

std::vector<std::string> Letters(std::size_t count) {
  std::vector<std::string> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    keys.emplace_back(1, static_cast<char>('a' + i));
  }
  return keys;
}

std::uint32_t MaskOf(std::span<const std::string> keys) {
  std::uint32_t mask = 0;
  for (const std::string& key : keys) {
    mask |= 1U << static_cast<unsigned>(key.front() - 'a');
  }
  return mask;
}

bool HoldsOne(std::uint32_t mask, const std::vector<std::uint32_t>& enough) {
  return std::ranges::any_of(enough, [&](std::uint32_t each) { return (mask & each) == each; });
}

// Which sets suffice is drawn; of these one with the fewest is found.
TEST(Release, IsTheSmallestThatSuffices) {
  SeededRandom random(1);
  for (int round = 0; round < 500; ++round) {
    const std::size_t holders = 1 + random.Next() % 8;
    std::vector<std::uint32_t> enough;  // each set of holders that suffices
    for (std::size_t i = random.Next() % 4; i > 0; --i) {
      enough.push_back(static_cast<std::uint32_t>(1 + random.Next() % ((1U << holders) - 1)));
    }
    int fewest = enough.empty() ? 0 : 32;
    for (const std::uint32_t each : enough) {
      fewest = std::min(fewest, std::popcount(each));
    }
    const std::vector<std::string> found = FewestToRelease(
        Letters(holders),
        [&](std::span<const std::string> keys) { return HoldsOne(MaskOf(keys), enough); });
    EXPECT_EQ(found.size(), static_cast<std::size_t>(fewest)) << "round " << round;
    EXPECT_TRUE(enough.empty() || HoldsOne(MaskOf(found), enough)) << "round " << round;
  }
}

// Five hundred trials are few for the pairs of two hundred holders; what is named is needed.
TEST(Release, KeepsToItsEffort) {
  constexpr std::size_t kHolders = 200;
  std::vector<std::string> keys;
  keys.reserve(kHolders);
  for (std::size_t i = 0; i < kHolders; ++i) {
    keys.push_back(fmt::format("holder-{}", i));
  }
  const std::vector<std::string> needed = {"holder-150", "holder-190", "holder-3", "holder-7"};
  std::size_t trials = 0;
  std::vector<std::string> found =
      FewestToRelease(keys, [&](std::span<const std::string> released) {
        ++trials;
        return std::ranges::all_of(needed, [&](const std::string& key) {
          return std::ranges::find(released, key) != released.end();
        });
      });
  std::ranges::sort(found);
  EXPECT_EQ(found, needed);
  EXPECT_LE(trials, kMostTrials);
}

}  // namespace
}  // namespace quadra::allocator
