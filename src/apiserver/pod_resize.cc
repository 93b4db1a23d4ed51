#include "apiserver/pod_resize.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apiserver/pod_level_cover.h"
#include "apiserver/pod_qos.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

using api::Gate;
using api::ResourceList;
using api::ResourceRequirements;
using validation::ErrorList;
using Containers = api::List<api::Container>;

constexpr std::array<std::string_view, 2> kResized = {"resources", "resizePolicy"};

// --- Taking over what was sent.

void TakeMember(const api::Value& from, std::string_view name, api::Value& to) {
  to.EraseMember(name);
  const auto* const members = from.As<api::Value::Members>();
  for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
    if (const auto& [field, value] = (*members)[i]; field->json == name) {
      to.AddMember(*field) = value;
    }
  }
}

void TakeContainers(const api::Object& from, std::string_view list, api::Object& pod) {
  const auto sent = ItemsAt(from.root, {"spec", list});
  const auto have = ItemsAt(pod.root, {"spec", list});
  const auto name = [](const api::Value& container) { return TextAt(container, {"name"}); };
  if (sent.empty() && have.empty()) {
    return;
  }
  api::Value& containers = Reach(pod, {"spec", list});
  if (!std::ranges::equal(sent, have, {}, name, name)) {
    const api::Value* all = Look(from, {"spec", list});
    containers = all == nullptr ? api::Value() : *all;
    return;
  }
  auto& items = *containers.As<api::Value::Items>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (const std::string_view member : kResized) {
      TakeMember(sent[i], member, items[i]);
    }
  }
}

// --- Judging it.

bool IsResizedAmount(std::string_view resource) {
  return resource == "cpu" || resource == "memory";
}

ResourceList Without(const ResourceList& amounts, bool (*left_out)(std::string_view)) {
  ResourceList rest;
  for (const auto& [resource, amount] : amounts) {
    if (!left_out(resource)) {
      rest[resource] = amount;
    }
  }
  return rest;
}

// Whether anything but cpu and memory differs.
bool DiffersOtherwise(const ResourceRequirements& a, const ResourceRequirements& b) {
  const auto other = [](const ResourceList& amounts) { return Without(amounts, IsResizedAmount); };
  return !std::ranges::equal(other(a.requests), other(b.requests)) ||
         !std::ranges::equal(other(a.limits), other(b.limits)) ||
         !std::ranges::equal(a.claims, b.claims);
}

bool HasLost(const ResourceList& wanted, const ResourceList& before) {
  return std::ranges::any_of(before,
                             [&](const auto& entry) { return !wanted.contains(entry.first); });
}

bool IsRestarted(const api::Container& container) { return container.restart_policy == "Always"; }

const api::Value* ResizePolicyOf(const api::Object& pod, std::string_view list, std::size_t i) {
  return Look(ItemsAt(pod.root, {"spec", list})[i], {"resizePolicy"});
}

std::vector<std::string> PoliciesOf(const api::Object& pod, std::string_view list, std::size_t i) {
  const api::Value* const policies = ResizePolicyOf(pod, list, i);
  const auto* const items = policies == nullptr ? nullptr : policies->As<api::Value::Items>();
  std::vector<std::string> texts;
  for (std::size_t k = 0; items != nullptr && k < items->size(); ++k) {
    texts.push_back(fmt::format("{}={}", TextAt((*items)[k], {"resourceName"}),
                                TextAt((*items)[k], {"restartPolicy"})));
  }
  return texts;
}

// One resize: both sides, as trees and as structs.
class Resize {
 public:
  Resize(const api::Object& wanted, const api::Object& standing, const api::FeatureGates& gates)
      : wanted_(wanted),
        standing_(standing),
        gates_(gates),
        pod_(api::ToTyped<api::Pod>(wanted)),
        before_(api::ToTyped<api::Pod>(standing)) {}

  std::vector<validation::FieldError> Judge() {
    const validation::Path nowhere("");
    if (before_.metadata.annotations.contains("kubernetes.io/config.mirror")) {
      errors_.Forbidden(nowhere, "static pods cannot be resized");
    } else if (TextAt(standing_, {"spec", "os", "name"}) == "windows") {
      errors_.Forbidden(nowhere, "windows pods cannot be resized");
    } else {
      JudgePod();
      if (JudgeWhole() && JudgeOrder()) {
        JudgeContainers();
      }
    }
    return errors_.errors();
  }

 private:
  void JudgePod() {
    const std::string& qos = before_.status.qos_class;
    if ((qos.empty() ? QosClassOf(standing_) : std::string_view(qos)) != QosClassOf(wanted_)) {
      errors_.Invalid(spec_, validation::Named(qos),
                      "Pod QOS Class may not change as a result of resizing");
    }
    if (!IsOnNodeThatResizes()) {
      errors_.Forbidden(spec_, "Pod running on node without support for resize");
    }
  }

  // A kubelet that resizes says what a container that runs has.
  bool IsOnNodeThatResizes() const {
    for (const api::Value& status : ItemsAt(standing_.root, {"status", "containerStatuses"})) {
      const api::Value* const running = Look(status, {"state", "running"});
      if (running != nullptr && !running->is_nil()) {
        const api::Value* const resources = Look(status, {"resources"});
        return resources != nullptr && !resources->is_nil();
      }
    }
    return true;
  }

  static bool AsksAsAWhole(const api::Pod& pod) {
    const auto& resources = pod.spec.resources;
    return resources && (!resources->requests.empty() || !resources->limits.empty());
  }

