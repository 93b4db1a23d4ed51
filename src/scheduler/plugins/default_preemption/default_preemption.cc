#include "scheduler/plugins/default_preemption/default_preemption.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/diagnosis.h"
#include "scheduler/plugins/default_preemption/candidates.h"
#include "scheduler/plugins/default_preemption/evictions.h"
#include "scheduler/plugins/default_preemption/freed_devices.h"

namespace quadra::scheduler {
namespace {

// Whether the scheduler has marked it, and it is on its way out.
bool IsEndedByPreemption(const api::Pod& pod) {
  const auto* const found =
      std::ranges::find(pod.status.conditions, "DisruptionTarget", &api::PodCondition::type);
  return pod.metadata.deletion_timestamp && found != pod.status.conditions.end() &&
         found->status == "True" && found->reason == "PreemptionByScheduler";
}

PreemptionPlan PlanOf(const PreemptionCandidate& chosen, const Handle& handle) {
  PreemptionPlan plan{.node = chosen.node, .violations = chosen.violations};
  std::vector<std::vector<std::string>> devices(chosen.victims.size());
  if (handle.preempt_devices) {
    devices = FreedDevices(handle.devices, chosen.victims);
  }
  for (std::size_t i = 0; i < chosen.victims.size(); ++i) {
    plan.victims.push_back({.pod = chosen.victims[i]->full_name,
                            .priority = chosen.victims[i]->priority,
                            .devices = std::move(devices[i])});
  }
  return plan;
}

// Empty where it frees none.
std::string DevicesText(const PreemptionPlan::Victim& victim) {
  return victim.devices.empty() ? ""
                                : fmt::format("device{} {}", victim.devices.size() == 1 ? "" : "s",
                                              fmt::join(victim.devices, ", "));
}

std::string TextOfPlan(const PreemptionPlan& plan) {
  std::string text = fmt::format(
      "preemption: found a potential placement for pod on node {}, preempting {} victims",
      plan.node, plan.victims.size());
  std::size_t devices = 0;
  for (const PreemptionPlan::Victim& each : plan.victims) {
    devices += each.devices.size();
  }
  return devices == 0
             ? text
             : fmt::format("{}, which frees {} device{}", text, devices, devices == 1 ? "" : "s");
}

Status Refusal(Code code, const std::string& text) { return {code, "preemption: " + text}; }

class DefaultPreemption final : public Plugin, public PostFilterPlugin, public PreEnqueuePlugin {
 public:
  DefaultPreemption(const Handle& handle, const PreemptionArguments& arguments)
      : handle_(handle), arguments_(arguments), evictions_(handle) {}

  std::string_view name() const override { return "DefaultPreemption"; }

  // That it waits for its victims makes no pod schedulable; who refused it decides.
  std::vector<EventHint> EventsToRegister() const override {
    return {{.event = {EventResource::kAssignedPod, action::kDelete, {}},
             .hint = [](const PodInfo&, const EventObjects&) { return false; }}};
  }

  Status PreEnqueue(const PodInfo& pod) const override {
    static const Status waiting(Code::kUnschedulableAndUnresolvable,
                                "waiting for the preemption for this pod to be finished");
    return evictions_.AreUnderWay(pod) ? waiting : Status();
  }

  PostFilterResult PostFilter(CycleState& state, const PodInfo& pod,
                              const NodeStatuses& statuses) override {
    if (handle_.surroundings == nullptr) {
      return Preempt(state, std::make_shared<const PodInfo>(pod), statuses);
    }
    const auto latest = handle_.surroundings->FindPod(pod.full_name);
    if (latest == nullptr) {
      return {.status = Refusal(Code::kError,
                                fmt::format("pod \"{}\" not found", pod.pod.metadata.name))};
    }
    return Preempt(state, PodInfo::Of(*latest, handle_.gates), statuses);
  }

 private:
  PostFilterResult Preempt(const CycleState& state, const PodInfoPtr& pod,
                           const NodeStatuses& statuses);
  // Why the pod may not preempt others; empty: it may.
  std::string_view WhyNot(const PodInfo& pod, const NodeStatuses& statuses) const;
  PostFilterResult Carry(const PodInfoPtr& pod, const PreemptionCandidate& chosen,
                         PreemptionPlan plan);

  const Handle& handle_;
  const PreemptionArguments arguments_;
  Evictions evictions_;
};

std::string_view DefaultPreemption::WhyNot(const PodInfo& pod, const NodeStatuses& statuses) const {
  if (pod.pod.spec.preemption_policy == "Never") {
    return "not eligible due to preemptionPolicy=Never.";
  }
  const std::string& nominated = pod.pod.status.nominated_node_name;
  if (nominated.empty() || statuses.Of(nominated).code() == Code::kUnschedulableAndUnresolvable) {
    return {};
  }
  const NodeInfo* const node = handle_.snapshot.Find(nominated);
  const bool waits =
      node != nullptr && std::ranges::any_of(node->pods(), [&](const PodInfoPtr& each) {
        return each->priority < pod.priority && IsEndedByPreemption(each->pod);
      });
  return waits ? "not eligible due to a terminating pod on the nominated node." : "";
}

PostFilterResult DefaultPreemption::Preempt(const CycleState& state, const PodInfoPtr& pod,
                                            const NodeStatuses& statuses) {
  if (const std::string_view why = WhyNot(*pod, statuses); !why.empty()) {
    return {.status = Refusal(Code::kUnschedulable, std::string(why))};
  }
  Candidates found = FindCandidates(handle_, arguments_, state, *pod, statuses);
  if (!found.list.empty()) {
    const Pick pick = PickCandidate(found.list);
    PreemptionPlan plan = PlanOf(found.list[pick.place], handle_);
    plan.candidates = found.list.size();
    plan.why = pick.why;
    return Carry(pod, found.list[pick.place], std::move(plan));
  }
  if (!found.errors.empty()) {
    return {.status =
                Refusal(Code::kError, found.errors.size() == 1
                                          ? found.errors.front()
                                          : fmt::format("[{}]", fmt::join(found.errors, ", ")))};
  }
  Diagnosis diagnosis{.nodes = handle_.snapshot.nodes().size(),
                      .statuses = std::move(found.refused)};
  diagnosis.statuses.absent =
      Status(Code::kUnschedulableAndUnresolvable, "Preemption is not helpful for scheduling");
  return {.status = Refusal(Code::kUnschedulable, TextOf(diagnosis)),
          .nominated_node = std::string()};
}

PostFilterResult DefaultPreemption::Carry(const PodInfoPtr& pod, const PreemptionCandidate& chosen,
                                          PreemptionPlan plan) {
  if (handle_.api != nullptr) {
    std::vector<std::string> frees;
    std::ranges::transform(plan.victims, std::back_inserter(frees), DevicesText);
    evictions_.Start({.preemptor = pod,
                      .node = chosen.node,
                      .victims = chosen.victims,
                      .frees = std::move(frees)});
  }
  return {.status = Status(Code::kSuccess, TextOfPlan(plan)),
          .nominated_node = chosen.node,
          .plan = std::move(plan)};
}

}  // namespace

Result<std::unique_ptr<Plugin>> MakeDefaultPreemption(Handle& handle, const json::Value& args) {
  QUADRA_TRY(const PreemptionArguments arguments, PreemptionArguments::Read(args));
  return std::make_unique<DefaultPreemption>(handle, arguments);
}

}  // namespace quadra::scheduler
