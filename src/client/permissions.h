// Permissions: whether a server lets us do what a role needs, asked before it fails in the middle.
//
//   const std::vector<Permission> needed = {{.verb = "list", .group = "resource.k8s.io",
//                                            .resource = "resourceclaims"}};
//   Answer<std::vector<Permission>> missing = co_await FindMissing(api, needed);
//   for (const Permission& permission : *missing) Print(Sentence(permission));
//   // cannot list resource "resourceclaims" in API group "resource.k8s.io" at the cluster scope
//
// Asks with SelfSubjectAccessReviews, which everybody may create, all at once. Part of role.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "client/api.h"

namespace quadra::client {

struct Permission {
  std::string verb;         // get, list, watch, create, update, patch, delete, deletecollection
  std::string group;        // empty: core
  std::string resource;     // resourceclaims
  std::string subresource;  // status; empty: the object
  std::string ns;           // empty: all

  friend bool operator==(const Permission&, const Permission&) = default;
};

// In the words of API servers: cannot patch resource "pods/status" in API group "" in the namespace
// "team-a".
std::string Sentence(const Permission& permission);

// A rule for a Role or ClusterRole that gives them, one line of YAML for each group and resource:
//   - {apiGroups: ["resource.k8s.io"], resources: ["resourceclaims"], verbs: ["list", "watch"]}
std::string RulesFor(std::span<const Permission> permissions);

// Those of `needed` that we lack, in their order; a Failure where the server could not tell. `api`
// must outlive the task.
loop::Task<Answer<std::vector<Permission>>> FindMissing(Api& api, std::vector<Permission> needed);

}  // namespace quadra::client
