// TaintNodesByCondition: a new node is not ready until somebody says so.
#include <algorithm>

#include "apiserver/admission.h"

namespace quadra::apiserver {

OkOrFailure AdmitTaintNodesByCondition(const Backend& /*backend*/, const Proposal& proposal) {
  constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
  if (proposal.operation != Proposal::Operation::kCreate || !Is(proposal, "", "Node") ||
      !proposal.subresource.empty()) {
    return {};
  }
  auto node = api::ToTyped<api::Node>(*proposal.object);
  const bool has = std::ranges::any_of(node.spec.taints, [&](const api::Taint& taint) {
    return taint.key == kNotReady && taint.effect == "NoSchedule";
  });
  if (!has) {
    node.spec.taints.push_back({.key = std::string(kNotReady), .effect = "NoSchedule"});
    api::Amend(*proposal.object, node);
  }
  return {};
}

}  // namespace quadra::apiserver
