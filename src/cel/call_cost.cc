#include "cel/call_cost.h"

#include <algorithm>
#include <limits>

#include "cel/ip.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

constexpr double kTextFactor = 0.1;
constexpr double kRegexFactor = 0.25;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

// REQUIRES: not negative, below 2^64.
std::uint64_t Ceil(double cost) {
  const auto whole = static_cast<std::uint64_t>(cost);
  return whole + (static_cast<double>(whole) < cost ? 1 : 0);
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

}  // namespace

std::uint64_t TextCost(std::uint64_t size) { return Ceil(static_cast<double>(size) * kTextFactor); }

std::uint64_t TwiceTextCost(std::uint64_t size) {
  return Ceil(static_cast<double>(size) * 2 * kTextFactor);
}

std::uint64_t RegexCost(std::uint64_t text, std::uint64_t pattern) {
  return Ceil((1.0 + static_cast<double>(text)) * kTextFactor) *
         Ceil(static_cast<double>(pattern) * kRegexFactor);
}

std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) {
  return a > kMax - b ? kMax : a + b;
}

std::uint64_t SaturatingMultiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMax / b ? kMax : a * b;
}

std::uint64_t TruncateAsGo(double cost) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  return cost >= kTwoTo64 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(cost);
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

std::uint64_t PlainSize(const Value& value) {
  return value.kind() == Kind::kOptional ? 1 : MeteredSize(value);
}

namespace cost {

Charge One(Arguments, const Value&) { return {1}; }

Charge Equal(Arguments arguments, const Value&) {
  return {IsOpaque(arguments[0]) ? 1 : ShorterCost(arguments[0], arguments[1])};
}

Charge ShorterText(Arguments arguments, const Value&) {
  return {ShorterCost(arguments[0], arguments[1])};
}

Charge ReceiverText(Arguments arguments, const Value&) {
  return {TextCost(PlainSize(arguments[0]))};
}

Charge ReceiverTwice(Arguments arguments, const Value&) {
  return {TwiceTextCost(PlainSize(arguments[0]))};
}

Charge Regex(Arguments arguments, const Value&) {
  return {RegexCost(MeteredSize(arguments[0]), MeteredSize(arguments[1]))};
}

Charge Traversal(Arguments arguments, const Value&) { return {TraversalCost(arguments[0])}; }

}  // namespace cost

}  // namespace quadra::cel
