// Semantic versions: semver(), isSemver(), comparison, components.
#include <array>

#include <fmt/format.h>

#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/version_error.h"

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

constexpr std::array kBindings = {
    Binding{"string_to_semver", Parse, kFoldable},
    Binding{"string_bool_to_semver", ParseNormalized, kFoldable},
    Binding{"is_semver_string", IsSemver, kFoldable},
    Binding{"is_semver_string_bool", IsSemverNormalized, kFoldable},
    Binding{"semver_is_greater_than", IsGreater},
    Binding{"semver_is_less_than", IsLess},
    Binding{"semver_compare_to", CompareTo},
    Binding{"semver_major", Major},
    Binding{"semver_minor", Minor},
    Binding{"semver_patch", Patch},
};

}  // namespace

std::string VersionErrorText(const Error& error) {
  if (error.message == "invalid syntax" || error.message == "value out of range") {
    return fmt::format("strconv.ParseUint: parsing {}: {}", GoQuote(error.value), error.message);
  }
  return error.value.empty() ? error.message : error.message + " " + GoQuote(error.value);
}

std::span<const Binding> SemverBindings() { return kBindings; }

}  // namespace quadra::cel
