#include "diagnosis/repair.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/leak.h"
#include "diagnosis/pin.h"
#include "diagnosis/renewal.h"
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

// The nodes whose devices would not do, in the order of `findings`.
std::vector<allocator::Failure> FailuresOf(const Examination& examined,
                                           const std::vector<NodeFinding>& findings) {
  std::map<std::string_view, const NodeAnswer*> answers;
  for (const NodeAnswer& answer : examined.nodes) {
    answers.emplace(answer.view->node->metadata.name, &answer);
  }
  std::vector<allocator::Failure> failures;
  for (const NodeFinding& finding : findings) {
    const NodeAnswer& answer = *answers.at(finding.name);
    if (!answer.refusals.empty()) {
      failures.push_back({.node = answer.view, .reasons = answer.refusals});
    }
  }
  return failures;
}

// What a changed claim changes: those too that are still to be made from the same template.
void AddChanged(const api::ResourceClaim& changed, const Placer& placer,
                const Examination& examined, placement::Change& change) {
  change.claims.push_back(changed);
  if (!changed.status.allocation) {
    change.released.push_back(inventory::ClaimKey(changed));
  }
  if (IsAsMade(placer.cluster(), changed)) {
    return;  // and so is its template
  }
  const std::string from = TemplateOf(changed, examined.pod);
  for (const api::ResourceClaim& claim : examined.claims) {
    const bool is_made = placer.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr;
    if (!from.empty() && !is_made && TemplateOf(claim, examined.pod) == from) {
      change.claims.push_back(claim);
      change.claims.back().spec = changed.spec;
    }
  }
}

// Two changes of what is one object, a claim that the pod names twice or the template of both, and
// they differ.
bool Contradicts(const allocator::Fix& fix, const api::Pod* pod) {
  return fix.changed && std::ranges::any_of(fix.others, [&](const allocator::Fix::Change& other) {
           const std::string from = TemplateOf(*fix.changed, pod);
           const bool same = api::FullNameOf(*fix.changed) == api::FullNameOf(other.changed) ||
                             (!from.empty() && from == TemplateOf(other.changed, pod));
           return same && !(fix.changed->spec == other.changed.spec);
         });
}

placement::Change ChangeBy(const allocator::Fix& fix, const Placer& placer,
                           const Examination& examined) {
  placement::Change change{
      .claims = {}, .released = fix.released, .pod = fix.pod, .node = fix.admitting};
  if (fix.changed) {
    AddChanged(*fix.changed, placer, examined, change);
  }
  for (const allocator::Fix::Change& other : fix.others) {
    AddChanged(other.changed, placer, examined, change);
  }
  return change;
}

// What has to be done, all together, for the pod to be admitted to each of the first few nodes of
// which `concerns` holds; what is the same for several nodes once.
template <typename Concerns>
std::vector<allocator::Fix> AdmissionsTo(const Placer& placer, const Examination& examined,
                                         const Diagnosis& diagnosis, const Concerns& concerns) {
  constexpr std::size_t kMost = 3;
  std::vector<allocator::Fix> fixes;
  for (const NodeFinding& finding : diagnosis.nodes) {
    if (!concerns(finding) || fixes.size() == kMost) {
      continue;
    }
    placement::Admission admission =
        placer.AdmissionTo(*placer.devices().nodes().find(finding.name)->second, *examined.pod);
    allocator::Fix fix;
    fix.kind = allocator::Fix::Kind::kAdmitNode;
    fix.text = admission.text;
    fix.pod = std::move(admission.pod);
    fix.admitting = std::move(admission.node);
    if (!fix.text.empty() &&
        std::ranges::find(fixes, fix.text, &allocator::Fix::text) == fixes.end()) {
      fixes.push_back(std::move(fix));
    }
  }
  return fixes;
}

// To the nodes that have the devices.
void TryAdmissions(const Placer& placer, const Examination& examined, const allocator::Judge& judge,
                   Diagnosis& diagnosis) {
  const auto suffices = [](const NodeFinding& finding) { return finding.nearness.fits_otherwise; };
  for (allocator::Fix& fix : AdmissionsTo(placer, examined, diagnosis, suffices)) {
    allocator::Settle(std::move(fix), judge, diagnosis.fixes);
  }
}

// What the devices of some node leave of an extended resource that they serve.
std::vector<placement::Shortage> ServedLess(const Examination& examined) {
  std::vector<placement::Shortage> less;
  for (const NodeAnswer& answer : examined.nodes) {
    for (const Refusal& refusal : answer.refusals) {
      const std::size_t free = refusal.funnel.best_group;
      if (refusal.claim.ends_with(placement::kExtendedClaimName) && free > 0 &&
          free < refusal.wanted) {
        less.push_back({.resource = placement::ResourceOf(*examined.pod, refusal.request),
                        .wanted = static_cast<std::int64_t>(refusal.wanted),
                        .free = static_cast<std::int64_t>(free)});
      }
    }
  }
  std::ranges::stable_sort(less, std::greater(), &placement::Shortage::free);
  return less;
}

