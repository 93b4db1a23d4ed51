// Consumable capacity: which amounts may be requested of a device that several claims share.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "validation/resource_slice.h"

namespace quadra::validation {
namespace {

using api::CapacityRequestPolicy;
using api::CapacityRequestPolicyRange;
using api::Quantity;

constexpr std::size_t kMaxValidValues = 10;

// Upstream's Cmp moves its receiver to the decimal form when the other side is in it; rounding
// later depends on that.
int Compare(Quantity& a, const Quantity& b) {
  if (b.IsDecimal() && !a.IsDecimal()) {
    a.ToDecimal();
  }
  return a.Cmp(b);
}

bool IsFractional(Quantity quantity) { return !quantity.RoundUp(0); }

void InvalidQuantity(ErrorList& errors, const Path& path, const Quantity& value,
                     std::string_view detail) {
  errors.Invalid(path, value.ToString(), detail);
}

// What makes two valid values the same. Without fractions they are compared as whole numbers; with
// fractions as decimals with all written places, so that 1.5 and 1500m are two.
std::string ValueKey(const Quantity& value, bool fractions) {
  return fractions ? value.AllPlaces() : fmt::to_string(value.Value());
}

void CheckSorted(ErrorList& errors, const Path& path, api::List<Quantity>& values) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    if (Compare(values[i], values[i + 1]) > 0) {
      InvalidQuantity(errors, path.Index(i + 1), values[i + 1],
                      "values must be sorted in ascending order");
    }
  }
}

void CheckDuplicates(ErrorList& errors, const Path& path, const api::List<Quantity>& values,
                     bool fractions) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string key = ValueKey(values[i], fractions);
    if (!seen.insert(key).second) {
      errors.Duplicate(path.Index(i), key);
    }
  }
}

// Says whether the default is among the values. Values beyond the limit are not looked at.
bool CheckOptions(ErrorList& errors, const Path& path, const api::List<Quantity>& values,
                  const Quantity& max, const Quantity& default_value, bool fractions) {
  if (values.size() > kMaxValidValues) {
    errors.TooMany(path, values.size(), kMaxValidValues);
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].Cmp(max) > 0) {
      InvalidQuantity(errors, path.Index(i), values[i],
                      "option is larger than capacity value: " + max.ToString());
    }
  }
  CheckDuplicates(errors, path, values, fractions);
  return std::ranges::any_of(values, [&](const Quantity& value) { return value == default_value; });
}

void CheckValidValues(ErrorList& errors, const Path& path, api::List<Quantity> values,
                      const Quantity& default_value, const Quantity& capacity, bool fractions) {
  CheckSorted(errors, path, values);
  if (!CheckOptions(errors, path, values, capacity, default_value, fractions)) {
    InvalidQuantity(errors, path, default_value,
                    "default value is not valid according to the requestPolicy");
  }
}

// The numbers of a range; copies, since comparing changes their form.
struct Bounds {
  Quantity default_value;
  Quantity min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
};

struct NamedBound {
  std::string_view name;
  const Quantity* value;  // null when not given
};

std::array<NamedBound, 4> ByName(const Bounds& bounds) {
  return {{{"default", &bounds.default_value},
           {"min", &bounds.min},
           {"max", bounds.max ? &*bounds.max : nullptr},
           {"step", bounds.step ? &*bounds.step : nullptr}}};
}

void CheckMin(ErrorList& errors, const Path& path, Bounds& bounds, const Quantity& max) {
  if (Compare(bounds.min, max) > 0) {
    InvalidQuantity(errors, path.Child("min"), bounds.min,
                    "min is larger than capacity value: " + max.ToString());
  }
  if (Compare(bounds.default_value, bounds.min) < 0) {
    InvalidQuantity(errors, path.Child("default"), bounds.default_value,
                    "default is less than min: " + bounds.min.ToString());
  }
}

void CheckMax(ErrorList& errors, const Path& path, Bounds& bounds, const Quantity& capacity) {
  if (!bounds.max) {
    return;
  }
  Quantity& max = *bounds.max;
  if (Compare(bounds.min, max) > 0) {
    InvalidQuantity(errors, path.Child("max"), bounds.min,
                    "min is larger than max: " + max.ToString());
  }
  if (Compare(max, capacity) > 0) {
    InvalidQuantity(errors, path.Child("max"), max,
                    "max is larger than capacity value: " + capacity.ToString());
  }
  if (Compare(bounds.default_value, max) > 0) {
    InvalidQuantity(errors, path.Child("default"), bounds.default_value,
                    "default is more than max: " + max.ToString());
  }
}

// Says whether all numbers are whole thousandths.
bool CheckMilli(ErrorList& errors, const Path& path, const Bounds& bounds) {
  bool fine = true;
  for (const auto& [name, value] : ByName(bounds)) {
    if (value != nullptr && *value != Quantity::Of(value->MilliValue(), value->format(), -3)) {
      InvalidQuantity(errors, path.Child(name), *value,
                      "value cannot be represented as a milli value");
      fine = false;
    }
  }
  return fine;
}

