#include "cel/call_cost.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cel/ip.h"
#include "cel/named_format.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

constexpr double kTextFactor = 0.1;
constexpr double kRegexFactor = 0.25;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

// REQUIRES: not negative, below 2^64.
std::uint64_t Ceil(double cost) {
  const auto whole = static_cast<std::uint64_t>(cost);
  return whole + (static_cast<double>(whole) < cost ? 1 : 0);
}

std::uint64_t TextCost(std::uint64_t size) { return Ceil(static_cast<double>(size) * kTextFactor); }

std::uint64_t TwiceTextCost(std::uint64_t size) {
  return Ceil(static_cast<double>(size) * 2 * kTextFactor);
}

std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) {
  return a > kMax - b ? kMax : a + b;
}

std::uint64_t SaturatingMultiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMax / b ? kMax : a * b;
}

// The size without looking into optionals, as the libraries' own trackers measure.
std::uint64_t PlainSize(const Value& value) {
  return value.kind() == Kind::kOptional ? 1 : MeteredSize(value);
}

// Go's conversion of a float that does not fit is what the hardware gives.
std::uint64_t Truncate(double cost) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  return cost >= kTwoTo64 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(cost);
}

std::uint64_t RegexCost(std::uint64_t text, std::uint64_t pattern) {
  return Ceil((1.0 + static_cast<double>(text)) * kTextFactor) *
         Ceil(static_cast<double>(pattern) * kRegexFactor);
}

std::uint64_t ShorterCost(const Value& left, const Value& right) {
  if (left.kind() == Kind::kString && right.kind() == Kind::kString) {
    return TextComparisonCost(left.as_text(), right.as_text(), false);
  }
  return TextCost(std::min(MeteredSize(left), MeteredSize(right)));
}

bool IsOpaque(const Value& value) { return value.kind() >= Kind::kQuantity; }

// More than any limit: lists that share their elements may be too large to walk.
constexpr std::uint64_t kPlenty = 4'000'000;

std::uint64_t TraversalCost(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return static_cast<std::uint64_t>(static_cast<double>(value.as_text().size()) * kTextFactor);
    case Kind::kList: {
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < value.as_list().size() && cost < kPlenty; ++i) {
        cost += TraversalCost(value.as_list().At(i));
      }
      return cost;
    }
    case Kind::kMap: {
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < value.as_map().size() && cost < kPlenty; ++i) {
        cost += TraversalCost(value.as_map().KeyAt(i)) + TraversalCost(value.as_map().ValueAt(i));
      }
      return cost;
    }
    default:
      return 1;
  }
}

std::uint64_t ContainsCost(const Value& block, const Value& other, bool is_text) {
  const std::uint64_t size = PlainSize(block);
  return TextCost(size + size) + (is_text ? TextCost(PlainSize(other)) : 0);
}

std::uint64_t ContainsBlockCost(std::span<const Value> arguments, bool is_text) {
  return ContainsCost(arguments[0], arguments[1], is_text) + TextCost(PlainSize(arguments[0])) + 1;
}

std::uint64_t AllocatingCost(double factor, std::uint64_t size) {
  if (factor < 0.0) {
    factor = 1.0;
  }
  return SaturatingAdd(SaturatingAdd(Truncate(static_cast<double>(size) * factor), 1), 10);
}

Charge SelfCompareCost(const Value& list) {
  if (list.kind() != Kind::kList) {
    const bool has_add = list.kind() != Kind::kError && list.kind() != Kind::kBool &&
                         list.kind() != Kind::kNull && list.kind() != Kind::kMap &&
                         list.kind() < Kind::kType;
    return {.panic = has_add ? "missing method Contains" : "missing method Add"};
  }
  const std::uint64_t size = list.as_list().size();
  if (size == 0) {
    return {AllocatingCost(2.0, 0)};
  }
  const Kind first = list.as_list().At(0).kind();
  const double factor = first == Kind::kString || first == Kind::kBytes ? 2.0 + kTextFactor : 2.0;
  return {AllocatingCost(factor, SaturatingMultiply(size, size))};
}

Charge FlattenCost(std::span<const Value> arguments) {
  double depth = 1.0;
  if (arguments.size() == 2) {
    if (arguments[1].kind() != Kind::kInt) {
      return {.panic = "not types.Int"};
    }
    depth = static_cast<double>(arguments[1].as_int());
  }
  return {AllocatingCost(depth, PlainSize(arguments[0]))};
}

