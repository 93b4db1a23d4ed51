#include "lifecycle/discovery.h"

#include <algorithm>
#include <set>
#include <utility>

#include "json/value.h"

namespace quadra::lifecycle {
namespace {

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const json::Value::Array& ItemsOf(const json::Value& value, std::string_view key) {
  static const json::Value::Array none;
  const json::Value& member = value.Get(key);
  return member.kind() == json::Kind::kArray ? member.items() : none;
}

ServedKind ReadKind(const json::Value& entry, std::string_view group, std::string_view version) {
  ServedKind kind{.resource = {.group = std::string(group),
                               .version = std::string(version),
                               .plural = entry.Get("resource").text(),
                               .kind = entry.Get("responseKind").Get("kind").text(),
                               .namespaced = entry.Get("scope").text() == "Namespaced"}};
  for (const json::Value& verb : ItemsOf(entry, "verbs")) {
    if (verb.kind() == json::Kind::kString) {
      kind.verbs.push_back(verb.string());
    }
  }
  return kind;
}

// Versions come in the order in which the group likes them.
void AddGroup(const json::Value& entry, Kinds& kinds) {
  const std::string group = entry.Get("metadata").Get("name").text();
  std::set<std::string> seen;
  for (const json::Value& version : ItemsOf(entry, "versions")) {
    const std::string name = version.Get("version").text();
    if (version.Get("freshness").text() == "Stale") {
      kinds.missing.push_back(client::Resource{.group = group, .version = name}.ApiVersion());
    }
    for (const json::Value& resource : ItemsOf(version, "resources")) {
      ServedKind kind = ReadKind(resource, group, name);
      kind.preferred = seen.insert(kind.resource.plural).second;
      kinds.all.push_back(std::move(kind));
    }
  }
}

}  // namespace

bool ServedKind::Can(std::string_view verb) const {
  return std::ranges::find(verbs, verb) != verbs.end();
}

const client::Resource* Kinds::Find(std::string_view api_version, std::string_view kind) const {
  const auto found = std::ranges::find_if(all, [&](const ServedKind& candidate) {
    return candidate.resource.kind == kind && candidate.resource.ApiVersion() == api_version;
  });
  return found == all.end() ? nullptr : &found->resource;
}

Status AddGroups(std::string_view json, Kinds& kinds) {
  QUADRA_TRY(const json::Value list, json::ParseValue(json));
  if (list.Get("kind").text() != "APIGroupDiscoveryList") {
    return Fail(ErrorKind::kInvalid,
                "the server does not tell all of its kinds at once, as Kubernetes 1.30 and later "
                "do");
  }
  for (const json::Value& group : ItemsOf(list, "items")) {
    AddGroup(group, kinds);
  }
  return {};
}

loop::Task<client::Answer<Kinds>> Discover(client::Api& api) {
  Kinds kinds;
  for (const char* const path : {"/api", "/apis"}) {
    const client::Answer<std::string> told = co_await api.Fetch("GET", path, "", kAggregated);
    if (!told) {
      co_return tl::unexpected(told.error());
    }
    if (const Status added = AddGroups(*told, kinds); !added) {
      co_return tl::unexpected(client::Failure{.message = added.error().ToString()});
    }
  }
  if (kinds.all.empty()) {  // it has none so far: that is not to be believed of a server
    co_return tl::unexpected(client::Failure{.message = "the server does not tell of any kind"});
  }
  co_return std::move(kinds);
}

}  // namespace quadra::lifecycle
