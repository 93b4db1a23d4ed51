// The sets extension.
#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

bool ContainsAll(const ListObject& list, const ListObject& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!ListContains(list, elements.At(i))) {
      return false;
    }
  }
  return true;
}

// More comparisons than any cost limit allows.
bool IsTooLong(Arguments arguments) {
  constexpr std::size_t kMaxComparisons = 50'000'000;
  const std::size_t left = arguments[0].as_list().size();
  return left > 0 && arguments[1].as_list().size() > kMaxComparisons / left;
}

Value SetsContains(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::Bool(ContainsAll(arguments[0].as_list(), arguments[1].as_list()));
}

Value SetsEquivalent(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::Bool(ContainsAll(arguments[0].as_list(), arguments[1].as_list()) &&
                     ContainsAll(arguments[1].as_list(), arguments[0].as_list()));
}

Value SetsIntersects(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  const ListObject& list = arguments[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (ListContains(arguments[1].as_list(), list.At(i))) {
      return Value::Bool(true);
    }
  }
  return Value::Bool(false);
}

// Every pair of elements, `factor` times.
Charge SetsCostTimes(Arguments arguments, double factor) {
  const std::uint64_t product = PlainSize(arguments[0]) * PlainSize(arguments[1]);
  return {SaturatingAdd(1, TruncateAsGo(static_cast<double>(product) * factor))};
}

Charge SetsCost(Arguments arguments, const Value& /*result*/) {
  return SetsCostTimes(arguments, 1);
}

Charge SetsTwiceCost(Arguments arguments, const Value& /*result*/) {
  return SetsCostTimes(arguments, 2);
}

CallEstimate SetsEstimateTimes(const CallSite& site, double factor) {
  return {.cost = (site.ArgumentSize(0) * site.ArgumentSize(1)) * factor + Fixed(1)};
}

CallEstimate SetsEstimate(const CallSite& site) { return SetsEstimateTimes(site, 1); }
CallEstimate SetsTwiceEstimate(const CallSite& site) { return SetsEstimateTimes(site, 2); }

constexpr Row kRows[] = {
    {"sets.contains",
     "list_sets_contains_list",
     kGlobal,
     "list(T), list(T)",
     "bool",
     {SetsContains, SetsCost, SetsEstimate}},
    {"sets.equivalent",
     "list_sets_equivalent_list",
     kGlobal,
     "list(T), list(T)",
     "bool",
     {SetsEquivalent, SetsTwiceCost, SetsTwiceEstimate}},
    {"sets.intersects",
     "list_sets_intersects_list",
     kGlobal,
     "list(T), list(T)",
     "bool",
     {SetsIntersects, SetsCost, SetsEstimate}},
};

}  // namespace

void DeclareSets(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
