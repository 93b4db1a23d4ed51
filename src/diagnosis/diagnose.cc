#include "diagnosis/diagnose.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "diagnosis/pin.h"
#include "diagnosis/preemption.h"
#include "diagnosis/proof.h"
#include "diagnosis/repair.h"
#include "diagnosis/standing.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Decision;
using placement::Examination;
using placement::NodeAnswer;
using placement::Placer;
using reasons::Code;
using reasons::Refusal;

// --- What it has.

bool IsAllocated(const api::ResourceClaim& claim) { return claim.status.allocation.has_value(); }

// Nothing is left to be allocated.
bool HasAll(const Examination& examined) {
  return !examined.wants_extended && !examined.claims.empty() &&
         std::ranges::all_of(examined.claims, IsAllocated);
}

// What a pod that is on its node has for its extended resources; null if nothing.
const api::ResourceClaim* SettledClaim(const Placer& placer, const Examination& examined) {
  const bool settled = examined.pod != nullptr && !examined.pod->spec.node_name.empty();
  return settled ? placer.claims().FindExtendedClaim(*examined.pod) : nullptr;
}

std::string WhyThatNode(const Examination& examined) {
  const auto fitting = std::ranges::count_if(examined.nodes, &NodeAnswer::fits);
  const auto best = std::ranges::max_element(
      examined.nodes, {}, [](const NodeAnswer& answer) { return answer.fits ? answer.score : -1; });
  if (fitting == 1) {
    return "it is the only node that fits";
  }
  if (examined.nominated) {
    return fmt::format("of {} nodes that fit it is the one that the pod's status nominates",
                       fitting);
  }
  return best->score > 0 ? fmt::format(
                               "of {} nodes that fit it has the best alternatives (score "
                               "{}), or the first name among equals",
                               fitting, best->score)
                         : fmt::format("of {} nodes that fit it has the first name", fitting);
}

// Whether the scheduler is still to choose among nodes from which its devices can be used.
bool IsToBePlaced(const Placer& placer, const Examination& examined) {
  return examined.pod != nullptr && examined.pod->spec.node_name.empty() &&
         !IsOver(*examined.pod) && !placer.nodes_are_derived();
}

void DescribeHolding(const Placer& placer, const Examination& examined,
                     const std::function<Decision()>& place, Diagnosis& diagnosis) {
  diagnosis.claims = examined.claims;
  if (const api::ResourceClaim* extended = SettledClaim(placer, examined)) {
    diagnosis.claims.push_back(*extended);
  }
  for (const api::ResourceClaim& claim : diagnosis.claims) {
    const std::string pinned = placement::PinnedNode(claim);
    if (!pinned.empty()) {
      diagnosis.node = pinned;
      diagnosis.why_node =
          fmt::format("the devices of claim {} belong to that node", claim.metadata.name);
    }
  }
  if (diagnosis.node.empty() && IsToBePlaced(placer, examined)) {
    diagnosis.node = place().node;
    diagnosis.why_node = WhyThatNode(examined);
  } else if (diagnosis.node.empty()) {
    diagnosis.node = examined.pod != nullptr ? examined.pod->spec.node_name : "";
    diagnosis.why_node = "its devices can be used from every node that their selectors match";
  }
}

void DescribePlace(Placer& placer, const Examination& examined,
                   const std::function<Decision()>& place, Diagnosis& diagnosis) {
  if (!placer.strict()) {
    const placement::Prospect upstream = placer.ProspectOf(examined, true);
    diagnosis.upstream_failure = upstream.failure ? upstream.failure->message : "";
  }
  Decision decision = place();
  diagnosis.node = decision.node;
  diagnosis.why_node = WhyThatNode(examined);
  for (placement::ServedClaim& served : decision.claims) {
    diagnosis.claims.push_back(std::move(served.claim));
  }
}

// --- Why not.

std::string NearestSentence(const Refusal& refusal) {
  return refusal.request.empty() || refusal.claim.ends_with(placement::kExtendedClaimName)
             ? refusal.message
             : fmt::format("request \"{}\" of claim {}: {}", refusal.request, refusal.claim,
                           refusal.message);
}