// Says whether all numbers are in [0, 2^63), outside which whole numbers wrap around.
bool CheckWhole(ErrorList& errors, const Path& path, const Bounds& bounds) {
  const std::size_t start = errors.size();
  for (const auto& [name, value] : ByName(bounds)) {
    if (value != nullptr && value->Sign() < 0) {
      InvalidQuantity(errors, path.Child(name), *value, "must be greater than or equal to 0");
    } else if (value != nullptr && value->CmpInt64(std::numeric_limits<std::int64_t>::max()) > 0) {
      InvalidQuantity(errors, path.Child(name), *value,
                      "must not be larger than 9223372036854775807");
    }
  }
  return errors.size() == start;
}

void CheckMultiple(ErrorList& errors, const Path& path, const Quantity& value, const Quantity& min,
                   const Quantity& step, bool milli) {
  const std::int32_t scale = milli ? -3 : 0;
  const auto distance =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(value.ScaledValue(scale)) -
                                static_cast<std::uint64_t>(min.ScaledValue(scale)));
  if (distance % step.ScaledValue(scale) != 0) {
    InvalidQuantity(errors, path, value,
                    fmt::format("value is not a multiple of a given step ({}) from ({})",
                                step.ToString(), min.ToString()));
  }
}

void CheckStep(ErrorList& errors, const Path& path, const Bounds& bounds, const Quantity& step,
               const Quantity& capacity, bool milli) {
  const Path at = path.Child("step");
  if (step.Sign() <= 0) {
    InvalidQuantity(errors, at, step, "must be greater than zero");
    return;
  }
  Quantity added = bounds.min;
  added.Add(step);
  if (added.Cmp(capacity) > 0) {
    InvalidQuantity(errors, at, step,
                    fmt::format("one step {} is larger than capacity value: {}", added.ToString(),
                                capacity.ToString()));
  }
  if (!milli && !CheckWhole(errors, path, bounds)) {
    return;
  }
  CheckMultiple(errors, at, bounds.default_value, bounds.min, step, milli);
  if (bounds.max) {
    CheckMultiple(errors, at, *bounds.max, bounds.min, step, milli);
  }
}

bool HasFractions(const Bounds& bounds) {
  return std::ranges::any_of(ByName(bounds), [](const NamedBound& bound) {
    return bound.value != nullptr && IsFractional(*bound.value);
  });
}

void CheckValidRange(ErrorList& errors, const Path& path, const CapacityRequestPolicyRange& range,
                     const Quantity& default_value, const Quantity& capacity, bool fractions) {
  if (!range.min) {
    errors.Required(path.Child("min"), "required when validRange is defined");
    return;
  }
  Bounds bounds{default_value, *range.min, range.max, range.step};
  CheckMin(errors, path, bounds, capacity);
  CheckMax(errors, path, bounds, capacity);
  const bool milli = fractions && HasFractions(bounds);
  if (milli && !CheckMilli(errors, path, bounds)) {
    return;
  }
  if (bounds.step) {
    CheckStep(errors, path, bounds, *bounds.step, capacity, milli);
  }
}

void CheckPolicy(ErrorList& errors, const Path& path, const CapacityRequestPolicy& policy,
                 const Quantity& capacity, bool fractions) {
  const bool values = !policy.valid_values.empty();
  if (values && policy.valid_range) {
    errors.Forbidden(path,
                     "exactly one policy can be specified, cannot specify \"validValues\" and "
                     "\"validRange\" at the same time");
  } else if (!values && !policy.valid_range) {
    return;  // a default alone is not checked
  } else if (!policy.default_value) {
    errors.Required(path.Child("default"), fmt::format("required when {} is defined",
                                                       values ? "validValues" : "validRange"));
  } else if (policy.valid_range) {
    CheckValidRange(errors, path.Child("validRange"), *policy.valid_range, *policy.default_value,
                    capacity, fractions);
  } else {
    CheckValidValues(errors, path.Child("validValues"), policy.valid_values, *policy.default_value,
                     capacity, fractions);
  }
}

}  // namespace

void CheckCapacity(ErrorList& errors, const Path& path, const api::Device& device,
                   const FeatureGates& gates) {
  const bool shared = device.allow_multiple_allocations.value_or(false);
  const bool fractions = gates.Enabled(Gate::kDRAFractionalCapacityRange);
  CheckEntries(errors, path, device.capacity, CheckQualifiedName,
               [&](const Path& at, const api::DeviceCapacity& capacity) {
                 const Path policy = at.Child("requestPolicy");
                 if (capacity.request_policy && shared) {
                   CheckPolicy(errors, policy, *capacity.request_policy, capacity.value, fractions);
                 } else if (capacity.request_policy) {
                   errors.Forbidden(policy, "allowMultipleAllocations must be true");
                 }
               });
}

}  // namespace quadra::validation
