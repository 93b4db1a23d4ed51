#include "allocator/capacity.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using quantity::Quantity;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// In thousandths, where that loses nothing.
std::optional<std::int64_t> Milli(const Quantity& amount) {
  const std::int64_t milli = amount.MilliValue();
  return amount == Quantity::Of(milli, amount.format(), -3) ? std::optional(milli) : std::nullopt;
}

// Whether a range is computed in thousandths.
bool UsesMilli(const api::CapacityRequestPolicyRange& range, bool fractional) {
  const auto fits = [](const std::optional<Quantity>& amount) {
    return !amount || Milli(*amount).has_value();
  };
  const auto is_step = [](const Quantity& step) { return Milli(step).value_or(0) >= 1; };
  return fractional && fits(range.min) && fits(range.max) && (!range.step || is_step(*range.step));
}

tl::unexpected<Error> NotRepresentable(const std::string& why) {
  return Fail(ErrorKind::kInvalid,
              "capacity request cannot be represented in the device's range arithmetic: " + why);
}

// Upstream computes in int64 that wraps; so do we, where a device publishes absurd ranges.
std::int64_t Difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t SumOfSteps(std::int64_t min, std::int64_t step, std::int64_t n) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(min) +
                                   static_cast<std::uint64_t>(step) *
                                       static_cast<std::uint64_t>(n));
}

// Of the two only dividing by -1 can leave the range. REQUIRES: b != 0.
std::int64_t Quotient(std::int64_t a, std::int64_t b) { return b == -1 ? Difference(0, a) : a / b; }
std::int64_t Remainder(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }

// REQUIRES: step != 0.
std::int64_t StepsUpTo(std::int64_t wanted, std::int64_t min, std::int64_t step) {
  const std::int64_t added = Difference(wanted, min);
  return Quotient(added, step) + (Remainder(added, step) != 0 ? 1 : 0);
}

Result<Quantity> RoundUpMilli(const Quantity& wanted, const Quantity& least,
                              const Quantity& stride) {
  const std::optional<std::int64_t> milli = Milli(wanted);
  if (!milli) {
    return NotRepresentable(
        fmt::format("request {} is not a representable milli value", wanted.ToString()));
  }
  const std::int64_t min = least.MilliValue();
  const std::int64_t step = stride.MilliValue();
  const std::int64_t steps = StepsUpTo(*milli, min, step);
  if (steps > Difference(kMax, min) / step) {
    return NotRepresentable(fmt::format(
        "rounding request {} up to the next step passes the milli-value range", wanted.ToString()));
  }
  const std::int64_t rounded = SumOfSteps(min, step, steps);
  return rounded % 1000 == 0 ? Quantity::Of(rounded / 1000, stride.format())
                             : Quantity::Of(rounded, stride.format(), -3);
}

Result<Quantity> RoundUpInteger(const Quantity& wanted, const Quantity& least,
                                const Quantity& stride) {
  if (wanted.CmpInt64(kMax) > 0) {
    return NotRepresentable(fmt::format("request {} exceeds MaxInt64", wanted.ToString()));
  }
  const std::int64_t min = least.Value();
  const std::int64_t step = stride.Value();
  if (step == 0) {
    return NotRepresentable("the step is 0");
  }
  const std::int64_t steps = StepsUpTo(wanted.Value(), min, step);
  if (min >= 0 && steps > Quotient(kMax - min, step)) {
    return NotRepresentable(
        fmt::format("rounding request {} up to the next step passes MaxInt64", wanted.ToString()));
  }
  return Quantity::Of(SumOfSteps(min, step, steps), stride.format());
}

// What a device is asked for one capacity.
struct Consumed {
  Quantity amount;
  bool computed = false;  // rounded to a step
};

Result<Consumed> RoundUp(const Quantity& wanted, const Quantity& min,
                         const api::CapacityRequestPolicyRange& range, bool fractional) {
  if (wanted < min || !range.step) {
    return Consumed{std::max(wanted, min)};
  }
  QUADRA_TRY(Quantity rounded, UsesMilli(range, fractional)
                                   ? RoundUpMilli(wanted, min, *range.step)
                                   : RoundUpInteger(wanted, min, *range.step));
  return Consumed{std::move(rounded), true};
}

