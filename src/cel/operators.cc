// Logic, equality, order, containment, size, tests of texts: most with one implementation for all
// overloads, some laid out by the planner.
#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Not(CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kBool ? Value::Bool(!arguments[0].as_bool())
                                            : MaybeNoSuchOverload(arguments[0]);
}

Value NotStrictlyFalse(CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kBool ? arguments[0] : Value::Bool(true);
}

// `wanted` decides from the sign.
template <bool (*wanted)(std::int64_t)>
Value Order(CallContext& context, Arguments arguments) {
  if (!IsOrdered(arguments[0])) {
    return UnsupportedOperator(context, arguments[0]);
  }
  const Value order = Compare(arguments[0], arguments[1]);
  return order.is_error() ? order : Value::Bool(wanted(order.as_int()));
}

bool IsLess(std::int64_t order) { return order < 0; }
bool IsLessOrEqual(std::int64_t order) { return order <= 0; }
bool IsGreater(std::int64_t order) { return order > 0; }
bool IsGreaterOrEqual(std::int64_t order) { return order >= 0; }

Value MapContains(CallContext& context, const MapObject& map, const Value& key) {
  const char* unhashable = UnhashableType(key);
  if (unhashable != nullptr && map.size() > 0 && map.HashesKeys()) {
    return FatalError(
        context.arena,
        fmt::format("internal error: runtime error: hash of unhashable type {}", unhashable));
  }
  return Value::Bool(map.Contains(key));
}

Value In(CallContext& context, Arguments arguments) {
  switch (arguments[1].kind()) {
    case Kind::kList:
      return Value::Bool(ListContains(arguments[1].as_list(), arguments[0]));
    case Kind::kMap:
      return MapContains(context, arguments[1].as_map(), arguments[0]);
    default:
      return MaybeNoSuchOverload(arguments[1]);
  }
}

Value Size(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  switch (value.kind()) {
    case Kind::kString:
      return Value::Int(static_cast<std::int64_t>(RuneCount(value.as_text())));
    case Kind::kBytes:
      return Value::Int(static_cast<std::int64_t>(value.as_text().size()));
    case Kind::kList:
      return Value::Int(static_cast<std::int64_t>(value.as_list().size()));
    case Kind::kMap:
      return Value::Int(static_cast<std::int64_t>(value.as_map().size()));
    default:
      return UnsupportedOperator(context, value);
  }
}

Value TypeOf(CallContext&, Arguments arguments) { return Value::Of(RuntimeType(arguments[0])); }

Value Same(CallContext&, Arguments arguments) { return arguments[0]; }

template <typename Test>
Value TestTexts(Arguments arguments, Test test) {
  if (arguments[0].kind() != Kind::kString) {
    return MaybeNoSuchOverload(arguments[0]);
  }
  if (arguments[1].kind() != Kind::kString) {
    return MaybeNoSuchOverload(arguments[1]);
  }
  return Value::Bool(test(arguments[0].as_text(), arguments[1].as_text()));
}

