#include "allocator/counters.h"

#include <algorithm>
#include <utility>

namespace quadra::allocator {
namespace {

bool HaveSameNames(const api::CounterSet* a, const api::CounterSet* b) {
  return a == b || (a->name == b->name &&
                    std::ranges::equal(a->counters, b->counters, [](const auto& x, const auto& y) {
                      return x.first == y.first;
                    }));
}

}  // namespace

void Counters::Reset() {
  for (PoolCounters& pool : pools_) {
    pool.layout = nullptr;
  }
}

Counters::PoolCounters& Counters::Of(const inventory::Pool& pool) {
  const auto at = static_cast<std::size_t>(&pool - problem_.pools().data());
  if (at >= pools_.size()) {
    pools_.resize(problem_.pools().size());
  }
  if (pools_[at].layout == nullptr) {
    Fill(pool, pools_[at]);
  }
  return pools_[at];
}

void Counters::Fill(const inventory::Pool& pool, PoolCounters& counters) {
  counters.layout = &LayoutOf(pool);
  counters.left.clear();
  for (const api::CounterSet* set : pool.counter_sets) {
    for (const auto& [name, counter] : set->counters) {
      counters.left.push_back(counter.value);
    }
  }
  counters.groups.assign(pool.counter_sets.size(), {});
  counters.earlier.clear();
  WithdrawHeld(pool, counters);
  counters.overdrawn = static_cast<std::size_t>(std::ranges::count_if(
      counters.left, [](const quantity::Quantity& left) { return left.Sign() < 0; }));
}

void Counters::WithdrawHeld(const inventory::Pool& pool, PoolCounters& counters) {
  const inventory::Snapshot& cluster = problem_.cluster();
  for (const inventory::SliceList* slices : {&pool.slices, &pool.elsewhere}) {
    for (const auto& slice : *slices) {
      const selector::Row first = cluster.table().rows(slice->rows).begin;
      for (std::size_t i = 0; i < slice->devices.size(); ++i) {
        if (cluster.marks().held.Test(first + static_cast<selector::Row>(i))) {
          Withdraw(*slice->devices[i].shape, counters);
        }
      }
    }
  }
  const inventory::Unpublished* unpublished =
      problem_.rules().unpublished_consume ? cluster.UnpublishedOf(pool) : nullptr;
  if (unpublished == nullptr) {
    return;
  }
  for (const auto& [name, shape] : *unpublished) {
    if (shape != nullptr) {
      Withdraw(*shape, counters);
    }
  }
}

void Counters::Withdraw(const inventory::DeviceShape& shape, PoolCounters& counters) {
  const Draw& draw = DrawOf(*counters.layout, shape);
  for (const Draw::Amount& amount : draw.amounts) {
    counters.left[amount.counter].Sub(amount.value);
  }
  for (const Draw::Membership& membership : draw.memberships) {
    counters.groups[membership.set].Add(*membership.groups);
  }
}

// --- Names to numbers.

Counters::Layout& Counters::LayoutOf(const inventory::Pool& pool) {
  const auto same = std::ranges::find_if(layouts_, [&](const auto& layout) {
    return std::ranges::equal(layout->sets, pool.counter_sets, HaveSameNames);
  });
  if (same != layouts_.end()) {
    std::ranges::rotate(layouts_.begin(), same, same + 1);
  } else {
    layouts_.insert(layouts_.begin(), std::make_unique<Layout>());
    layouts_.front()->sets = pool.counter_sets;
  }
  return *layouts_.front();
}

const Counters::Draw& Counters::DrawOf(Layout& layout, const inventory::DeviceShape& shape) {
  const auto [at, is_new] = layout.draws.try_emplace(&shape);
  if (is_new) {
    at->second = Resolve(layout, shape);
  }
  return at->second;
}

// What the pool does not have is passed over: a device that is no longer published may consume what
// is no longer there.
Counters::Draw Counters::Resolve(const Layout& layout, const inventory::DeviceShape& shape) {
  Draw draw;
  for (const auto& consumption : shape.consumes_counters) {
    std::size_t counter = 0;
    for (std::size_t set = 0; set < layout.sets.size(); ++set) {
      if (layout.sets[set]->name == consumption.counter_set) {
        draw.memberships.push_back({.set = set, .groups = &consumption.compatibility_groups});
      }
      for (const auto& [name, whole] : layout.sets[set]->counters) {
        const api::Counter* wanted = layout.sets[set]->name == consumption.counter_set
                                         ? consumption.counters.Find(name)
                                         : nullptr;
        if (wanted != nullptr) {
          draw.amounts.push_back({.counter = counter, .value = wanted->value});
        }
        ++counter;
      }
    }
  }
  draw.is_plain = IsPlain(draw);
  return draw;
}

bool Counters::IsPlain(const Draw& draw) {
  for (std::size_t i = 0; i < draw.amounts.size(); ++i) {
    const auto same = [&](const Draw::Amount& other) {
      return other.counter == draw.amounts[i].counter;
    };
    if (draw.amounts[i].value.Sign() < 0 || std::ranges::count_if(draw.amounts, same) > 1) {
      return false;
    }
  }
  return true;
}

// --- Charging.

bool Counters::GroupsFit(const PoolCounters& counters, const Draw& draw) {
  return std::ranges::all_of(draw.memberships, [&](const Draw::Membership& membership) {
    return counters.groups[membership.set].Admits(*membership.groups);
  });
}

void Counters::Take(PoolCounters& counters, const Draw& draw) {
  for (const Draw::Amount& amount : draw.amounts) {
    quantity::Quantity& left = counters.left[amount.counter];
    counters.overdrawn -= left.Sign() < 0 ? 1 : 0;
    left.Sub(amount.value);
    counters.overdrawn += left.Sign() < 0 ? 1 : 0;
  }
}

void Counters::GiveBack(PoolCounters& counters, const Draw& draw) {
  for (const Draw::Amount& amount : draw.amounts) {
    quantity::Quantity& left = counters.left[amount.counter];
    counters.overdrawn -= left.Sign() < 0 ? 1 : 0;
    left.Add(amount.value);
    counters.overdrawn += left.Sign() < 0 ? 1 : 0;
  }
}

bool Counters::Charge(const Candidate& candidate) {
  PoolCounters& counters = Of(*candidate.pool);
  const Draw& draw = DrawOf(*counters.layout, *candidate.shape);
  if (!GroupsFit(counters, draw)) {
    return false;
  }
  Take(counters, draw);
  if (counters.overdrawn > 0) {
    GiveBack(counters, draw);
    return false;
  }
  for (const Draw::Membership& membership : draw.memberships) {
    counters.earlier.push_back(counters.groups[membership.set]);
    counters.groups[membership.set].Add(*membership.groups);
  }
  return true;
}

void Counters::Refund(const Candidate& candidate) {
  PoolCounters& counters = Of(*candidate.pool);
  const Draw& draw = DrawOf(*counters.layout, *candidate.shape);
  GiveBack(counters, draw);
  for (std::size_t i = draw.memberships.size(); i > 0; --i) {
    counters.groups[draw.memberships[i - 1].set] = std::move(counters.earlier.back());
    counters.earlier.pop_back();
  }
}

// Almost all draws are plain, and comparing costs less than taking and giving back.
bool Counters::CouldCharge(const Candidate& candidate) {
  PoolCounters& counters = Of(*candidate.pool);
  const Draw& draw = DrawOf(*counters.layout, *candidate.shape);
  if (draw.is_plain) {
    return counters.overdrawn == 0 && GroupsFit(counters, draw) &&
           std::ranges::all_of(draw.amounts, [&](const Draw::Amount& amount) {
             return counters.left[amount.counter] >= amount.value;
           });
  }
  const bool could = Charge(candidate);
  if (could) {
    Refund(candidate);
  }
  return could;
}

}  // namespace quadra::allocator
