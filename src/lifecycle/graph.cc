#include "lifecycle/graph.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace quadra::lifecycle {
namespace {

bool Blocks(const api::OwnerReference& owner) { return owner.block_owner_deletion.value_or(false); }

const api::OwnerReference* FindReference(const OwnerReferences& owners, std::string_view uid) {
  const auto found = std::ranges::find(owners, uid, &api::OwnerReference::uid);
  return found == owners.end() ? nullptr : &*found;
}

// Those of `from` that `without` does not name.
OwnerReferences Difference(const OwnerReferences& from, const OwnerReferences& without) {
  OwnerReferences left;
  for (const api::OwnerReference& owner : from) {
    if (FindReference(without, owner.uid) == nullptr) {
      left.push_back(owner);
    }
  }
  return left;
}

bool InReach(const Graph::Node& dependent, const Identity& owner) {
  return owner.ns.empty() || owner.ns == dependent.identity.ns;
}

// How the dependents of a uid speak of it; one may do both.
struct Stories {
  std::vector<const Graph::Node*> matching;
  std::vector<const Graph::Node*> others;
};

Stories StoriesOf(const Graph::Node& owner, const Identity& identity) {
  Stories stories;
  for (const Graph::Node* const dependent : owner.Dependents()) {
    bool matches = false;
    bool differs = !InReach(*dependent, identity);
    for (const api::OwnerReference& reference : dependent->owners) {
      if (InReach(*dependent, identity) && reference.uid == identity.uid) {
        (Matches(reference, identity) ? matches : differs) = true;
      }
    }
    if (matches) {
      stories.matching.push_back(dependent);
    }
    if (differs) {
      stories.others.push_back(dependent);
    }
  }
  return stories;
}

// What a dependent's reference says, where that is another story than the one that was refuted.
std::optional<Identity> OtherStory(const Graph::Node& dependent,
                                   const api::OwnerReference& reference, const Identity& absent) {
  if (reference.uid != absent.uid || (Matches(reference, absent) && InReach(dependent, absent))) {
    return std::nullopt;
  }
  Identity story = IdentityOf(reference, dependent.identity.ns);
  if (absent.ns.empty() && story.api_version == absent.api_version && story.kind == absent.kind) {
    story.ns.clear();  // the kind is known to live in no namespace
  }
  return story == absent ? std::nullopt : std::optional(std::move(story));
}

// The story that follows the refuted one, the first where none does.
std::optional<Identity> NextStory(const std::vector<const Graph::Node*>& dependents,
                                  const Identity& absent) {
  std::set<Identity> stories;
  for (const Graph::Node* const dependent : dependents) {
    for (const api::OwnerReference& reference : dependent->owners) {
      if (std::optional<Identity> story = OtherStory(*dependent, reference, absent)) {
        stories.insert(*std::move(story));
      }
    }
  }
  if (stories.empty()) {
    return std::nullopt;
  }
  const auto next = stories.upper_bound(absent);
  return next == stories.end() ? *stories.begin() : *next;
}

}  // namespace

std::vector<const Graph::Node*> Graph::Node::Dependents() const {
  std::vector<const Node*> sorted(dependents.begin(), dependents.end());
  std::ranges::sort(sorted, {}, [](const Node* node) {
    return std::tie(node->identity.ns, node->identity.name, node->identity.uid);
  });
  return sorted;
}

std::vector<const Graph::Node*> Graph::Node::BlockingDependents() const {
  std::vector<const Node*> blocking = Dependents();
  std::erase_if(blocking, [this](const Node* dependent) {
    return std::ranges::none_of(dependent->owners, [this](const api::OwnerReference& owner) {
      return owner.uid == identity.uid && Blocks(owner);
    });
  });
  return blocking;
}

const Graph::Node* Graph::Find(const std::string& uid) const { return FindNode(uid); }

Graph::Node* Graph::FindNode(const std::string& uid) const {
  const auto found = nodes_.find(uid);
  return found == nodes_.end() ? nullptr : found->second.get();
}

void Graph::Observe(const Sighting* before, const Sighting& now) {
  Node* node = FindNode(now.identity.uid);
  if (node != nullptr && node->is_virtual) {
    Materialise(*node, now.identity);
  }
  if (node == nullptr) {
    node = &Insert(now);
  } else {
    UpdateOwners(*node, now.owners);
    node->being_deleted = node->being_deleted || now.being_deleted;
  }
  Transit(before, now, *node);
}

Graph::Node& Graph::Insert(const Sighting& now) {
  auto made = std::make_unique<Node>(
      Node{.identity = now.identity,
           .owners = now.owners,
           .dependents = {},
           .being_deleted = now.being_deleted,
           .deleting_dependents = now.being_deleted && now.deletes_dependents});
  Node& node = *made;
  nodes_.emplace(now.identity.uid, std::move(made));
  AddToOwners(node, node.owners);
  return node;
}

// Dependents that spoke of it otherwise may have no owner at all.
void Graph::Materialise(Node& node, const Identity& observed) {
  if (node.identity != observed) {
    for (const Node* const dependent : StoriesOf(node, observed).others) {
      if (!InReach(*dependent, observed)) {
        TellMisplaced(*dependent, observed.uid);
      }
      calls_.look(dependent->identity.uid);
    }
    node.identity = observed;
  }
  node.is_virtual = false;
}

