// Problem: what one allocation is about, made ready for the search: the devices of a node in
// upstream's order, what each request demands of them, and the answers to its selectors as they are
// asked for.
//
// Built for one node and one list of claims; features are read here and nowhere below. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/capacity.h"
#include "allocator/constraint.h"
#include "api/kinds.h"
#include "base/result.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::allocator {

inline constexpr std::size_t kMaxResults = 32;  // of one claim

// A device of the node, by its place in the order of the walk.
using Place = std::uint32_t;

struct Candidate {
  const inventory::Pool* pool = nullptr;
  const inventory::Slice* slice = nullptr;
  std::uint32_t index = 0;  // in the slice
  const inventory::DeviceShape* shape = nullptr;
  selector::Row row = 0;
  inventory::DeviceId id;
  const inventory::HeldDevice* held = nullptr;  // null: nobody holds it
  std::vector<api::DeviceTaint> taints;         // published and by rules
};

// What one request, or one alternative of it, demands.
struct Demand {
  std::string name;
  std::string request;  // the request's name; differs from `name` for an alternative
  bool is_alternative = false;
  const api::DeviceClass* device_class = nullptr;
  const api::List<api::DeviceSelector>* selectors = nullptr;
  const api::List<api::DeviceToleration>* tolerations = nullptr;
  const api::List<api::DeviceDerivedAttribute>* derived = nullptr;
  Wanted capacity = nullptr;
  bool names_admin_access = false;  // even if false
  bool admin_access = false;
  bool all = false;
  std::int64_t asked = 0;         // as written, also below 0; counts towards the limit of a claim
  std::size_t count = 0;          // devices to take
  std::vector<Place> everything;  // `all`: the devices
  std::vector<std::uint8_t> answers;     // by Place; see Answer
  std::vector<std::size_t> constraints;  // of its claim, in order, that cover it

  // request, or request/alternative
  std::string QualifiedName() const { return is_alternative ? request + "/" + name : name; }
};

struct Request {
  std::string name;
  std::vector<Demand> alternatives;  // one, unless firstAvailable
  bool has_alternatives = false;
};

struct ClaimProblem {
  const api::ResourceClaim* claim = nullptr;
  std::string title;  // namespace/name, as upstream prints it
  std::vector<Request> requests;
  std::vector<const api::DeviceConstraint*> constraints;
};

// The attribute that a constraint is about.
const std::string& AttributeNameOf(const api::DeviceConstraint& constraint);

// What is asked: claims to be allocated together for a node, in a cluster.
struct Question {
  const inventory::Snapshot& cluster;
  const api::Node& node;
  std::span<const api::ResourceClaim* const> claims;
  // Upstream's behaviour: a device on which an expression fails fails the pod. Otherwise such a
  // device is merely not for the request.
  bool strict = false;
  selector::ExpressionCache& expressions;
};

enum class Answer : std::uint8_t { kUnknown, kNo, kYes, kError };

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
  // Fails where upstream refuses before it searches; all such errors are fatal for the pod.
  static Result<Problem> Build(const Question& question);

  const Question& question() const { return question_; }
  const inventory::Features& features() const { return question_.cluster.features(); }
  const std::vector<inventory::Pool>& pools() const { return *pools_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::vector<ClaimProblem>& claims() { return claims_; }
  const std::vector<ClaimProblem>& claims() const { return claims_; }

  // Whether the selectors of the demand's class, then its own, accept the device, and the device is
  // for this node. Evaluated once.
  Answer Ask(std::size_t claim, Demand& demand, Place place);
  // The first objection that Ask() met, found again; nothing where the device is accepted.
  std::optional<Objection> ObjectionTo(std::size_t claim, const Demand& demand, Place place);
  // Its words, where Ask() said kError.
  std::string ErrorOf(std::size_t claim, const Demand& demand, Place place);
  // The attribute as a constraint of the demand's claim sees it: derived, or published. Null where
  // the device lacks it. Fails where a derived attribute cannot be computed. Computed once.
  Result<const AttributeValues*> AttributeOf(const Demand& demand, Place place,
                                             const std::string& name);

 private:
  explicit Problem(const Question& question) : question_(question) {}

  Status CollectCandidates();
  Status AddClaim(const api::ResourceClaim& claim);
  Status AddRequest(ClaimProblem& problem, const api::DeviceRequest& request);
  Status CheckFeatures(const ClaimProblem& problem, const api::DeviceRequest& request) const;
  Status CheckDemand(const std::string& where, const Demand& demand) const;
  Status Complete(const ClaimProblem& problem, Demand& demand, const std::string& class_name,
                  const std::string& mode, std::int64_t count);
  Status CollectEverything(const std::string& where, Demand& demand);
  Result<bool> FitsStatically(const std::string& where, const Demand& demand, Place place) const;
  // The first selector that does not say yes; nothing if all do.
  std::optional<Objection> Object(Objection::By by, const std::string& owner,
                                  const api::List<api::DeviceSelector>& selectors, Place place);
  std::unique_ptr<const AttributeValues> Published(Place place, const std::string& name) const;
  Result<const AttributeValues*> Derive(const std::string& expression, const std::string& name,
                                        Place place);

  Question question_;
  std::unique_ptr<std::vector<inventory::Pool>> pools_;  // candidates point into it
  std::vector<Candidate> candidates_;
  std::vector<ClaimProblem> claims_;
  std::unique_ptr<cel::Scratch> scratch_ = std::make_unique<cel::Scratch>();
  absl::flat_hash_map<std::pair<Place, std::string>, std::unique_ptr<const AttributeValues>>
      attributes_;  // published; null where the device lacks it
  absl::flat_hash_map<std::pair<Place, std::string>, std::unique_ptr<const AttributeValues>>
      derived_;  // by expression
};

}  // namespace quadra::allocator
