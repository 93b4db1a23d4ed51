#include "lifecycle/disruption_budget.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "client/api.h"
#include "lifecycle/patch_text.h"
#include "lifecycle/pod_state.h"
#include "lifecycle/tree.h"

namespace quadra::lifecycle {

namespace {

constexpr std::string_view kDisruptionAllowed = "DisruptionAllowed";

std::optional<IntOrPercent> AmountAt(const api::Value& root, Path path) {
  if (const std::optional<std::int64_t> number = IntAt(root, path)) {
    return IntOrPercent(*number);
  }
  const api::Value* const found = At(root, path);
  return found == nullptr || found->is_nil()
             ? std::nullopt
             : std::optional(IntOrPercent(std::string(TextAt(root, path))));
}

std::map<std::string, Time> DisruptedIn(const api::Value& root) {
  std::map<std::string, Time> result;
  const api::Value* const found = At(root, {"status", "disruptedPods"});
  const auto* const entries = found == nullptr ? nullptr : found->As<api::Value::Entries>();
  for (std::size_t n = 0; entries != nullptr && n < entries->size(); ++n) {
    const auto& [name, time] = (*entries)[n];
    result.emplace(name, TimeAt(time, {}).value_or(Time()));
  }
  return result;
}

BudgetStatus BudgetStatusIn(const api::Value& root) {
  const auto count = [&](std::string_view name) {
    return IntAt(root, {"status", name}).value_or(0);
  };
  return {.current_healthy = count("currentHealthy"),
          .desired_healthy = count("desiredHealthy"),
          .expected_pods = count("expectedPods"),
          .disruptions_allowed = count("disruptionsAllowed"),
          .observed_generation = count("observedGeneration"),
          .disrupted_pods = DisruptedIn(root)};
}

std::optional<api::Condition> AllowedIn(const api::Value& root) {
  for (const api::Value& one : ItemsAt(root, {"status", "conditions"})) {
    if (TextAt(one, {"type"}) == kDisruptionAllowed) {
      return api::Condition{.type = std::string(kDisruptionAllowed),
                            .status = std::string(TextAt(one, {"status"})),
                            .observed_generation = IntAt(one, {"observedGeneration"}).value_or(0),
                            .last_transition_time = TimeAt(one, {"lastTransitionTime"}),
                            .reason = std::string(TextAt(one, {"reason"})),
                            .message = std::string(TextAt(one, {"message"}))};
    }
  }
  return std::nullopt;
}

bool IsBelievedGone(const api::Pod& pod, const Disrupted& disrupted, Time now) {
  const auto found = disrupted.believed.find(pod.metadata.name);
  return pod.metadata.deletion_timestamp ||
         (found != disrupted.believed.end() && found->second + Budget::kDeletionTimeout > now);
}

struct Allowed {
  std::string_view status;
  std::string_view reason;
  std::string_view message;
  std::int64_t observed_generation = 0;
};

Allowed AllowedWith(const BudgetStatus& status) {
  const bool some = status.disruptions_allowed > 0;
  return {.status = some ? "True" : "False",
          .reason = some ? "SufficientPods" : "InsufficientPods",
          .message = "",
          .observed_generation = status.observed_generation};
}

void WriteAllowed(json::Writer& writer, const Allowed& allowed, bool status_changes, Time now) {
  writer.Key("conditions");
  writer.BeginArray();
  writer.BeginObject();
  WriteMember(writer, "type", kDisruptionAllowed);
  WriteMember(writer, "status", allowed.status);
  WriteMember(writer, "reason", allowed.reason);
  WriteMember(writer, "message", allowed.message);
  WriteNumber(writer, "observedGeneration", allowed.observed_generation);
  if (status_changes) {
    WriteMember(writer, "lastTransitionTime", now);
  }
  writer.EndObject();
  writer.EndArray();
}

void WriteDisrupted(json::Writer& writer, const std::map<std::string, Time>& had,
                    const std::map<std::string, Time>& wanted) {
  writer.Key("disruptedPods");
  writer.BeginObject();
  for (const auto& [name, time] : wanted) {
    WriteMember(writer, name, time);
  }
  for (const auto& [name, time] : had) {
    if (!wanted.contains(name)) {
      writer.Key(name);
      writer.Null();
    }
  }
  writer.EndObject();
}

}  // namespace

Result<std::int64_t> Scaled(const IntOrPercent& amount, std::int64_t total) {
  if (const auto* const number = std::get_if<std::int64_t>(&amount)) {
    return *number;
  }
  const std::string& text = std::get<std::string>(amount);
  if (!text.ends_with('%')) {
    return Fail(ErrorKind::kInvalid,
                "invalid value for IntOrString: invalid type: string is not a percentage");
  }
  std::int64_t percent = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [at, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc() || at != end) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("invalid value for IntOrString: invalid value \"{}\"", text));
  }
  const std::int64_t hundredfold = percent * total;
  return hundredfold / 100 + (hundredfold % 100 > 0 ? 1 : 0);
}

