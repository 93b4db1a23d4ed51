#include "lifecycle/scale_finder.h"

#include <charconv>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "json/value.h"
#include "lifecycle/pod_state.h"
#include "lifecycle/tree.h"

namespace quadra::lifecycle {

namespace {

using client::Answer;
using client::Failure;
using ObjectPointer = std::shared_ptr<const api::Object>;

constexpr std::chrono::seconds kDiscoveryLasts{30};

std::string_view GroupOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? "" : api_version.substr(0, slash);
}

bool IsOfApps(const api::OwnerReference& owner, std::string_view kind) {
  const std::string_view group = GroupOf(owner.api_version);
  return owner.kind == kind &&
         (group == "apps" || (group == "extensions" && kind != "StatefulSet"));
}

ObjectPointer FindOwner(const client::Informer<api::Object>& objects, const std::string& ns,
                        const api::OwnerReference& owner) {
  ObjectPointer found = objects.Find(ns, owner.name);
  return found != nullptr && client::MarksOf(*found).uid == owner.uid ? found : nullptr;
}

std::optional<Scale> ScaleOf(const ObjectPointer& object) {
  if (object == nullptr) {
    return std::nullopt;
  }
  return Scale{.uid = std::string(client::MarksOf(*object).uid),
               .replicas = IntAt(object->root, {"spec", "replicas"}).value_or(1)};
}

// Of autoscaling's Scale.
Answer<std::optional<Scale>> ReadScale(const std::string& json, const api::OwnerReference& owner) {
  const Result<json::Value> read = json::ParseValue(json);
  if (!read) {
    return tl::unexpected(Failure{.message = "the server's scale cannot be read"});
  }
  if (read->Get("metadata").Get("uid").text() != owner.uid) {
    return std::nullopt;
  }
  const json::Value& replicas = read->Get("spec").Get("replicas");
  std::int64_t count = 0;
  if (replicas.kind() == json::Kind::kNumber) {
    const std::string& text = replicas.number();
    std::from_chars(text.data(), text.data() + text.size(), count);
  }
  return Scale{.uid = owner.uid, .replicas = count};
}

const json::Value::Array& ResourcesIn(const json::Value& list) {
  static const json::Value::Array none;
  const json::Value& resources = list.Get("resources");
  return resources.kind() == json::Kind::kArray ? resources.items() : none;
}

}  // namespace

ScalableKinds ReadKinds(std::string_view json, std::string_view api_version) {
  const Result<json::Value> list = json::ParseValue(json);
  const std::string group(GroupOf(api_version));
  const std::string version(api_version.substr(group.empty() ? 0 : group.size() + 1));
  ScalableKinds kinds;
  std::set<std::string> scaled;
  for (const json::Value& one : list ? ResourcesIn(*list) : json::Value::Array()) {
    const std::string name = one.Get("name").text();
    if (name.ends_with("/scale")) {
      scaled.insert(name.substr(0, name.find('/')));
    } else if (name.find('/') == std::string::npos) {
      const std::string kind = one.Get("kind").text();
      kinds[kind].resource = {.group = group, .version = version, .plural = name, .kind = kind};
    }
  }
  for (auto& [name, kind] : kinds) {
    kind.scales = scaled.contains(kind.resource.plural);
  }
  return kinds;
}

ScaleFinder::ScaleFinder(client::ControllerContext& context)
    : api_(context.api),
      replication_controllers_(
          context.informers.Objects(client::ResourceFor("v1", "ReplicationController"))),
      replica_sets_(context.informers.Objects(client::ResourceFor("apps/v1", "ReplicaSet"))),
      deployments_(context.informers.Objects(client::ResourceFor("apps/v1", "Deployment"))),
      stateful_sets_(context.informers.Objects(client::ResourceFor("apps/v1", "StatefulSet"))) {}

loop::Task<Answer<std::optional<Scale>>> ScaleFinder::Find(std::string ns,
                                                           api::OwnerReference owner) {
  if (std::optional<Scale> kept = FindKept(ns, owner)) {
    co_return kept;
  }
  const Answer<ScalableKind> kind = co_await FindKind(owner);
  if (!kind) {
    co_return tl::unexpected(kind.error());
  }
  if (!kind->scales) {
    co_return tl::unexpected(
        Failure{.message = fmt::format(
                    "{}{}{} does not implement the scale subresource", kind->resource.plural,
                    kind->resource.group.empty() ? "" : ".", kind->resource.group)});
  }
  const Answer<std::string> scale =
      co_await api_.Fetch("GET", kind->resource.Path(ns, owner.name, "scale"));
  if (scale) {
    co_return ReadScale(*scale, owner);
  }
  if (scale.error().Is(client::refused::kNotFound)) {
    co_return std::optional<Scale>();
  }
  co_return tl::unexpected(scale.error());
}

std::optional<Scale> ScaleFinder::FindKept(const std::string& ns,
                                           const api::OwnerReference& owner) const {
  if (owner.kind == "ReplicationController" && GroupOf(owner.api_version).empty()) {
    return ScaleOf(FindOwner(replication_controllers_, ns, owner));
  }
  if (IsOfApps(owner, "StatefulSet")) {
    return ScaleOf(FindOwner(stateful_sets_, ns, owner));
  }
  return IsOfApps(owner, "ReplicaSet") ? FindReplicaSet(ns, owner) : std::nullopt;
}

std::optional<Scale> ScaleFinder::FindReplicaSet(const std::string& ns,
                                                 const api::OwnerReference& owner) const {
  const ObjectPointer set = FindOwner(replica_sets_, ns, owner);
  if (set == nullptr) {
    return std::nullopt;
  }
  const api::ObjectMeta metadata = client::MetaOf(*set);
  const api::OwnerReference* const above = ControllerOf(metadata);
  if (above == nullptr || above->kind != "Deployment") {
    return ScaleOf(set);
  }
  return IsOfApps(*above, "Deployment") ? ScaleOf(FindOwner(deployments_, ns, *above))
                                        : std::nullopt;
}

loop::Task<Answer<ScalableKind>> ScaleFinder::FindKind(api::OwnerReference owner) {
  const Answer<ServedVersion> version = co_await Discover(owner.api_version);
  if (!version) {
    co_return tl::unexpected(version.error());
  }
  const auto found = version->kinds.find(owner.kind);
  if (found == version->kinds.end()) {
    co_return tl::unexpected(
        Failure{.message = fmt::format("no matches for kind \"{}\" in version \"{}\"", owner.kind,
                                       owner.api_version)});
  }
  co_return found->second;
}

loop::Task<Answer<ScaleFinder::ServedVersion>> ScaleFinder::Discover(std::string api_version) {
  const Time now = api_.loop().Now();
  if (const auto kept = versions_.find(api_version);
      kept != versions_.end() && now < kept->second.asked + kDiscoveryLasts) {
    co_return kept->second;
  }
  const bool core = api_version.find('/') == std::string::npos;
  const Answer<std::string> told =
      co_await api_.Fetch("GET", (core ? "/api/" : "/apis/") + api_version);
  if (!told && told.error().code != 404) {
    co_return tl::unexpected(told.error());
  }
  ServedVersion version{.asked = now, .kinds = {}};
  if (told) {
    version.kinds = ReadKinds(*told, api_version);
  }
  versions_[api_version] = version;
  co_return std::move(version);
}

}  // namespace quadra::lifecycle
