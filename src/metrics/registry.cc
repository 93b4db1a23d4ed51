#include "metrics/registry.h"

#include <algorithm>

#include "base/check.h"
#include "metrics/text.h"

namespace quadra::metrics {
namespace {

class Computed final : public Printed {
 public:
  Computed(FamilyOptions options, Kind kind, Computation computation)
      : Printed(std::move(options)), kind_(kind), computation_(std::move(computation)) {}

  void Print(std::string& out) const override {
    PrintHead(options(), kind_ == Kind::kCounter ? "counter" : "gauge", out);
    computation_([&](const std::vector<std::string>& values, double sample) {
      PrintSample(options(), values, sample, out);
    });
  }

 private:
  const Kind kind_;
  const Computation computation_;
};

std::string_view NameOf(const std::unique_ptr<Printed>& family) { return family->options().name; }

}  // namespace

template <typename Member>
Member& Registry::Add(std::unique_ptr<Member> family) {
  Member& added = *family;
  MutexLock lock(mutex_);
  const auto at = std::ranges::lower_bound(families_, added.options().name, {}, NameOf);
  QUADRA_CHECK(at == families_.end() || NameOf(*at) != added.options().name,
               "a family is registered once");
  families_.insert(at, std::move(family));
  return added;
}

Family<Counter>& Registry::Counters(FamilyOptions options) {
  return Add(std::make_unique<Family<Counter>>(std::move(options)));
}

Family<Gauge>& Registry::Gauges(FamilyOptions options) {
  return Add(std::make_unique<Family<Gauge>>(std::move(options)));
}

Family<Histogram>& Registry::Histograms(FamilyOptions options) {
  return Add(std::make_unique<Family<Histogram>>(std::move(options)));
}

void Registry::Compute(FamilyOptions options, Kind kind, Computation computation) {
  Add(std::make_unique<Computed>(std::move(options), kind, std::move(computation)));
}

std::string Registry::Print() const {
  std::string text;
  MutexLock lock(mutex_);
  for (const std::unique_ptr<Printed>& family : families_) {
    family->Print(text);
  }
  return text;
}

}  // namespace quadra::metrics
