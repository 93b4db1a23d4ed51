// Semantic versions: semver(), isSemver(), comparison, components.
#include <array>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;
using semver::Version;

Value Made(CallContext& context, Result<Version> parsed) {
  if (!parsed) {
    return TextError(context.arena, VersionErrorText(parsed.error()));
  }
  return Value::Of(static_cast<const Version*>(context.arena.Make<Version>(*std::move(parsed))));
}

Result<Version> ParseAs(std::string_view text, bool normalize) {
  return normalize ? Version::ParseNormalized(text) : Version::Parse(text);
}

Value Parse(CallContext& context, Arguments arguments) {
  return Made(context, Version::Parse(arguments[0].as_text()));
}

Value ParseNormalized(CallContext& context, Arguments arguments) {
  return Made(context, ParseAs(arguments[0].as_text(), arguments[1].as_bool()));
}

Value IsSemver(CallContext&, Arguments arguments) {
  return Value::Bool(Version::Parse(arguments[0].as_text()).has_value());
}

Value IsSemverNormalized(CallContext&, Arguments arguments) {
  return Value::Bool(ParseAs(arguments[0].as_text(), arguments[1].as_bool()).has_value());
}

int Order(Arguments arguments) {
  const std::weak_ordering order = arguments[0].as_semver() <=> arguments[1].as_semver();
  return order < 0 ? -1 : static_cast<int>(order > 0);
}

Value CompareTo(CallContext&, Arguments arguments) { return Value::Int(Order(arguments)); }
Value IsGreater(CallContext&, Arguments arguments) { return Value::Bool(Order(arguments) > 0); }
Value IsLess(CallContext&, Arguments arguments) { return Value::Bool(Order(arguments) < 0); }

// Components above int64 wrap, as upstream's do.
Value Component(std::uint64_t number) { return Value::Int(static_cast<std::int64_t>(number)); }

Value Major(CallContext&, Arguments arguments) {
  return Component(arguments[0].as_semver().major_number());
}
Value Minor(CallContext&, Arguments arguments) {
  return Component(arguments[0].as_semver().minor_number());
}
Value Patch(CallContext&, Arguments arguments) {
  return Component(arguments[0].as_semver().patch_number());
}

constexpr Row kRows[] = {
    {"compareTo",
     "semver_compare_to",
     kMember,
     "kubernetes.Semver, kubernetes.Semver",
     "int",
     {CompareTo, cost::One, estimate::One}},
    {"isGreaterThan",
     "semver_is_greater_than",
     kMember,
     "kubernetes.Semver, kubernetes.Semver",
     "bool",
     {IsGreater, cost::One, estimate::One}},
    {"isLessThan",
     "semver_is_less_than",
     kMember,
     "kubernetes.Semver, kubernetes.Semver",
     "bool",
     {IsLess, cost::One, estimate::One}},
    {"isSemver",
     "is_semver_string",
     kGlobal,
     "string",
     "bool",
     {IsSemver, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"isSemver",
     "is_semver_string_bool",
     kGlobal,
     "string, bool",
     "bool",
     {IsSemverNormalized, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"major",
     "semver_major",
     kMember,
     "kubernetes.Semver",
     "int",
     {Major, cost::One, estimate::One}},
    {"minor",
     "semver_minor",
     kMember,
     "kubernetes.Semver",
     "int",
     {Minor, cost::One, estimate::One}},
    {"patch",
     "semver_patch",
     kMember,
     "kubernetes.Semver",
     "int",
     {Patch, cost::One, estimate::One}},
    {"semver",
     "string_to_semver",
     kGlobal,
     "string",
     "kubernetes.Semver",
     {Parse, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"semver",
     "string_bool_to_semver",
     kGlobal,
     "string, bool",
     "kubernetes.Semver",
     {ParseNormalized, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
};

}  // namespace

std::string VersionErrorText(const Error& error) {
  if (error.message == "invalid syntax" || error.message == "value out of range") {
    return fmt::format("strconv.ParseUint: parsing {}: {}", GoQuote(error.value), error.message);
  }
  return error.value.empty() ? error.message : error.message + " " + GoQuote(error.value);
}

void DeclareSemver(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
