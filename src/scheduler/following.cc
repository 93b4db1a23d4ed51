// What informers tell, as the scheduler takes it: into cache, devices and queue, and whom it may wake.

#include <utility>
#include <vector>

#include "scheduler/cycle.h"
#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

namespace quadra::scheduler {
namespace {

bool IsPlaced(const api::Pod& pod) { return !pod.spec.node_name.empty(); }

const std::string& NominatedIn(const api::Pod& pod) { return pod.status.nominated_node_name; }

constexpr ClusterEvent kPlacedGone{EventResource::kAssignedPod, action::kDelete, {}};

// A pod counts as placed for those that do not come before it, once a node is promised to it.
std::function<bool(const PodInfo&)> NotAbove(std::int32_t priority) {
  return [priority](const PodInfo& pod) { return pod.priority <= priority; };
}

template <typename T>
std::shared_ptr<const T> Shared(const T* object) {
  return object == nullptr ? nullptr : std::make_shared<const T>(*object);
}

Actions ActionOf(const void* before, const void* now) {
  if (now == nullptr) {
    return action::kDelete;
  }
  return before == nullptr ? action::kAdd : action::kUpdate;
}

}  // namespace

PodInfoPtr Cycle::InfoOf(const api::Pod& pod) const { return PodInfo::Of(pod, context_.gates); }

std::shared_ptr<const api::Pod> Cycle::FindPod(std::string_view full_name) const {
  return pods_.Find(full_name);
}

void Cycle::TellOfClaim(const ClaimPtr& before, const ClaimPtr& now) {
  queue_->Move({.event = {EventResource::kResourceClaim, action::kUpdate, {}},
                .claim_before = before,
                .claim_now = now});
}

void Cycle::Activate(const PodInfoPtr& pod) { queue_->Activate(std::span(&pod, 1)); }

void Cycle::Log(const std::string& line) { context_.log(line); }

// A pod that ran to its end is gone as far as scheduling goes.
void Cycle::OnPod(const api::Pod* before, const api::Pod* now) {
  if (now != nullptr) {
    statuses_.Show(*now);
  } else {
    statuses_.Forget(before->metadata.uid);
  }
  ShowDepthsSoon();
  before = before != nullptr && IsTerminal(*before) ? nullptr : before;
  now = now != nullptr && IsTerminal(*now) ? nullptr : now;
  if (now == nullptr) {
    if (before != nullptr) {
      ForgetAttempts(*before);
      IsPlaced(*before) ? OnPlacedGone(*before) : OnWaitingGone(*before, false);
    }
    return;
  }
  if (!IsPlaced(*now)) {
    return OnWaiting(before, *now);
  }
  if (before != nullptr && !IsPlaced(*before)) {
    OnWaitingGone(*before, true);
    before = nullptr;
  }
  OnPlaced(before, *now);
}

void Cycle::OnWaiting(const api::Pod* before, const api::Pod& now) {
  if (!IsOurs(now)) {
    return;
  }
  const PodInfoPtr info = InfoOf(now);
  if (before == nullptr) {
    return queue_->Add(info);
  }
  if (const PodInfoPtr assumed = cache_.FindAssumed(*info)) {
    if (now.metadata.deletion_timestamp && !before->metadata.deletion_timestamp) {
      cache_.Forget(*assumed);
      queue_->Move({.event = kPlacedGone, .pod_before = assumed});
    }
    return;
  }
  const PodInfoPtr was = InfoOf(*before);
  queue_->Update(was, info);
  if (!NominatedIn(*before).empty() && NominatedIn(*before) != NominatedIn(now)) {
    queue_->Move({.event = kPlacedGone, .pod_before = was}, NotAbove(was->priority));
  }
}

void Cycle::OnWaitingGone(const api::Pod& last, bool bound) {
  if (!IsOurs(last)) {
    return;
  }
  const PodInfoPtr info = InfoOf(last);
  queue_->Remove(*info);
  if (bound) {
    return;
  }
  if (const PodInfoPtr assumed = cache_.FindAssumed(*info)) {
    cache_.Forget(*assumed);
    queue_->Move({.event = kPlacedGone, .pod_before = assumed});
  } else if (!NominatedIn(last).empty()) {
    queue_->Move({.event = kPlacedGone, .pod_before = info}, NotAbove(info->priority));
  }
}

void Cycle::OnPlaced(const api::Pod* before, const api::Pod& now) {
  const PodInfoPtr info = InfoOf(now);
  cache_.PutPod(info);
  if (before == nullptr) {
    return queue_->Move({.event = {EventResource::kAssignedPod, action::kAdd}, .pod_now = info});
  }
  const PodInfoPtr was = InfoOf(*before);
  for (const ClusterEvent& event : ChangesOf(*was, *info, false)) {
    queue_->Move({.event = event, .pod_before = was, .pod_now = info});
  }
}

void Cycle::OnPlacedGone(const api::Pod& last) {
  const PodInfoPtr info = InfoOf(last);
  cache_.RemovePod(*info);
  queue_->Move({.event = kPlacedGone, .pod_before = info});
}

void Cycle::OnNode(const api::Node* before, const api::Node* now) {
  const auto old_node = Shared(before);
  const auto new_node = Shared(now);
  if (now == nullptr) {
    queue_->Move({.event = {EventResource::kNode, action::kDelete}, .node_before = old_node});
    cache_.RemoveNode(before->metadata.name);
    return devices_.RemoveNode(before->metadata.name);
  }
  cache_.PutNode(new_node);
  devices_.Put(*now);
  if (before == nullptr) {
    return queue_->Move({.event = {EventResource::kNode, action::kAdd}, .node_now = new_node});
  }
  for (const ClusterEvent& event : ChangesOf(*before, *now)) {
    queue_->Move({.event = event, .node_before = old_node, .node_now = new_node});
  }
}

void Cycle::OnClaim(const api::ResourceClaim* before, const api::ResourceClaim* now) {
  const auto new_claim = Shared(now);
  if (now == nullptr) {
    devices_.RemoveClaim(*before);
  } else {
    const bool listed = context_.informers.Of<api::ResourceClaim>().is_replacing();
    devices_.Put(new_claim, listed ? ClaimCopies::Told::kByList : ClaimCopies::Told::kByWatch);
  }
  queue_->Move({.event = {EventResource::kResourceClaim, ActionOf(before, now)},
                .claim_before = Shared(before),
                .claim_now = new_claim});
}

void Cycle::OnSlice(const api::ResourceSlice* before, const api::ResourceSlice* now) {
  if (now == nullptr) {
    devices_.RemoveSlice(before->metadata.name);
  } else {
    devices_.Put(*now);
  }
  queue_->Move({.event = {EventResource::kResourceSlice, ActionOf(before, now)}});
}

void Cycle::OnClass(const api::DeviceClass* before, const api::DeviceClass* now) {
  if (now == nullptr) {
    devices_.RemoveClass(before->metadata.name);
  } else {
    devices_.Put(*now);
  }
  queue_->Move({.event = {EventResource::kDeviceClass, ActionOf(before, now)},
                .class_before = Shared(before),
                .class_now = Shared(now)});
}

// Upstream sees a rule as a change of the slices that it taints.
void Cycle::OnTaintRule(const api::DeviceTaintRule* before, const api::DeviceTaintRule* now) {
  if (now == nullptr) {
    devices_.RemoveTaintRule(before->metadata.name);
  } else {
    devices_.Put(*now);
  }
  queue_->Move({.event = {EventResource::kResourceSlice, action::kUpdate}});
}

void Cycle::OnNamespace(const api::Namespace* before, const api::Namespace* now) {
  if (now == nullptr) {
    cache_.RemoveNamespace(before->metadata.name);
  } else {
    cache_.PutNamespace(now->metadata.name, now->metadata.labels);
  }
  if (!options_.strict &&
      (before == nullptr || now == nullptr || before->metadata.labels != now->metadata.labels)) {
    WakeRefusedForAffinity();
  }
}

// For upstream namespaces are no event; it finds out when a pod has waited for five minutes.
void Cycle::WakeRefusedForAffinity() {
  if (queue_->RejectedBy(InterPodAffinity::kName) == 0) {
    return;
  }
  std::vector<PodInfoPtr> pods;
  for (const QueuedPod* const each : queue_->Waiting()) {
    if (each->rejection.Has(InterPodAffinity::kName)) {
      pods.push_back(each->pod);
    }
  }
  queue_->Activate(pods);
}

void Cycle::OnWorkload(const api::Object* before, const api::Object* now) {
  if (now == nullptr) {
    cache_.workloads().Remove(*before);
  } else {
    cache_.workloads().Put(*now);
  }
}

// Heeded by the next preemption; it makes no pod schedulable.
void Cycle::OnBudget(const api::Object* before, const api::Object* now) {
  const client::Marks marks = client::MarksOf(now == nullptr ? *before : *now);
  const std::string name = api::FullName(marks.ns, marks.name);
  if (now == nullptr) {
    budgets_.erase(name);
  } else {
    budgets_.insert_or_assign(name, DisruptionBudget::Of(*now));
  }
}

}  // namespace quadra::scheduler
