#include "apiserver/deletion.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/dependents.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

constexpr std::int64_t kDefaultGrace = 30;

OkOrFailure CheckPreconditions(const api::ObjectMeta& meta, const DeleteOptions& options,
                               const ResourceName& resource, std::string_view kind) {
  const ResourceName named{.group = resource.group, .plural = kind};
  if (options.uid && *options.uid != meta.uid) {
    return Fail(Conflict(
        named, meta.name,
        fmt::format("the UID in the precondition ({}) does not match the UID in record ({}). The "
                    "object might have been deleted and then recreated",
                    *options.uid, meta.uid)));
  }
  if (options.resource_version && *options.resource_version != meta.resource_version) {
    return Fail(Conflict(named, meta.name,
                         fmt::format("the ResourceVersion in the precondition ({}) does not match "
                                     "the ResourceVersion in record ({}). The object might have "
                                     "been modified",
                                     *options.resource_version, meta.resource_version)));
  }
  return {};
}

bool IsPod(const api::Object& object) {
  return object.kind->kind == "Pod" && object.kind->group.empty();
}

// A pod that is on no node or has ended needs no time to end.
std::int64_t GraceOf(const api::Object& pod, const DeleteOptions& options) {
  const std::string phase = TextAt(pod, {"status", "phase"});
  if (TextAt(pod, {"spec", "nodeName"}).empty() || phase == "Succeeded" || phase == "Failed") {
    return 0;
  }
  const api::Value* own = Look(pod, {"spec", "terminationGracePeriodSeconds"});
  const auto* seconds = own == nullptr ? nullptr : own->As<std::int64_t>();
  const std::int64_t grace =
      options.grace_period_seconds.value_or(seconds == nullptr ? kDefaultGrace : *seconds);
  return grace < 0 ? 1 : grace;
}

Time Seconds(Time now, std::int64_t later = 0) {
  return std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(later);
}

Plan Marked(api::Object object, api::ObjectMeta meta, std::int64_t grace, Time now) {
  if (!meta.deletion_timestamp && meta.generation > 0) {
    ++meta.generation;
  }
  meta.deletion_timestamp = Seconds(now, grace);
  meta.deletion_grace_period_seconds = grace;
  SetMeta(object, meta);
  return {.action = Plan::Action::kPut, .object = std::move(object)};
}

// It waits for its finalizers, which a later deletion may change.
Plan Finalizing(const api::Object& object, api::ObjectMeta meta, Time now) {
  if (!meta.deletion_timestamp) {
    return Marked(object, std::move(meta), 0, now);
  }
  Plan plan{.action = Plan::Action::kPut, .object = object};
  SetMeta(plan.object, meta);
  return plan;
}

// It is being deleted already: its time may be made shorter.
Plan Shortened(api::Object object, api::ObjectMeta meta, std::int64_t grace, Time now) {
  const Time began = meta.deletion_timestamp.value_or(now) -
                     std::chrono::seconds(meta.deletion_grace_period_seconds.value_or(0));
  const Time ends = std::max(Time(began + std::chrono::seconds(grace)), Seconds(now));
  const bool over = began + std::chrono::seconds(grace) < now;
  meta.deletion_timestamp = ends;
  meta.deletion_grace_period_seconds = over && grace != 0 ? 1 : grace;
  SetMeta(object, meta);
  return {.action = Plan::Action::kPut, .object = std::move(object)};
}

Plan Removed(api::Object object) {
  return {.action = Plan::Action::kRemove, .object = std::move(object)};
}

// Those who watch a pod see that it is to go before it is gone.
Plan MarkedAndRemoved(Plan marked) {
  marked.action = Plan::Action::kMarkAndRemove;
  return marked;
}

Plan PlanForNamespace(const api::Object& standing, api::ObjectMeta meta,
                      const DeleteOptions& options, Time now) {
  const api::Value* finalizers = Look(standing, {"spec", "finalizers"});
  const auto* items = finalizers == nullptr ? nullptr : finalizers->As<api::Value::Items>();
  if ((items == nullptr || items->empty()) && meta.finalizers.empty()) {
    return Removed(standing);
  }
  if (meta.deletion_timestamp) {
    return {};
  }
  meta.finalizers = FinalizersForDeletion(meta, *standing.kind, options);
  api::Object object = standing;
  Reach(object, {"status", "phase"}).Set(std::string("Terminating"));
  meta.deletion_timestamp = Seconds(now);
  SetMeta(object, meta);
  return {.action = Plan::Action::kPut, .object = std::move(object)};
}

Plan PlanForPod(const api::Object& standing, const api::ObjectMeta& meta,
                const DeleteOptions& options, Time now) {
  const std::int64_t grace = GraceOf(standing, options);
  const std::int64_t left = meta.deletion_grace_period_seconds.value_or(0);
  if (meta.deletion_timestamp && left > 0) {
    if (!options.grace_period_seconds || grace >= left) {
      return {};
    }
    Plan plan = Shortened(standing, meta, grace, now);
    return grace == 0 && meta.finalizers.empty() ? MarkedAndRemoved(std::move(plan)) : plan;
  }
  if (grace > 0 && !meta.deletion_timestamp) {
    return Marked(standing, meta, grace, now);
  }
  if (!meta.finalizers.empty()) {
    return Finalizing(standing, meta, now);
  }
  return meta.deletion_timestamp ? Removed(standing)
                                 : MarkedAndRemoved(Marked(standing, meta, 0, now));
}

}  // namespace

OrFailure<Plan> PlanDeletion(const api::Object& standing, const DeleteOptions& options,
                             const ResourceName& resource, Time now) {
  api::ObjectMeta meta = MetaOf(standing);
  if (OkOrFailure held = CheckPreconditions(meta, options, resource, standing.kind->kind); !held) {
    return Fail(std::move(held).error());
  }
  if (standing.kind->kind == "Namespace" && standing.kind->group.empty()) {
    return PlanForNamespace(standing, meta, options, now);
  }
  meta.finalizers = FinalizersForDeletion(meta, *standing.kind, options);
  if (IsPod(standing)) {
    return PlanForPod(standing, meta, options, now);
  }
  return meta.finalizers.empty() ? Removed(standing) : Finalizing(standing, meta, now);
}

}  // namespace quadra::apiserver
