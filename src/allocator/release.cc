#include "allocator/release.h"

#include <algorithm>
#include <utility>

namespace quadra::allocator {
namespace {

void AddHolders(const inventory::Held& held, const inventory::DeviceId& device,
                std::set<std::string>& keys) {
  if (const inventory::HeldDevice* found = held.Find(device)) {
    keys.insert(found->holders.begin(), found->holders.end());
  }
}

using Keys = std::vector<std::string>;

class ReleaseSearch {
 public:
  ReleaseSearch(const Keys& keys, FitsWithout fits) : keys_(keys), fits_(fits) {}

  Keys Find() {
    Keys enough = keys_;
    if (keys_.empty() || !Fits(enough)) {
      return {};
    }
    LeaveOut(enough);
    for (std::size_t size = 1; size < enough.size() && trials_ < kMostTrials; ++size) {
      Keys chosen;
      if (Choose(size, 0, chosen)) {
        return chosen;
      }
    }
    return enough;
  }

 private:
  bool Fits(const Keys& keys) {
    ++trials_;
    return fits_(keys);
  }

  // What is not needed, from the end: the first are those that hold most. Large parts first, so
  // that many that do not matter cost few trials.
  void LeaveOut(Keys& keys) {
    for (std::size_t part = (keys.size() + 1) / 2; part > 0;
         part = part == 1 ? 0 : (part + 1) / 2) {
      for (std::size_t end = keys.size(); end > 0; end -= std::min(part, end)) {
        const auto last = keys.begin() + static_cast<std::ptrdiff_t>(end);
        Keys fewer(keys.begin(), last - static_cast<std::ptrdiff_t>(std::min(part, end)));
        fewer.insert(fewer.end(), last, keys.end());
        if (!fewer.empty() && trials_ < kMostTrials && Fits(fewer)) {
          keys = std::move(fewer);
        }
      }
    }
  }

  // Whether so many more of those from `from` on suffice, with what is chosen.
  bool Choose(std::size_t more, std::size_t from, Keys& chosen) {
    if (more == 0) {
      return trials_ < kMostTrials && Fits(chosen);
    }
    for (std::size_t i = from; i + more <= keys_.size() && trials_ < kMostTrials; ++i) {
      chosen.push_back(keys_[i]);
      if (Choose(more - 1, i + 1, chosen)) {
        return true;
      }
      chosen.pop_back();
    }
    return false;
  }

  const Keys& keys_;
  FitsWithout fits_;
  std::size_t trials_ = 0;
};

}  // namespace

std::set<std::string> HoldersSeenFrom(const inventory::NodeView& node,
                                      const inventory::Snapshot& cluster) {
  std::set<std::string> keys;
  for (const inventory::Pool& pool : node.pools) {
    for (const inventory::SliceList* slices : {&pool.slices, &pool.elsewhere}) {
      for (const auto& slice : *slices) {
        for (std::size_t i = 0; i < slice->devices.size(); ++i) {
          AddHolders(cluster.held(), slice->IdOf(i), keys);
        }
      }
    }
    if (const inventory::Unpublished* unpublished = cluster.UnpublishedOf(pool)) {
      for (const auto& [name, shape] : *unpublished) {
        AddHolders(cluster.held(), {pool.driver, pool.name, name}, keys);
      }
    }
  }
  return keys;
}

inventory::Snapshot Released(const inventory::Snapshot& cluster,
                             std::span<const std::string> keys) {
  inventory::Inventory fork = cluster.Fork();
  for (const std::string& key : keys) {
    fork.Release(key);
  }
  return fork.Take();
}

std::vector<std::string> FewestToRelease(const std::vector<std::string>& keys, FitsWithout fits) {
  return ReleaseSearch(keys, fits).Find();
}

}  // namespace quadra::allocator