  // What the pod asks for as a whole; whether there is more to look at.
  bool JudgeWhole() {
    if (!AsksAsAWhole(pod_) && !AsksAsAWhole(before_)) {
      return true;
    }
    if (!gates_.Enabled(Gate::kInPlacePodLevelResourcesVerticalScaling)) {
      errors_.Forbidden(validation::Path(""),
                        "resize of pods with pod-level resources is forbidden when "
                        "InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled");
      return false;
    }
    JudgeAmountsOfTheWhole(pod_.spec.resources.value_or(ResourceRequirements()),
                           before_.spec.resources.value_or(ResourceRequirements()));
    return true;
  }

  void JudgeAmountsOfTheWhole(const ResourceRequirements& wanted,
                              const ResourceRequirements& before) {
    if (HasLost(wanted.requests, before.requests)) {
      errors_.Forbidden(spec_.Child("resources.requests"),
                        "pod-level resource requests cannot be removed");
    }
    if (HasLost(wanted.limits, before.limits)) {
      errors_.Forbidden(spec_.Child("resources.limits"),
                        "pod-level resource limits cannot be removed");
    }
    if (DiffersOtherwise(wanted, before)) {
      errors_.Forbidden(spec_, "only cpu and memory resources are mutable at pod-level");
    }
    const std::optional<std::string> lack =
        gates_.Enabled(Gate::kDRANodeAllocatableResources) ? ShortOfDevices(pod_) : std::nullopt;
    if (lack) {
      errors_.Invalid(spec_.Child("resources"), validation::Json(api::EncodeJson(wanted)), *lack);
    }
  }

  // Containers stay what they are, where they are.
  bool JudgeOrder() {
    const std::size_t start = errors_.size();
    JudgeOrderOf("containers", pod_.spec.containers, before_.spec.containers);
    JudgeOrderOf("initContainers", pod_.spec.init_containers, before_.spec.init_containers);
    return errors_.size() == start;
  }

  void JudgeOrderOf(std::string_view list, const Containers& wanted, const Containers& before) {
    if (wanted.size() != before.size()) {
      errors_.Forbidden(spec_.Child(list),
                        fmt::format("{} may not be added or removed on resize", list));
      return;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      const validation::Path container = spec_.Child(list, i);
      if (wanted[i].name != before[i].name) {
        errors_.Forbidden(container.Child("name"),
                          fmt::format("{} may not be renamed or reordered on resize", list));
      }
    }
  }

  void JudgeContainers() {
    JudgeLost("initContainers", pod_.spec.init_containers, before_.spec.init_containers);
    JudgeLost("containers", pod_.spec.containers, before_.spec.containers);
    for (std::size_t i = 0; i < before_.spec.containers.size(); ++i) {
      if (ChangesOtherwise("containers", i, pod_.spec.containers, before_.spec.containers)) {
        errors_.Forbidden(spec_, "only cpu and memory resources are mutable");
      }
    }
    for (std::size_t i = 0; i < before_.spec.init_containers.size(); ++i) {
      JudgeInitContainer(i);
    }
  }

  void JudgeLost(std::string_view list, const Containers& wanted, const Containers& before) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const validation::Path container = spec_.Child(list, i);
      if (HasLost(wanted[i].resources.requests, before[i].resources.requests)) {
        errors_.Forbidden(container.Child("resources.requests"),
                          "resource requests cannot be removed");
      }
      if (HasLost(wanted[i].resources.limits, before[i].resources.limits)) {
        errors_.Forbidden(container.Child("resources.limits"), "resource limits cannot be removed");
      }
    }
  }

  bool ChangesOtherwise(std::string_view list, std::size_t i, const Containers& wanted,
                        const Containers& before) const {
    return DiffersOtherwise(wanted[i].resources, before[i].resources) ||
           PoliciesOf(wanted_, list, i) != PoliciesOf(standing_, list, i);
  }

  void JudgeInitContainer(std::size_t i) {
    constexpr std::string_view kList = "initContainers";
    const Containers& wanted = pod_.spec.init_containers;
    const Containers& before = before_.spec.init_containers;
    const validation::Path container = spec_.Child(kList, i);
    const bool otherwise = ChangesOtherwise(kList, i, wanted, before);
    if (otherwise) {
      errors_.Forbidden(container,
                        "only cpu and memory resources for init or sidecar containers are mutable");
    }
    if (IsRestarted(wanted[i]) || (!otherwise && wanted[i].resources == before[i].resources)) {
      return;
    }
    for (const std::string& policy : PoliciesOf(wanted_, kList, i)) {
      if (policy.ends_with("=RestartContainer")) {
        errors_.Forbidden(container,
                          "non-sidecar init containers with a resize policy of RestartContainer "
                          "cannot be resized");
      }
    }
  }

  const api::Object& wanted_;
  const api::Object& standing_;
  const api::FeatureGates& gates_;
  const api::Pod pod_;
  const api::Pod before_;
  const validation::Path spec_{"spec"};
  ErrorList errors_;
};

}  // namespace

api::Object WithResourcesOf(const api::Object& from, api::Object standing) {
  TakeContainers(from, "containers", standing);
  TakeContainers(from, "initContainers", standing);
  // Who does not know them sends none.
  const api::Value* const whole = Look(from, {"spec", "resources"});
  if (whole != nullptr && !whole->is_nil()) {
    Reach(standing, {"spec", "resources"}) = *whole;
  }
  return standing;
}

std::vector<validation::FieldError> JudgeResize(const api::Object& wanted,
                                                const api::Object& standing,
                                                const api::FeatureGates& gates) {
  return Resize(wanted, standing, gates).Judge();
}

}  // namespace quadra::apiserver
