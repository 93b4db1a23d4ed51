// Named formats in expressions: format.named(), the constants, validate().
#include <array>
#include <string>
#include <vector>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/named_format.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Named(CallContext& context, Arguments arguments) {
  const NamedFormat* format = FindNamedFormat(arguments[0].as_text());
  return format == nullptr ? Value::Optional(nullptr)
                           : Value::Optional(context.arena.Make<Value>(Value::Of(format)));
}

Value Validate(CallContext& context, Arguments arguments) {
  const std::vector<std::string> complaints =
      arguments[0].as_format().validate(arguments[1].as_text());
  if (complaints.empty()) {
    return Value::Optional(nullptr);
  }
  Value* texts = context.arena.MakeArray<Value>(complaints.size());
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    texts[i] = Value::String(context.arena.Copy(complaints[i]));
  }
  const Value list = MakeList(context.arena, {texts, complaints.size()});
  return Value::Optional(context.arena.Make<Value>(list));
}

// The function is named after its format: format.dns1123Label().
Value Constant(CallContext& context, Arguments) {
  constexpr std::string_view kPrefix = "format.";
  const NamedFormat* format = FindNamedFormat(context.function.substr(kPrefix.size()));
  return format == nullptr ? Value::Of(&errors::kNoSuchOverload) : Value::Of(format);
}

Charge ValidateCost(Arguments arguments, const Value& /*result*/) {
  if (arguments[0].kind() != Kind::kFormat) {
    return {1};
  }
  return {RegexCost(PlainSize(arguments[1]), arguments[0].as_format().pattern_size)};
}

CallEstimate ValidateEstimate(const CallSite& site) {
  constexpr double kLongestPattern = 128;
  return {.cost = (site.ArgumentSize(0) * kTraversal) * (kLongestPattern * kPatternLength)};
}

constexpr Row kRows[] = {
    {"format.byte",
     "format.byte",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.date",
     "format.date",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.datetime",
     "format.datetime",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1035Label",
     "format.dns1035Label",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1035LabelPrefix",
     "format.dns1035LabelPrefix",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1123Label",
     "format.dns1123Label",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1123LabelPrefix",
     "format.dns1123LabelPrefix",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1123Subdomain",
     "format.dns1123Subdomain",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.dns1123SubdomainPrefix",
     "format.dns1123SubdomainPrefix",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.labelValue",
     "format.labelValue",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.named",
     "format-named",
     kGlobal,
     "string",
     "optional_type(kubernetes.NamedFormat)",
     {Named, cost::One, estimate::One}},
    {"format.qualifiedName",
     "format.qualifiedName",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.uri",
     "format.uri",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"format.uuid",
     "format.uuid",
     kGlobal,
     "",
     "kubernetes.NamedFormat",
     {Constant, cost::One, estimate::One}},
    {"validate",
     "format-validate",
     kMember,
     "kubernetes.NamedFormat, string",
     "optional_type(list(string))",
     {Validate, ValidateCost, ValidateEstimate, kCostByName}},
};

}  // namespace

void DeclareNamedFormats(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
