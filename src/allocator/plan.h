// Plan: what claims demand, made ready once for all nodes: classes found, selectors asked of all
// devices, features checked.
//
// What upstream refuses before it searches is kept where upstream would meet it, since on some
// nodes it meets something else first. The claims must outlive the plan, and so must the snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "allocator/capacity.h"
#include "allocator/constraint.h"
#include "allocator/result_limit.h"
#include "allocator/verdicts.h"
#include "api/kinds.h"
#include "inventory/inventory.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

using reasons::Refusal;

// A device of the node, by its place in the order of the walk.
using Place = std::uint32_t;

// Where we deviate from upstream on purpose (docs/deviations.md), chosen once for a plan; the
// search only reads what was chosen. The defaults are ours.
struct Rules {
  // A device on which an expression or arithmetic fails, or which a request for all devices must
  // take and may not, fails the pod. Otherwise it is merely not for the request.
  bool device_fails_pod = false;
  // What is wrong with a node (unfinished or invalid pools, unreadable selectors, more devices than
  // a claim may have) fails the pod. Otherwise the claims merely do not fit that node.
  bool node_fails_pod = false;
  // A device that is held but no longer published keeps what it consumes of shared counters.
  bool unpublished_consume = true;

  static constexpr Rules Upstreams() {
    return {.device_fails_pod = true, .node_fails_pod = true, .unpublished_consume = false};
  }
};

// What one request, or one alternative of it, demands.
struct Demand {
  std::string name;
  std::string request;  // the request's name; differs from `name` for an alternative
  bool is_alternative = false;
  std::optional<Refusal> refusal;  // then nothing below counts
  const api::DeviceClass* device_class = nullptr;
  const api::List<api::DeviceSelector>* selectors = nullptr;
  const api::List<api::DeviceToleration>* tolerations = nullptr;
  const api::List<api::DeviceDerivedAttribute>* derived = nullptr;
  Wanted capacity = nullptr;
  std::shared_ptr<const selector::Sequenced> verdicts;  // of class and request, by row
  bool admin_access = false;
  bool all = false;
  std::vector<std::size_t> constraints;  // of its claim, in order, that cover it
  std::vector<std::size_t> attributes;   // by constraint of its claim: see Problem::AttributeOf
  std::size_t kind = 0;                  // demands of one kind want the same of a device

  // For `all` these depend on the node; see Problem::Enter.
  std::int64_t asked = 0;         // as written, also below 0; counts towards the limit of a claim
  std::size_t count = 0;          // devices to take
  std::vector<Place> everything;  // `all`: the devices

  // request, or request/alternative
  std::string QualifiedName() const { return is_alternative ? request + "/" + name : name; }
};

struct Request {
  std::string name;
  std::vector<Demand> alternatives;  // one, unless firstAvailable
  bool has_alternatives = false;
};

// A constraint of a claim, as its kind reads it.
struct ConstraintPlan {
  const ConstraintKind* kind = nullptr;
  const std::string* attribute = nullptr;
};

struct ClaimPlan {
  const api::ResourceClaim* claim = nullptr;
  std::string full_name;  // namespace/name, as upstream prints it
  std::vector<Request> requests;
  std::vector<ConstraintPlan> constraints;
  std::optional<Refusal> refusal;  // met after all requests
};

// claim NAME, request NAME: the beginning of upstream's complaints.
std::string Where(const ClaimPlan& claim, const Demand& demand);

// Stops after the first refusal; what upstream would not look at is not planned.
std::vector<ClaimPlan> MakePlan(const inventory::Snapshot& cluster,
                                std::span<const api::ResourceClaim* const> claims,
                                Verdicts& verdicts);

}  // namespace quadra::allocator
