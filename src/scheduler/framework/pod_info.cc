#include "scheduler/framework/pod_info.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/place.h"

namespace quadra::scheduler {
namespace {

bool HasNamespace(const AffinityTerm& term, const std::string& ns) {
  return std::ranges::binary_search(term.namespaces, ns);
}

Result<AffinityTerm> ReadTerm(const api::Pod& pod, const api::PodAffinityTerm& term,
                              std::int32_t weight) {
  AffinityTerm read{.namespaces = {term.namespaces.begin(), term.namespaces.end()},
                    .topology_key = term.topology_key,
                    .weight = weight};
  if (read.namespaces.empty() && !term.namespace_selector) {
    read.namespaces.push_back(pod.metadata.ns);
  }
  std::ranges::sort(read.namespaces);
  QUADRA_TRY(read.selector, LabelQuery::Of(term.label_selector));
  QUADRA_TRY(read.namespace_selector, LabelQuery::Of(term.namespace_selector));
  return read;
}

Result<AffinityTerm> ReadTerm(const api::Pod& pod, const api::WeightedPodAffinityTerm& term) {
  return ReadTerm(pod, term.pod_affinity_term, term.weight);
}

Result<AffinityTerm> ReadTerm(const api::Pod& pod, const api::PodAffinityTerm& term) {
  return ReadTerm(pod, term, 0);
}

// Of a list with a term that cannot be read none are kept, as upstream keeps none.
class AffinityReader {
 public:
  explicit AffinityReader(PodInfo& info) : info_(info) {}
  ~AffinityReader() {
    info_.unreadable = problems_.size() < 2 ? fmt::format("{}", fmt::join(problems_, ""))
                                            : fmt::format("[{}]", fmt::join(problems_, ", "));
  }
  AffinityReader(const AffinityReader&) = delete;
  AffinityReader& operator=(const AffinityReader&) = delete;

  template <typename Term>
  void Read(const api::List<Term>& terms, std::string_view name, std::vector<AffinityTerm>& into) {
    for (const Term& term : terms) {
      Result<AffinityTerm> read = ReadTerm(info_.pod, term);
      if (!read) {
        problems_.push_back(fmt::format("{}: {}", name, read.error().message));
        into.clear();
        return;
      }
      into.push_back(*std::move(read));
    }
  }

 private:
  PodInfo& info_;
  std::vector<std::string> problems_;
};

void ReadAffinity(PodInfo& info) {
  const std::optional<api::Affinity>& affinity = info.pod.spec.affinity;
  if (!affinity) {
    return;
  }
  AffinityReader reader(info);
  if (affinity->pod_affinity) {
    reader.Read(affinity->pod_affinity->required, "requiredAffinityTerms", info.required_affinity);
  }
  if (affinity->pod_anti_affinity) {
    reader.Read(affinity->pod_anti_affinity->required, "requiredAntiAffinityTerms",
                info.required_anti_affinity);
  }
  if (affinity->pod_affinity) {
    reader.Read(affinity->pod_affinity->preferred, "preferredAffinityTerms",
                info.preferred_affinity);
  }
  if (affinity->pod_anti_affinity) {
    reader.Read(affinity->pod_anti_affinity->preferred, "preferredAntiAffinityTerms",
                info.preferred_anti_affinity);
  }
}

Amounts CpuAndMemory(const placement::ResourceAmounts& amounts) {
  const Amounts all = Amounts::Of(amounts);
  return {.milli_cpu = all.milli_cpu, .memory = all.memory};
}

}  // namespace

bool AffinityTerm::Matches(const api::Pod& other,
                           const api::Map<std::string>* namespace_labels) const {
  static const api::Map<std::string> none;
  const bool here = HasNamespace(*this, other.metadata.ns) ||
                    namespace_selector.Matches(namespace_labels ? *namespace_labels : none);
  return here && selector.Matches(other.metadata.labels);
}

std::shared_ptr<const PodInfo> PodInfo::Of(api::Pod pod, const api::FeatureGates& gates) {
  auto info = std::make_shared<PodInfo>();
  info->pod = std::move(pod);
  info->full_name = api::FullNameOf(info->pod);
  info->priority = info->pod.spec.priority.value_or(0);
  placement::PodRequests requests = placement::RequestsOnNode(info->pod);
  info->requests = Amounts::Of(requests.amounts);
  info->non_zero_requests = CpuAndMemory(placement::NonZeroRequestsOnNode(info->pod).amounts);
  const auto& taken = info->pod.status.node_allocatable_resource_claim_statuses;
  if (!taken.empty() && gates.Enabled(api::Gate::kDRANodeAllocatableResources)) {
    const Amounts implied = NodeAllocatableAmounts(info->pod, taken);
    info->requests.Add(implied);
    info->non_zero_requests.Add({.milli_cpu = implied.milli_cpu, .memory = implied.memory});
  }
  info->ports = std::move(requests.ports);
  ReadAffinity(*info);
  return info;
}

Amounts NodeAllocatableAmounts(const api::Pod& pod,
                               std::span<const api::NodeAllocatableResourceClaimStatus> statuses) {
  Amounts amounts;
  for (const auto& [resource, amount] : placement::TotalOf(statuses)) {
    if (!pod.spec.resources || !pod.spec.resources->requests.contains(resource)) {
      *amounts.Slot(resource) = placement::CountOf(resource, amount);
    }
  }
  return amounts;
}

bool IsTerminal(const api::Pod& pod) { return placement::IsFinished(pod); }

}  // namespace quadra::scheduler
