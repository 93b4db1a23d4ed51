#include "diagnosis/repair.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "diagnosis/leak.h"
#include "diagnosis/pin.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::Examination;
using placement::NodeAnswer;
using placement::Placer;
using reasons::Code;
using reasons::Refusal;

constexpr const char* kHostnameLabel = "kubernetes.io/hostname";

bool IsRejection(const Refusal& refusal) {
  return refusal.code == Code::kNodeRejects && refusal.request.empty();
}

// The nodes that the pod may use, or could if others ended there, in the order of `findings`.
std::vector<allocator::Failure> FailuresOf(const Examination& examined,
                                           const std::vector<NodeFinding>& findings) {
  std::map<std::string_view, const NodeAnswer*> answers;
  for (const NodeAnswer& answer : examined.nodes) {
    answers.emplace(answer.view->node->metadata.name, &answer);
  }
  std::vector<allocator::Failure> failures;
  for (const NodeFinding& finding : findings) {
    const NodeAnswer& answer = *answers.at(finding.name);
    std::vector<Refusal> reasons = answer.refusals;
    if (answer.lacks_room) {
      std::erase_if(reasons, IsRejection);
    }
    if (!reasons.empty() && std::ranges::none_of(reasons, IsRejection)) {
      failures.push_back({.node = answer.view, .reasons = std::move(reasons)});
    }
  }
  return failures;
}

// The template that the claim was made from, or is to be; empty where it was not.
std::string TemplateOf(const api::ResourceClaim& claim, const api::Pod* pod) {
  const api::PodResourceClaim* entry = pod != nullptr ? placement::EntryFor(claim, *pod) : nullptr;
  return entry != nullptr ? entry->resource_claim_template_name.value_or("") : "";
}

// What a changed claim changes: those too that are still to be made from the same template.
placement::Change ChangeBy(const allocator::Fix& fix, const Placer& placer,
                           const Examination& examined) {
  placement::Change change{
      .claims = {}, .released = fix.released, .pod = fix.pod, .node = fix.admitting};
  if (!fix.changed) {
    return change;
  }
  change.claims.push_back(*fix.changed);
  if (!fix.changed->status.allocation) {
    change.released.push_back(inventory::ClaimKey(*fix.changed));
  }
  const std::string from = TemplateOf(*fix.changed, examined.pod);
  for (const api::ResourceClaim& claim : examined.claims) {
    const bool is_made = placer.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr;
    if (!from.empty() && !is_made && TemplateOf(claim, examined.pod) == from) {
      change.claims.push_back(claim);
      change.claims.back().spec = fix.changed->spec;
    }
  }
  return change;
}

// Of the nodes that reject the pod and have its devices the first few, each with all that has to be
// done there.
void TryAdmissions(Placer& placer, const Examination& examined, const allocator::Judge& judge,
                   Diagnosis& diagnosis) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> tried;
  for (const NodeFinding& finding : diagnosis.nodes) {
    if (!finding.fits_otherwise || tried.size() == kMost) {
      continue;
    }
    placement::Admission admission =
        placer.AdmissionTo(*placer.devices().nodes().find(finding.name)->second, *examined.pod);
    allocator::Fix fix{.kind = allocator::Fix::Kind::kAdmitNode,
                       .text = admission.text,
                       .node = "",
                       .claim = std::nullopt,
                       .changed = std::nullopt,
                       .released = {},
                       .pod = std::move(admission.pod),
                       .admitting = std::move(admission.node)};
    if (fix.text.empty() || !tried.insert(fix.text).second) {
      continue;
    }
    allocator::Settle(std::move(fix), judge, diagnosis.fixes);
  }
}

// The pod as the scheduler would see it: without its nodeName, and on that node only where it is
// `kept`.
allocator::Fix Unbound(const api::Pod& pod, bool kept) {
  allocator::Fix fix;
  fix.kind = allocator::Fix::Kind::kAdmitNode;
  fix.text = "delete the pod and create it without nodeName";
  fix.pod = pod;
  fix.pod->spec.node_name.clear();
  if (kept) {
    fix.pod->spec.node_selector[kHostnameLabel] = pod.spec.node_name;
    fix.text += fmt::format(", with nodeSelector {}={}", kHostnameLabel, pod.spec.node_name);
  }
  return fix;
}

// Of a pod that the scheduler never sees: to let it, on the same node if that will do.
void TryUnbinding(const Examination& examined, const allocator::Judge& judge,
                  Diagnosis& diagnosis) {
  const api::Pod& pod = *examined.pod;
  if (!allocator::Settle(Unbound(pod, true), judge, diagnosis.fixes)) {
    allocator::Settle(Unbound(pod, false), judge, diagnosis.fixes);
  }
}

