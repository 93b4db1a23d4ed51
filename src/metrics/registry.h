// Registry: all numbers that a program keeps of itself, and the text in which it tells them to
// Prometheus. The door of this folder.
//
//   Registry registry;
//   Family<Counter>& requests =
//       registry.Counters({.name = "requests_total", .help = "…", .labels = {"code"}});
//   requests.With({"200"}).Add();
//   registry.Compute({.name = "open_files", .help = "…"}, Kind::kGauge,
//                    [](const Report& report) { report({}, CountOpenFiles()); });
//   answer.body = registry.Print();
//
// Promises. Families live as long as the registry. A family of which nothing was used yet is not
// printed. Families are printed in the order of their names, series in the order of their values.
//
// Threads: all members may be called by all. Cost: see family.h; printing is about a microsecond a
// line, and calls the functions of computed families.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "metrics/family.h"
#include "metrics/instruments.h"

namespace quadra::metrics {

enum class Kind { kCounter, kGauge };

// Takes one sample of a computed family.
using Report = std::function<void(const std::vector<std::string>& values, double sample)>;
using Computation = std::function<void(const Report& report)>;

class Registry {
 public:
  static constexpr std::string_view kMediaType = "text/plain; version=0.0.4; charset=utf-8";

  // REQUIRES, of all four: the name is new.
  Family<Counter>& Counters(FamilyOptions options);
  Family<Gauge>& Gauges(FamilyOptions options);
  Family<Histogram>& Histograms(FamilyOptions options);
  // Of what somebody else keeps: asked for whenever it is printed, by many threads at once.
  void Compute(FamilyOptions options, Kind kind, Computation computation);

  std::string Print() const;

 private:
  template <typename Member>
  Member& Add(std::unique_ptr<Member> family);

  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Printed>> families_ QUADRA_GUARDED_BY(mutex_);  // sorted by name
};

}  // namespace quadra::metrics
