// Priority: a pod's priority is that of its class, or of the class that is the default.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

// What a PriorityClass says.
struct Priority {
  std::string name;
  std::int32_t value = 0;
  std::optional<std::string> preemption_policy = "PreemptLowerPriority";
};

const api::KindSchema& ClassKind() {
  return *api::FindKind("scheduling.k8s.io/v1", "PriorityClass");
}

template <typename T>
T Content(const api::Object& object, std::string_view name) {
  const api::Value* value = Look(object, {name});
  const T* content = value == nullptr ? nullptr : value->As<T>();
  return content == nullptr ? T() : *content;
}

Priority PriorityOf(const api::Object& of) {
  Priority priority{.name = MetaOf(of).name,
                    .value = static_cast<std::int32_t>(Content<std::int64_t>(of, "value"))};
  const std::string policy = TextAt(of, {"preemptionPolicy"});
  priority.preemption_policy = policy.empty() ? std::nullopt : std::optional(policy);
  return priority;
}

// Of several that claim to be the default, the lowest.
std::optional<Priority> DefaultPriority(const Backend& backend) {
  std::optional<Priority> lowest;
  backend.store.Head().Scan(PrefixOf(ClassKind(), ""), "", [&](const store::RecordPtr& record) {
    const api::Object each = ObjectOf(ClassKind(), *record);
    if (Content<bool>(each, "globalDefault")) {
      Priority priority = PriorityOf(each);
      if (!lowest || priority.value < lowest->value) {
        lowest = std::move(priority);
      }
    }
    return true;
  });
  return lowest;
}

OrFailure<Priority> Establish(const Backend& backend, const Proposal& proposal,
                              const std::string& name) {
  if (name.empty()) {
    return DefaultPriority(backend).value_or(Priority());
  }
  const store::RecordPtr found = backend.store.Head().Find(KeyOf(ClassKind(), "", name));
  if (found == nullptr) {
    return Fail(Denied(proposal, fmt::format("no PriorityClass with name {} was found", name)));
  }
  return PriorityOf(ObjectOf(ClassKind(), *found));
}

OkOrFailure AdmitPodOfPriority(const Backend& backend, const Proposal& proposal) {
  auto pod = api::ToTyped<api::Pod>(*proposal.object);
  const OrFailure<Priority> priority = Establish(backend, proposal, pod.spec.priority_class_name);
  if (!priority) {
    return Fail(priority.error());
  }
  if (pod.spec.priority && *pod.spec.priority != priority->value) {
    return Fail(
        Denied(proposal,
               fmt::format("the integer value of priority ({}) must not be provided in pod spec; "
                           "priority admission controller computed {} from the given "
                           "PriorityClass name",
                           *pod.spec.priority, priority->value)));
  }
  const std::optional<std::string>& policy = priority->preemption_policy;
  if (policy && pod.spec.preemption_policy && *pod.spec.preemption_policy != *policy) {
    return Fail(Denied(
        proposal,
        fmt::format("the string value of PreemptionPolicy ({}) must not be provided in pod spec; "
                    "priority admission controller computed {} from the given PriorityClass name",
                    *pod.spec.preemption_policy, *policy)));
  }
  pod.spec.priority_class_name = priority->name;
  pod.spec.priority = priority->value;
  pod.spec.preemption_policy = policy ? policy : pod.spec.preemption_policy;
  api::Amend(*proposal.object, pod);
  return {};
}

// What was given at creation stays.
OkOrFailure AdmitOldPod(const Proposal& proposal) {
  auto pod = api::ToTyped<api::Pod>(*proposal.object);
  const auto old = api::ToTyped<api::Pod>(*proposal.old);
  if (!pod.spec.priority) {
    pod.spec.priority = old.spec.priority;
  }
  if (!pod.spec.preemption_policy) {
    pod.spec.preemption_policy = old.spec.preemption_policy;
  }
  api::Amend(*proposal.object, pod);
  return {};
}

// In upstream the registry refuses it, not the plug-in.
OkOrFailure AdmitDeletionOfClass(const Proposal& proposal) {
  constexpr std::array<std::string_view, 2> kOfTheSystem = {"system-cluster-critical",
                                                            "system-node-critical"};
  const bool stays = std::ranges::find(kOfTheSystem, proposal.name) != kOfTheSystem.end();
  return stays ? OkOrFailure(Fail(
                     Denied(proposal, "this is a system priority class and cannot be deleted")))
               : OkOrFailure();
}

OkOrFailure AdmitClass(const Backend& backend, const Proposal& proposal) {
  const std::optional<Priority> standing =
      Content<bool>(*proposal.object, "globalDefault") ? DefaultPriority(backend) : std::nullopt;
  const bool another = standing && (proposal.operation == Proposal::Operation::kCreate ||
                                    standing->name != proposal.name);
  return another ? OkOrFailure(Fail(Denied(
                       proposal, fmt::format("PriorityClass {} is already marked as default. Only "
                                             "one default can exist",
                                             standing->name))))
                 : OkOrFailure();
}

}  // namespace

OkOrFailure AdmitPriority(const Backend& backend, const Proposal& proposal) {
  const bool is_class = Is(proposal, "scheduling.k8s.io", "PriorityClass");
  const bool deletes = proposal.operation == Proposal::Operation::kDelete;
  if (is_class && deletes) {
    return AdmitDeletionOfClass(proposal);
  }
  if (deletes || !proposal.subresource.empty()) {
    return {};
  }
  if (is_class) {
    return AdmitClass(backend, proposal);
  }
  if (!Is(proposal, "", "Pod")) {
    return {};
  }
  return proposal.operation == Proposal::Operation::kCreate ? AdmitPodOfPriority(backend, proposal)
                                                            : AdmitOldPod(proposal);
}

}  // namespace quadra::apiserver
