// ScaleFinder: how many pods the owner of a pod wants. Owners of pods that Kubernetes has itself are
// read from informers, a Deployment standing for its ReplicaSets; all others are asked for their
// scale, which any kind may have.
//
//   Answer<std::optional<Scale>> scale = co_await finder.Find("team-a", *ControllerOf(pod.metadata));
//
// Threads: the loop's. Cost: a lookup; two requests for an owner of another kind, of which what the
// server has of a group is kept for half a minute.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "client/role.h"

namespace quadra::lifecycle {

struct Scale {
  std::string uid;  // of whoever wants so many
  std::int64_t replicas = 0;
};

// What a server has of one version of a group, by kind.
struct ScalableKind {
  client::Resource resource;
  bool scales = false;  // has a scale
};
using ScalableKinds = std::map<std::string, ScalableKind>;
// Of an APIResourceList; what makes no sense is passed over.
ScalableKinds ReadKinds(std::string_view json, std::string_view api_version);

class ScaleFinder {
 public:
  // Before informers start.
  explicit ScaleFinder(client::ControllerContext& context);

  // Absent where there is no such owner any more. A Failure where it cannot be found out, in words
  // that belong into a condition.
  loop::Task<client::Answer<std::optional<Scale>>> Find(std::string ns, api::OwnerReference owner);

 private:
  using Objects = client::Informer<api::Object>;

  struct ServedVersion {
    Time asked;
    ScalableKinds kinds;
  };

  std::optional<Scale> FindKept(const std::string& ns, const api::OwnerReference& owner) const;
  std::optional<Scale> FindReplicaSet(const std::string& ns,
                                      const api::OwnerReference& owner) const;
  loop::Task<client::Answer<ScalableKind>> FindKind(api::OwnerReference owner);
  loop::Task<client::Answer<ServedVersion>> Discover(std::string api_version);

  client::Api& api_;
  Objects& replication_controllers_;
  Objects& replica_sets_;
  Objects& deployments_;
  Objects& stateful_sets_;
  std::map<std::string, ServedVersion> versions_;
};

}  // namespace quadra::lifecycle
