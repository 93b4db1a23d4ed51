#include "apiserver/discovery_bodies.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "apiserver/json_members.h"

namespace quadra::apiserver {
namespace {

using json::Writer;

// Left out when empty, as Go's omitempty does.
void NamesIfAny(Writer& writer, std::string_view key, std::span<const std::string_view> names) {
  if (!names.empty()) {
    Texts(writer, key, names);
  }
}

void VerbNames(Writer& writer, Verbs verbs) {
  Array(writer, "verbs", [&] {
    for (const Verb verb : verbs.List()) {
      writer.String(NameOf(verb));
    }
  });
}

bool SameVersion(const api::KindSchema& a, const api::KindSchema& b) {
  return a.group == b.group && a.version == b.version;
}

void VersionEntry(Writer& writer, const GroupVersion& version) {
  Object(writer, [&] {
    Text(writer, "groupVersion", version.ApiVersion());
    Text(writer, "version", version.version);
  });
}

void GroupMembers(Writer& writer, const Group& group) {
  Text(writer, "name", group.name);
  Array(writer, "versions", [&] {
    for (const GroupVersion& version : group.versions) {
      VersionEntry(writer, version);
    }
  });
  writer.Key("preferredVersion");
  VersionEntry(writer, group.versions.front());
}

void ResourceEntry(Writer& writer, const Resource& resource) {
  Object(writer, [&] {
    Text(writer, "name", resource.kind->plural);
    Text(writer, "singularName", resource.singular);
    Flag(writer, "namespaced", resource.kind->namespaced);
    Text(writer, "kind", resource.kind->kind);
    VerbNames(writer, resource.verbs);
    NamesIfAny(writer, "shortNames", resource.short_names);
    NamesIfAny(writer, "categories", resource.categories);
  });
}

void SubresourceEntry(Writer& writer, const Resource& resource, const Subresource& part) {
  Object(writer, [&] {
    Text(writer, "name", fmt::format("{}/{}", resource.kind->plural, part.name));
    Text(writer, "singularName", "");
    Flag(writer, "namespaced", resource.kind->namespaced);
    if (!SameVersion(*part.kind, *resource.kind)) {
      Text(writer, "group", part.kind->group);
      Text(writer, "version", part.kind->version);
    }
    Text(writer, "kind", part.kind->kind);
    VerbNames(writer, part.verbs);
  });
}

// Group and version are told where they are not those of the resource.
void ResponseKind(Writer& writer, const api::KindSchema& kind, const api::KindSchema& resource) {
  const bool same = SameVersion(kind, resource);
  Object(writer, "responseKind", [&] {
    Text(writer, "group", same ? "" : kind.group);
    Text(writer, "version", same ? "" : kind.version);
    Text(writer, "kind", kind.kind);
  });
}

void AggregatedSubresource(Writer& writer, const Resource& resource, const Subresource& part) {
  Object(writer, [&] {
    Text(writer, "subresource", part.name);
    ResponseKind(writer, *part.kind, *resource.kind);
    VerbNames(writer, part.verbs);
  });
}

void AggregatedSubresources(Writer& writer, const Resource& resource) {
  if (resource.subresources.empty()) {
    return;
  }
  Array(writer, "subresources", [&] {
    for (const Subresource& part : resource.subresources) {
      AggregatedSubresource(writer, resource, part);
    }
  });
}

void AggregatedResource(Writer& writer, const Resource& resource) {
  Object(writer, [&] {
    Text(writer, "resource", resource.kind->plural);
    ResponseKind(writer, *resource.kind, *resource.kind);
    Text(writer, "scope", resource.kind->namespaced ? "Namespaced" : "Cluster");
    Text(writer, "singularResource", resource.singular);
    VerbNames(writer, resource.verbs);
    NamesIfAny(writer, "shortNames", resource.short_names);
    NamesIfAny(writer, "categories", resource.categories);
    AggregatedSubresources(writer, resource);
  });
}

void AggregatedVersion(Writer& writer, const GroupVersion& version) {
  Object(writer, [&] {
    Text(writer, "version", version.version);
    Array(writer, "resources", [&] {
      for (const Resource& resource : version.resources) {
        AggregatedResource(writer, resource);
      }
    });
    Text(writer, "freshness", "Current");
  });
}

void AggregatedGroup(Writer& writer, const Group& group) {
  Object(writer, [&] {
    Object(writer, "metadata", [&] {
      if (!group.name.empty()) {
        Text(writer, "name", group.name);
      }
    });
    Array(writer, "versions", [&] {
      for (const GroupVersion& version : group.versions) {
        AggregatedVersion(writer, version);
      }
    });
  });
}

// Of the groups that `belongs` names.
template <typename Belongs>
std::string AggregatedBody(const Catalog& catalog, std::string_view api_version, Belongs belongs) {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "APIGroupDiscoveryList");
    Text(writer, "apiVersion", api_version);
    Object(writer, "metadata", [] {});
    Array(writer, "items", [&] {
      for (const Group& group : catalog.groups()) {
        if (belongs(group)) {
          AggregatedGroup(writer, group);
        }
      }
    });
  });
}

bool IsCore(const Group& group) { return group.name.empty(); }
bool IsNotCore(const Group& group) { return !group.name.empty(); }

}  // namespace

std::string ApiVersionsBody(const Catalog& catalog, std::string_view server_address) {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "APIVersions");
    Array(writer, "versions", [&] {
      if (const Group* core = catalog.Find("")) {
        for (const GroupVersion& version : core->versions) {
          writer.String(version.version);
        }
      }
    });
    Array(writer, "serverAddressByClientCIDRs", [&] {
      Object(writer, [&] {
        Text(writer, "clientCIDR", "0.0.0.0/0");
        Text(writer, "serverAddress", server_address);
      });
    });
  });
}

std::string GroupListBody(const Catalog& catalog) {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "APIGroupList");
    Text(writer, "apiVersion", "v1");
    Array(writer, "groups", [&] {
      for (const Group& group : catalog.groups()) {
        if (IsNotCore(group)) {
          Object(writer, [&] { GroupMembers(writer, group); });
        }
      }
    });
  });
}

std::string GroupBody(const Group& group) {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "APIGroup");
    Text(writer, "apiVersion", "v1");
    GroupMembers(writer, group);
  });
}

// Core's list has no apiVersion, as upstream's has none.
std::string ResourceListBody(const GroupVersion& version) {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "APIResourceList");
    if (!version.group.empty()) {
      Text(writer, "apiVersion", "v1");
    }
    Text(writer, "groupVersion", version.ApiVersion());
    Array(writer, "resources", [&] {
      for (const Resource& resource : version.resources) {
        ResourceEntry(writer, resource);
        for (const Subresource& part : resource.subresources) {
          SubresourceEntry(writer, resource, part);
        }
      }
    });
  });
}

std::string AggregatedCoreBody(const Catalog& catalog, std::string_view api_version) {
  return AggregatedBody(catalog, api_version, IsCore);
}

std::string AggregatedGroupsBody(const Catalog& catalog, std::string_view api_version) {
  return AggregatedBody(catalog, api_version, IsNotCore);
}

}  // namespace quadra::apiserver