Value ContainsText(CallContext&, Arguments arguments) {
  return TestTexts(arguments, [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

Value StartsWith(CallContext&, Arguments arguments) {
  return TestTexts(arguments, [](std::string_view text, std::string_view part) {
    return text.starts_with(part);
  });
}

Value EndsWith(CallContext&, Arguments arguments) {
  return TestTexts(
      arguments, [](std::string_view text, std::string_view part) { return text.ends_with(part); });
}

// --- Costs.

// ceil(.1 size of the argument).
Charge ArgumentTextCost(Arguments arguments, const Value& /*result*/) {
  return {TextCost(MeteredSize(arguments[1]))};
}

// ceil(.1 n) ceil(.1 m).
Charge ProductCost(Arguments arguments, const Value& /*result*/) {
  return {TextCost(MeteredSize(arguments[0])) * TextCost(MeteredSize(arguments[1]))};
}

Charge ListSizeCost(Arguments arguments, const Value& /*result*/) {
  return {MeteredSize(arguments[1])};
}

CallEstimate InListEstimate(const CallSite& site) { return {.cost = site.ArgumentSize(1) * 1.0}; }

CallEstimate ContainsEstimate(const CallSite& site) {
  return {.cost = (site.TargetSize() * kTraversal) * (site.ArgumentSize(0) * kTraversal)};
}

// The second operand may not be evaluated.
CallEstimate LogicEstimate(const CallSite& site) {
  const CostRange both = site.costs[0] + site.costs[1];
  return {.cost = {.min = site.costs[0].min, .max = both.max}, .includes_arguments = true};
}

CallEstimate ConditionalEstimate(const CallSite& site) {
  return {.cost = site.costs[0] + Union(site.costs[1], site.costs[2]),
          .result_size = Union(site.ArgumentSize(1), site.ArgumentSize(2)),
          .includes_arguments = true,
          .contents = {{.first = 1, .second = 2}}};
}

CallEstimate ElementEstimate(const CallSite& /*site*/) {
  return {.cost = Fixed(1), .element = "@items"};
}

CallEstimate ValueEstimate(const CallSite& /*site*/) {
  return {.cost = Fixed(1), .element = "@values"};
}

// dyn(x) is x.
CallEstimate SameEstimate(const CallSite& site) {
  return {.cost = Fixed(1),
          .result_size = site.arguments[0].size,
          .contents = {{.first = 0, .second = 0}}};
}

constexpr std::string_view kEqualInOne[] = {
    "net.IP",
    "net.CIDR",
    "kubernetes.Quantity",
    "kubernetes.Semver",
    "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck",
    "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck",
    "kubernetes.authorization.Decision",
};

// Kubernetes' types have rules of their own.
CallEstimate EqualEstimate(const CallSite& site) {
  constexpr std::uint64_t kLongestFormat = 64;
  const CostNode& right = site.arguments[1];
  const std::string_view type = site.arguments[0].type->name;
  if (type != right.type->name) {
    return estimate::Compare(site);
  }
  if (std::ranges::find(kEqualInOne, type) != std::end(kEqualInOne)) {
    return estimate::One(site);
  }
  if (type == "kubernetes.NamedFormat") {
    return {.cost = CostRange{.min = 1, .max = kLongestFormat} * kTraversal};
  }
  if (type == "kubernetes.URL") {
    const CostRange size = right.size.value_or(Fixed(1));
    return {.cost = CostRange{.min = 1, .max = size.max} * kTraversal};
  }
  return estimate::Compare(site);
}

constexpr Row kRows[] = {
    {"!_", "logical_not", kGlobal, "bool", "bool", {Not, cost::One, estimate::One, kByName}},
    {"@in", "in_list", kGlobal, "A, list(A)", "bool", {In, ListSizeCost, InListEstimate, kByName}},
    {"@in", "in_map", kGlobal, "A, map(A, B)", "bool", {In, cost::One, estimate::One, kByName}},
    {"@not_strictly_false",
     "not_strictly_false",
     kGlobal,
     "bool",
     "bool",
     {NotStrictlyFalse, cost::One, estimate::One, kNonStrict}},
    {"_!=_",
     "not_equals",
     kGlobal,
     "A, A",
     "bool",
     {kUnbound, cost::ShorterText, estimate::Compare}},
    {"_&&_",
     "logical_and",
     kGlobal,
     "bool, bool",
     "bool",
     {kUnbound, cost::One, LogicEstimate, kNonStrict}},
    {"_==_",
     "equals",
     kGlobal,
     "A, A",
     "bool",
     {kUnbound, cost::Equal, EqualEstimate, kCostByName}},
    {"_?_:_",
     "conditional",
     kGlobal,
     "bool, A, A",
     "A",
     {kUnbound, cost::One, ConditionalEstimate, kNonStrict}},
    {"_[_]", "index_list", kGlobal, "list(A), int", "A", {kUnbound, cost::One, ElementEstimate}},
    {"_[_]", "index_map", kGlobal, "map(A, B), A", "B", {kUnbound, cost::One, ValueEstimate}},
    {"_||_",
     "logical_or",
     kGlobal,
     "bool, bool",
     "bool",
     {kUnbound, cost::One, LogicEstimate, kNonStrict}},
    {"contains",
     "contains_string",
     kMember,
     "string, string",
     "bool",
     {ContainsText, ProductCost, ContainsEstimate, kUnguarded}},
    {"dyn", "to_dyn", kGlobal, "A", "dyn", {Same, cost::One, SameEstimate, kByName}},
    {"endsWith",
     "ends_with_string",
     kMember,
     "string, string",
     "bool",
     {EndsWith, ArgumentTextCost, estimate::ReadArgument, kUnguarded}},
    {"size", "size_bytes", kGlobal, "bytes", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "bytes_size", kMember, "bytes", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "size_list", kGlobal, "list(A)", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "list_size", kMember, "list(A)", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "size_map", kGlobal, "map(A, B)", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "map_size", kMember, "map(A, B)", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "size_string", kGlobal, "string", "int", {Size, cost::One, estimate::One, kByName}},
    {"size", "string_size", kMember, "string", "int", {Size, cost::One, estimate::One, kByName}},
    {"startsWith",
     "starts_with_string",
     kMember,
     "string, string",
     "bool",
     {StartsWith, ArgumentTextCost, estimate::ReadArgument, kUnguarded}},
    {"type", "type", kGlobal, "A", "type(A)", {TypeOf, cost::One, estimate::One, kByName}},
};

struct Comparison {
  std::string_view function;
  std::string_view id;
  std::remove_pointer_t<Implementation>& run;
};
constexpr Comparison kComparisons[] = {{"_<_", "less", Order<IsLess>},
                                       {"_<=_", "less_equals", Order<IsLessOrEqual>},
                                       {"_>_", "greater", Order<IsGreater>},
                                       {"_>=_", "greater_equals", Order<IsGreaterOrEqual>}};

// What the operators of order compare; between numbers of different types too.
struct Operands {
  std::string_view id;
  std::string_view types;
  std::remove_pointer_t<CostFunction>& cost;
  std::remove_pointer_t<EstimateFunction>& estimate;
};
constexpr Operands kOperands[] = {
    {"bool", "bool, bool", cost::One, estimate::One},
    {"int64", "int, int", cost::One, estimate::One},
    {"int64_double", "int, double", cost::One, estimate::One},
    {"int64_uint64", "int, uint", cost::One, estimate::One},
    {"uint64", "uint, uint", cost::One, estimate::One},
    {"uint64_double", "uint, double", cost::One, estimate::One},
    {"uint64_int64", "uint, int", cost::One, estimate::One},
    {"double", "double, double", cost::One, estimate::One},
    {"double_int64", "double, int", cost::One, estimate::One},
    {"double_uint64", "double, uint", cost::One, estimate::One},
    {"string", "string, string", cost::ShorterText, estimate::Compare},
    {"bytes", "bytes, bytes", cost::ShorterText, estimate::Compare},
    {"timestamp", "timestamp, timestamp", cost::One, estimate::One},
    {"duration", "duration, duration", cost::One, estimate::One},
};

}  // namespace

void DeclareOperators(Environment& environment) {
  Declare(environment, kRows);
  for (const Comparison& comparison : kComparisons) {
    for (const Operands& operands : kOperands) {
      const std::string id = fmt::format("{}_{}", comparison.id, operands.id);
      Declare(environment, {comparison.function,
                            id,
                            kGlobal,
                            operands.types,
                            "bool",
                            {comparison.run, operands.cost, operands.estimate, kByName}});
    }
  }
}

}  // namespace quadra::cel
