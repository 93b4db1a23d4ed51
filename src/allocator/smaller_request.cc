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

Quantity LeftOf(const api::DeviceCapacity& capacity, const std::string& name, const Amounts& used) {
  Quantity left = capacity.value;
  if (const auto amount = used.find(name); amount != used.end()) {
    left.Sub(amount->second);
  }
  return left;
}

struct Offer {
  SmallerRequest request;
  double lost = 0;  // parts of what was wanted, summed
};

// The most that could be asked for; nothing where that is none.
std::optional<Quantity> MostOf(const inventory::DeviceShape& shape, const std::string& name,
                               const Amounts& used) {
  const api::DeviceCapacity* capacity = shape.capacity.Find(name);
  return capacity != nullptr ? LargestRequest(*capacity, LeftOf(*capacity, name, used))
                             : std::nullopt;
}

// Asks for what is left of that which the device hands out by default, where that is too much.
// False where nothing is.
bool LowerDefaults(const inventory::DeviceShape& shape, const Amounts& used,
                   const api::Map<Quantity>& wanted, Offer& offer,
                   std::vector<std::string>& changes) {
  const Result<Portion> portion = Portion::Of(&wanted, shape.capacity, shape.counts_in_thousandths);
  for (std::size_t i = 0; portion && i < portion->amounts().size(); ++i) {
    const Portion::Amount& amount = portion->amounts()[i];
    const std::string& name = *amount.capacity;
    if (wanted.contains(name) ||
        amount.consumed <= LeftOf(*shape.capacity.Find(name), name, used)) {
      continue;
    }
    const std::optional<Quantity> most = MostOf(shape, name, used);
    if (!most) {
      return false;
    }
    changes.push_back(fmt::format("capacity {} from its default {} to {}", name,
                                  amount.consumed.ToString(), most->ToString()));
    offer.lost += 1 - most->AsApproximateDouble() / amount.consumed.AsApproximateDouble();
    offer.request.requests[name] = *most;
  }
  return true;
}

// Nothing where the device lacks what is wanted, or has it all.
std::optional<Offer> OfferOf(const inventory::DeviceShape& shape, const Amounts& used,
                             const api::Map<Quantity>& wanted) {
  Offer offer{.request = {.requests = wanted, .text = ""}};
  std::vector<std::string> changes;
  for (auto& [name, amount] : offer.request.requests) {
    const std::optional<Quantity> most = MostOf(shape, name, used);
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
  if (shape.allow_multiple_allocations && !LowerDefaults(shape, used, wanted, offer, changes)) {
    return std::nullopt;
  }
  offer.request.text = fmt::format("{}", fmt::join(changes, " and "));
  return changes.empty() ? std::nullopt : std::optional(std::move(offer));
}

void AddPortion(const CapacityDemand& demand, const inventory::DeviceShape& shape, Amounts& used) {
  const Result<Portion> portion =
      Portion::Of(demand.wanted, shape.capacity, shape.counts_in_thousandths);
  for (std::size_t i = 0; portion && i < portion->amounts().size(); ++i) {
    const Portion::Amount& amount = portion->amounts()[i];
    used[*amount.capacity].Add(amount.consumed);
  }
}

// What may be used of a device when the demand meets it: by its holders, and besides by one of the
// others or by all of them.
std::vector<Amounts> UsesOf(const inventory::Candidate& candidate,
                            const inventory::HeldDevice* held,
                            std::span<const CapacityDemand> others) {
  const Amounts by_holders = held != nullptr ? held->consumed : Amounts();
  std::vector<Amounts> uses = {by_holders};
  if (!candidate.shape->allow_multiple_allocations) {
    return uses;
  }
  Amounts by_all = by_holders;
  for (const CapacityDemand& other : others) {
    if (other.verdicts->At(candidate.row) == selector::Verdict::kMatch) {
      AddPortion(other, *candidate.shape, uses.emplace_back(by_holders));
      AddPortion(other, *candidate.shape, by_all);
    }
  }
  uses.push_back(std::move(by_all));
  return uses;
}

std::vector<SmallerRequest> LeastChangeFirst(std::map<std::string, Offer> offers) {
  std::vector<Offer> sorted;
  sorted.reserve(offers.size());
  for (auto& [text, offer] : offers) {
    sorted.push_back(std::move(offer));
  }
  std::ranges::stable_sort(sorted, {}, &Offer::lost);
  sorted.resize(std::min(sorted.size(), kMost));
  std::vector<SmallerRequest> requests;
  requests.reserve(sorted.size());
  for (Offer& offer : sorted) {
    requests.push_back(std::move(offer.request));
  }
  return requests;
}

}  // namespace

std::vector<SmallerRequest> SmallerRequests(const inventory::Snapshot& cluster,
                                            std::span<const inventory::NodeView* const> nodes,
                                            const CapacityDemand& demand,
                                            std::span<const CapacityDemand> others) {
  static const api::Map<Quantity> nothing;
  const api::Map<Quantity>& wanted = demand.wanted != nullptr ? *demand.wanted : nothing;
  std::map<std::string, Offer> offers;  // by text
  for (const inventory::NodeView* node : nodes) {
    for (const inventory::Candidate& candidate : node->candidates) {
      if (demand.verdicts->At(candidate.row) != selector::Verdict::kMatch) {
        continue;
      }
      const inventory::DeviceId id = candidate.slice->IdOf(candidate.index);
      for (const Amounts& used : UsesOf(candidate, cluster.held().Find(id), others)) {
        if (std::optional<Offer> offer = OfferOf(*candidate.shape, used, wanted)) {
          const std::string text = offer->request.text;
          offers.try_emplace(text, *std::move(offer));
        }
      }
    }
  }
  return LeastChangeFirst(std::move(offers));
}

}  // namespace quadra::allocator
