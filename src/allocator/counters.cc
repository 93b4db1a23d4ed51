#include "allocator/counters.h"

#include <algorithm>
#include <utility>

namespace quadra::allocator {

bool GroupsInCommon::Admits(const api::List<std::string>& groups) const {
  if (!any_) {
    return true;
  }
  if (groups.empty() || !common_) {
    return groups.empty() && !common_;
  }
  return std::ranges::any_of(groups,
                             [&](const std::string& group) { return common_->contains(group); });
}

void GroupsInCommon::Add(const api::List<std::string>& groups) {
  if (!any_) {
    any_ = true;
    if (!groups.empty()) {
      common_.emplace(groups.begin(), groups.end());
    }
    return;
  }
  if (common_ && !groups.empty()) {
    const std::set<std::string> wanted(groups.begin(), groups.end());
    std::erase_if(*common_, [&](const std::string& group) { return !wanted.contains(group); });
  }
}

Counters::PoolCounters& Counters::Of(const inventory::Pool& pool) {
  const auto [at, is_new] = pools_.try_emplace(&pool);
  if (is_new) {
    at->second = Compute(pool);
  }
  return at->second;
}

Counters::PoolCounters Counters::Compute(const inventory::Pool& pool) const {
  PoolCounters counters;
  for (const api::CounterSet* set : pool.counter_sets) {
    for (const auto& [name, counter] : set->counters) {
      counters.available[set->name].emplace(name, counter.value);
    }
  }
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
  if (const inventory::Unpublished* unpublished = cluster.UnpublishedOf(pool)) {
    for (const auto& [name, shape] : *unpublished) {
      if (shape != nullptr && !problem_.strict()) {
        Withdraw(*shape, counters);
      }
    }
  }
  return counters;
}

void Counters::Withdraw(const inventory::DeviceShape& shape, PoolCounters& counters) {
  for (const auto& consumption : shape.consumes_counters) {
    counters.groups[consumption.counter_set].Add(consumption.compatibility_groups);
    Amounts& available = counters.available[consumption.counter_set];
    for (const auto& [name, counter] : consumption.counters) {
      if (const auto left = available.find(name); left != available.end()) {
        left->second.Sub(counter.value);
      }
    }
  }
}

bool Counters::GroupsFit(PoolCounters& counters, const Candidate& candidate) {
  return std::ranges::all_of(candidate.shape->consumes_counters, [&](const auto& consumption) {
    return counters.groups[consumption.counter_set].Admits(consumption.compatibility_groups);
  });
}

void Counters::Change(PoolCounters& counters, const Candidate& candidate, bool take) {
  for (const auto& consumption : candidate.shape->consumes_counters) {
    Amounts& taken = counters.taken[consumption.counter_set];
    for (const auto& [name, counter] : consumption.counters) {
      quantity::Quantity& amount = taken[name];
      take ? amount.Add(counter.value) : amount.Sub(counter.value);
    }
  }
}

// Any counter of the pool, not only those just charged: what is overdrawn already blocks all.
bool Counters::Exceeds(const PoolCounters& counters) {
  static const Amounts nothing;
  for (const auto& [set, available] : counters.available) {
    const auto found = counters.taken.find(set);
    const Amounts& taken = found != counters.taken.end() ? found->second : nothing;
    for (const auto& [name, left] : available) {
      const auto amount = taken.find(name);
      if (amount != taken.end() ? left < amount->second : left.Sign() < 0) {
        return true;
      }
    }
  }
  return false;
}

bool Counters::Charge(const Candidate& candidate) {
  PoolCounters& counters = Of(*candidate.pool);
  if (!GroupsFit(counters, candidate)) {
    return false;
  }
  Change(counters, candidate, true);
  if (Exceeds(counters)) {
    Change(counters, candidate, false);
    return false;
  }
  counters.earlier_groups.push_back(counters.groups);
  for (const auto& consumption : candidate.shape->consumes_counters) {
    counters.groups[consumption.counter_set].Add(consumption.compatibility_groups);
  }
  return true;
}

void Counters::Refund(const Candidate& candidate) {
  PoolCounters& counters = Of(*candidate.pool);
  Change(counters, candidate, false);
  counters.groups = std::move(counters.earlier_groups.back());
  counters.earlier_groups.pop_back();
}

bool Counters::CouldCharge(const Candidate& candidate) {
  const bool could = Charge(candidate);
  if (could) {
    Refund(candidate);
  }
  return could;
}

}  // namespace quadra::allocator
