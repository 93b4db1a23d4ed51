// Problem: a plan on one node: its devices in upstream's order, and what each demand has to say
// about them.
//
// Made once for a plan, then entered node after node. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "allocator/attributes.h"
#include "allocator/placement_order.h"
#include "allocator/plan.h"
#include "base/result.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::allocator {

using inventory::Candidate;

enum class Answer : std::uint8_t { kNo, kYes, kError };

// Why a device is not for a demand.
struct Objection {
  enum class By : std::uint8_t {
    kBinding,    // it has binding conditions, and that feature is off
    kClass,      // a selector of the class
    kRequest,    // a selector of the request
    kPlacement,  // it is for other nodes
  };
  By by = By::kPlacement;
  std::size_t selector = 0;
  Answer answer = Answer::kNo;  // or kError
  std::string error;            // kError: upstream's words
};

class Problem {
 public:
  // `cluster` and `verdicts` must outlive this. `order` may be null.
  Problem(const inventory::Snapshot& cluster, std::vector<ClaimPlan> plan, Verdicts& verdicts,
          const Rules& rules, PlacementOrder order);

  // Goes to a node, which must be of the same snapshot. Where upstream refuses to search there, the
  // refusal; then nothing else may be asked.
  const std::optional<Refusal>& Enter(const inventory::NodeView& node);

  const std::optional<Refusal>& refusal() const { return refusal_; }
  const inventory::Snapshot& cluster() const { return *cluster_; }
  const Rules& rules() const { return rules_; }
  const inventory::NodeView& node() const { return *node_; }
  const std::vector<inventory::Pool>& pools() const { return node_->pools; }
  // By place: in the order in which they are tried.
  const std::vector<Candidate>& candidates() const { return *candidates_; }
  // Among the node's candidates.
  std::uint32_t IndexOf(Place place) const { return order_ == nullptr ? place : indices_[place]; }
  inventory::DeviceId IdOf(Place place) const {
    return candidates()[place].slice->IdOf(candidates()[place].index);
  }
  std::vector<ClaimPlan>& claims() { return claims_; }
  const std::vector<ClaimPlan>& claims() const { return claims_; }
  Verdicts& verdicts() { return verdicts_; }
  std::size_t kinds() const { return kinds_; }  // of demands

  // Whether the selectors of the demand's class, then its own, accept the device, and the device is
  // for this node. kError only where that fails the pod.
  Answer Ask(const Demand& demand, Place place) const {
    const Candidate& candidate = candidates()[place];
    const selector::Verdict verdict = candidate.shape->is_selectable
                                          ? demand.verdicts->At(candidate.row)
                                          : selector::Verdict::kNo;
    return verdict == selector::Verdict::kMatch   ? WhetherPlaced(candidate)
           : verdict == selector::Verdict::kError ? on_failure_
                                                  : Answer::kNo;
  }
  // The first objection that Ask() met, found again with its words; nothing where the device is
  // accepted.
  std::optional<Objection> ObjectionTo(std::size_t claim, const Demand& demand, Place place);
  // Its words, where Ask() said kError.
  std::string ErrorOf(std::size_t claim, const Demand& demand, Place place);
  // The attribute as a constraint of the demand's claim sees it: derived, or published. Null where
  // the device lacks it. Fails where a derived attribute cannot be computed. Computed once a node.
  Result<const AttributeValues*> AttributeOf(const Demand& demand, Place place,
                                             std::size_t constraint) {
    return attributes_.Of(demand.attributes[constraint], place);
  }
  std::string TextOf(ValueId value) const { return attributes_.TextOf(value); }

 private:
  Answer WhetherPlaced(const Candidate& candidate) const {
    switch (candidate.placed) {
      case Candidate::Placed::kHere:
        return Answer::kYes;
      case Candidate::Placed::kElsewhere:
        return Answer::kNo;
      case Candidate::Placed::kUnreadable:
        return on_failure_;
    }
    return Answer::kNo;
  }
  void OrderCandidates();
  std::optional<Refusal> Prepare();
  std::optional<Refusal> PrepareClaim(ClaimPlan& claim);
  std::optional<Refusal> CollectEverything(ClaimPlan& claim, Demand& demand);
  // Whether the device is among all that the demand takes.
  std::optional<Refusal> Consider(ClaimPlan& claim, Demand& demand, Place place);
  Result<bool> FitsStatically(const std::string& where, const Demand& demand, Place place) const;
  // The first selector that does not say yes; nothing if all do.
  std::optional<Objection> Object(Objection::By by, const std::string& owner,
                                  const api::List<api::DeviceSelector>& selectors, Place place);
  void NumberAttributes();
  void NumberKinds();
  std::size_t NumberOf(const Demand& demand, const std::string& name);

  const inventory::Snapshot* cluster_;
  std::vector<ClaimPlan> claims_;
  Verdicts& verdicts_;
  Rules rules_;
  PlacementOrder order_;                // null: as published
  std::vector<std::uint32_t> indices_;  // by place, where there is an order
  std::vector<Candidate> ordered_;      // likewise
  Answer on_failure_;                   // what Ask() says of a device on which an expression fails
  bool depends_on_node_;                // whether a refusal does
  bool entered_ = false;
  std::optional<Refusal> refusal_;  // of the present node
  const inventory::NodeView* node_ = nullptr;
  const std::vector<Candidate>* candidates_ = nullptr;  // the node's, or those in order
  std::unique_ptr<cel::Scratch> scratch_ = std::make_unique<cel::Scratch>();
  Attributes attributes_;
  std::size_t kinds_ = 0;
};

}  // namespace quadra::allocator
