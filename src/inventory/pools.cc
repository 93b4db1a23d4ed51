#include "inventory/pools.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace quadra::inventory {
namespace {

bool IsUnderstood(const Slice& slice, const Features& features) {
  const bool partitions = slice.names_device_placements || !slice.shared_counters.empty();
  return (features.partitionable_devices || !partitions) &&
         (features.compatibility_groups || !slice.has_compatibility_groups);
}

bool IsFor(const Slice& slice, const api::Node& node) {
  if (!slice.placement.empty()) {
    return slice.placement.Serves(node);
  }
  return slice.devices_have_placements &&
         std::ranges::any_of(slice.devices, [&](const Device& device) {
           return device.shape->placement.Serves(node);
         });
}

constexpr std::string_view kUnreadable = "failed to parse node selector";

// Empty where all selectors that have to be asked can be.
std::string FindUnreadable(const Slice& slice, const api::Node& node) {
  if (!slice.placement.empty()) {
    return slice.placement.is_readable
               ? ""
               : fmt::format("failed to perform node selection for slice {}: {}", slice.name,
                             kUnreadable);
  }
  for (std::size_t i = 0; slice.devices_have_placements && i < slice.devices.size(); ++i) {
    const Placement& placement = slice.devices[i].shape->placement;
    if (!placement.is_readable) {
      return fmt::format("failed to perform node selection for device {} in slice {}: {}",
                         slice.devices[i].name, slice.name, kUnreadable);
    }
    if (placement.Serves(node)) {
      break;
    }
  }
  return "";
}

// --- Checks of one pool. Each returns the first contradiction; empty if there is none.

std::string FindRepeatedDevice(const SliceList& slices) {
  std::set<std::string_view> names;
  for (const auto& slice : slices) {
    for (const Device& device : slice->devices) {
      if (!names.insert(device.name).second) {
        return fmt::format("duplicate device name {}", device.name);
      }
    }
  }
  return "";
}

const api::CounterSet* FindSet(const Pool& pool, std::string_view name) {
  const auto found = std::ranges::find_if(
      pool.counter_sets, [&](const api::CounterSet* set) { return set->name == name; });
  return found == pool.counter_sets.end() ? nullptr : *found;
}

std::string CollectCounterSets(Pool& pool) {
  for (const auto& slice : pool.counter_slices) {
    for (const api::CounterSet& set : slice->shared_counters) {
      if (FindSet(pool, set.name) != nullptr) {
        return fmt::format("duplicate counter set name {}", set.name);
      }
      pool.counter_sets.push_back(&set);
    }
  }
  return "";
}

std::string FindUnknownCounter(const Pool& pool, const Device& device) {
  for (const api::DeviceCounterConsumption& consumption : device.shape->consumes_counters) {
    const api::CounterSet* set = FindSet(pool, consumption.counter_set);
    if (set == nullptr) {
      return fmt::format("counter set {} not found", consumption.counter_set);
    }
    for (const auto& [name, counter] : consumption.counters) {
      if (!set->counters.contains(name)) {
        return fmt::format("counter {} not found in counter set {}", name, set->name);
      }
    }
  }
  return "";
}

std::string FindUnknownCounter(const Pool& pool, const SliceList& slices) {
  for (const auto& slice : slices) {
    for (const Device& device : slice->devices) {
      if (std::string problem = FindUnknownCounter(pool, device); !problem.empty()) {
        return problem;
      }
    }
  }
  return "";
}

std::string FindContradiction(Pool& pool, const Features& features) {
  std::string problem = FindRepeatedDevice(pool.slices);
  if (!problem.empty() || !features.partitionable_devices) {
    return problem;
  }
  problem = CollectCounterSets(pool);
  if (problem.empty()) {
    problem = FindUnknownCounter(pool, pool.slices);
  }
  return problem.empty() ? FindUnknownCounter(pool, pool.elsewhere) : problem;
}

// --- Building one pool.

class PoolBuilder {
 public:
  PoolBuilder(const SliceIndex& index, const Features& features)
      : index_(index), features_(features) {}

