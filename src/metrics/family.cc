#include "metrics/family.h"

#include <algorithm>

#include "metrics/text.h"

namespace quadra::metrics {
namespace {

std::size_t HashOf(LabelValues values) {
  std::size_t hash = 0;
  for (const std::string_view value : values) {
    hash = hash * 1099511628211U + std::hash<std::string_view>()(value);
  }
  return hash;
}

// Only histograms have bounds.
template <typename Instrument>
Instrument Make(std::span<const double> bounds) {
  if constexpr (std::is_same_v<Instrument, Histogram>) {
    return Instrument(bounds);
  } else {
    return Instrument();
  }
}

}  // namespace

template <typename Instrument>
Family<Instrument>::Series::Series(std::size_t hash_in, LabelValues values_in,
                                   std::span<const double> bounds)
    : hash(hash_in),
      values(values_in.begin(), values_in.end()),
      instrument(Make<Instrument>(bounds)) {}

template <typename Instrument>
typename Family<Instrument>::Series* Family<Instrument>::Find(Series* from, std::size_t hash,
                                                              LabelValues values) {
  while (from != nullptr && (from->hash != hash || !std::ranges::equal(from->values, values))) {
    from = from->next;
  }
  return from;
}

template <typename Instrument>
Instrument& Family<Instrument>::With(LabelValues values) {
  QUADRA_CHECK(values.size() == options().labels.size(), "every label has a value");
  const std::size_t hash = HashOf(values);
  Slot& slot = slots_[hash % kSlots];
  if (Series* const known = Find(slot.load(std::memory_order_acquire), hash, values)) {
    return known->instrument;
  }
  MutexLock lock(mutex_);
  Series* const head = slot.load(std::memory_order_relaxed);
  if (Series* const known = Find(head, hash, values)) {
    return known->instrument;
  }
  Series& made = *all_.emplace_back(std::make_unique<Series>(hash, values, options().bounds));
  made.next = head;
  slot.store(&made, std::memory_order_release);
  return made.instrument;
}

template <typename Instrument>
void Family<Instrument>::Print(std::string& out) const {
  std::vector<const Series*> sorted;
  for (const Slot& slot : slots_) {
    for (const Series* each = slot.load(std::memory_order_acquire); each; each = each->next) {
      sorted.push_back(each);
    }
  }
  if (sorted.empty()) {
    return;
  }
  std::ranges::sort(sorted, {}, &Series::values);
  PrintHead(options(), TypeOf<Instrument>(), out);
  for (const Series* each : sorted) {
    PrintSample(options(), each->values, each->instrument, out);
  }
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

}  // namespace quadra::metrics