std::uint64_t SetsCost(std::span<const Value> arguments, double factor) {
  const std::uint64_t product = PlainSize(arguments[0]) * PlainSize(arguments[1]);
  return SaturatingAdd(1, Truncate(static_cast<double>(product) * factor));
}

std::uint64_t ValidateCost(std::span<const Value> arguments) {
  if (arguments[0].kind() != Kind::kFormat) {
    return 1;
  }
  return RegexCost(PlainSize(arguments[1]), arguments[0].as_format().pattern_size);
}

Charge LibraryCost(CostRule rule, std::span<const Value> arguments, const Value& result) {
  switch (rule) {
    case CostRule::kTraversal:
      return {TraversalCost(arguments[0])};
    case CostRule::kContainsIp:
      return {ContainsCost(arguments[0], arguments[1], false)};
    case CostRule::kContainsIpText:
      return {ContainsCost(arguments[0], arguments[1], true)};
    case CostRule::kContainsCidr:
      return {ContainsBlockCost(arguments, false)};
    case CostRule::kContainsCidrText:
      return {ContainsBlockCost(arguments, true)};
    case CostRule::kValidate:
      return {ValidateCost(arguments)};
    case CostRule::kListResult:
      return {AllocatingCost(1, PlainSize(result))};
    case CostRule::kFlatten:
      return FlattenCost(arguments);
    case CostRule::kSelfCompare:
      return SelfCompareCost(arguments[0]);
    case CostRule::kSelfCompareKeys:
      return SelfCompareCost(arguments[1]);
    case CostRule::kSets:
      return {SetsCost(arguments, 1)};
    case CostRule::kSetsTwice:
      return {SetsCost(arguments, 2)};
    case CostRule::kAuthorize:
      return {350'000};
    default:
      return {1};
  }
}

struct NamedRule {
  std::string_view name;
  CostRule rule;
};

template <std::size_t N>
const NamedRule* FindRule(const NamedRule (&rules)[N], std::string_view name) {
  const auto* found = std::ranges::find(rules, name, &NamedRule::name);
  return found == std::end(rules) ? nullptr : found;
}

// The extension libraries' own trackers, asked first.
constexpr NamedRule kTrackers[] = {
    {"list_slice", CostRule::kListResult},
    {"list_flatten", CostRule::kFlatten},
    {"list_flatten_int", CostRule::kFlatten},
    {"lists_range", CostRule::kListResult},
    {"list_reverse", CostRule::kListResult},
    {"list_distinct", CostRule::kSelfCompare},
    {"list_sets_contains_list", CostRule::kSets},
    {"list_sets_intersects_list", CostRule::kSets},
    {"list_sets_equivalent_list", CostRule::kSetsTwice},
};

// Kubernetes' rules, by the function's name.
constexpr NamedRule kKubernetesRules[] = {
    {"check", CostRule::kAuthorize},
    {"isSorted", CostRule::kTraversal},
    {"sum", CostRule::kTraversal},
    {"max", CostRule::kTraversal},
    {"min", CostRule::kTraversal},
    {"indexOf", CostRule::kTraversal},
    {"lastIndexOf", CostRule::kTraversal},
    {"includes", CostRule::kTraversal},
    {"url", CostRule::kReceiverText},
    {"lowerAscii", CostRule::kReceiverText},
    {"upperAscii", CostRule::kReceiverText},
    {"substring", CostRule::kReceiverText},
    {"trim", CostRule::kReceiverText},
    {"replace", CostRule::kReceiverTwice},
    {"split", CostRule::kReceiverTwice},
    {"join", CostRule::kResultTwice},
    {"find", CostRule::kRegex},
    {"findAll", CostRule::kRegex},
    {"cidr", CostRule::kReceiverText},
    {"isIP", CostRule::kReceiverText},
    {"isCIDR", CostRule::kReceiverText},
    {"ip", CostRule::kReceiverText},
    {"ip.isCanonical", CostRule::kReceiverTwice},
    {"containsIP", CostRule::kContainsIp},
    {"containsCIDR", CostRule::kContainsCidr},
    {"quantity", CostRule::kReceiverText},
    {"isQuantity", CostRule::kReceiverText},
    {"semver", CostRule::kReceiverText},
    {"isSemver", CostRule::kReceiverText},
    {"validate", CostRule::kValidate},
    {"_==_", CostRule::kEquals},
};

// Kubernetes' rules where the overload matters.
constexpr NamedRule kKubernetesOverloads[] = {
    {"cidr_ip", CostRule::kOne},
    {"cidr_contains_ip_string", CostRule::kContainsIpText},
    {"cidr_contains_cidr_string", CostRule::kContainsCidrText},
};

// The language's own rules.
constexpr NamedRule kStandardRules[] = {
    {"starts_with_string", CostRule::kArgumentText},
    {"ends_with_string", CostRule::kArgumentText},
    {"string_to_bytes", CostRule::kReceiverText},
    {"bytes_to_string", CostRule::kReceiverText},
    {"strings_quote", CostRule::kReceiverText},
    {"string_format", CostRule::kReceiverText},
    {"in_list", CostRule::kListSize},
    {"less_string", CostRule::kShorterText},
    {"greater_string", CostRule::kShorterText},
    {"less_equals_string", CostRule::kShorterText},
    {"greater_equals_string", CostRule::kShorterText},
    {"less_bytes", CostRule::kShorterText},
    {"greater_bytes", CostRule::kShorterText},
    {"less_equals_bytes", CostRule::kShorterText},
    {"greater_equals_bytes", CostRule::kShorterText},
    {"equals", CostRule::kShorterText},
    {"not_equals", CostRule::kShorterText},
    {"add_string", CostRule::kBothTexts},
    {"add_bytes", CostRule::kBothTexts},
    {"matches", CostRule::kRegex},
    {"matches_string", CostRule::kRegex},
    {"contains_string", CostRule::kProduct},
};

}  // namespace

