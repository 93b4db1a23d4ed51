// Family: the instruments of one name, one for each combination of label values that was used.
//
//   Counter& ok = requests.With({"GET", "200"});     // made when it is first asked for
//   ok.Add();                                        // a reference stays good: keep it where you can
//
// Nothing is ever removed, so the values of labels must come from small, closed sets: never from
// what a client sends.
//
// Threads: all members may be called by all. Cost of With: a hash of the values and a look-up
// without lock or allocation; a combination that is new takes a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/mutex.h"
#include "metrics/instruments.h"

namespace quadra::metrics {

struct FamilyOptions {
  std::string name;  // e.g. apiserver_request_total
  std::string help;  // one sentence
  std::vector<std::string> labels = {};
  std::span<const double> bounds = {};  // of histograms; must outlive the family
};

using LabelValues = std::initializer_list<std::string_view>;

// What a registry needs of a family, and computed ones have too.
class Printed {
 public:
  explicit Printed(FamilyOptions options) : options_(std::move(options)) {}
  virtual ~Printed() = default;
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  const FamilyOptions& options() const { return options_; }
  // Appends itself in Prometheus' text format.
  virtual void Print(std::string& out) const = 0;

 private:
  const FamilyOptions options_;
};

template <typename Instrument>
class Family final : public Printed {
 public:
  using Printed::Printed;

  // One value for each label, in their order.
  Instrument& With(LabelValues values);
  void Print(std::string& out) const override;

 private:
  struct Series {
    Series(std::size_t hash_in, LabelValues values_in, std::span<const double> bounds);

    const std::size_t hash;
    const std::vector<std::string> values;
    Instrument instrument;
    Series* next = nullptr;
  };
  static constexpr std::size_t kSlots = 256;
  using Slot = std::atomic<Series*>;

  static Series* Find(Series* from, std::size_t hash, LabelValues values);

  Mutex mutex_;
  std::vector<std::unique_ptr<Series>> all_ QUADRA_GUARDED_BY(mutex_);
  std::array<Slot, kSlots> slots_ = {};  // by hash; each a list that only grows at its head
};

extern template class Family<Counter>;
extern template class Family<Gauge>;
extern template class Family<Histogram>;

}  // namespace quadra::metrics
