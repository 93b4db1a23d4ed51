// DefaultTolerationSeconds: pods stay five minutes on a node that stops being ready or reachable.
#include <algorithm>
#include <array>

#include "apiserver/admission.h"

namespace quadra::apiserver {
namespace {

constexpr std::int64_t kTolerationSeconds = 300;
constexpr std::array<std::string_view, 2> kTaints = {"node.kubernetes.io/not-ready",
                                                     "node.kubernetes.io/unreachable"};

bool Tolerates(const api::Pod& pod, std::string_view taint) {
  return std::ranges::any_of(pod.spec.tolerations, [&](const api::Toleration& toleration) {
    return (toleration.key == taint || toleration.key.empty()) &&
           (toleration.effect == "NoExecute" || toleration.effect.empty());
  });
}

}  // namespace

OkOrFailure AdmitDefaultTolerationSeconds(const Backend& /*backend*/, const Proposal& proposal) {
  if (proposal.operation == Proposal::Operation::kDelete || !Is(proposal, "", "Pod") ||
      !proposal.subresource.empty()) {
    return {};
  }
  auto pod = api::ToTyped<api::Pod>(*proposal.object);
  const std::size_t before = pod.spec.tolerations.size();
  std::array<bool, kTaints.size()> tolerated{};
  std::ranges::transform(kTaints, tolerated.begin(),
                         [&](std::string_view taint) { return Tolerates(pod, taint); });
  for (std::size_t i = 0; i < kTaints.size(); ++i) {
    if (!tolerated[i]) {
      pod.spec.tolerations.push_back({.key = std::string(kTaints[i]),
                                      .op = "Exists",
                                      .effect = "NoExecute",
                                      .toleration_seconds = kTolerationSeconds});
    }
  }
  if (pod.spec.tolerations.size() != before) {
    api::Amend(*proposal.object, pod);
  }
  return {};
}

}  // namespace quadra::apiserver
