// Search: upstream's first solution, found without upstream's explosion.
//
// Walks claims, requests, alternatives and devices in upstream's order and takes the first complete
// assignment. Between its steps it asks bounds whether what is left can still succeed: counts,
// matching of requests to devices, values that a constraint leaves open, devices that are alike. A
// bound only cuts what cannot succeed, so the solution is the one upstream would find. Where an
// error may be met on the way (a selector that fails, a constraint on all devices) the bounds stay
// off, since upstream reports the first error it meets.
//
// Work is counted in steps and limited by a budget, never by a clock: the same problem gives the
// same answer everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "allocator/constraint.h"
#include "allocator/counters.h"
#include "allocator/matching.h"
#include "allocator/problem.h"

namespace quadra::allocator {

// A device given to a demand.
struct Pick {
  Place place = 0;
  const Demand* demand = nullptr;
  const Portion* portion = nullptr;  // where the device is shared; lives as long as the search
};

class Search {
 public:
  // For one problem, on any of its nodes; `budget`: steps a node.
  Search(Problem& problem, std::uint64_t budget);

  enum class End : std::uint8_t { kFound, kNone, kUndecided, kError };
  // On the node that the problem has entered.
  End Run();
  // Forgets what Run() did; needed before questions about another node.
  void Reset();

  // By claim, in the order of picking. Valid after kFound.
  const std::vector<std::vector<Pick>>& picks() const { return picks_; }
  // By claim and request: which alternative was taken; 0 where there is one only.
  const std::vector<std::vector<std::size_t>>& chosen() const { return chosen_; }
  // After kError: upstream's words.
  const Refusal& error() const { return error_; }

  // What keeps a device from a demand at this moment; constraints are not looked at.
  enum class Standing : std::uint8_t {
    kUnwanted,     // a selector objects, or it is for other nodes
    kTainted,      // and not tolerated
    kBusy,         // taken
    kUnsupported,  // needs what the node or the features do not have
    kNoCounters,
    kNoCapacity,
    kFree,
  };
  Standing StandingOf(std::size_t claim, const Demand& demand, Place place);
  // Whether the device would do for the demand if nobody held anything; in shortage.cc.
  bool IsLargeEnough(const Demand& demand, Place place);
  // What is short on a device that StandingOf() calls kNoCounters or kNoCapacity, or with
  // `nobody_holds` on one that IsLargeEnough() denies.
  Shortage ShortageOf(const Demand& demand, Place place, bool nobody_holds);
  // For explanations, until Reset(): takes the device for the demand if that is kFree now. Neither
  // constraints nor counters are looked at.
  bool TakeIfFree(std::size_t claim, const Demand& demand, Place place);
  // What is short on a shared device beside what was taken of it; nothing where nothing is.
  std::optional<Shortage> ShortageTogether(const Demand& demand, Place place);
  // Whether upstream might report an error on the way; it must then be walked as upstream walks.
  // What is taken does not matter to it.
  bool MayMeetErrors();
  std::uint64_t work() const { return work_; }

 private:
  // kTooMany: the limit of results cannot be kept whatever device is taken here.
  enum class Step : std::uint8_t { kFound, kNone, kTooMany, kStop };

  struct At {
    std::size_t claim = 0;
    std::size_t request = 0;
    std::size_t alternative = 0;
    std::size_t taken = 0;  // devices of this demand so far
  };

  // What taking a device changed, to be undone.
  struct Taken {
    std::size_t constraints = 0;
    bool counters = false;
    bool marked = false;
    bool shared = false;
    bool recorded = false;
  };

  const Demand& DemandAt(const At& at) const {
    return problem_.claims()[at.claim].requests[at.request].alternatives[at.alternative];
  }
  // For the devices of the node.
  void MakeRoom();
  const Candidate& CandidateAt(Place place) const { return problem_.candidates()[place]; }
  bool IsInUse(Place place) const {
    return !takers_[place].empty() || marks_.in_use.Test(CandidateAt(place).row);
  }
  bool IsTakenFor(Place place, std::size_t claim) const;
  bool IsShared(Place place) const;
  bool AllowsMany(Place place) const {
    return CandidateAt(place).shape->allow_multiple_allocations;
  }
  bool IsBlocked(const At& at, const Demand& demand, Place place) const;
  Result<bool> HasCapacity(const Demand& demand, Place place);
  bool HasEnoughCapacityEver(const Demand& demand, Place place);
  bool IsTolerated(const Demand& demand, Place place) const {
    return !marks_.tainted.Test(CandidateAt(place).row) || ToleratesTaints(demand, place);
  }
  bool ToleratesTaints(const Demand& demand, Place place) const;
  const Result<Portion>& PortionOf(const Demand& demand, const inventory::DeviceShape& shape);
  // Null if nobody holds it.
  const inventory::HeldDevice* HeldAt(Place place) const {
    return marks_.HeldAt(CandidateAt(place).row);
  }
  // What others consume of it.
  const Amounts& HeldOf(Place place) const;