void Graph::UpdateOwners(Node& node, const OwnerReferences& owners) {
  if (node.owners == owners) {
    return;
  }
  const OwnerReferences before = std::exchange(node.owners, owners);
  LookAtUnblocked(before, owners);
  AddToOwners(node, Difference(owners, before));
  RemoveFromOwners(node, Difference(before, owners));
}

void Graph::AddToOwners(Node& node, const OwnerReferences& owners) {
  bool may_be_wrong = false;
  for (const api::OwnerReference& reference : owners) {
    Node* owner = FindNode(reference.uid);
    if (owner != nullptr) {
      owner->dependents.insert(&node);
      may_be_wrong = may_be_wrong || MayBeWrong(node, reference, *owner);
      continue;
    }
    owner = &InsertVirtual(reference, node.identity.ns);
    owner->dependents.insert(&node);
    calls_.look(reference.uid);
  }
  if (may_be_wrong) {
    calls_.look(node.identity.uid);
  }
}

bool Graph::MayBeWrong(const Node& node, const api::OwnerReference& reference,
                       const Node& owner) const {
  if (!InReach(node, owner.identity)) {
    if (!owner.is_virtual) {
      TellMisplaced(node, reference.uid);
    }
    return true;
  }
  // The last: nobody knows yet whether that kind lives in namespaces.
  return !Matches(reference, owner.identity) ||
         (owner.is_virtual && owner.identity.ns != node.identity.ns);
}

Graph::Node& Graph::InsertVirtual(const api::OwnerReference& owner, const std::string& ns) {
  auto made = std::make_unique<Node>(
      Node{.identity = IdentityOf(owner, ns), .owners = {}, .dependents = {}, .is_virtual = true});
  Node& node = *made;
  nodes_.emplace(owner.uid, std::move(made));
  return node;
}

void Graph::RemoveFromOwners(Node& node, const OwnerReferences& owners) {
  for (const api::OwnerReference& reference : owners) {
    if (Node* const owner = FindNode(reference.uid)) {
      owner->dependents.erase(&node);
    }
  }
}

// Owners that may have waited for this dependent only.
void Graph::LookAtUnblocked(const OwnerReferences& before, const OwnerReferences& now) {
  for (const api::OwnerReference& old : before) {
    const api::OwnerReference* const still = FindReference(now, old.uid);
    if (Blocks(old) && (still == nullptr || !Blocks(*still)) && FindNode(old.uid) != nullptr) {
      calls_.look(old.uid);
    }
  }
}

void Graph::Transit(const Sighting* before, const Sighting& now, Node& node) {
  const auto starts = [&](bool Sighting::* finalizer) {
    return now.being_deleted && now.*finalizer &&
           (before == nullptr || !before->being_deleted || !(before->*finalizer));
  };
  if (starts(&Sighting::orphans_dependents)) {
    return calls_.orphan(node.identity.uid);
  }
  if (starts(&Sighting::deletes_dependents)) {
    node.deleting_dependents = true;
    for (const Node* const dependent : node.Dependents()) {
      calls_.look(dependent->identity.uid);
    }
    calls_.look(node.identity.uid);
  }
}

void Graph::TellMisplaced(const Node& dependent, const std::string& owner_uid) const {
  if (const api::OwnerReference* const owner = FindReference(dependent.owners, owner_uid)) {
    calls_.misplaced_owner(dependent, *owner);
  }
}

void Graph::Forget(const Identity& identity) {
  if (Node* const node = FindNode(identity.uid)) {
    if (node->is_virtual) {
      Materialise(*node, identity);
    }
    Remove(identity, *node);
  }
}

void Graph::Remove(const Identity& identity, Node& node) {
  const std::unique_ptr<Node> last = std::move(nodes_.extract(identity.uid).mapped());
  RemoveFromOwners(node, node.owners);
  if (!node.dependents.empty()) {
    absent_owners_.Add(identity);
  }
  for (const Node* const dependent : node.Dependents()) {
    calls_.look(dependent->identity.uid);
  }
  for (const api::OwnerReference& reference : node.owners) {
    const Node* const owner = FindNode(reference.uid);
    if (owner != nullptr && owner->deleting_dependents) {
      calls_.look(reference.uid);
    }
  }
}

bool Graph::ForgetAbsent(const Identity& identity) {
  Node* const node = FindNode(identity.uid);
  if (node == nullptr) {
    return false;
  }
  if (node->is_virtual) {
    if (StoriesOf(*node, identity).others.empty()) {
      Remove(identity, *node);
      return false;
    }
    LookAtMatching(*node, identity);
    return node->identity == identity && RenameVirtual(*node, identity);
  }
  if (node->identity == identity) {
    Remove(identity, *node);
  } else {
    LookAtMatching(*node, identity);
  }
  return false;
}

void Graph::LookAtMatching(const Node& node, const Identity& absent) {
  const Stories stories = StoriesOf(node, absent);
  if (!stories.matching.empty()) {
    absent_owners_.Add(absent);
  }
  for (const Node* const dependent : stories.matching) {
    calls_.look(dependent->identity.uid);
  }
}

bool Graph::RenameVirtual(Node& node, const Identity& absent) {
  const std::optional<Identity> next = NextStory(StoriesOf(node, absent).others, absent);
  if (next) {
    node.identity = *next;
  }
  return next.has_value();
}

}  // namespace quadra::lifecycle
