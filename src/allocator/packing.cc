#include "allocator/packing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace quadra::allocator {
namespace {

using Wide = __int128;  // a sum of many products of amounts

constexpr std::size_t kMostPairsTried = 8;
constexpr std::size_t kMostCells = 200'000;
constexpr std::size_t kCellsAStep = 1'000;

std::int64_t UnitOf(const CounterColumn& column) {
  return std::accumulate(column.draws.begin(), column.draws.end(), std::int64_t{0},
                         [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
}

// How many of the draws, the smallest first, there is enough left for.
std::size_t MostWithin(Wide left, std::vector<Wide> draws) {
  std::ranges::sort(draws);
  std::size_t most = 0;
  for (; most < draws.size() && draws[most] <= left; ++most) {
    left -= draws[most];
  }
  return most;
}

std::size_t MostOfOne(const CounterColumn& column) {
  return MostWithin(column.left, {column.draws.begin(), column.draws.end()});
}

std::size_t MostOfSum(const std::vector<CounterColumn>& columns) {
  Wide left = 0;
  std::vector<Wide> sums(columns.front().draws.size(), 0);
  for (const CounterColumn& column : columns) {
    left += column.left;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += column.draws[i];
    }
  }
  return MostWithin(left, std::move(sums));
}

// All of one counter weighs as much as all of the other.
std::size_t MostOfWeighedPair(const CounterColumn& a, const CounterColumn& b) {
  std::vector<Wide> sums;
  sums.reserve(a.draws.size());
  for (std::size_t i = 0; i < a.draws.size(); ++i) {
    sums.push_back(Wide{a.draws[i]} * b.left + Wide{b.draws[i]} * a.left);
  }
  return MostWithin(Wide{2} * a.left * b.left, std::move(sums));
}

// Two counters, exactly: for so many devices that draw so many units of `a` together, the least
// that they draw of `b`.
class PairTable {
 public:
  PairTable(const CounterColumn& a, const CounterColumn& b, std::size_t enough)
      : a_(a), b_(b), enough_(enough), unit_(UnitOf(a)) {}

  bool IsSmall() const { return unit_ > 0 && width() <= kMostCells && cells() <= kMostCells; }
  std::size_t cells() const { return a_.draws.size() * enough_ * width(); }

  std::size_t Most() {
    least_.assign((enough_ + 1) * width(), kNever);
    least_[0] = 0;
    std::size_t most = 0;
    for (std::size_t i = 0; i < a_.draws.size(); ++i) {
      for (std::size_t count = std::min(most + 1, enough_); count > 0; --count) {
        if (Add(i, count)) {
          most = std::max(most, count);
        }
      }
    }
    return most;
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;

  std::size_t width() const { return static_cast<std::size_t>(a_.left / unit_) + 1; }

  // Whether the device can be the last of so many.
  bool Add(std::size_t device, std::size_t count) {
    const auto units = static_cast<std::size_t>(a_.draws[device] / unit_);
    bool fits = false;
    for (std::size_t sum = units; sum < width(); ++sum) {
      const std::int64_t drawn = least_[(count - 1) * width() + sum - units] + b_.draws[device];
      if (drawn <= b_.left) {
        std::int64_t& least = least_[count * width() + sum];
        least = std::min(least, drawn);
        fits = true;
      }
    }
    return fits;
  }

  const CounterColumn& a_;
  const CounterColumn& b_;
  std::size_t enough_;
  std::int64_t unit_;
  std::vector<std::int64_t> least_;  // by count, then by units
};

Packed MostOfPair(const CounterColumn& a, const CounterColumn& b, std::size_t enough) {
  for (PairTable table : {PairTable(a, b, enough), PairTable(b, a, enough)}) {
    if (table.IsSmall()) {
      return {.most = table.Most(), .steps = table.cells() / kCellsAStep};
    }
  }
  return {.most = MostOfWeighedPair(a, b), .steps = 0};
}

// Of what is left only whole units can be drawn.
void Round(CounterColumn& column) {
  const std::int64_t unit = UnitOf(column);
  column.left -= unit == 0 ? 0 : column.left % unit;
}

}  // namespace

Packed MostPacked(std::vector<CounterColumn> columns, std::size_t enough) {
  std::ranges::for_each(columns, Round);
  Packed packed{.most = std::min({enough, columns.front().draws.size(), MostOfSum(columns)})};
  for (const CounterColumn& column : columns) {
    packed.most = std::min(packed.most, MostOfOne(column));
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size() && pairs < kMostPairsTried; ++j, ++pairs) {
      const Packed pair = MostOfPair(columns[i], columns[j], packed.most);
      packed.most = std::min(packed.most, pair.most);
      packed.steps += pair.steps;
    }
  }
  return packed;
}

}  // namespace quadra::allocator
