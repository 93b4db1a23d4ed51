#include "diagnosis/pin.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/standing.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Examination;
using placement::NodeAnswer;

const NodeAnswer* AnswerOf(const Examination& examined, const std::string& node) {
  const auto found = std::ranges::find_if(examined.nodes, [&](const NodeAnswer& answer) {
    return answer.view->node->metadata.name == node;
  });
  return found == examined.nodes.end() ? nullptr : &*found;
}

// Those besides the pod; no more than can be read.
std::string OtherUsersOf(const api::ResourceClaim& claim, const api::Pod& pod) {
  constexpr std::size_t kFew = 3;
  std::vector<std::string> users;
  for (const api::ResourceClaimConsumerReference& user : claim.status.reserved_for) {
    if (user.name != pod.metadata.name || user.uid != pod.metadata.uid) {
      users.push_back(user.name);
    }
  }
  return users.size() > kFew ? fmt::format("{} other pods", users.size())
                             : fmt::format("{}", fmt::join(users, ", "));
}

// Whether some node takes the pod, and the claim alone is in the way there. From a claim that keeps
// a pod from all nodes, and that no other pod uses, kube-scheduler takes the devices then.
bool KeepsFromSomeNode(const Examination& examined) {
  return std::ranges::any_of(examined.nodes, [](const NodeAnswer& answer) {
    return !answer.fits && answer.refusals.front().message.starts_with(placement::kNotAvailable);
  });
}

std::string ReleaseText(const Examination& examined, const api::ResourceClaim& claim) {
  const std::string node = placement::PinnedNode(claim);
  const std::string others = OtherUsersOf(claim, *examined.pod);
  std::string text =
      fmt::format("release claim {}, which is allocated {}{}", api::FullNameOf(claim),
                  node.empty() ? "for some nodes" : "on node ", node);
  if (!others.empty()) {
    return text + fmt::format(", once it is no longer used by {}", others);
  }
  return text + (KeepsFromSomeNode(examined)
                     ? " (kube-scheduler does so itself, since no other pod uses it)"
                     : " (no other pod uses it)");
}

}  // namespace

bool CanUseThem(const placement::Placer& placer, const Examination& examined) {
  if (examined.pod == nullptr || IsOver(*examined.pod) || placer.nodes_are_derived()) {
    return true;
  }
  if (const std::string& node = examined.pod->spec.node_name; !node.empty()) {
    const NodeAnswer* own = AnswerOf(examined, node);
    return own == nullptr || own->fits;
  }
  return std::ranges::any_of(examined.nodes, &NodeAnswer::fits);
}

void DescribePin(const Examination& examined, Diagnosis& diagnosis) {
  for (const api::ResourceClaim& claim : examined.claims) {
    const std::string node = placement::PinnedNode(claim);
    if (node.empty()) {
      continue;
    }
    const std::string pin =
        fmt::format("the devices of claim {} belong to node {}", api::FullNameOf(claim), node);
    if (AnswerOf(examined, node) == nullptr) {
      diagnosis.sentence = pin + ", which is not among the nodes";
      diagnosis.key_node = "";
    } else if (node == diagnosis.key_node &&
               !diagnosis.key.message.starts_with(placement::kNotAvailable)) {
      diagnosis.sentence = pin + ": " + diagnosis.sentence;
    }
    return;
  }
}

void TryReleases(const Examination& examined, const allocator::Judge& judge, Diagnosis& diagnosis) {
  const bool may_move = examined.pod != nullptr && examined.pod->spec.node_name.empty();
  for (std::size_t i = 0; may_move && i < examined.claims.size(); ++i) {
    const api::ResourceClaim& claim = examined.claims[i];
    if (!claim.status.allocation) {
      continue;
    }
    allocator::Fix fix;
    fix.kind = allocator::Fix::Kind::kFree;
    fix.text = ReleaseText(examined, claim);
    fix.changed = claim;
    fix.changed->status = {};
    allocator::Settle(std::move(fix), judge, diagnosis.fixes);
  }
}

}  // namespace quadra::diagnosis