  // `seen`: the slices for the node, all of one generation. Nothing where a newer generation exists
  // elsewhere.
  std::optional<Pool> Build(SliceList seen) const {
    const Slice& first = *seen.front();
    Pool pool{.driver = first.driver,
              .name = first.pool,
              .reason = "",
              .slices = {},
              .elsewhere = {},
              .counter_sets = {},
              .counter_slices = {}};
    SliceList whole;
    if (Count(seen) != first.slices_of_pool) {
      std::optional<SliceList> found = WholePool(first);
      if (!found) {
        return std::nullopt;
      }
      whole = *std::move(found);
      if (Count(whole) != first.slices_of_pool) {
        return Unusable(std::move(pool), PoolState::kIncomplete,
                        fmt::format("{} of {} slices", whole.size(), first.slices_of_pool));
      }
    }
    Sort(seen, whole, pool);
    if (std::string problem = FindContradiction(pool, features_); !problem.empty()) {
      return Unusable(std::move(pool), PoolState::kInvalid, std::move(problem));
    }
    return pool;
  }

 private:
  static std::int64_t Count(const SliceList& slices) {
    return static_cast<std::int64_t>(slices.size());
  }
  static Pool Unusable(Pool pool, PoolState state, std::string reason) {
    return {.driver = std::move(pool.driver),
            .name = std::move(pool.name),
            .state = state,
            .reason = std::move(reason),
            .slices = {},
            .elsewhere = {},
            .counter_sets = {},
            .counter_slices = {}};
  }

  // All slices of the pool in the generation of `one`; nothing if there is a newer generation.
  std::optional<SliceList> WholePool(const Slice& one) const {
    SliceList slices;
    for (const auto& slice : index_.OfPool(PoolKey(one.driver, one.pool))) {
      if (slice->generation > one.generation) {
        return std::nullopt;
      }
      const bool counts = features_.compatibility_groups || !slice->has_compatibility_groups;
      if (slice->generation == one.generation && counts) {
        slices.push_back(slice);
      }
    }
    return slices;
  }

  bool HasCounters(const Slice& slice) const {
    return features_.partitionable_devices && !slice.shared_counters.empty();
  }

  void Sort(SliceList& seen, const SliceList& whole, Pool& pool) const {
    std::ranges::stable_sort(seen, {}, [](const auto& slice) { return slice->name; });
    std::set<std::string_view> names;
    for (const auto& slice : seen) {
      names.insert(slice->name);
      (HasCounters(*slice) ? pool.counter_slices : pool.slices).push_back(slice);
    }
    if (seen.size() >= whole.size()) {
      return;
    }
    for (const auto& slice : whole) {
      if (!names.contains(slice->name)) {
        (HasCounters(*slice) ? pool.counter_slices : pool.elsewhere).push_back(slice);
      }
    }
  }

  const SliceIndex& index_;
  const Features& features_;
};

void KeepNewest(const std::shared_ptr<const Slice>& slice, SliceList& seen) {
  if (!seen.empty() && slice->generation > seen.front()->generation) {
    seen.clear();
  }
  if (seen.empty() || slice->generation == seen.front()->generation) {
    seen.push_back(slice);
  }
}

bool HasBindingConditions(const Pool& pool) {
  return std::ranges::any_of(pool.slices, [](const auto& slice) {
    return std::ranges::any_of(slice->devices, [](const Device& device) {
      return !device.shape->binding_conditions.is_nil();
    });
  });
}

}  // namespace

std::int64_t NewestGeneration(const SliceList& slices) {
  std::int64_t newest = 0;
  for (const auto& slice : slices) {
    newest = std::max(newest, slice->generation);
  }
  return newest;
}

std::string PoolKey(std::string_view driver, std::string_view pool) {
  return fmt::format("{}\n{}", driver, pool);
}

const SliceList& SliceIndex::ListAt(const Lists& lists, const std::string& key) {
  static const SliceList none;
  const List* found = lists.Find(key);
  return found != nullptr ? **found : none;
}

