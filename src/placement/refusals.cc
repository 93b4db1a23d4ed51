#include "placement/refusals.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "placement/extended_resources.h"

namespace quadra::placement {
namespace {

using reasons::Code;
using reasons::Refusal;

std::string RequestOf(const Refusal& refusal) {
  return refusal.claim + "|" + refusal.request.substr(0, refusal.request.find('/'));
}

}  // namespace

// The nearest alternative of each request, then the farthest request.
const Refusal& KeyReason(const std::vector<Refusal>& refusals) {
  std::map<std::string, const Refusal*> nearest;  // by request
  for (const Refusal& refusal : refusals) {
    const Refusal*& best = nearest.try_emplace(RequestOf(refusal), &refusal).first->second;
    if (refusal.code > best->code) {
      best = &refusal;
    }
  }
  const Refusal* key = nullptr;
  for (const Refusal& refusal : refusals) {
    const bool of_request = !refusal.request.empty() || nearest.size() == 1;
    const bool is_nearest = nearest.find(RequestOf(refusal))->second == &refusal;
    if (of_request && is_nearest && (key == nullptr || refusal.code < key->code)) {
      key = &refusal;
    }
  }
  return key != nullptr ? *key : refusals.front();
}

std::string SentenceOf(const Refusal& refusal, std::size_t claims) {
  // Nobody wrote the requests of that claim: the message names the resource.
  const bool is_extended = refusal.claim.ends_with(kExtendedClaimName);
  std::string text;
  if (!is_extended && claims > 1 && !refusal.claim.empty()) {
    text = fmt::format("claim {}, ", refusal.claim);
  }
  if (!is_extended && !refusal.request.empty()) {
    text += fmt::format("request {}: ", refusal.request);
  }
  return text + refusal.message.substr(0, refusal.message.find('\n'));
}

Refusal FailureOn(const api::Node& node, Refusal failure) {
  failure.message = fmt::format("kube-scheduler tries no other node after an error on {}: {}",
                                node.metadata.name, failure.message);
  return failure;
}

bool SaysTheSame(const Refusal& own, const Refusal& failure) {
  return own.code == failure.code ||
         (own.code == Code::kAttributeUnknown && failure.code == Code::kSelectorError);
}

SharedRefusal::SharedRefusal(const Refusal& refusal, std::span<const std::string> claims)
    : refusal_{.code = refusal.code, .request = refusal.request, .message = refusal.message},
      claim_(static_cast<std::size_t>(std::ranges::find(claims, refusal.claim) - claims.begin())) {}

Refusal SharedRefusal::For(std::span<const std::string> claims) const {
  Refusal refusal = refusal_;
  refusal.claim = claim_ < claims.size() ? claims[claim_] : "";
  return refusal;
}

Nearness NearnessOf(const Refusal& key, const Refusal& devices, bool fits_otherwise) {
  return {.may_fit = key.code == Code::kUndecided,
          .fits_otherwise = fits_otherwise,
          .devices = devices.code,
          .admits = key.code != Code::kNodeRejects};
}

void Refusals::Add(const Refusal& refusal, const Nearness& nearness) {
  if (total_ == 0 || nearness > nearness_) {
    nearest_ = refusal;
    nearness_ = nearness;
  }
  ++total_;
  const auto same = std::ranges::find(counts_, refusal.code, &CodeCounts::value_type::first);
  if (same != counts_.end()) {
    ++same->second;
  } else {
    counts_.emplace_back(refusal.code, 1);
  }
}

CodeCounts Refusals::CodesByNodes() const {
  CodeCounts sorted = counts_;
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tuple(b.second, reasons::NameOf(a.first)) <
           std::tuple(a.second, reasons::NameOf(b.first));
  });
  return sorted;
}

}  // namespace quadra::placement
