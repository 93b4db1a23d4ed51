// URLs in expressions.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/url.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Copied(CallContext& context, std::string_view text) {
  return Value::String(context.arena.Copy(text));
}

Value Parse(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  Result<Url> url = ParseRequestUri(text);
  if (url) {
    url = ParseUrl(text);
  }
  if (!url) {
    return TextError(context.arena,
                     "URL parse error during conversion from string: " + url.error().message);
  }
  return Value::Of(static_cast<const Url*>(context.arena.Make<Url>(*std::move(url))));
}

Value IsUrl(CallContext&, Arguments arguments) {
  return Value::Bool(ParseRequestUri(arguments[0].as_text()).has_value());
}

Value Scheme(CallContext& context, Arguments arguments) {
  return Copied(context, arguments[0].as_url().scheme);
}
Value Host(CallContext& context, Arguments arguments) {
  return Copied(context, arguments[0].as_url().host);
}
Value Hostname(CallContext& context, Arguments arguments) {
  return Copied(context, arguments[0].as_url().Hostname());
}
Value Port(CallContext& context, Arguments arguments) {
  return Copied(context, arguments[0].as_url().Port());
}
Value EscapedPath(CallContext& context, Arguments arguments) {
  return Copied(context, arguments[0].as_url().EscapedPath());
}

Value Query(CallContext& context, Arguments arguments) {
  std::map<std::string, std::vector<Value>> values;
  for (const auto& [key, value] : arguments[0].as_url().Query()) {
    values[key].push_back(Copied(context, value));
  }
  auto* map = context.arena.Make<GrowingMap>(context.arena);
  for (const auto& [key, list] : values) {
    Value* copy = context.arena.MakeArray<Value>(list.size());
    std::ranges::copy(list, copy);
    map->Put(Copied(context, key), MakeList(context.arena, {copy, list.size()}));
  }
  return Value::Of(static_cast<const MapObject*>(map));
}

CallEstimate ParseEstimate(const CallSite& site) {
  const CostRange size = site.ArgumentSize(0);
  return {.cost = size * kTraversal, .result_size = size};
}

constexpr Row kRows[] = {
    {"getEscapedPath",
     "url_get_escaped_path",
     kMember,
     "kubernetes.URL",
     "string",
     {EscapedPath, cost::One, estimate::One}},
    {"getHost",
     "url_get_host",
     kMember,
     "kubernetes.URL",
     "string",
     {Host, cost::One, estimate::One}},
    {"getHostname",
     "url_get_hostname",
     kMember,
     "kubernetes.URL",
     "string",
     {Hostname, cost::One, estimate::One}},
    {"getPort",
     "url_get_port",
     kMember,
     "kubernetes.URL",
     "string",
     {Port, cost::One, estimate::One}},
    {"getQuery",
     "url_get_query",
     kMember,
     "kubernetes.URL",
     "map(string, list(string))",
     {Query, cost::One, estimate::One}},
    {"getScheme",
     "url_get_scheme",
     kMember,
     "kubernetes.URL",
     "string",
     {Scheme, cost::One, estimate::One}},
    {"isURL",
     "is_url_string",
     kGlobal,
     "string",
     "bool",
     {IsUrl, cost::One, estimate::One, kFoldable}},
    {"url",
     "string_to_url",
     kGlobal,
     "string",
     "kubernetes.URL",
     {Parse, cost::ReceiverText, ParseEstimate, kFoldable | kCostByName}},
};

}  // namespace

void DeclareUrls(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
