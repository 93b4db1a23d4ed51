// Measure: a Google Benchmark that also reports what bench/run needs: how many items one iteration
// handles, and a sum of what it read, which must equal upstream's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

namespace quadra::bench {

// The text of a file of bench/data. The benchmark stops with a message where it cannot be read.
std::string ReadData(const std::string& name);

// Times `work`, which handles `items` items and returns the sum of what it read.
template <typename Work>
void Measure(benchmark::State& state, std::size_t items, Work work) {
  std::int64_t read = 0;
  for (auto iteration : state) {
    read = work();
    benchmark::DoNotOptimize(read);
  }
  state.counters["read"] = static_cast<double>(read);
  state.counters["items"] = static_cast<double>(items);
}

}  // namespace quadra::bench