// One node fails the pod, whatever the others have. False where the nearest node is that one and
// says so itself. The proof is that of the node's own reason.
bool DescribeFailure(Placer& placer, const Examination& examined, const NodeAnswer& failing,
                     Diagnosis& diagnosis) {
  const api::Node& node = *failing.view->node;
  const Refusal failure = placement::FailureOn(node, failing.failure.value_or(Refusal()));
  const NodeFinding& nearest = diagnosis.nodes.front();
  diagnosis.elsewhere = placer.ProspectOf(examined, false).node;
  if (diagnosis.elsewhere.empty() && nearest.name == node.metadata.name &&
      placement::SaysTheSame(nearest.refusal, failure)) {
    return false;
  }
  diagnosis.key = failing.refusals.empty() ? failure : placement::KeyReason(failing.refusals);
  diagnosis.key.code = failure.code;
  diagnosis.key.message = failure.message;
  return true;
}

// Where each of several claims would go by itself; empty where one of them fits nowhere, which is
// then to blame.
std::string FitsOfEach(Placer& placer, const Examination& examined) {
  std::string text;
  for (std::size_t i = 0; i < examined.claims.size(); ++i) {
    Examination alone{.pod = examined.pod, .wants_extended = examined.wants_extended};
    std::ranges::copy_if(examined.claims, std::back_inserter(alone.claims), IsAllocated);
    if (IsAllocated(examined.claims[i])) {
      continue;
    }
    alone.claims.push_back(examined.claims[i]);
    const std::string node = placer.ProspectOf(alone, placer.strict()).node;
    if (node.empty()) {
      return "";
    }
    text += fmt::format("claim {} fits on {}, ", api::FullNameOf(examined.claims[i]), node);
  }
  return text;
}

// A claim that the pod names twice is served twice by upstream, though it is written once.
std::string NameOfRepeated(const Examination& examined) {
  for (std::size_t i = 0; i < examined.claims.size(); ++i) {
    if (placement::IsRepeated(examined.claims, i)) {
      return api::FullNameOf(examined.claims[i]);
    }
  }
  return "";
}

std::string RefusalSentence(Placer& placer, const Examination& examined, const Refusal& nearest) {
  if (const std::string name = NameOfRepeated(examined); !name.empty()) {
    return fmt::format(
        "the pod names claim {} twice, and kube-scheduler looks for devices for each: {}", name,
        NearestSentence(nearest));
  }
  const std::string each =
      placement::PendingOf(examined.claims).size() < 2 ? "" : FitsOfEach(placer, examined);
  return each.empty()
             ? NearestSentence(nearest)
             : fmt::format("{}and no node fits all of them: {}", each, NearestSentence(nearest));
}

void DescribeRefusal(Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  diagnosis.has_devices = !examined.refusal && HasAll(examined);
  diagnosis.nodes = FindingsOf(examined, placer.devices().held());
  diagnosis.groups = GroupsOf(diagnosis.nodes);
  if (examined.refusal) {
    diagnosis.key = *examined.refusal;
    diagnosis.sentence = placement::SentenceOf(diagnosis.key, examined.claims.size());
  } else if (examined.failing &&
             DescribeFailure(placer, examined, examined.nodes[*examined.failing], diagnosis)) {
    diagnosis.sentence = diagnosis.key.message;
  } else if (!diagnosis.nodes.empty()) {
    diagnosis.key = diagnosis.nodes.front().refusal;
    diagnosis.key_node = diagnosis.nodes.front().name;
    diagnosis.sentence = RefusalSentence(placer, examined, diagnosis.key);
    DescribePin(examined, diagnosis);
  } else {
    diagnosis.key = {.code = Code::kNoSlices, .message = "there are no nodes"};
    diagnosis.sentence = diagnosis.key.message;
  }
  diagnosis.stages = StagesOf(examined, diagnosis.key);
}

Diagnosis::Effort EffortOf(const Examination& examined) {
  Diagnosis::Effort effort{
      .nodes = examined.nodes.size(), .evaluations = examined.evaluations, .steps = examined.steps};
  for (const NodeAnswer& answer : examined.nodes) {
    effort.devices += answer.view->candidates.size();
  }
  return effort;
}

