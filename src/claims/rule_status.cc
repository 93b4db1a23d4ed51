#include "claims/rule_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "json/writer.h"

namespace quadra::claims {
namespace {

std::string Counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string Namespaces(std::size_t count) {
  return Counted(count, "namespace", "different namespaces");
}

void SayPending(const RuleCounts& counts, api::Condition& condition) {
  if (counts.pods == 0) {
    condition.reason = counts.evicted > 0 ? "Completed" : "NotStarted";
    return;
  }
  condition.reason = "PodsPendingEviction";
  condition.status = "True";
  condition.message =
      fmt::format("{} to be evicted in {}.", Counted(counts.pods, "pod needs", "pods need"),
                  Namespaces(counts.namespaces));
}

void SayWhatIf(const RuleCounts& counts, api::Condition& condition) {
  condition.reason = "NoEffect";
  condition.message = fmt::format(
      "{} selected. {} selected. {} would be evicted in {} if the effect was NoExecute. This "
      "information will not be updated again. Recreate the DeviceTaintRule to trigger an update.",
      Counted(counts.published_devices, "published device", "published devices"),
      Counted(counts.allocated_devices, "allocated device", "allocated devices"),
      Counted(counts.pods, "pod", "pods"), Namespaces(counts.namespaces));
}

}  // namespace

api::Condition EvictionCondition(const api::DeviceTaintRule& rule, const RuleCounts& counts) {
  api::Condition condition;
  condition.type = kEvictionInProgress;
  condition.status = "False";
  condition.observed_generation = rule.metadata.generation;
  if (rule.spec.taint.effect == "NoExecute") {
    SayPending(counts, condition);
  } else if (rule.spec.taint.effect == "None") {
    SayWhatIf(counts, condition);
  } else {
    condition.reason = "OtherEffect";
    condition.message = "Eviction only happens for the NoExecute effect.";
  }
  if (counts.evicted > 0) {
    condition.message += condition.message.empty() ? "" : " ";
    condition.message +=
        Counted(counts.evicted, "pod", "pods") + " evicted since starting the controller.";
  }
  return condition;
}

const api::Condition* FindEvictionCondition(const api::DeviceTaintRule& rule) {
  const auto& conditions = rule.status.conditions;
  const auto* found = std::ranges::find(conditions, kEvictionInProgress, &api::Condition::type);
  return found == conditions.end() ? nullptr : found;
}

std::string Encoded(const api::Condition& condition) {
  std::string text;
  json::Writer out(text);
  out.BeginObject();
  out.Member("type", condition.type);
  out.Member("status", condition.status);
  if (condition.observed_generation != 0) {
    out.Key("observedGeneration");
    out.Int(condition.observed_generation);
  }
  if (condition.last_transition_time) {
    out.Member("lastTransitionTime", FormatSeconds(*condition.last_transition_time));
  }
  out.Member("reason", condition.reason);
  out.Member("message", condition.message);
  out.EndObject();
  return text;
}

}  // namespace quadra::claims
