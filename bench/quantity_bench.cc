#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "measure.h"
#include "quantity/quantity.h"

namespace quadra::bench {
namespace {

using quantity::Quantity;

std::vector<std::string> Texts() {
  std::istringstream lines(ReadData("quantities.txt"));
  return {std::istream_iterator<std::string>(lines), {}};
}

void Parse(benchmark::State& state) {
  const std::vector<std::string> texts = Texts();
  Measure(state, texts.size(), [&] {
    std::int64_t sum = 0;
    for (const std::string& text : texts) {
      sum += Quantity::Parse(text)->Value() % 1000;
    }
    return sum;
  });
}
BENCHMARK(Parse)->Name("quantity parse");

// Compares every pair of `quantities`.
void Compare(benchmark::State& state, const std::vector<Quantity>& quantities) {
  Measure(state, quantities.size() * quantities.size(), [&] {
    std::int64_t sum = 0;
    for (const Quantity& a : quantities) {
      std::int64_t j = 0;
      for (const Quantity& b : quantities) {
        sum += (a.Cmp(b) + 1) * j++;
      }
    }
    return sum;
  });
}

void CompareOneUnit(benchmark::State& state) {
  std::vector<Quantity> quantities;
  for (const std::string& text : Texts()) {
    if (text.ends_with('i') && text.find('.') == std::string::npos) {
      quantities.push_back(*Quantity::Parse(text));
    }
  }
  Compare(state, quantities);
}
BENCHMARK(CompareOneUnit)->Name("quantity compare, one unit");

void CompareMixedUnits(benchmark::State& state) {
  std::vector<Quantity> quantities;
  for (const std::string& text : Texts()) {
    quantities.push_back(*Quantity::Parse(text));
  }
  Compare(state, quantities);
}
BENCHMARK(CompareMixedUnits)->Name("quantity compare, mixed units");

}  // namespace
}  // namespace quadra::bench