Budget Budget::Read(const Pointer& object) {
  const api::Value& root = object->root;
  return {.object = object,
          .metadata = client::MetaOf(*object),
          .min_available = AmountAt(root, {"spec", "minAvailable"}),
          .max_unavailable = AmountAt(root, {"spec", "maxUnavailable"}),
          .selector = PodSelector::Read(At(root, {"spec", "selector"})),
          .status = BudgetStatusIn(root),
          .allowed = AllowedIn(root)};
}

bool Budget::NeedsScale() const {
  return max_unavailable || (min_available && std::holds_alternative<std::string>(*min_available));
}

Result<BudgetCounts> Budget::CountsFor(const PodNumbers& numbers) const {
  if (max_unavailable) {
    QUADRA_TRY(const std::int64_t most, Scaled(*max_unavailable, numbers.scale));
    return BudgetCounts{.expected = numbers.scale,
                        .desired_healthy = std::max<std::int64_t>(numbers.scale - most, 0)};
  }
  if (!min_available) {
    return BudgetCounts();
  }
  QUADRA_TRY(const std::int64_t least, Scaled(*min_available, numbers.scale));
  return BudgetCounts{.expected = NeedsScale() ? numbers.scale : numbers.pods,
                      .desired_healthy = least};
}

Disrupted Budget::DisruptedAmong(std::span<const PodPointer> pods, Time now) const {
  Disrupted result;
  for (const PodPointer& pod : pods) {
    const auto found = status.disrupted_pods.find(pod->metadata.name);
    if (found == status.disrupted_pods.end() || pod->metadata.deletion_timestamp) {
      continue;
    }
    const Time until = found->second + kDeletionTimeout;
    if (until < now) {
      result.not_deleted.push_back(pod);
      continue;
    }
    result.believed.insert(*found);
    result.look_again = result.look_again ? std::min(*result.look_again, until) : until;
  }
  return result;
}

BudgetStatus Budget::StatusWith(const BudgetCounts& counts, std::span<const PodPointer> pods,
                                const Disrupted& disrupted, Time now) const {
  const std::int64_t healthy = std::ranges::count_if(pods, [&](const PodPointer& pod) {
    return IsReady(*pod) && !IsBelievedGone(*pod, disrupted, now);
  });
  const std::int64_t spare = std::max<std::int64_t>(healthy - counts.desired_healthy, 0);
  return {.current_healthy = healthy,
          .desired_healthy = counts.desired_healthy,
          .expected_pods = counts.expected,
          .disruptions_allowed = counts.expected > 0 ? spare : 0,
          .observed_generation = metadata.generation,
          .disrupted_pods = disrupted.believed};
}

bool Budget::Has(const BudgetStatus& wanted) const {
  const Allowed say = AllowedWith(wanted);
  return status == wanted && allowed && allowed->status == say.status &&
         allowed->reason == say.reason;
}

std::string Budget::StatusPatch(const BudgetStatus& wanted, Time now) const {
  const Allowed say = AllowedWith(wanted);
  return PatchText({.uid = metadata.uid, .resource_version = metadata.resource_version}, "status",
                   [&](json::Writer& writer) {
                     WriteNumber(writer, "currentHealthy", wanted.current_healthy);
                     WriteNumber(writer, "desiredHealthy", wanted.desired_healthy);
                     WriteNumber(writer, "expectedPods", wanted.expected_pods);
                     WriteNumber(writer, "disruptionsAllowed", wanted.disruptions_allowed);
                     WriteNumber(writer, "observedGeneration", wanted.observed_generation);
                     WriteDisrupted(writer, status.disrupted_pods, wanted.disrupted_pods);
                     WriteAllowed(writer, say, !allowed || allowed->status != say.status, now);
                   });
}

std::optional<std::string> Budget::FailurePatch(const std::string& why, Time now) const {
  const Allowed say{.status = "False",
                    .reason = "SyncFailed",
                    .message = why,
                    .observed_generation = status.observed_generation};
  if (status.disruptions_allowed == 0 && allowed && allowed->status == say.status &&
      allowed->reason == say.reason && allowed->message == why) {
    return std::nullopt;
  }
  return PatchText({.uid = metadata.uid, .resource_version = metadata.resource_version}, "status",
                   [&](json::Writer& writer) {
                     WriteNumber(writer, "disruptionsAllowed", 0);
                     WriteAllowed(writer, say, !allowed || allowed->status != say.status, now);
                   });
}

}  // namespace quadra::lifecycle
