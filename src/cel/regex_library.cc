// matches, find and findAll with patterns known only at run time. (Constant patterns are compiled
// with the program.)
#include <array>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_regex.h"
#include "cel/regex_calls.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Matches(CallContext& context, Arguments arguments) {
  switch (arguments[0].kind()) {
    case Kind::kString:
      break;
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::Of(&errors::kNoSuchOverload);
    default:
      return TextError(context.arena, fmt::format("no such overload: {}", context.function));
  }
  if (arguments[1].kind() != Kind::kString) {
    return MaybeNoSuchOverload(arguments[1]);
  }
  const Result<Regex> regex = Regex::Compile(arguments[1].as_text());
  return regex ? Value::Bool(regex->Matches(arguments[0].as_text()))
               : TextError(context.arena, regex.error().message);
}

Value Illegal(CallContext& context, const Error& error) {
  return TextError(context.arena, "Illegal regex: " + error.message);
}

Value Find(CallContext& context, Arguments arguments) {
  const Result<Regex> regex = Regex::Compile(arguments[1].as_text());
  return regex ? Value::String(regex->Find(arguments[0].as_text()))
               : Illegal(context, regex.error());
}

Value FindAll(CallContext& context, Arguments arguments) {
  const Result<Regex> regex = Regex::Compile(arguments[1].as_text());
  return regex ? FindAllWith(*regex, context, arguments) : Illegal(context, regex.error());
}

CallEstimate MatchesEstimate(const CallSite& site) {
  return {.cost = MatchCost(site.ArgumentSize(0), site.ArgumentSize(1))};
}

CallEstimate MatchesMemberEstimate(const CallSite& site) {
  return {.cost = MatchCost(site.TargetSize(), site.ArgumentSize(0))};
}

CallEstimate FindEstimate(const CallSite& site) {
  const CostRange size = site.TargetSize();
  return {.cost = MatchCost(size, site.ArgumentSize(0)),
          .result_size = CostRange{.min = 0, .max = size.max}};
}

constexpr Row kMatchesRows[] = {
    {"matches",
     "matches",
     kGlobal,
     "string, string",
     "bool",
     {Matches, cost::Regex, MatchesEstimate, kByName}},
    {"matches",
     "matches_string",
     kMember,
     "string, string",
     "bool",
     {Matches, cost::Regex, MatchesMemberEstimate, kByName}},
};

constexpr Row kFindRows[] = {
    {"find",
     "string_find_string",
     kMember,
     "string, string",
     "string",
     {Find, cost::Regex, FindEstimate, kCostByName}},
    {"findAll",
     "string_find_all_string",
     kMember,
     "string, string",
     "list(string)",
     {FindAll, cost::Regex, FindEstimate, kCostByName}},
    {"findAll",
     "string_find_all_string_int",
     kMember,
     "string, string, int",
     "list(string)",
     {FindAll, cost::Regex, FindEstimate, kVariadic | kCostByName}},
};

}  // namespace

void DeclareMatches(Environment& environment) { Declare(environment, kMatchesRows); }

void DeclareRegex(Environment& environment) { Declare(environment, kFindRows); }

// A value of another kind is no text: the refusal names no function.
Value MatchesWith(const Regex& regex, CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kString ? Value::Bool(regex.Matches(arguments[0].as_text()))
                                              : Value::Of(&errors::kNoSuchOverload);
}

Value FindWith(const Regex& regex, CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kString ? Value::String(regex.Find(arguments[0].as_text()))
                                              : Value::Of(&errors::kNoSuchOverload);
}

Value FindAllWith(const Regex& regex, CallContext& context, Arguments arguments) {
  if (arguments[0].kind() != Kind::kString) {
    return Value::Of(&errors::kNoSuchOverload);
  }
  if (arguments.size() == 3 && arguments[2].kind() != Kind::kInt) {
    return Value::Of(&errors::kNoSuchOverload);
  }
  const std::int64_t limit = arguments.size() == 3 ? arguments[2].as_int() : -1;
  const std::vector<std::string_view> found = regex.FindAll(arguments[0].as_text(), limit);
  Value* values = context.arena.MakeArray<Value>(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    values[i] = Value::String(found[i]);
  }
  return MakeList(context.arena, {values, found.size()});
}

}  // namespace quadra::cel