// Tries fixes on copies of the cluster. Each trial asks the nodes once more, and so may take as
// many steps as the question did; all together take no more than people wait for.
class Trials {
 public:
  Trials(Placer& placer, const Examination& examined, std::uint64_t most_steps)
      : placer_(placer), examined_(examined), most_steps_(most_steps) {}

  std::uint64_t steps() const { return steps_; }

  allocator::Judgement Try(const allocator::Fix& fix) {
    if (steps_ >= most_steps_) {
      return {.answer = Answer::kNotTried, .node = ""};
    }
    placement::Prospect prospect =
        placer_.ProspectAfter(ChangeBy(fix, placer_, examined_), examined_, most_steps_ - steps_);
    steps_ += prospect.steps;
    if (!prospect.node.empty()) {
      return {.answer = Answer::kFits, .node = std::move(prospect.node)};
    }
    return {.answer = prospect.undecided ? Answer::kNotKnown : Answer::kDoesNotFit, .node = ""};
  }

 private:
  using Answer = allocator::Judgement::Answer;

  Placer& placer_;
  const Examination& examined_;
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
};

void Release(const Cluster& cluster, const std::string& key, Repair& repair) {
  const auto& claims = cluster.claims().all();
  const auto claim = std::ranges::find_if(
      claims, [&](const api::ResourceClaim& each) { return inventory::ClaimKey(each) == key; });
  if (claim == claims.end()) {
    return;
  }
  api::ResourceClaim released = *claim;
  for (const api::ResourceClaimConsumerReference& consumer : claim->status.reserved_for) {
    const api::Pod* pod = cluster.pods().Find(claim->metadata.ns, consumer.name);
    if (pod != nullptr && consumer.resource == "pods" && IsMeant(consumer, *pod)) {
      repair.pods.push_back(*pod);
      repair.pods.back().status.phase = "Succeeded";
    }
  }
  released.status = {};
  released.metadata.deletion_timestamp = Time();
  repair.claims.push_back(std::move(released));
}

void TryAll(Placer& placer, const Examination& examined, const allocator::Judge& judge,
            Diagnosis& diagnosis) {
  const std::vector<const api::ResourceClaim*> pending = placement::PendingOf(examined.claims);
  std::vector<allocator::Failure> failures = FailuresOf(examined, diagnosis.nodes);
  if (examined.refusal) {
    for (const auto& view : placer.devices().views()) {
      failures.push_back({.node = view.get(), .reasons = {}});
    }
  }
  PutLeakedFirst(placer.cluster(), failures);
  TryAdmissions(placer, examined, judge, diagnosis);
  if (!examined.refusal) {
    TryReleases(examined, judge, diagnosis);
  }
  if (!failures.empty()) {
    allocator::Fixes fixes =
        allocator::FindFixes(placer.devices(), pending, failures, placer.verdicts(), judge);
    JudgeReleases(placer.cluster(), fixes);
    allocator::Append(std::move(fixes), diagnosis.fixes);
  }
}

}  // namespace

void FindRepairs(Placer& placer, const Examination& examined, const DiagnoseOptions& options,
                 Diagnosis& diagnosis) {
  Trials trials(placer, examined, options.trial_steps);
  const allocator::Judge judge = [&](const allocator::Fix& fix) { return trials.Try(fix); };
  if (examined.refusal && examined.refusal->code == Code::kNotScheduled) {
    TryUnbinding(examined, judge, diagnosis);
  } else {
    TryAll(placer, examined, judge, diagnosis);
  }
  diagnosis.effort.trial_steps = trials.steps() + diagnosis.fixes.steps;
}

Repair RepairOf(const Cluster& cluster, const allocator::Fix& fix, const api::Pod* pod) {
  Repair repair;
  for (const std::string& key : fix.released) {
    Release(cluster, key, repair);
  }
  if (fix.pod) {
    repair.pods.push_back(*fix.pod);
  }
  if (fix.admitting) {
    repair.nodes.push_back(*fix.admitting);
  }
  if (!fix.changed) {
    return repair;
  }
  const api::ResourceClaim& claim = *fix.changed;
  const api::PodResourceClaim* entry = pod != nullptr ? placement::EntryFor(claim, *pod) : nullptr;
  const api::ResourceClaimTemplate* from =
      entry != nullptr ? cluster.templates().Find(pod->metadata.ns,
                                                  entry->resource_claim_template_name.value_or(""))
                       : nullptr;
  if (from != nullptr && !(from->spec.spec == claim.spec)) {
    repair.templates.push_back(*from);
    repair.templates.back().spec.spec = claim.spec;
  }
  if (from == nullptr || cluster.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr) {
    repair.claims.push_back(claim);
  }
  return repair;
}

}  // namespace quadra::diagnosis
