#include "validation/pod_warnings.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "validation/formats.h"

namespace quadra::validation {
namespace {

using Warnings = std::vector<std::string>;

void WarnOfFraction(const Path& path, const api::ResourceList& amounts, std::string_view name,
                    Warnings& warnings) {
  const api::Quantity* amount = amounts.Find(name);
  if (amount != nullptr && amount->MilliValue() % 1000 != 0) {
    warnings.push_back(
        fmt::format("{}: fractional byte value \"{}\" is invalid, must be an integer",
                    path.Key(name).ToString(), amount->ToString()));
  }
}

constexpr auto kBytes = std::to_array<std::string_view>({"memory", "ephemeral-storage"});

void WarnOfContainer(const Path& path, const api::ResourceRequirements& resources,
                     Warnings& warnings) {
  for (const std::string_view name : kBytes) {
    WarnOfFraction(path.Child("limits"), resources.limits, name, warnings);
    WarnOfFraction(path.Child("requests"), resources.requests, name, warnings);
  }
}

void WarnOfSpec(const Path& path, const api::PodSpec& spec, Warnings& warnings) {
  for (const std::string_view name : kBytes) {
    WarnOfFraction(path.Child("overhead"), spec.overhead, name, warnings);
  }
  const std::pair<std::string_view, const api::List<api::Container>&> lists[] = {
      {"initContainers", spec.init_containers},
      {"containers", spec.containers},
      {"ephemeralContainers", spec.ephemeral_containers}};
  for (const auto& [name, containers] : lists) {
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const Path container = path.Child(name, i);
      WarnOfContainer(container.Child("resources"), containers[i].resources, warnings);
    }
  }
}

}  // namespace

Warnings PodWarnings(const api::Pod& pod) {
  Warnings warnings;
  if (const Problems problems = DnsLabelProblems(pod.metadata.name); !problems.empty()) {
    warnings.push_back(
        fmt::format("metadata.name: this is used in the Pod's hostname, which can result in "
                    "surprising behavior; a DNS label is "
                    "recommended: [{}]",
                    fmt::join(problems, " ")));
  }
  WarnOfSpec(Path("spec"), pod.spec, warnings);
  return warnings;
}

Warnings PodTemplateWarnings(const Path& path, const api::PodTemplateSpec& pod_template) {
  Warnings warnings;
  WarnOfSpec(path.Child("spec"), pod_template.spec, warnings);
  return warnings;
}

}  // namespace quadra::validation
