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
  return fractional && fits(range.min) && fits(range.max) && fits(range.step) &&
         (!range.step || *Milli(*range.step) >= 1);
}

tl::unexpected<Error> NotRepresentable(const std::string& why) {
  return Fail(Reason::kInvalid,
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

Result<Quantity> RoundUpMilli(const Quantity& wanted,
                              const api::CapacityRequestPolicyRange& range) {
  const std::optional<std::int64_t> milli = Milli(wanted);
  if (!milli) {
    return NotRepresentable(
        fmt::format("request {} is not a representable milli value", wanted.ToString()));
  }
  const std::int64_t min = range.min->MilliValue();
  const std::int64_t step = range.step->MilliValue();
  const std::int64_t steps = StepsUpTo(*milli, min, step);
  if (steps > Difference(kMax, min) / step) {
    return NotRepresentable(fmt::format(
        "rounding request {} up to the next step passes the milli-value range", wanted.ToString()));
  }
  const std::int64_t rounded = SumOfSteps(min, step, steps);
  return rounded % 1000 == 0 ? Quantity::Of(rounded / 1000, range.step->format())
                             : Quantity::Of(rounded, range.step->format(), -3);
}

Result<Quantity> RoundUpInteger(const Quantity& wanted,
                                const api::CapacityRequestPolicyRange& range) {
  if (wanted.CmpInt64(kMax) > 0) {
    return NotRepresentable(fmt::format("request {} exceeds MaxInt64", wanted.ToString()));
  }
  const std::int64_t min = range.min->Value();
  const std::int64_t step = range.step->Value();
  if (step == 0) {
    return NotRepresentable("the step is 0");
  }
  const std::int64_t steps = StepsUpTo(wanted.Value(), min, step);
  if (min >= 0 && steps > Quotient(kMax - min, step)) {
    return NotRepresentable(
        fmt::format("rounding request {} up to the next step passes MaxInt64", wanted.ToString()));
  }
  return Quantity::Of(SumOfSteps(min, step, steps), range.step->format());
}

Result<Quantity> RoundUp(const Quantity& wanted, const api::CapacityRequestPolicyRange& range,
                         bool fractional) {
  if (wanted < *range.min) {
    return *range.min;
  }
  if (!range.step) {
    return wanted;
  }
  return UsesMilli(range, fractional) ? RoundUpMilli(wanted, range) : RoundUpInteger(wanted, range);
}

Result<Quantity> ConsumptionOf(const Quantity* wanted, const api::DeviceCapacity& capacity,
                               bool fractional) {
  const std::optional<api::CapacityRequestPolicy>& policy = capacity.request_policy;
  if (wanted == nullptr) {
    return policy && policy->default_value ? *policy->default_value : capacity.value;
  }
  if (!policy) {
    return *wanted;
  }
  if (policy->valid_range && policy->valid_range->min) {
    return RoundUp(*wanted, *policy->valid_range, fractional);
  }
  const auto enough = std::ranges::find_if(policy->valid_values,
                                           [&](const Quantity& valid) { return *wanted <= valid; });
  return enough == policy->valid_values.end() ? *wanted : *enough;
}

bool OffStep(const Quantity& amount, const api::CapacityRequestPolicyRange& range,
             bool fractional) {
  const Quantity min = range.min.value_or(Quantity());
  if (!UsesMilli(range, fractional)) {
    const std::int64_t step = range.step->Value();
    return step == 0 || Remainder(Difference(amount.Value(), min.Value()), step) != 0;
  }
  const std::optional<std::int64_t> milli = Milli(amount);
  return !milli || Difference(*milli, min.MilliValue()) % range.step->MilliValue() != 0;
}

// The default is always allowed. Upstream compares it in all its parts, spelling included.
bool IsDefault(const Quantity& amount, const api::CapacityRequestPolicy& policy) {
  return policy.default_value && amount == *policy.default_value &&
         amount.format() == policy.default_value->format();
}

bool Violates(const Quantity& amount, const std::optional<api::CapacityRequestPolicy>& policy,
              bool fractional) {
  if (!policy || IsDefault(amount, *policy)) {
    return false;
  }
  if (policy->valid_range) {
    const api::CapacityRequestPolicyRange& range = *policy->valid_range;
    return (range.max && amount > *range.max) || (range.step && OffStep(amount, range, fractional));
  }
  return !policy->valid_values.empty() &&
         std::ranges::find(policy->valid_values, amount) == policy->valid_values.end();
}

bool LacksCapacity(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity) {
  return wanted != nullptr && std::ranges::any_of(*wanted, [&](const auto& entry) {
           return !capacity.contains(entry.first);
         });
}

Quantity SumFor(const std::string& name, Quantity amount, const Amounts& held,
                const Amounts& taking) {
  for (const Amounts* others : {&held, &taking}) {
    if (const auto other = others->find(name); other != others->end()) {
      amount.Add(other->second);
    }
  }
  return amount;
}

}  // namespace

Result<Amounts> Consumption(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                            bool fractional) {
  Amounts amounts;
  for (const auto& [name, each] : capacity) {
    const Quantity* asked = wanted != nullptr ? wanted->Find(name) : nullptr;
    Result<Quantity> amount = ConsumptionOf(asked, each, fractional);
    if (!amount || amount->Sign() < 0) {
      return Fail(Reason::kInvalid,
                  fmt::format("capacity \"{}\": {}", name,
                              amount ? "capacity value is negative" : amount.error().message));
    }
    amounts.emplace(name, *std::move(amount));
  }
  return amounts;
}

Result<bool> Suffices(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                      const Amounts& held, const Amounts& taking, bool fractional) {
  if (LacksCapacity(wanted, capacity)) {
    return false;
  }
  QUADRA_TRY(const Amounts amounts, Consumption(wanted, capacity, fractional));
  return std::ranges::all_of(capacity, [&](const auto& entry) {
    const auto& [name, each] = entry;
    const Quantity& amount = amounts.find(name)->second;
    return !Violates(amount, each.request_policy, fractional) &&
           SumFor(name, amount, held, taking) <= each.value;
  });
}

}  // namespace quadra::allocator
