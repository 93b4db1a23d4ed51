#include "apiserver/request_labels.h"

#include <algorithm>
#include <array>

namespace quadra::apiserver {
namespace {

std::string_view MethodOf(Verb verb, const Ask& ask) {
  switch (verb) {
    case Verb::kCreate:
      return "POST";
    case Verb::kDelete:
    case Verb::kDeleteCollection:
      return "DELETE";
    case Verb::kGet:
      return "GET";
    case Verb::kList:
      return "LIST";
    case Verb::kPatch:
      return ask.request.headers.Find("content-type") == "application/apply-patch+yaml" ? "APPLY"
                                                                                        : "PATCH";
    case Verb::kUpdate:
      return "PUT";
    case Verb::kWatch:
      return "WATCH";
  }
  return {};
}

std::string_view ScopeOf(Verb verb, const ResourcePath& path) {
  if (!path.name.empty() || verb == Verb::kCreate) {
    return "resource";
  }
  return path.ns.empty() ? "cluster" : "namespace";
}

std::string_view DryRunOf(const Query& query) {
  if (!query.Has("dryRun")) {
    return "";
  }
  const std::vector<std::string_view> values = query.All("dryRun");
  return std::ranges::all_of(values, [](auto value) { return value == "All"; }) ? "All" : "invalid";
}

// As upstream spells them, with and without a slash.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlainPaths = {{
    {"/healthz", "/healthz"},
    {"/livez", "/livez"},
    {"/readyz", "/readyz"},
    {"/openapi/v3", "openapi/v3"},
}};

}  // namespace

RequestLabels LabelsOf(const Ask& ask, Verb verb) {
  const api::KindSchema& kind = ask.kind();
  return {.verb = MethodOf(verb, ask),
          .dry_run = DryRunOf(ask.address.query),
          .group = kind.group,
          .version = kind.version,
          .resource = kind.plural,
          .subresource = ask.subresource == nullptr ? "" : ask.subresource->name,
          .scope = ScopeOf(verb, ask.path()),
          .component = "apiserver"};
}

RequestLabels LabelsOfPlain(std::string_view path) {
  const auto* const known =
      std::ranges::find(kPlainPaths, path, &std::pair<std::string_view, std::string_view>::first);
  if (known != kPlainPaths.end()) {
    return {.verb = "GET", .subresource = known->second};
  }
  return path.starts_with("/openapi/v3/")
             ? RequestLabels{.verb = "GET", .subresource = "openapi/v3/"}
             : RequestLabels();
}

}  // namespace quadra::apiserver