const SliceList& SliceIndex::OfNode(const std::string& node) const {
  return ListAt(by_node_, node);
}

const SliceList& SliceIndex::shared() const { return ListAt(by_node_, ""); }

const SliceList& SliceIndex::OfPool(const std::string& key) const { return ListAt(by_pool_, key); }

std::shared_ptr<const Slice> SliceIndex::Find(const std::string& name) const {
  const std::shared_ptr<const Slice>* found = by_name_.Find(name);
  return found != nullptr ? *found : nullptr;
}

void SliceIndex::Change(Epoch writer, Lists& lists, const std::string& key,
                        const std::shared_ptr<const Slice>& before,
                        const std::shared_ptr<const Slice>& after) {
  SliceList list = ListAt(lists, key);
  if (before != nullptr && after != nullptr) {
    std::ranges::replace(list, before, after);
  } else if (before != nullptr) {
    std::erase(list, before);
  } else {
    list.push_back(after);
  }
  if (list.empty()) {
    lists.Erase(writer, key);
  } else {
    lists.Set(writer, key, std::make_shared<const SliceList>(std::move(list)));
  }
}

void SliceIndex::Add(Epoch writer, const std::shared_ptr<const Slice>& slice) {
  by_name_.Set(writer, slice->name, slice);
  Change(writer, by_pool_, PoolKey(slice->driver, slice->pool), nullptr, slice);
  Change(writer, by_node_, slice->placement.node, nullptr, slice);
}

void SliceIndex::Replace(Epoch writer, const std::shared_ptr<const Slice>& before,
                         const std::shared_ptr<const Slice>& after) {
  const auto move = [&](Lists& lists, const std::string& from, const std::string& to) {
    if (from == to) {
      Change(writer, lists, from, before, after);
    } else {
      Change(writer, lists, from, before, nullptr);
      Change(writer, lists, to, nullptr, after);
    }
  };
  by_name_.Set(writer, after->name, after);
  move(by_pool_, PoolKey(before->driver, before->pool), PoolKey(after->driver, after->pool));
  move(by_node_, before->placement.node, after->placement.node);
}

void SliceIndex::Remove(Epoch writer, const std::shared_ptr<const Slice>& slice) {
  by_name_.Erase(writer, slice->name);
  Change(writer, by_pool_, PoolKey(slice->driver, slice->pool), slice, nullptr);
  Change(writer, by_node_, slice->placement.node, slice, nullptr);
}

NodePools PoolsOf(const SliceIndex& index, const api::Node& node, const Features& features) {
  NodePools found;
  std::map<std::string, SliceList> by_pool;
  const auto collect = [&](const SliceList& slices) {
    for (const auto& slice : slices) {
      if (!IsUnderstood(*slice, features)) {
        continue;
      }
      if (found.unreadable.empty()) {
        found.unreadable = FindUnreadable(*slice, node);
      }
      if (IsFor(*slice, node)) {
        KeepNewest(slice, by_pool[PoolKey(slice->driver, slice->pool)]);
      }
    }
  };
  if (!node.metadata.name.empty()) {
    collect(index.OfNode(node.metadata.name));
  }
  collect(index.shared());

  const PoolBuilder builder(index, features);
  for (auto& [key, seen] : by_pool) {
    if (std::optional<Pool> pool = builder.Build(std::move(seen))) {
      found.pools.push_back(*std::move(pool));
    }
  }
  std::ranges::sort(found.pools, {}, [](const Pool& pool) {
    return std::make_tuple(HasBindingConditions(pool), std::string_view(pool.driver),
                           std::string_view(pool.name));
  });
  return found;
}

std::optional<Pool> WholePool(const SliceIndex& index, std::string_view driver,
                              std::string_view pool, const Features& features) {
  SliceList newest;
  for (const auto& slice : index.OfPool(PoolKey(driver, pool))) {
    if (IsUnderstood(*slice, features)) {
      KeepNewest(slice, newest);
    }
  }
  return newest.empty() ? std::nullopt : PoolBuilder(index, features).Build(std::move(newest));
}

}  // namespace quadra::inventory