  Step Next(const At& at, bool within_alternative, Place start);
  Step NextAlternative(At at);
  Step TakeEverything(const At& at, bool within_alternative);
  Step TakeOne(const At& at, bool within_alternative, Place start);
  // Whether the device passes selectors and capacity; nothing after an error.
  std::optional<bool> Suits(const At& at, const Demand& demand, Place place);
  // Takes the device if it can be; nothing after an error.
  std::optional<bool> Take(const At& at, const Demand& demand, Place place, bool must,
                           Taken& taken);
  std::optional<bool> Join(const At& at, const Demand& demand, Place place, bool must,
                           Taken& taken);
  void Record(const At& at, const Demand& demand, Place place, Taken& taken);
  void PutBack(const At& at, const Demand& demand, Place place, const Taken& taken);

  // --- Bounds.
  bool MayFail(const Demand& demand);
  // Whether what constraints compare can be computed; a device may still lack it.
  bool HasAttributes(const Demand& demand, Place place);
  // What a request still needs, and the devices it could take.
  struct Need {
    At at;
    std::size_t count = 0;
    std::vector<Place> places;  // ascending
    bool exclusive = true;      // they are then taken from the others
    bool merges = false;        // with others of its kind
  };
  // The devices that are worth a try for a demand, from a place on.
  struct Prospect {
    bool looked = false;        // false: any
    std::vector<Place> places;  // ascending
    bool Includes(Place place) const {
      return !looked || std::ranges::binary_search(places, place);
    }
  };
  // Looks whether there is hope; false if there is none.
  bool HasHope(const At& at, Place start, Prospect& prospect);
  bool CouldSucceed(const At& at, Place start, Prospect& prospect);
  std::vector<Need> Needs(const At& at, Place start);
  void AddNeed(Need need, bool here, std::vector<Need>& needs) const;
  Need NeedOf(const At& at, Place start);
  Need NeedOfLater(At at);
  std::vector<Place> Available(const At& at, const Demand& demand, Place start);
  const std::vector<Place>& AvailableToKind(const At& at, const Demand& demand);
  Matching EmptyMatching() const;
  bool CanMatch(const std::vector<Need>& needs) const;
  // Whether counters may suffice for all devices that the need wants.
  bool CanCharge(const Need& need);
  bool Covers(const Need& need, std::size_t claim, std::size_t constraint) const;
  const AttributeValues& ValuesOf(const Need& need, Place place, std::size_t constraint);
  Outlook::Open OpenOf(const Need& need, std::size_t constraint);
  bool CouldMatch(const std::vector<Need>& needs, const std::vector<std::size_t>& covered,
                  std::size_t constraint, Outlook::Condition condition);
  bool CouldMeet(std::vector<Need>& needs, std::size_t claim, std::size_t constraint);
  static void StrikeOut(const Outlook::Open& open, Need& need);
  bool IsAvailable(const At& at, const Demand& demand, Place place);
  bool FitsConstraints(const At& at, const Demand& demand, Place place);

  std::optional<bool> HasCapacityFor(const At& at, const Demand& demand, Place place,
                                     std::string_view doing);
  // What a failure on a device comes to by the rules: it ends the search, or the device is not for
  // the demand.
  std::optional<bool> Failed(reasons::Code code, absl::FunctionRef<std::string()> message);
  Step Fail(reasons::Code code, std::string message);

  Problem& problem_;
  const inventory::Marks& marks_;  // of the cluster
  std::uint64_t budget_;
  std::uint64_t work_ = 0;
  // A walk failed since the last look that had hope. Bounds are looked at only then: most searches
  // succeed at once, and a look costs as much as hundreds of steps. After a look that had hope the
  // walk goes on without until it fails again; what it then tries in vain is at most one path.
  bool met_dead_end_ = false;
  End stopped_ = End::kNone;
  Refusal error_;
  std::vector<std::vector<Pick>> picks_;
  std::vector<std::vector<std::size_t>> chosen_;
  std::vector<std::vector<std::size_t>> takers_;  // by Place: claims that take the whole device
  struct Share {
    std::size_t count = 0;
    absl::InlinedVector<quantity::Quantity, 2> taken;  // of each capacity

    void Add(const Portion& portion);
    void Remove(const Portion& portion);
  };
  std::vector<Share> shares_;  // by Place: taken by this allocation
  std::vector<std::vector<std::unique_ptr<Constraint>>> constraints_;  // by claim
  Counters counters_;
  std::optional<bool> may_meet_errors_;
  // What demands of a kind consume of devices of a shape.
  absl::flat_hash_map<std::pair<std::size_t, const inventory::DeviceShape*>,
                      std::unique_ptr<const Result<Portion>>>
      portions_;
  struct LastPortion {
    const inventory::DeviceShape* shape = nullptr;
    const Result<Portion>* portion = nullptr;
  };
  std::vector<LastPortion> last_portions_;                                  // by kind
  absl::flat_hash_map<std::size_t, std::vector<Place>> available_by_kind_;  // while needs are found
};

// Whether a toleration of the demand covers every taint that keeps pods away.
bool ToleratesAll(const api::List<api::DeviceToleration>& tolerations,
                  const std::vector<api::DeviceTaint>& taints);

}  // namespace quadra::allocator
