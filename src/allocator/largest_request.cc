#include "allocator/largest_request.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace quadra::allocator {
namespace {

using quantity::Quantity;

std::optional<Quantity> Positive(Quantity amount) {
  return amount.Sign() > 0 ? std::optional(std::move(amount)) : std::nullopt;
}

// The last step that does not pass `most`, in whole units, or in thousandths where the range has
// such. The least there is where that passes what int64 holds.
Quantity LastStep(const Quantity& min, const Quantity& step, const Quantity& most) {
  const bool whole = step == Quantity::Of(step.Value()) && min == Quantity::Of(min.Value());
  const std::int32_t scale = whole ? 0 : -3;
  const auto units = [&](const Quantity& amount) {
    return whole ? amount.Value() : amount.MilliValue();
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1000;
  if (units(step) <= 0 || min.Sign() < 0 || most.CmpInt64(kMost) > 0) {
    return min;
  }
  const std::int64_t steps = (units(most) - units(min)) / units(step);
  Quantity last = Quantity::Of(units(min) + steps * units(step), most.format(), scale);
  if (last > most) {  // its units were rounded up
    last.Sub(step);
  }
  return last < min ? min : last;
}

std::optional<Quantity> LargestInRange(const api::CapacityRequestPolicyRange& range,
                                       const Quantity& left) {
  const Quantity most = range.max ? std::min(left, *range.max) : left;
  const Quantity min = range.min.value_or(Quantity());
  if (most < min) {
    return std::nullopt;
  }
  return Positive(range.step ? LastStep(min, *range.step, most) : most);
}

}  // namespace

std::optional<Quantity> LargestRequest(const api::DeviceCapacity& capacity, const Quantity& left) {
  if (!capacity.request_policy) {
    return Positive(left);
  }
  const api::CapacityRequestPolicy& policy = *capacity.request_policy;
  if (policy.valid_range) {
    return LargestInRange(*policy.valid_range, left);
  }
  std::optional<Quantity> largest;
  for (const Quantity& valid : policy.valid_values) {
    largest = valid <= left && (!largest || valid > *largest) ? valid : largest;
  }
  return policy.valid_values.empty() ? Positive(left) : largest;
}

}  // namespace quadra::allocator