CostRule RuleFor(std::string_view function, std::string_view overload) {
  if (const NamedRule* tracker = FindRule(kTrackers, overload)) {
    return tracker->rule;
  }
  if (overload.starts_with("list_") && overload.ends_with("_sort")) {
    return CostRule::kSelfCompare;
  }
  if (overload.ends_with("_sortByAssociatedKeys")) {
    return CostRule::kSelfCompareKeys;
  }
  if (const NamedRule* special = FindRule(kKubernetesOverloads, overload)) {
    return special->rule;
  }
  if (const NamedRule* kubernetes = FindRule(kKubernetesRules, function)) {
    return kubernetes->rule;
  }
  const NamedRule* standard = FindRule(kStandardRules, overload);
  return standard == nullptr ? CostRule::kOne : standard->rule;
}

// A short text costs 1 whatever its exact length: the usual comparison needs no counting.
std::uint64_t TextComparisonCost(std::string_view left, std::string_view right, bool equal) {
  const std::size_t shorter = std::min(left.size(), right.size());
  if (shorter <= 10) {
    return shorter == 0 ? 0 : 1;
  }
  const std::size_t runes = RuneCount(left);
  return TextCost(equal ? runes : std::min(runes, RuneCount(right)));
}

std::uint64_t MeteredSize(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return RuneCount(value.as_text());
    case Kind::kBytes:
      return value.as_text().size();
    case Kind::kList:
      return value.as_list().size();
    case Kind::kMap:
      return value.as_map().size();
    case Kind::kIp:
      return static_cast<std::uint64_t>(value.as_ip().bits() / 8);
    case Kind::kCidr:
      return static_cast<std::uint64_t>((value.as_cidr().length + 7) / 8);
    case Kind::kOptional:
      return value.as_optional() == nullptr ? 1 : MeteredSize(*value.as_optional());
    default:
      return 1;
  }
}

Charge CallCost(CostRule rule, std::span<const Value> arguments, const Value& result) {
  switch (rule) {
    case CostRule::kOne:
      return {1};
    case CostRule::kEquals:
      return {IsOpaque(arguments[0]) ? 1 : ShorterCost(arguments[0], arguments[1])};
    case CostRule::kShorterText:
      return {ShorterCost(arguments[0], arguments[1])};
    case CostRule::kArgumentText:
      return {TextCost(MeteredSize(arguments[1]))};
    case CostRule::kReceiverText:
      return {TextCost(PlainSize(arguments[0]))};
    case CostRule::kReceiverTwice:
      return {TwiceTextCost(PlainSize(arguments[0]))};
    case CostRule::kResultTwice:
      return {TwiceTextCost(PlainSize(result))};
    case CostRule::kBothTexts:
      return {TextCost(MeteredSize(arguments[0]) + MeteredSize(arguments[1]))};
    case CostRule::kProduct:
      return {TextCost(MeteredSize(arguments[0])) * TextCost(MeteredSize(arguments[1]))};
    case CostRule::kRegex:
      return {RegexCost(MeteredSize(arguments[0]), MeteredSize(arguments[1]))};
    case CostRule::kListSize:
      return {MeteredSize(arguments[1])};
    default:
      return LibraryCost(rule, arguments, result);
  }
}

}  // namespace quadra::cel