Result<Consumed> UnderPolicy(const Quantity& wanted, const api::CapacityRequestPolicy& policy,
                             bool fractional) {
  if (const auto& range = policy.valid_range; range && range->min) {
    return RoundUp(wanted, *range->min, *range, fractional);
  }
  const auto enough = std::ranges::find_if(policy.valid_values,
                                           [&](const Quantity& valid) { return wanted <= valid; });
  return Consumed{enough == policy.valid_values.end() ? wanted : *enough};
}

Result<Consumed> ConsumptionOf(const Quantity* wanted, const api::DeviceCapacity& capacity,
                               bool fractional) {
  if (const auto& policy = capacity.request_policy) {
    return wanted != nullptr ? UnderPolicy(*wanted, *policy, fractional)
                             : Consumed{policy->default_value.value_or(capacity.value)};
  }
  return Consumed{wanted != nullptr ? *wanted : capacity.value};
}

bool IsOffStep(const Quantity& amount, const Quantity& stride,
               const api::CapacityRequestPolicyRange& range, bool fractional) {
  const Quantity min = range.min.value_or(Quantity());
  if (!UsesMilli(range, fractional)) {
    const std::int64_t step = stride.Value();
    return step == 0 || Remainder(Difference(amount.Value(), min.Value()), step) != 0;
  }
  const std::optional<std::int64_t> milli = Milli(amount);
  return !milli || Difference(*milli, min.MilliValue()) % stride.MilliValue() != 0;
}

// The default is always allowed. Upstream compares it in all its parts, spelling included, and what
// it computed has none.
bool IsDefault(const Consumed& consumed, const std::optional<Quantity>& default_value) {
  return !consumed.computed && default_value && consumed.amount == *default_value &&
         consumed.amount.format() == default_value->format();
}

bool Violates(const Consumed& consumed, const api::CapacityRequestPolicy& policy, bool fractional) {
  if (IsDefault(consumed, policy.default_value)) {
    return false;
  }
  const Quantity& amount = consumed.amount;
  if (const auto& range = policy.valid_range) {
    return (range->max && amount > *range->max) ||
           (range->step && IsOffStep(amount, *range->step, *range, fractional));
  }
  return !policy.valid_values.empty() &&
         std::ranges::find(policy.valid_values, amount) == policy.valid_values.end();
}

bool LacksCapacity(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity) {
  return wanted != nullptr && std::ranges::any_of(*wanted, [&](const auto& entry) {
           return !capacity.contains(entry.first);
         });
}

Quantity SumFor(const Portion::Amount& amount, const Amounts& held, const Quantity* taking) {
  Quantity sum = amount.consumed;
  if (const auto others = held.find(*amount.capacity); others != held.end()) {
    sum.Add(others->second);
  }
  if (taking != nullptr) {
    sum.Add(*taking);
  }
  return sum;
}

}  // namespace

Result<Portion> Portion::Of(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                            bool fractional) {
  Portion portion;
  if (LacksCapacity(wanted, capacity)) {
    portion.is_allowed_ = false;
    return portion;
  }
  for (const auto& [name, each] : capacity) {
    const Quantity* asked = wanted != nullptr ? wanted->Find(name) : nullptr;
    const Result<Consumed> consumed = ConsumptionOf(asked, each, fractional);
    if (!consumed || consumed->amount.Sign() < 0) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("capacity \"{}\": {}", name,
                              consumed ? "capacity value is negative" : consumed.error().message));
    }
    portion.is_allowed_ =
        portion.is_allowed_ &&
        !(each.request_policy && Violates(*consumed, *each.request_policy, fractional));
    portion.amounts_.push_back(
        {.capacity = &name, .whole = &each.value, .consumed = consumed->amount});
  }
  portion.fits_alone_ = portion.FitsBeside({}, {});
  return portion;
}

bool Portion::FitsBeside(const Amounts& held, std::span<const Quantity> taking) const {
  if (!is_allowed_) {
    return false;
  }
  for (std::size_t i = 0; i < amounts_.size(); ++i) {
    if (SumFor(amounts_[i], held, taking.empty() ? nullptr : &taking[i]) > *amounts_[i].whole) {
      return false;
    }
  }
  return true;
}

}  // namespace quadra::allocator
