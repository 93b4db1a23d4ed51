#include "allocator/smaller_request.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/largest_request.h"

namespace quadra::allocator {
namespace {

using quantity::Quantity;

constexpr std::size_t kMost = 16;

Quantity LeftOf(const api::DeviceCapacity& capacity, const std::string& name,
                const inventory::HeldDevice* held) {
  Quantity left = capacity.value;
  if (held != nullptr && held->consumed.contains(name)) {
    left.Sub(held->consumed.find(name)->second);
  }
  return left;
}

struct Offer {
  SmallerRequest request;
  double lost = 0;  // parts of what was wanted, summed
};

// Nothing where the device lacks what is wanted, or has it all.
std::optional<Offer> OfferOf(const inventory::DeviceShape& shape, const inventory::HeldDevice* held,
                             const api::Map<Quantity>& wanted) {
  Offer offer{.request = {.requests = wanted, .text = ""}};
  std::vector<std::string> changes;
  for (auto& [name, amount] : offer.request.requests) {
    const api::DeviceCapacity* capacity = shape.capacity.Find(name);
    const std::optional<Quantity> most =
        capacity != nullptr ? LargestRequest(*capacity, LeftOf(*capacity, name, held))
                            : std::nullopt;
    if (!most) {
      return std::nullopt;
    }
    if (*most < amount) {
      changes.push_back(
          fmt::format("capacity {} from {} to {}", name, amount.ToString(), most->ToString()));
      offer.lost += 1 - most->AsApproximateDouble() / amount.AsApproximateDouble();
      amount = *most;
    }
  }
  offer.request.text = fmt::format("{}", fmt::join(changes, " and "));
  return changes.empty() ? std::nullopt : std::optional(std::move(offer));
}

}  // namespace

std::vector<SmallerRequest> SmallerRequests(const inventory::Snapshot& cluster,
                                            std::span<const inventory::NodeView* const> nodes,
                                            const selector::Sequenced& verdicts,
                                            const api::Map<Quantity>& wanted) {
  std::map<std::string, Offer> offers;  // by text
  for (const inventory::NodeView* node : nodes) {
    for (const inventory::Candidate& candidate : node->candidates) {
      if (verdicts.At(candidate.row) != selector::Verdict::kMatch) {
        continue;
      }
      const inventory::DeviceId id = candidate.slice->IdOf(candidate.index);
      if (std::optional<Offer> offer = OfferOf(*candidate.shape, cluster.held().Find(id), wanted)) {
        const std::string text = offer->request.text;
        offers.try_emplace(text, *std::move(offer));
      }
    }
  }
  std::vector<Offer> sorted;
  sorted.reserve(offers.size());
  for (auto& [text, offer] : offers) {
    sorted.push_back(std::move(offer));
  }
  std::ranges::stable_sort(sorted, {}, &Offer::lost);
  std::vector<SmallerRequest> requests;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMost); ++i) {
    requests.push_back(std::move(sorted[i].request));
  }
  return requests;
}

}  // namespace quadra::allocator
