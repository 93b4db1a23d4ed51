// Survey: what becomes of the devices of a node on their way to one demand, and who stands in it.
//
// For explanations: looks at every device, and asks far more than a search does.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/problem.h"
#include "allocator/search.h"
#include "allocator/shortage.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

// A device that has too little of something.
struct ShortDevice {
  inventory::DeviceId id;
  Shortage shortage;
};

class Survey {
 public:
  // All must outlive this. The search must be one of that problem that has nothing taken.
  Survey(Problem& problem, Search& search, std::size_t claim, const Demand& demand);

  const reasons::Funnel& funnel() const { return funnel_; }

  // Devices that class and selectors accept and that would do if nobody held anything; of these
  // then those that are not tainted, and of those the free ones.
  std::size_t large_enough() const { return large_enough_; }
  std::size_t untainted() const { return untainted_; }
  std::size_t free() const { return free_; }
  std::size_t free_but_tainted() const { return free_but_tainted_; }
  // Free ones that need what the node does not have.
  std::size_t unsupported() const { return unsupported_; }
  // Of those that are not large enough, and of those that others leave too little of, the ones
  // that come nearest.
  const std::optional<ShortDevice>& largest() const { return largest_; }
  const std::optional<ShortDevice>& nearest() const { return nearest_; }
  // How many others hold whole; of how many they leave too little capacity; and of how many that
  // have it too few counters.
  std::size_t held() const { return held_; }
  std::size_t short_of_capacity() const { return short_of_capacity_; }
  std::size_t short_of_counters() const { return short_of_counters_; }
  // By place: those that could be had now, each by itself.
  const std::vector<Place>& left() const { return left_; }
  // The most that constraints would leave together if what is in the hands of others could be had
  // too, or what is tainted.
  std::size_t BestGroupIfFree() { return BestGroup(LeftAnd(busy_)); }
  std::size_t BestGroupIfUntainted() { return BestGroup(LeftAnd(tainted_)); }

  // Keys of claims with the devices in their hands that stand in the way: ones that the demand
  // could use, or that draw on counters which are short for it.
  using HeldBy = std::map<std::string, std::set<inventory::DeviceId>>;
  const HeldBy& held_by() const { return held_by_; }
  // The same of those that draw on counters, or on the capacity of shared devices, which could be
  // had for one device or request, but not for all.
  void NoteRivalsOfLeft();

 private:
  bool PassesSelectors(Place place);
  void Count(Place place, Search::Standing standing);
  void CountLarge(Place place, Search::Standing standing);
  void NoteShort(Place place);
  void NoteHolders(const inventory::DeviceId& device);
  void NoteRivals(const inventory::Pool& pool, const std::string& counter_set);
  std::vector<Place> LeftAnd(const std::vector<Place>& others) const;
  std::size_t BestGroup(const std::vector<Place>& places);

  Problem& problem_;
  Search& search_;
  std::size_t claim_;
  const Demand& demand_;
  reasons::Funnel funnel_;
  std::size_t large_enough_ = 0;
  std::size_t untainted_ = 0;
  std::size_t free_ = 0;
  std::size_t free_but_tainted_ = 0;
  std::size_t unsupported_ = 0;
  std::size_t held_ = 0;
  std::size_t short_of_capacity_ = 0;
  std::size_t short_of_counters_ = 0;
  std::optional<ShortDevice> largest_;
  std::optional<ShortDevice> nearest_;
  std::vector<Place> left_;
  std::vector<Place> tainted_;  // large enough
  std::vector<Place> busy_;     // large enough, and others have too much of them
  HeldBy held_by_;
  std::set<std::pair<const inventory::Pool*, std::string>> rivals_of_;  // sets that were counted
};

// By number of devices, most first.
std::vector<std::pair<std::string, std::size_t>> MostFirst(const Survey::HeldBy& held_by);

// What the devices have that a constraint compares, and how many have it; and how many lack it.
struct ValuesFound {
  std::map<std::string, std::size_t> devices;  // by value
  std::size_t lacking = 0;
};
ValuesFound FindValues(Problem& problem, const Demand& demand, const std::vector<Place>& places,
                       std::size_t constraint);

}  // namespace quadra::allocator
