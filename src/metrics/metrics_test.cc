#include <array>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "metrics/process.h"
#include "metrics/registry.h"

// Counts what is allocated by this thread.
namespace {
thread_local std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace quadra::metrics {
namespace {

constexpr std::array kBounds = {0.005, 1.0, 1e6};

TEST(Registry, PrintsWhatPrometheusReads) {
  Registry registry;
  Family<Counter>& requests = registry.Counters(
      {.name = "requests_total", .help = "All\nof them.", .labels = {"verb", "code"}});
  requests.With({"PUT", "500"}).Add();
  requests.With({"GET", "200"}).Add(41);
  requests.With({"GET", "200"}).Add();
  registry.Gauges({.name = "open", .help = "Now."}).With({}).Set(-3);
  registry.Gauges({.name = "unused", .help = "Not printed.", .labels = {"a"}});
  Histogram& latency =
      registry
          .Histograms({.name = "latency", .help = "Seconds.", .labels = {"to"}, .bounds = kBounds})
          .With({"a\"b\\c\nd"});
  for (const double seconds : {0.001, 0.005, 0.5, 2e6}) {
    latency.Observe(seconds);
  }
  registry.Compute({.name = "computed", .help = "Asked.", .labels = {"x"}}, Kind::kGauge,
                   [](const Report& report) { report({"1"}, 0.5); });
  EXPECT_EQ(registry.Print(), R"(# HELP computed Asked.
# TYPE computed gauge
computed{x="1"} 0.5
# HELP latency Seconds.
# TYPE latency histogram
latency_bucket{to="a\"b\\c\nd",le="0.005"} 2
latency_bucket{to="a\"b\\c\nd",le="1"} 3
latency_bucket{to="a\"b\\c\nd",le="1e+06"} 3
latency_bucket{to="a\"b\\c\nd",le="+Inf"} 4
latency_sum{to="a\"b\\c\nd"} 2.000000506e+06
latency_count{to="a\"b\\c\nd"} 4
# HELP open Now.
# TYPE open gauge
open -3
# HELP requests_total All\nof them.
# TYPE requests_total counter
requests_total{verb="GET",code="200"} 42
requests_total{verb="PUT",code="500"} 1
)");
}

TEST(Family, CountsWithoutAllocatingOnceASeriesIsThere) {
  Registry registry;
  Family<Counter>& counters = registry.Counters({.name = "c", .help = "", .labels = {"a", "b"}});
  Family<Histogram>& histograms =
      registry.Histograms({.name = "h", .help = "", .labels = {"a"}, .bounds = kBounds});
  const auto use = [&] {
    counters.With({"a value that is longer than a short string", "y"}).Add();
    histograms.With({"x"}).Observe(0.1);
  };
  use();
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) {
    use();
  }
  EXPECT_EQ(allocations, before);
}

TEST(Family, LosesNothingAmongThreadsThatMakeTheSameSeries) {
  constexpr int kThreads = 4;
  constexpr int kSeries = 1000;
  Registry registry;
  Family<Counter>& counters = registry.Counters({.name = "c", .help = "", .labels = {"i"}});
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kSeries; ++i) {
          counters.With({std::to_string(i)}).Add();
        }
      });
    }
    for (int i = 0; i < 10; ++i) {
      registry.Print();
    }
  }
  for (int i = 0; i < kSeries; ++i) {
    EXPECT_EQ(counters.With({std::to_string(i)}).value(), kThreads) << i;
  }
}

TEST(Process, TellsOfItself) {
  Registry registry;
  AddProcess(registry);
  const std::string text = registry.Print();
  for (const std::string name : {"process_cpu_seconds_total", "process_resident_memory_bytes",
                                 "process_virtual_memory_bytes", "process_open_fds",
                                 "process_max_fds", "process_start_time_seconds"}) {
    const std::size_t at = text.find("\n" + name + " ");
    ASSERT_NE(at, std::string::npos) << name << "\n" << text;
    const double value = std::stod(text.substr(at + name.size() + 2));
    EXPECT_GE(value, name == "process_cpu_seconds_total" ? 0 : 1) << name;
  }
}

}  // namespace
}  // namespace quadra::metrics
