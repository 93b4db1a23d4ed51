// Graph: who depends on whom in a cluster, as informers tell it, and what is to be looked at when
// that changes. Private to src/lifecycle.
//
//   Graph graph({.look = [&](const std::string& uid) { queue.Add(uid); }, …});
//   graph.Observe(nullptr, {.identity = replica_set, .owners = {deployment}});
//   graph.Forget(deployment);              // look("uid of the replica set")
//
// A node is an object, by uid. An owner that somebody names and no informer has shown is a virtual
// node: it is looked at, so that a live read tells whether it is there. Where dependents disagree on
// what that owner is, or where, each of their stories is tried in turn.
//
// Nothing here decides that anything is deleted: who looks reads the object from the server first.
//
// Threads: the loop's; no input, no output. Cost: a change costs O(owners), a deletion O(dependents).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "lifecycle/absent_owners.h"

namespace quadra::lifecycle {

inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
inline constexpr std::string_view kOrphanFinalizer = "orphan";

using OwnerReferences = std::vector<api::OwnerReference>;

// What the graph wants to know of an object.
struct Sighting {
  Identity identity;
  OwnerReferences owners = {};
  bool being_deleted = false;
  bool orphans_dependents = false;  // has the finalizer
  bool deletes_dependents = false;  // has the finalizer
};

class Graph {
 public:
  struct Node {
    Identity identity;
    OwnerReferences owners;
    absl::flat_hash_set<Node*> dependents;
    bool is_virtual = false;
    bool being_deleted = false;
    bool deleting_dependents = false;

    // The nodes that depend on it, by name; those only that hold its deletion up.
    std::vector<const Node*> Dependents() const;
    std::vector<const Node*> BlockingDependents() const;
  };

  struct Calls {
    // Whether it is still wanted is to be seen: it, its owners or its dependents have changed.
    std::function<void(const std::string& uid)> look;
    // It is being deleted, and its dependents are to be let go.
    std::function<void(const std::string& uid)> orphan;
    // An object names an owner that lives in another namespace.
    std::function<void(const Node& dependent, const api::OwnerReference& owner)> misplaced_owner;
  };

  explicit Graph(Calls calls) : calls_(std::move(calls)) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // An informer shows an object; `before` is what it showed last, null where it is new to it.
  void Observe(const Sighting* before, const Sighting& now);
  // An informer says that it has gone.
  void Forget(const Identity& identity);
  // A live read found nothing of this identity. Whether a virtual node stays, by another story of its
  // dependents, so that its uid is to be looked at again.
  bool ForgetAbsent(const Identity& identity);

  // Null where there is none.
  const Node* Find(const std::string& uid) const;
  std::size_t size() const { return nodes_.size(); }
  AbsentOwners& absent_owners() { return absent_owners_; }

 private:
  Node* FindNode(const std::string& uid) const;
  Node& Insert(const Sighting& now);
  // A virtual node turns out to be this object.
  void Materialise(Node& node, const Identity& observed);
  void UpdateOwners(Node& node, const OwnerReferences& owners);
  void AddToOwners(Node& node, const OwnerReferences& owners);
  // Whether what it says of an owner that is known may be wrong.
  bool MayBeWrong(const Node& node, const api::OwnerReference& reference, const Node& owner) const;
  Node& InsertVirtual(const api::OwnerReference& owner, const std::string& ns);
  void RemoveFromOwners(Node& node, const OwnerReferences& owners);
  void LookAtUnblocked(const OwnerReferences& before, const OwnerReferences& now);
  void Transit(const Sighting* before, const Sighting& now, Node& node);
  void TellMisplaced(const Node& dependent, const std::string& owner_uid) const;
  void Remove(const Identity& identity, Node& node);
  // Marks the identity as absent and looks at those who say so.
  void LookAtMatching(const Node& node, const Identity& absent);
  bool RenameVirtual(Node& node, const Identity& absent);

  const Calls calls_;
  absl::flat_hash_map<std::string, std::unique_ptr<Node>> nodes_;  // by uid
  AbsentOwners absent_owners_;
};

}  // namespace quadra::lifecycle