// Whether it waits for a node and none takes it: for want of devices asked for the old way, or of what
// else it needs.
bool FitsNowhere(const Examination& examined) {
  const api::Pod* pod = examined.pod;
  return pod != nullptr && pod->spec.node_name.empty() && !IsOver(*pod) &&
         (placement::AsksForExtended(*pod) || !examined.nodes.empty()) &&
         std::ranges::none_of(examined.nodes, &NodeAnswer::fits);
}

// Claims may be none at all, e.g. those of a pod that wants extended resources only: what holds of
// all of them says nothing then.
Diagnosis::State StateOf(const Placer& placer, const Examination& examined) {
  using State = Diagnosis::State;
  if (examined.refusal) {
    const bool over = examined.pod != nullptr && IsOver(*examined.pod);
    return over ? State::kPassedOver : State::kWouldNot;
  }
  if (!examined.wants_extended && examined.claims.empty()) {
    return SettledClaim(placer, examined) != nullptr ? State::kHas
           : FitsNowhere(examined)                   ? State::kWouldNot
                                                     : State::kWantsNone;
  }
  if (HasAll(examined)) {
    return CanUseThem(placer, examined) ? State::kHas : State::kWouldNot;
  }
  if (examined.pod != nullptr && IsOver(*examined.pod)) {
    return State::kPassedOver;
  }
  const bool fits = std::ranges::any_of(examined.nodes, &NodeAnswer::fits);
  return fits && !examined.failing ? State::kWouldGet : State::kWouldNot;
}

Diagnosis DiagnoseCase(Placer& placer, const Examination& examined, std::string subject,
                       std::string ns, const std::function<Decision()>& place,
                       const DiagnoseOptions& options) {
  Diagnosis diagnosis;
  diagnosis.subject = std::move(subject);
  diagnosis.ns = std::move(ns);
  diagnosis.effort = EffortOf(examined);
  diagnosis.state = StateOf(placer, examined);
  switch (diagnosis.state) {
    case Diagnosis::State::kWantsNone:
    case Diagnosis::State::kPassedOver:
      break;
    case Diagnosis::State::kHas:
      DescribeHolding(placer, examined, place, diagnosis);
      break;
    case Diagnosis::State::kWouldGet:
      DescribePlace(placer, examined, place, diagnosis);
      break;
    case Diagnosis::State::kWouldNot:
      DescribeRefusal(placer, examined, diagnosis);
      DescribeRetry(placer, examined, options.trial_steps, diagnosis);
      DescribePreemption(placer, examined, diagnosis);
      FindRepairs(placer, examined, options, diagnosis);
      break;
  }
  return diagnosis;
}

}  // namespace

Diagnosis DiagnosePod(Placer& placer, const api::Pod& pod, const DiagnoseOptions& options) {
  const Examination examined = placer.Examine(pod);
  Diagnosis diagnosis = DiagnoseCase(
      placer, examined, "pod/" + pod.metadata.name, pod.metadata.ns,
      [&] { return placer.Foresee(pod); }, options);
  diagnosis.standing = StandingOf(pod);
  diagnosis.remarks = RemarksOf(pod, placer, diagnosis);
  if (pod.spec.node_name.empty()) {
    diagnosis.unchecked = UncheckedOf(pod, placer);
    diagnosis.counted = CountedOf(pod, placer);
  }
  DescribeCondition(pod, diagnosis);
  return diagnosis;
}

Diagnosis DiagnoseClaim(Placer& placer, const api::ResourceClaim& claim,
                        const DiagnoseOptions& options) {
  const api::ResourceClaim* const one = &claim;
  const Examination examined = placer.Examine({&one, 1});
  Diagnosis diagnosis = DiagnoseCase(
      placer, examined, "claim/" + claim.metadata.name, claim.metadata.ns,
      [&] { return placer.Foresee({&one, 1}); }, options);
  if (diagnosis.state == Diagnosis::State::kWouldGet) {
    diagnosis.remarks = RemarksOfUsers(claim, placer);
  }
  return diagnosis;
}

}  // namespace quadra::diagnosis
