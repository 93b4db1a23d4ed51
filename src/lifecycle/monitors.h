// Monitors: informers of every kind that can be collected, which tell a graph. Private to
// src/lifecycle.
//
//   Monitors monitors(api, graph, failed);
//   monitors.Follow(kinds);          // again whenever kinds have come or gone
//   … monitors.synced() …
//
// Events are not followed: there are many, and nobody owns them. Of an object nothing is kept but
// who it is, its owners and how it is being deleted.
//
// Threads: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "client/role.h"
#include "lifecycle/discovery.h"
#include "lifecycle/graph.h"

namespace quadra::lifecycle {

// An object of any kind, as informers keep it.
struct Tracked {
  Sighting sighting;  // without apiVersion and kind, which the collection has
  std::string resource_version;
};

Tracked TrackedOf(api::ObjectMeta meta);

class Monitors {
 public:
  // Told of failures to list or watch, each before the wait that follows it.
  using Failed = std::function<void(const client::Resource&, const client::Failure&)>;

  // Both must outlive it.
  Monitors(client::Api& api, Graph& graph, Failed failed)
      : api_(api), graph_(graph), failed_(std::move(failed)) {}
  Monitors(const Monitors&) = delete;
  Monitors& operator=(const Monitors&) = delete;

  // Of each kind that can be deleted, listed and watched, the version that its group likes best; and
  // those that had synced of versions that are missing only now. Whether these are others than before.
  bool Follow(const Kinds& kinds);
  // Whether it follows something, and all of it is complete.
  bool synced() const;

 private:
  struct Monitor;
  using ByCollection = std::map<std::string, std::shared_ptr<Monitor>>;

  void KeepMissing(const Kinds& kinds, ByCollection& wanted) const;
  std::shared_ptr<Monitor> Start(const client::Resource& resource);

  client::Api& api_;
  Graph& graph_;
  const Failed failed_;
  ByCollection monitors_;  // by path of the collection
};

}  // namespace quadra::lifecycle

namespace quadra::client {

template <>
struct Kind<lifecycle::Tracked> {
  static Result<lifecycle::Tracked> Decode(std::string_view json);
};
template <>
inline Marks MarksOf(const lifecycle::Tracked& object) {
  const lifecycle::Identity& identity = object.sighting.identity;
  return {identity.ns, identity.name, identity.uid, object.resource_version};
}

}  // namespace quadra::client
