#include "diagnosis/pin.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/vocabulary.h"
#include "diagnosis/standing.h"
#include "inventory/inventory.h"
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

bool MayBeUsedOn(const api::Node& node, const api::ResourceClaim& claim) {
  const auto& allocation = claim.status.allocation;
  return !allocation || !allocation->node_selector ||
         api::Matches(*allocation->node_selector, node.metadata.name, node.metadata.labels);
}

// Whether some node takes the pod but for claims that have their devices elsewhere, this one among
// them. From a claim that keeps a pod from nodes, and that no other pod uses, kube-scheduler takes
// the devices where no node fits.
bool KeepsFromSomeNode(const Examination& examined, const api::ResourceClaim& claim) {
  const std::string named =
      fmt::format("{}: claim {}: ", placement::kNotAvailable, api::FullNameOf(claim));
  return std::ranges::any_of(examined.nodes, [&](const NodeAnswer& answer) {
    if (!answer.rejection || !answer.rejection->message.starts_with(placement::kNotAvailable)) {
      return false;
    }
    // A binding that failed is in the way on the claim's own node too, which then names it.
    return !MayBeUsedOn(*answer.view->node, claim) || answer.rejection->message.starts_with(named);
  });
}

std::string WhereText(const api::ResourceClaim& claim) {
  const std::string node = placement::PinnedNode(claim);
  return "allocated " + (node.empty() ? "for some nodes" : "on node " + node);
}

std::string ReleaseText(const Examination& examined, const api::ResourceClaim& claim) {
  const std::string others = OtherUsersOf(claim, *examined.pod);
  std::string text =
      fmt::format("release claim {}, which is {}", api::FullNameOf(claim), WhereText(claim));
  if (!others.empty()) {
    return text + fmt::format(", once it is no longer used by {}", others);
  }
  return text + (KeepsFromSomeNode(examined, claim)
                     ? " (kube-scheduler does so itself, since no other pod uses it)"
                     : " (no other pod uses it)");
}

// Whether the scheduler looks at the pod, and knows that no node fits: an error ends its attempt
// before any claim is released.
bool MayRetry(const Examination& examined, const Diagnosis& diagnosis) {
  return examined.pod != nullptr && examined.pod->spec.node_name.empty() &&
         examined.pod->spec.scheduling_gates.empty() && !examined.refusal && !examined.failing &&
         diagnosis.key.code != reasons::Code::kUndecided;
}

std::string OutcomeText(const Diagnosis::Retry& retry) {
  if (!retry.node.empty()) {
    return "it then fits on " + retry.node;
  }
  return retry.undecided ? "whether it then fits is not known within the budget"
                         : "it does not fit then either";
}

}  // namespace

void DescribeRetry(placement::Placer& placer, const Examination& examined, std::uint64_t most_steps,
                   Diagnosis& diagnosis) {
  Diagnosis::Retry& retry = diagnosis.retry;
  placement::Change change;
  std::vector<std::string> texts;
  for (std::size_t i = 0; MayRetry(examined, diagnosis) && i < examined.claims.size(); ++i) {
    const api::ResourceClaim& claim = examined.claims[i];
    if (!retry.node.empty() || !KeepsFromSomeNode(examined, claim) ||
        !OtherUsersOf(claim, *examined.pod).empty()) {
      continue;
    }
    change.claims.push_back(claim);
    change.claims.back().status = {};
    change.released.push_back(inventory::ClaimKey(claim));
    const placement::Prospect prospect = placer.ProspectAfter(change, examined, most_steps);
    retry.claims.push_back(api::FullNameOf(claim));
    retry.node = prospect.node;
    retry.undecided = prospect.undecided;
    texts.push_back(fmt::format("claim {} ({})", api::FullNameOf(claim), WhereText(claim)));
  }
  if (!texts.empty()) {
    retry.sentence = fmt::format(
        "kube-scheduler will release {}, which the pod cannot use and no other pod does, and try "
        "again: {}",
        fmt::join(texts, ", then "), OutcomeText(retry));
  }
}

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
    const std::string own = examined.pod != nullptr ? examined.pod->spec.node_name : "";
    if (!own.empty() && own != node) {
      diagnosis.sentence = fmt::format("the pod is on node {}, and {}", own, pin);
      diagnosis.key_node = "";
    } else if (AnswerOf(examined, node) == nullptr) {
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
