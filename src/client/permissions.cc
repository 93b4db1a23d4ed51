#include "client/permissions.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/go_text.h"
#include "json/value.h"

namespace quadra::client {
namespace {

constexpr std::string_view kReviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

std::string ResourceText(const Permission& permission) {
  return permission.subresource.empty()
             ? permission.resource
             : fmt::format("{}/{}", permission.resource, permission.subresource);
}

json::Value Text(std::string_view text) { return json::Value(std::string(text)); }

std::string ReviewOf(const Permission& permission) {
  json::Value attributes{json::Value::Object{}};
  attributes.Set("namespace", Text(permission.ns));
  attributes.Set("verb", Text(permission.verb));
  attributes.Set("group", Text(permission.group));
  attributes.Set("resource", Text(permission.resource));
  attributes.Set("subresource", Text(permission.subresource));
  json::Value spec{json::Value::Object{}};
  spec.Set("resourceAttributes", std::move(attributes));
  json::Value review{json::Value::Object{}};
  review.Set("kind", Text("SelfSubjectAccessReview"));
  review.Set("apiVersion", Text("authorization.k8s.io/v1"));
  review.Set("spec", std::move(spec));
  return json::ToJson(review);
}

bool Allowed(const std::string& review) {
  const Result<json::Value> value = json::ParseValue(review);
  if (!value) {
    return false;
  }
  const json::Value& allowed = value->Get("status").Get("allowed");
  return allowed.kind() == json::Kind::kBool && allowed.boolean();
}

std::vector<std::string> Quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) {
    quoted.push_back(GoQuote(text));
  }
  return quoted;
}

}  // namespace

std::string Sentence(const Permission& permission) {
  const std::string where = permission.ns.empty()
                                ? "at the cluster scope"
                                : fmt::format("in the namespace {}", GoQuote(permission.ns));
  return fmt::format("cannot {} resource {} in API group {} {}", permission.verb,
                     GoQuote(ResourceText(permission)), GoQuote(permission.group), where);
}

std::string RulesFor(std::span<const Permission> permissions) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> verbs;
  for (const Permission& permission : permissions) {
    verbs[{permission.group, ResourceText(permission)}].push_back(permission.verb);
  }
  std::string rules;
  for (const auto& [what, which] : verbs) {
    rules += fmt::format("- {{apiGroups: [{}], resources: [{}], verbs: [{}]}}\n",
                         GoQuote(what.first), GoQuote(what.second), fmt::join(Quoted(which), ", "));
  }
  return rules;
}

loop::Task<Answer<std::vector<Permission>>> FindMissing(Api& api, std::vector<Permission> needed) {
  std::vector<loop::Later<Answer<std::string>>> reviews;
  reviews.reserve(needed.size());
  for (const Permission& permission : needed) {
    reviews.push_back(api.Fetch("POST", std::string(kReviews), ReviewOf(permission)));
  }
  std::vector<Permission> missing;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    loop::Later<Answer<std::string>> later = std::move(reviews[i]);
    const Answer<std::string> review = co_await later;
    if (!review) {
      co_return tl::unexpected(review.error());
    }
    if (!Allowed(*review)) {
      missing.push_back(needed[i]);
    }
  }
  co_return std::move(missing);
}

}  // namespace quadra::client
