#include "apiserver/catalog.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "api/vocabulary.h"
#include "apiserver/version_order.h"
#include "apiserver/words.h"

namespace quadra::apiserver {
namespace {

constexpr Verbs kOnlyCreate = {Verb::kCreate};
constexpr Verbs kOneByOne = {Verb::kCreate, Verb::kDelete, Verb::kGet,  Verb::kList,
                             Verb::kPatch,  Verb::kUpdate, Verb::kWatch};
constexpr Verbs kReadAndReplace = {Verb::kGet, Verb::kPatch, Verb::kUpdate};

// Descending priority of upstream's aggregator.
constexpr std::string_view kGroupOrder[] = {
    "",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "batch",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "resource.k8s.io",
};

// What the schema table does not say of a resource; those not listed here have no short name and no
// category, and all verbs.
struct Custom {
  std::string_view group;
  std::string_view plural;
  std::string_view short_names = {};  // space separated
  std::string_view categories = {};   // space separated
  Verbs verbs = Verbs::All();
};

constexpr Custom kCustoms[] = {
    {"", "bindings", "", "", kOnlyCreate},
    {"", "configmaps", "cm"},
    {"", "endpoints", "ep"},
    {"", "events", "ev"},
    {"", "limitranges", "limits"},
    {"", "namespaces", "ns", "", kOneByOne},
    {"", "nodes", "no"},
    {"", "persistentvolumeclaims", "pvc"},
    {"", "persistentvolumes", "pv"},
    {"", "pods", "po", "all"},
    {"", "replicationcontrollers", "rc", "all"},
    {"", "resourcequotas", "quota"},
    {"", "serviceaccounts", "sa"},
    {"", "services", "svc", "all"},
    {"apiextensions.k8s.io", "customresourcedefinitions", "crd crds", "api-extensions"},
    {"apps", "daemonsets", "ds", "all"},
    {"apps", "deployments", "deploy", "all"},
    {"apps", "replicasets", "rs", "all"},
    {"apps", "statefulsets", "sts", "all"},
    {"authentication.k8s.io", "selfsubjectreviews", "", "", kOnlyCreate},
    {"authentication.k8s.io", "tokenreviews", "", "", kOnlyCreate},
    {"authorization.k8s.io", "localsubjectaccessreviews", "", "", kOnlyCreate},
    {"authorization.k8s.io", "selfsubjectaccessreviews", "", "", kOnlyCreate},
    {"authorization.k8s.io", "selfsubjectrulesreviews", "", "", kOnlyCreate},
    {"authorization.k8s.io", "subjectaccessreviews", "", "", kOnlyCreate},
    {"batch", "cronjobs", "cj", "all"},
    {"batch", "jobs", "", "all"},
    {"events.k8s.io", "events", "ev"},
    {"policy", "poddisruptionbudgets", "pdb"},
    {"scheduling.k8s.io", "priorityclasses", "pc"},
    {"storage.k8s.io", "storageclasses", "sc"},
    {"storage.k8s.io", "volumeattributesclasses", "vac"},
};

// Subresources besides status. An empty `kind` is the resource's own.
struct Part {
  std::string_view group;
  std::string_view plural;
  std::string_view name;
  Verbs verbs;
  std::string_view api_version = {};
  std::string_view kind = {};
};

constexpr Part kParts[] = {
    {"", "namespaces", "finalize", {Verb::kUpdate}},
    {"", "pods", "binding", kOnlyCreate, "v1", "Binding"},
    {"", "pods", "ephemeralcontainers", kReadAndReplace},
    {"", "pods", "resize", kReadAndReplace},
    {"", "replicationcontrollers", "scale", kReadAndReplace, "autoscaling/v1", "Scale"},
    {"apps", "deployments", "scale", kReadAndReplace, "autoscaling/v1", "Scale"},
    {"apps", "replicasets", "scale", kReadAndReplace, "autoscaling/v1", "Scale"},
    {"apps", "statefulsets", "scale", kReadAndReplace, "autoscaling/v1", "Scale"},
};

// Of these a delete returns the object. An empty version: every one.
struct Returned {
  std::string_view group;
  std::string_view plural;
  std::string_view version = {};
};

constexpr Returned kReturned[] = {
    {"", "namespaces"},
    {"", "persistentvolumeclaims"},
    {"", "persistentvolumes"},
    {"", "pods"},
    {"", "podtemplates"},
    {"", "resourcequotas"},
    {"", "serviceaccounts"},
    {"", "services"},
    {"resource.k8s.io", "deviceclasses"},
    {"resource.k8s.io", "devicetaintrules", "v1alpha3"},
    {"resource.k8s.io", "devicetaintrules", "v1beta2"},
    {"resource.k8s.io", "resourceclaims"},
    {"resource.k8s.io", "resourceclaimtemplates"},
    {"resource.k8s.io", "resourcepoolstatusrequests"},
    {"resource.k8s.io", "resourceslices"},
    {"storage.k8s.io", "csidrivers"},
    {"storage.k8s.io", "csinodes"},
    {"storage.k8s.io", "storageclasses"},
    {"storage.k8s.io", "volumeattachments"},
    {"storage.k8s.io", "volumeattributesclasses"},
};

bool ReturnsDeleted(const api::KindSchema& kind) {
  return std::ranges::any_of(kReturned, [&](const Returned& row) {
    return row.group == kind.group && row.plural == kind.plural &&
           (row.version.empty() || row.version == kind.version);
  });
}

Custom CustomOf(const api::KindSchema& kind) {
  const auto* const at = std::ranges::find_if(kCustoms, [&](const Custom& row) {
    return row.group == kind.group && row.plural == kind.plural;
  });
  return at == std::end(kCustoms) ? Custom{.group = kind.group, .plural = kind.plural} : *at;
}

std::vector<Subresource> SubresourcesOf(const api::KindSchema& kind) {
  std::vector<Subresource> parts;
  for (const Part& part : kParts) {
    if (part.group == kind.group && part.plural == kind.plural) {
      const auto* const own =
          part.kind.empty() ? &kind : api::FindKind(part.api_version, part.kind);
      parts.push_back({part.name, own, part.verbs});
    }
  }
  if (kind.has_status) {
    parts.push_back({"status", &kind, kReadAndReplace});
  }
  std::ranges::sort(parts, {}, &Subresource::name);
  return parts;
}

Resource ServedResource(const api::KindSchema& kind) {
  const Custom custom = CustomOf(kind);
  return {.kind = &kind,
          .singular = api::ToLower(kind.kind),
          .short_names = Words(custom.short_names),
          .categories = Words(custom.categories),
          .verbs = custom.verbs,
          .subresources = SubresourcesOf(kind),
          .returns_deleted = ReturnsDeleted(kind)};
}

// Sorts groups as upstream's priorities do.
std::pair<std::ptrdiff_t, std::string_view> RankOf(const Group& group) {
  const auto* const at = std::ranges::find(kGroupOrder, group.name);
  return {at - std::begin(kGroupOrder), group.name};
}

std::string_view PluralOf(const Resource& resource) { return resource.kind->plural; }

void Arrange(Group& group) {
  std::ranges::sort(group.versions, PrecedesVersion, &GroupVersion::version);
  for (GroupVersion& version : group.versions) {
    std::ranges::sort(version.resources, {}, PluralOf);
  }
}

}  // namespace

std::string_view NameOf(Verb verb) {
  switch (verb) {
    case Verb::kCreate:
      return "create";
    case Verb::kDelete:
      return "delete";
    case Verb::kDeleteCollection:
      return "deletecollection";
    case Verb::kGet:
      return "get";
    case Verb::kList:
      return "list";
    case Verb::kPatch:
      return "patch";
    case Verb::kUpdate:
      return "update";
    case Verb::kWatch:
      return "watch";
  }
  return {};
}

std::vector<Verb> Verbs::List() const {
  std::vector<Verb> list;
  for (int i = 0; i < kVerbCount; ++i) {
    if (const auto verb = static_cast<Verb>(i); Has(verb)) {
      list.push_back(verb);
    }
  }
  return list;
}

const Subresource* Resource::Find(std::string_view subresource) const {
  const auto at = std::ranges::find(subresources, subresource, &Subresource::name);
  return at == subresources.end() ? nullptr : &*at;
}

std::string GroupVersion::ApiVersion() const {
  return group.empty() ? std::string(version) : std::string(group).append("/").append(version);
}

Catalog::Catalog(std::span<const api::KindSchema* const> kinds) {
  std::map<std::string_view, std::map<std::string_view, std::vector<Resource>>> sorted;
  for (const api::KindSchema* kind : kinds) {
    if (!kind->plural.empty()) {
      sorted[kind->group][kind->version].push_back(ServedResource(*kind));
    }
  }
  for (auto& [name, versions] : sorted) {
    Group& group = groups_.emplace_back();
    group.name = name;
    for (auto& [version, resources] : versions) {
      group.versions.push_back({name, version, std::move(resources)});
    }
    Arrange(group);
  }
  std::ranges::sort(groups_, {}, RankOf);
}

const Group* Catalog::Find(std::string_view group) const {
  const auto at = std::ranges::find(groups_, group, &Group::name);
  return at == groups_.end() ? nullptr : &*at;
}

const GroupVersion* Catalog::Find(std::string_view group, std::string_view version) const {
  const Group* const found = Find(group);
  if (found == nullptr) {
    return nullptr;
  }
  const auto at = std::ranges::find(found->versions, version, &GroupVersion::version);
  return at == found->versions.end() ? nullptr : &*at;
}

const Resource* Catalog::Find(std::string_view group, std::string_view version,
                              std::string_view plural) const {
  const GroupVersion* const found = Find(group, version);
  if (found == nullptr) {
    return nullptr;
  }
  const auto at = std::ranges::lower_bound(found->resources, plural, {}, PluralOf);
  return at != found->resources.end() && PluralOf(*at) == plural ? &*at : nullptr;
}

}  // namespace quadra::apiserver
