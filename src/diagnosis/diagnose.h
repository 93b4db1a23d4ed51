// Diagnose: why a pod or a claim waits for devices, what would change that, or what it has.
//
// The proof is a funnel over all nodes that the pod may use, request by request; the fixes are
// those after which the placer, asked again, finds a node. Pure: no I/O, no clock. A door of this
// folder.
//
//   placement::Placer placer(cluster, {}, expressions);
//   const Diagnosis diagnosis = DiagnosePod(placer, pod);
//   if (diagnosis.state == Diagnosis::State::kWouldNot) … diagnosis.sentence, diagnosis.fixes …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/fix.h"
#include "api/kinds.h"
#include "placement/cluster.h"
#include "placement/place.h"
#include "reasons/refusal.h"

namespace quadra::diagnosis {

// How many devices, on how many nodes, are left after a step.
struct Stage {
  std::string step;
  std::size_t devices = 0;
  std::size_t nodes = 0;
};

struct Holding {
  std::string claim;  // namespace/name
  std::vector<std::string> consumers;
  std::size_t devices = 0;
};

// What one node says, with the reason that keeps the claims farthest from fitting.
struct NodeFinding {
  std::string name;
  reasons::Refusal refusal;
  placement::Nearness nearness;
  bool has_two_causes = false;  // it rejects the pod, and its devices would not do either
  bool counted = false;         // whether devices were counted:
  std::size_t matching = 0;     // those that the request in question could use
  std::size_t free = 0;
  std::vector<Holding> holders;
};

// Nodes that say the same.
struct ReasonGroup {
  reasons::Code code = reasons::Code::kUndecided;
  std::size_t nodes = 0;
  std::string nearest;  // one of them
  std::string message;  // its words
};

struct Diagnosis {
  enum class State : std::uint8_t {
    kWantsNone,   // has no claims, and nothing that would become one
    kPassedOver,  // is finished or being deleted: the scheduler does not look at it
    kHas,
    kWouldGet,
    kWouldNot,
  };
  State state = State::kWouldNot;
  std::string subject;  // pod/train-7 or claim/train-7-gpu
  std::string ns;

  // Why the scheduler does not look at the pod, or not yet: finished, being deleted, gated; empty
  // where it does.
  std::string standing;
  // What of it and its nodes nobody checked: volumes, topology spread and the like.
  std::string unchecked;
  // Which pods were counted on the nodes for cpu, memory and ports, where others may be missing.
  std::string counted;
  // What else is to be known of the pod and its claims; a sentence each.
  std::vector<std::string> remarks;
  // What the scheduler wrote into the pod's status, where the cluster has that; and whether our
  // answer is another.
  std::optional<api::PodCondition> scheduled;
  bool contradicted = false;

  // kHas, kWouldGet.
  std::string node;                        // empty where its devices are good for any
  std::string why_node;                    // a sentence
  std::vector<api::ResourceClaim> claims;  // with their allocations

  // kWouldGet by our rules: what fails the pod by upstream's; empty where nothing does.
  std::string upstream_failure;

  // kWouldNot.
  bool has_devices = false;  // its claims are allocated, and no node that can use them takes it
  // The claims from which kube-scheduler takes their devices by itself, one an attempt, since they
  // keep the pod from nodes and nobody else uses them; and what comes of it.
  struct Retry {
    std::vector<std::string> claims;  // namespace/name; none: it does not
    std::string node;                 // where the pod goes then; empty: nowhere
    bool undecided = false;           // nobody knows
    std::string sentence;
  };
  Retry retry;
  // The pods of lower priority that kube-scheduler ends to make room for it, and where; or, in the
  // sentence alone, that it does not though such pods have the devices.
  struct Preemption {
    std::string node;                  // empty: it ends none
    std::vector<std::string> victims;  // namespace/name
    std::string sentence;
  };
  Preemption preemption;
  // What fails it by upstream's rules does not by ours: where it would go; empty: nowhere.
  std::string elsewhere;
  reasons::Refusal key;  // the reason that counts
  std::string key_node;  // whose; empty where no node could change it
  std::string sentence;  // the same, as people are told it
  std::vector<Stage> stages;
  std::vector<ReasonGroup> groups;  // most nodes first
  std::vector<NodeFinding> nodes;   // nearest first
  std::size_t further_nodes = 0;    // that were left out behind these
  allocator::Fixes fixes;

  struct Effort {
    std::size_t nodes = 0;
    std::size_t devices = 0;  // seen on them
    std::uint64_t evaluations = 0;
    std::uint64_t steps = 0;        // of the question
    std::uint64_t trial_steps = 0;  // of trying fixes
  };
  Effort effort;
};

struct DiagnoseOptions {
  // What trying fixes may take, all together; a trial under way may still search one node.
  std::uint64_t trial_steps = 500'000;
};

// The answer is about what `placer` has taken so far: asked of a fresh one, about the cluster as it
// stands, before any other pod that waits is served. Nothing is taken. Cost: of the question see
// Placer::kMostStepsToExamine, of the fixes see above.
Diagnosis DiagnosePod(placement::Placer& placer, const api::Pod& pod,
                      const DiagnoseOptions& options = {});
Diagnosis DiagnoseClaim(placement::Placer& placer, const api::ResourceClaim& claim,
                        const DiagnoseOptions& options = {});

// The objects that a fix changes, as they are afterwards: put over those of the cluster they make
// the subject fit. Claims that have to go are marked as being deleted, and their pods as finished.
struct Repair {
  std::vector<api::ResourceClaim> claims;
  std::vector<api::ResourceClaimTemplate> templates;
  std::vector<api::Pod> pods;
  std::vector<api::Node> nodes;
};
// `pod` is the subject, or null where that is a claim.
Repair RepairOf(const placement::Cluster& cluster, const allocator::Fix& fix, const api::Pod* pod);

}  // namespace quadra::diagnosis
