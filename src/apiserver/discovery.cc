#include "apiserver/discovery.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "apiserver/discovery_bodies.h"
#include "apiserver/json_members.h"

namespace quadra::apiserver {
namespace {

std::string PathOf(const GroupVersion& version) {
  return (version.group.empty() ? "/api/" : "/apis/") + version.ApiVersion();
}

}  // namespace

std::string_view MediaTypeOf(DiscoveryForm form) {
  switch (form) {
    case DiscoveryForm::kPlain:
      return "application/json";
    case DiscoveryForm::kAggregatedV2:
      return "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    case DiscoveryForm::kAggregatedV2beta1:
      return "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
  }
  return {};
}

Discovery::Discovery(const Catalog& catalog, const DiscoveryOptions& options) {
  auto& [plain, v2, v2beta1] = bodies_;
  plain["/api"] = ApiVersionsBody(catalog, options.server_address);
  plain["/apis"] = GroupListBody(catalog);
  for (const Group& group : catalog.groups()) {
    if (!group.name.empty()) {
      plain[fmt::format("/apis/{}", group.name)] = GroupBody(group);
    }
    for (const GroupVersion& version : group.versions) {
      plain[PathOf(version)] = ResourceListBody(version);
    }
  }
  v2["/api"] = AggregatedCoreBody(catalog, "apidiscovery.k8s.io/v2");
  v2["/apis"] = AggregatedGroupsBody(catalog, "apidiscovery.k8s.io/v2");
  v2beta1["/api"] = AggregatedCoreBody(catalog, "apidiscovery.k8s.io/v2beta1");
  v2beta1["/apis"] = AggregatedGroupsBody(catalog, "apidiscovery.k8s.io/v2beta1");
}

const std::string* Discovery::Find(std::string_view path, DiscoveryForm form) const {
  const Bodies& bodies = bodies_[static_cast<std::size_t>(form)];
  const auto at = bodies.find(path);
  return at == bodies.end() ? nullptr : &at->second;
}

VersionFacts FactsOfVersion(std::string_view build) {
  return {
      {"major", "1"},
      {"minor", "37"},
      {"emulationMajor", "1"},
      {"emulationMinor", "37"},
      {"minCompatibilityMajor", "1"},
      {"minCompatibilityMinor", "36"},
      {"gitVersion", fmt::format("v1.37.1+{}", build)},
      {"gitCommit", ""},
      {"gitTreeState", "clean"},
      {"buildDate", "1970-01-01T00:00:00Z"},
      {"goVersion", ""},
      {"compiler", __VERSION__},
      {"platform", "linux/amd64"},
  };
}

std::string VersionBody(std::string_view build) {
  constexpr int kIndent = 2;
  return Document(
      [&](json::Writer& writer) {
        for (const auto& [key, value] : FactsOfVersion(build)) {
          Text(writer, key, value);
        }
      },
      kIndent);
}

}  // namespace quadra::apiserver
