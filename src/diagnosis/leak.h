// Leak: whether anybody is left for whom a claim holds devices. The one judgement of that.
//
// A claim is leaked only where the cluster could show its users and does not. What is known of a
// cluster may be part of it: where pods are known, but none of the claim's namespace, its users may
// be among those that are not. Without any pods claims are taken at their word.
//
//   const LeakJudge judge(cluster);
//   if (judge.UseOf(claim) == Use::kLeaked) …
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "allocator/fix.h"
#include "api/kinds.h"
#include "placement/cluster.h"

namespace quadra::diagnosis {

// Who uses a claim, from its status.reservedFor; pods that name it need not stand there (yet).
struct Consumer {
  enum class State : std::uint8_t {
    kLive,
    kFinished,  // a pod that ran to its end
    kGone,      // a pod that is not there, while others of its namespace are
    kUnseen,    // a pod of a namespace of which no pod is known, while others are
    kUnknown,   // no pod, or no pods are known
  };
  std::string resource;  // pods, podgroups, …
  std::string name;      // namespace/name
  State state = State::kUnknown;
  bool reserved = true;   // false: a pod that names the claim, which does not name the pod
  bool replaced = false;  // is gone, and a later pod has its name
};

enum class Use : std::uint8_t {
  kInUse,    // some consumer is live, or nothing speaks against it
  kUnknown,  // consumers could not be seen
  kLeaked,   // there is none, or they are finished and gone
};

class LeakJudge {
 public:
  // The cluster must outlive this.
  explicit LeakJudge(const placement::Cluster& cluster);

  std::vector<Consumer> ConsumersOf(const api::ResourceClaim& claim) const;
  static Use UseOf(const std::vector<Consumer>& consumers);

 private:
  Consumer::State StateOf(const api::ResourceClaimConsumerReference& reference,
                          const std::string& ns) const;

  const placement::Cluster& cluster_;
  std::set<std::string> namespaces_;  // with pods
  // By namespace/name of claims: the pods that name them and have not finished.
  std::map<std::string, std::vector<const api::Pod*>> users_;
};

// Whether the pod of that name is the one, and not a later one. Where a uid is missing it is.
bool IsMeant(const api::ResourceClaimConsumerReference& reference, const api::Pod& pod);

// The command that shows the pods of a namespace.
std::string CommandForPods(const std::string& ns);

// Holders that are leaked are tried first: who holds for nobody need not be waited for.
void PutLeakedFirst(const placement::Cluster& cluster, std::vector<allocator::Failure>& failures);
// Whose release is a fix and leaked is to be deleted, and that fix comes first; whose use is not
// known is said so.
void JudgeReleases(const placement::Cluster& cluster, allocator::Fixes& fixes);

}  // namespace quadra::diagnosis
