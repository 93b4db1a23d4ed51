#include "scheduler/diagnosis.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadra::scheduler {
namespace {

// "3 Insufficient cpu", sorted as texts.
std::vector<std::string> CountedReasons(const Diagnosis& diagnosis) {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& [node, status] : diagnosis.statuses.nodes) {
    for (const std::string& reason : status.reasons()) {
      ++counts[reason];
    }
  }
  if (const std::size_t told = diagnosis.statuses.nodes.size(); told < diagnosis.nodes) {
    for (const std::string& reason : diagnosis.statuses.absent.reasons()) {
      counts[reason] += diagnosis.nodes - told;
    }
  }
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [reason, count] : counts) {
    texts.push_back(fmt::format("{} {}", count, reason));
  }
  std::ranges::sort(texts);
  return texts;
}

// How many nodes each of our codes keeps the pod from, most first.
std::vector<std::pair<std::string_view, std::size_t>> CountedCodes(const Diagnosis& diagnosis) {
  std::map<std::string_view, std::size_t> counts;
  const auto count = [&](const Status& status, std::size_t nodes) {
    if (status.why() != nullptr && nodes > 0) {
      counts[reasons::NameOf(status.why()->code)] += nodes;
    }
  };
  for (const auto& [node, status] : diagnosis.statuses.nodes) {
    count(status, 1);
  }
  count(diagnosis.statuses.absent, diagnosis.nodes - diagnosis.statuses.nodes.size());
  std::vector<std::pair<std::string_view, std::size_t>> codes(counts.begin(), counts.end());
  std::ranges::sort(codes, [](const auto& a, const auto& b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  });
  return codes;
}

}  // namespace

void Diagnosis::Blame(const Status& status) {
  if (status.plugin().empty() || !status.IsRejected()) {
    return;
  }
  unschedulable.insert(status.plugin());
  if (status.code() == Code::kPending) {
    pending.insert(status.plugin());
  }
}

std::string TextOf(const Diagnosis& diagnosis) {
  std::string text = fmt::format("0/{} nodes are available:", diagnosis.nodes);
  if (!diagnosis.pre_filter.empty()) {
    text += fmt::format(" {}.", diagnosis.pre_filter);
  } else if (const auto reasons = CountedReasons(diagnosis); !reasons.empty()) {
    text += fmt::format(" {}.", fmt::join(reasons, ", "));
  }
  return diagnosis.post_filter.empty() ? text : fmt::format("{} {}", text, diagnosis.post_filter);
}

std::string AccountOf(const Diagnosis& diagnosis, const api::Pod& pod) {
  std::string codes;
  for (const auto& [code, nodes] : CountedCodes(diagnosis)) {
    codes += fmt::format("{}{} on {}{}", codes.empty() ? "" : ", ", code, nodes,
                         !codes.empty() ? ""
                         : nodes == 1   ? " node"
                                        : " nodes");
  }
  return fmt::format("[{}{}next: quadra explain pod/{} -n {}]", codes, codes.empty() ? "" : "; ",
                     pod.metadata.name, pod.metadata.ns);
}

}  // namespace quadra::scheduler