// Extended resources that devices serve, lowered to the most that some node has.
void TryLowering(const Examination& examined, const allocator::Judge& judge, Diagnosis& diagnosis) {
  for (const placement::Shortage& shortage : ServedLess(examined)) {
    allocator::Fix fix;
    fix.kind = allocator::Fix::Kind::kLowerCount;
    fix.pod = *examined.pod;
    std::vector<std::string> texts;
    if (!placement::LowerRequests({.ports = {}, .amounts = {shortage}}, *fix.pod, texts)) {
      continue;
    }
    fix.text = fmt::format("{}", fmt::join(texts, " and "));
    if (allocator::Settle(std::move(fix), judge, diagnosis.fixes)) {
      return;
    }
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

// On a node, while a claim waits for the scheduler or has its devices elsewhere.
bool IsMisplaced(const Examination& examined, const Diagnosis& diagnosis) {
  return (examined.refusal && examined.refusal->code == Code::kNotScheduled) ||
         (diagnosis.has_devices && !examined.pod->spec.node_name.empty());
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
    if (Contradicts(fix, examined_.pod)) {
      return {.answer = Answer::kDoesNotFit, .node = ""};
    }
    if (steps_ >= most_steps_) {
      return {.answer = Answer::kNotTried, .node = ""};
    }
    placement::Prospect prospect = placer_.ProspectAfter(
        ChangeBy(Renewed(fix, placer_.cluster(), examined_), placer_, examined_), examined_,
        most_steps_ - steps_);
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

// Nobody uses a claim that is released: its pods have ended, but for the subject.
void FinishUsersOf(const api::ResourceClaim& claim, const Cluster& cluster, const api::Pod* subject,
                   Repair& repair) {
  for (const api::ResourceClaimConsumerReference& consumer : claim.status.reserved_for) {
    const api::Pod* pod = cluster.pods().Find(claim.metadata.ns, consumer.name);
    const bool counts = pod != nullptr && consumer.resource == "pods" && IsMeant(consumer, *pod) &&
                        !(subject != nullptr && api::FullNameOf(*subject) == api::FullNameOf(*pod));
    const auto same = [&](const api::Pod& each) {
      return api::FullNameOf(each) == api::FullNameOf(*pod);
    };
    if (counts && std::ranges::none_of(repair.pods, same)) {
      repair.pods.push_back(*pod);
      repair.pods.back().status.phase = "Succeeded";
    }
  }
}

void Release(const Cluster& cluster, const std::string& key, Repair& repair) {
  const auto& claims = cluster.claims().all();
  const auto claim = std::ranges::find_if(
      claims, [&](const api::ResourceClaim& each) { return inventory::ClaimKey(each) == key; });
  if (claim == claims.end()) {
    return;
  }
  FinishUsersOf(*claim, cluster, nullptr, repair);
  api::ResourceClaim released = *claim;
  released.status = {};
  released.metadata.deletion_timestamp = Time();
  repair.claims.push_back(std::move(released));
}

// In the claim where it exists, and in the template that it comes from, unless the claim only
// loses its devices.
void Change(const Cluster& cluster, const api::ResourceClaim& claim, const api::Pod* pod,
            Repair& repair) {
  const api::ResourceClaimTemplate* from =
      cluster.templates().Find(claim.metadata.ns, TemplateOf(claim, pod));
  const auto same = [&](const api::ResourceClaimTemplate& each) {
    return api::FullNameOf(each) == api::FullNameOf(*from);
  };
  if (from != nullptr && std::ranges::none_of(repair.templates, same) &&
      !(from->spec.spec == claim.spec) && !IsAsMade(cluster, claim)) {
    repair.templates.push_back(*from);
    repair.templates.back().spec.spec = claim.spec;
  }
  const api::ResourceClaim* now = cluster.claims().Find(claim.metadata.ns, claim.metadata.name);
  if (now != nullptr && now->status.allocation && !claim.status.allocation) {
    FinishUsersOf(*now, cluster, pod, repair);
  }
  if (from == nullptr || now != nullptr) {
    repair.claims.push_back(claim);
  }
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
  TryRecreating(placer, examined, judge, diagnosis);
  TryAdmissions(placer, examined, judge, diagnosis);
  if (!examined.refusal) {
    TryReleases(examined, judge, diagnosis);
  }
  if (examined.wants_extended && diagnosis.fixes.found.empty()) {
    TryLowering(examined, judge, diagnosis);
  }
  if (!failures.empty()) {
    const auto is_half = [&](const NodeFinding& finding) {
      return finding.has_two_causes && diagnosis.fixes.found.empty();
    };
    allocator::Fixes fixes = allocator::FindFixes(
        placer.devices(), pending, failures, AdmissionsTo(placer, examined, diagnosis, is_half),
        placer.verdicts(), judge);
    for (allocator::Fix& fix : fixes.found) {
      fix = Renewed(fix, placer.cluster(), examined);
    }
    JudgeReleases(placer.cluster(), fixes);
    LeaveOutOutdated(placer.cluster(), examined.pod, diagnosis.fixes, fixes);
    allocator::Append(std::move(fixes), diagnosis.fixes);
  }
}

}  // namespace

void FindRepairs(Placer& placer, const Examination& examined, const DiagnoseOptions& options,
                 Diagnosis& diagnosis) {
  Trials trials(placer, examined, options.trial_steps);
  const allocator::Judge judge = [&](const allocator::Fix& fix) { return trials.Try(fix); };
  if (IsMisplaced(examined, diagnosis)) {
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
  if (fix.changed) {
    Change(cluster, *fix.changed, pod, repair);
  }
  for (const allocator::Fix::Change& other : fix.others) {
    Change(cluster, other.changed, pod, repair);
  }
  return repair;
}

}  // namespace quadra::diagnosis
