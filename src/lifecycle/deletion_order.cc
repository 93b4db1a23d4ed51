#include "lifecycle/deletion_order.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "lifecycle/pod_state.h"

namespace quadra::lifecycle {

namespace {

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

int PhaseOrder(const api::Pod& pod) {
  if (pod.status.phase == "Running") {
    return 2;
  }
  return pod.status.phase == "Unknown" ? 1 : 0;
}

// Zero unless it is an integer of 32 bits without a plus or leading zeros.
std::int32_t DeletionCost(const api::Pod& pod) {
  const std::string* const text = pod.metadata.annotations.Find(kDeletionCost);
  if (text == nullptr || text->empty() || (text->front() == '0' && *text != "0")) {
    return 0;
  }
  std::int32_t cost = 0;
  const char* const end = text->data() + text->size();
  const auto [at, error] = std::from_chars(text->data(), end, cost);
  return error == std::errc() && at == end ? cost : 0;
}

// The power of two of an age in nanoseconds.
int AgeRank(Time time, Time now) {
  const auto age = std::chrono::duration_cast<std::chrono::nanoseconds>(now - time).count();
  return age > 0 ? static_cast<int>(std::log2(static_cast<double>(age))) : -1;
}

// Whether `a` comes before `b`; absent: nothing in this says so.
using Verdict = std::optional<bool>;

// The later time comes first; none at all before all others.
Verdict Younger(std::optional<Time> a, std::optional<Time> b, const api::Pod& first,
                const api::Pod& second, Time now) {
  if (a == b) {
    return std::nullopt;
  }
  if (!a || !b) {
    return !a;
  }
  const int difference = AgeRank(*a, now) - AgeRank(*b, now);
  return difference == 0 ? first.metadata.uid < second.metadata.uid : difference < 0;
}

bool IsSidecar(const api::Pod& pod, std::string_view name) {
  return std::ranges::any_of(pod.spec.init_containers, [&](const api::Container& container) {
    return container.name == name && container.restart_policy == "Always";
  });
}

// Of the container that restarted most, and of such a sidecar.
std::array<std::int32_t, 2> MostRestarts(const api::Pod& pod) {
  std::array<std::int32_t, 2> most = {0, 0};
  for (const api::ContainerStatus& status : pod.status.container_statuses) {
    most[0] = std::max(most[0], status.restart_count);
  }
  for (const api::ContainerStatus& status : pod.status.init_container_statuses) {
    if (IsSidecar(pod, status.name)) {
      most[1] = std::max(most[1], status.restart_count);
    }
  }
  return most;
}

class Order {
 public:
  Order(Time now, const DeletionOrderOptions& options) : now_(now), options_(options) {}

  bool operator()(const DeletionCandidate& a, const DeletionCandidate& b) const {
    for (const auto& rule : {&Order::ByProgress, &Order::ByCost, &Order::ByNode,
                             &Order::ByReadyTime, &Order::ByRestarts, &Order::ByAge}) {
      if (const Verdict verdict = (this->*rule)(a, b)) {
        return *verdict;
      }
    }
    return false;
  }

 private:
  Verdict ByProgress(const DeletionCandidate& a, const DeletionCandidate& b) const {
    const auto progress = [](const api::Pod& pod) {
      return std::array<int, 3>{pod.spec.node_name.empty() ? 0 : 1, PhaseOrder(pod),
                                IsReady(pod) ? 1 : 0};
    };
    return Lower(progress(*a.pod), progress(*b.pod));
  }
  Verdict ByCost(const DeletionCandidate& a, const DeletionCandidate& b) const {
    return options_.deletion_costs ? Lower(DeletionCost(*a.pod), DeletionCost(*b.pod))
                                   : std::nullopt;
  }
  Verdict ByNode(const DeletionCandidate& a, const DeletionCandidate& b) const {
    return Lower(b.related_here, a.related_here);
  }
  Verdict ByReadyTime(const DeletionCandidate& a, const DeletionCandidate& b) const {
    return IsReady(*a.pod) && IsReady(*b.pod)
               ? Younger(ReadySince(*a.pod), ReadySince(*b.pod), *a.pod, *b.pod, now_)
               : std::nullopt;
  }
  Verdict ByRestarts(const DeletionCandidate& a, const DeletionCandidate& b) const {
    return Lower(MostRestarts(*b.pod), MostRestarts(*a.pod));
  }
  Verdict ByAge(const DeletionCandidate& a, const DeletionCandidate& b) const {
    return Younger(a.pod->metadata.creation_timestamp, b.pod->metadata.creation_timestamp, *a.pod,
                   *b.pod, now_);
  }

  template <typename T>
  static Verdict Lower(const T& a, const T& b) {
    return a == b ? std::nullopt : Verdict(a < b);
  }

  const Time now_;
  const DeletionOrderOptions options_;
};

}  // namespace

std::vector<DeletionCandidate> CandidatesOf(std::span<const PodPointer> pods,
                                            std::span<const PodPointer> related) {
  std::map<std::string_view, int> on_node;
  for (const PodPointer& pod : related) {
    on_node[pod->spec.node_name] += IsActive(*pod) ? 1 : 0;
  }
  std::vector<DeletionCandidate> candidates;
  candidates.reserve(pods.size());
  for (const PodPointer& pod : pods) {
    candidates.push_back({.pod = pod, .related_here = on_node[pod->spec.node_name]});
  }
  return candidates;
}

// Ages by powers of two are no order in which all triples agree; a stable sort, unlike others, takes
// no harm from that.
void OrderForDeletion(std::vector<DeletionCandidate>& candidates, Time now,
                      const DeletionOrderOptions& options) {
  std::ranges::stable_sort(candidates, Order(now, options));
}

}  // namespace quadra::lifecycle
