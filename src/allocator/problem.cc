#include "allocator/problem.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using inventory::PoolState;

std::string Title(const api::ResourceClaim& claim) {
  return claim.metadata.ns.empty() ? claim.metadata.name
                                   : claim.metadata.ns + "/" + claim.metadata.name;
}

tl::unexpected<Error> Refuse(std::string message) {
  return Fail(Reason::kInvalid, std::move(message));
}

bool Selects(const std::optional<std::string>& wanted, const std::string& value) {
  return !wanted || *wanted == value;
}

// A rule without a selector selects nothing.
bool Applies(const api::DeviceTaintRule& rule, const inventory::DeviceId& id) {
  const auto& wanted = rule.spec.device_selector;
  return wanted && Selects(wanted->driver, id.driver) && Selects(wanted->pool, id.pool) &&
         Selects(wanted->device, id.device);
}

std::vector<api::DeviceTaint> TaintsOf(const inventory::DeviceShape& shape,
                                       const inventory::DeviceId& id,
                                       std::span<const api::DeviceTaintRule> rules) {
  std::vector<api::DeviceTaint> taints(shape.taints.begin(), shape.taints.end());
  for (const api::DeviceTaintRule& rule : rules) {
    if (Applies(rule, id)) {
      taints.push_back(rule.spec.taint);
    }
  }
  return taints;
}

// What requests and their alternatives have in common.
template <typename T>
Demand DemandOf(const T& request) {
  Demand demand;
  demand.selectors = &request.selectors;
  demand.tolerations = &request.tolerations;
  demand.derived = &request.derived_attributes;
  demand.capacity = request.capacity ? &request.capacity->requests : nullptr;
  return demand;
}

bool IsSpelledOut(const Candidate& candidate, std::string_view attribute) {
  const auto found = candidate.slice->spelled_out.find(candidate.index);
  return found != candidate.slice->spelled_out.end() && found->second.contains(attribute);
}

// Whether a constraint or configuration that names `requests` covers the demand.
bool Covers(const api::List<std::string>& requests, const Demand& demand) {
  const auto names = [&](const std::string& name) {
    return std::ranges::find(requests, name) != requests.end();
  };
  return requests.empty() || names(demand.request) ||
         (demand.is_alternative && names(demand.QualifiedName()));
}

}  // namespace

const std::string& AttributeNameOf(const api::DeviceConstraint& constraint) {
  static const std::string none;
  for (const auto* name : {&constraint.match_attribute, &constraint.distinct_attribute}) {
    if (name->has_value()) {
      return name->value();
    }
  }
  return none;
}

Result<Problem> Problem::Build(const Question& question) {
  Problem problem(question);
  QUADRA_RETURN_IF_ERROR(problem.CollectCandidates());
  for (const api::ResourceClaim* claim : question.claims) {
    QUADRA_RETURN_IF_ERROR(problem.AddClaim(*claim));
  }
  return problem;
}

Status Problem::CollectCandidates() {
  inventory::NodePools found =
      inventory::PoolsOf(question_.cluster.slices(), question_.node, question_.cluster.features());
  if (question_.strict && !found.unreadable.empty()) {
    return Refuse("gather pool information: " + found.unreadable);
  }
  pools_ = std::make_unique<std::vector<inventory::Pool>>(std::move(found.pools));
  for (const inventory::Pool& pool : *pools_) {
    for (const auto& slice : pool.slices) {
      const selector::Row first = question_.cluster.table().rows(slice->rows).begin;
      for (std::uint32_t i = 0; i < slice->devices.size(); ++i) {
        inventory::DeviceId id = slice->IdOf(i);
        const inventory::DeviceShape* shape = slice->devices[i].shape.get();
        candidates_.push_back({.pool = &pool,
                               .slice = slice.get(),
                               .index = i,
                               .shape = shape,
                               .row = first + i,
                               .id = id,
                               .held = question_.cluster.held().Find(id),
                               .taints = TaintsOf(*shape, id, question_.cluster.taint_rules())});
      }
    }
  }
  return {};
}

// --- Claims.

Status Problem::AddClaim(const api::ResourceClaim& claim) {
  ClaimProblem problem{.claim = &claim, .title = Title(claim), .requests = {}, .constraints = {}};
  claims_.push_back(std::move(problem));
  std::int64_t least = 0;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    QUADRA_RETURN_IF_ERROR(AddRequest(claims_.back(), request));
    const auto& alternatives = claims_.back().requests.back().alternatives;
    const std::int64_t count = std::ranges::min(alternatives, {}, &Demand::asked).asked;
    if (count > static_cast<std::int64_t>(kMaxResults) - least) {
      return Refuse(
          fmt::format("claim {}, request {}: adding {} devices exceeds the claim limit of "
                      "{}, with {} already accounted for",
                      claims_.back().title, request.name, count, kMaxResults, least));
    }
    least += count;
  }
  for (std::size_t i = 0; i < claim.spec.devices.constraints.size(); ++i) {
    const api::DeviceConstraint& constraint = claim.spec.devices.constraints[i];
    const bool known = constraint.match_attribute || constraint.distinct_attribute;
    if (!known) {
      return Refuse(
          fmt::format("claim {}, constraint #{}: empty constraint (unsupported constraint "
                      "type?)",
                      claims_.back().title, i));
    }
    claims_.back().constraints.push_back(&constraint);
    for (Request& request : claims_.back().requests) {
      for (Demand& demand : request.alternatives) {
        if (Covers(constraint.requests, demand)) {
          demand.constraints.push_back(i);
        }
      }
    }
  }
  return {};
}

Status Problem::AddRequest(ClaimProblem& problem, const api::DeviceRequest& request) {
  const bool has_alternatives = !request.first_available.empty();
  QUADRA_RETURN_IF_ERROR(CheckFeatures(problem, request));
  problem.requests.push_back(
      {.name = request.name, .alternatives = {}, .has_alternatives = has_alternatives});
  for (const api::DeviceSubRequest& alternative : request.first_available) {
    Demand demand = DemandOf(alternative);
    demand.name = alternative.name;
    demand.request = request.name;
    demand.is_alternative = true;
    QUADRA_RETURN_IF_ERROR(Complete(problem, demand, alternative.device_class_name,
                                    alternative.allocation_mode, alternative.count));
    problem.requests.back().alternatives.push_back(std::move(demand));
  }
  if (has_alternatives) {
    return {};
  }
  if (!request.exactly) {
    return Refuse(fmt::format("claim {}, request {}: neither exactly nor firstAvailable is given",
                              problem.title, request.name));
  }
  const api::ExactDeviceRequest& exactly = *request.exactly;
  Demand demand = DemandOf(exactly);
  demand.name = demand.request = request.name;
  demand.names_admin_access = exactly.admin_access.has_value();
  demand.admin_access = exactly.admin_access.value_or(false);
  QUADRA_RETURN_IF_ERROR(
      Complete(problem, demand, exactly.device_class_name, exactly.allocation_mode, exactly.count));
  problem.requests.back().alternatives.push_back(std::move(demand));
  return {};
}

Status Problem::CheckFeatures(const ClaimProblem& problem,
                              const api::DeviceRequest& request) const {
  const inventory::Features& features = question_.cluster.features();
  const std::string where = fmt::format("claim {}, request {}", problem.title, request.name);
  if (!request.first_available.empty() && !features.prioritized_list) {
    return Refuse(where + ": has subrequests, but the DRAPrioritizedList feature is disabled");
  }
  if (features.consumable_capacity) {
    return {};
  }
  constexpr std::string_view kDisabled =
      ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
  if (request.exactly && request.exactly->capacity) {
    return Refuse(where + std::string(kDisabled));
  }
  for (const api::DeviceSubRequest& alternative : request.first_available) {
    if (alternative.capacity) {
      return Refuse(
          fmt::format("claim {}, subrequest {}{}", problem.title, alternative.name, kDisabled));
    }
  }
  return {};
}

Status Problem::CheckDemand(const std::string& where, const Demand& demand) const {
  if (!demand.derived->empty() && !question_.cluster.features().derived_attributes) {
    return Refuse(where +
                  ": cannot handle request with derived attributes, the feature is disabled");
  }
  for (std::size_t i = 0; i < demand.selectors->size(); ++i) {
    if (!(*demand.selectors)[i].cel) {
      return Refuse(fmt::format(
          "{}, selector #{}: CEL expression empty (unsupported selector type?)", where, i));
    }
  }
  if (demand.names_admin_access && !question_.cluster.features().admin_access) {
    return Refuse(where + ": admin access is requested, but the feature is disabled");
  }
  return {};
}

Status Problem::Complete(const ClaimProblem& problem, Demand& demand, const std::string& class_name,
                         const std::string& mode, std::int64_t count) {
  const std::string where = fmt::format("claim {}, request {}", problem.title, demand.name);
  QUADRA_RETURN_IF_ERROR(CheckDemand(where, demand));
  if (class_name.empty()) {
    return Refuse(where + ": missing device class name (unsupported request type?)");
  }
  const auto found = question_.cluster.classes().find(class_name);
  if (found == question_.cluster.classes().end()) {
    return Fail(Reason::kNotFound, fmt::format("{}: could not retrieve device class {}: "
                                               "deviceclass.resource.k8s.io \"{}\" not found",
                                               where, class_name, class_name));
  }
  demand.device_class = &found->second;
  demand.answers.assign(candidates_.size(), 0);
  if (mode == "ExactCount") {
    demand.asked = count;
    demand.count = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    return {};
  }
  if (mode != "All") {
    return Refuse(fmt::format("{}: unsupported count mode {}", where, mode));
  }
  demand.all = true;
  return CollectEverything(where, demand);
}

Status Problem::CollectEverything(const std::string& where, Demand& demand) {
  Place place = 0;
  for (const inventory::Pool& pool : *pools_) {
    if (pool.state != PoolState::kReady) {
      return Refuse(fmt::format(
          "{}: asks for all devices, but resource pool {} is currently {}", where, pool.ToString(),
          pool.state == PoolState::kIncomplete ? "being updated" : "invalid"));
    }
    for (; place < candidates_.size() && candidates_[place].pool == &pool; ++place) {
      const Answer answer = Ask(claims_.size() - 1, demand, place);
      if (answer == Answer::kError) {
        return Refuse(ErrorOf(claims_.size() - 1, demand, place));
      }
      if (answer == Answer::kYes) {
        QUADRA_TRY(const bool fits, FitsStatically(where, demand, place));
        if (fits) {
          demand.everything.push_back(place);
        }
      }
    }
  }
  demand.count = demand.everything.size();
  demand.asked = static_cast<std::int64_t>(demand.count);
  return {};
}

// What is consumed now does not count: such a device stays among all, and the demand fails.
Result<bool> Problem::FitsStatically(const std::string& where, const Demand& demand,
                                     Place place) const {
  if (!question_.cluster.features().consumable_capacity) {
    return true;
  }
  const Candidate& candidate = candidates_[place];
  Result<bool> fits = Suffices(demand.capacity, candidate.shape->capacity, {}, {},
                               question_.cluster.features().fractional_capacity_range);
  if (!fits && !question_.strict) {
    return false;
  }
  if (!fits) {
    return Refuse(fmt::format("{}: checking capacity for device {}: {}", where, candidate.id.device,
                              fits.error().message));
  }
  return fits;
}

// --- Selectors.

Answer Problem::Ask(std::size_t claim, Demand& demand, Place place) {
  std::uint8_t& answer = demand.answers[place];
  if (answer == static_cast<std::uint8_t>(Answer::kUnknown)) {
    const std::optional<Objection> objection = ObjectionTo(claim, demand, place);
    const Answer found = objection ? objection->answer : Answer::kYes;
    const bool forgiven = found == Answer::kError && !question_.strict;
    answer = static_cast<std::uint8_t>(forgiven ? Answer::kNo : found);
  }
  return static_cast<Answer>(answer);
}

std::string Problem::ErrorOf(std::size_t claim, const Demand& demand, Place place) {
  const std::optional<Objection> objection = ObjectionTo(claim, demand, place);
  return objection ? objection->error : "";
}

std::optional<Objection> Problem::ObjectionTo(std::size_t claim, const Demand& demand,
                                              Place place) {
  const Candidate& candidate = candidates_[place];
  if (!question_.cluster.features().binding_conditions &&
      !candidate.shape->binding_conditions.empty()) {
    return Objection{.by = Objection::By::kBinding, .error = ""};
  }
  if (auto objection = Object(Objection::By::kClass, "class " + demand.device_class->metadata.name,
                              demand.device_class->spec.selectors, place)) {
    return objection;
  }
  if (auto objection = Object(Objection::By::kRequest, "claim " + claims_[claim].title,
                              *demand.selectors, place)) {
    return objection;
  }
  const inventory::Placement& placement = candidate.shape->placement;
  if (!candidate.slice->devices_have_placements || placement.Serves(question_.node)) {
    return std::nullopt;
  }
  return placement.is_readable ? Objection{.by = Objection::By::kPlacement, .error = ""}
                               : Objection{.by = Objection::By::kPlacement,
                                           .answer = Answer::kError,
                                           .error = "failed to parse node selector"};
}

std::optional<Objection> Problem::Object(Objection::By by, const std::string& owner,
                                         const api::List<api::DeviceSelector>& selectors,
                                         Place place) {
  const Candidate& candidate = candidates_[place];
  const selector::DeviceTable& table = question_.cluster.table();
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const std::optional<api::CelDeviceSelector>& cel = selectors[i].cel;
    const auto expression = question_.expressions.Get(
        cel ? cel->expression : "", selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error()) {
      return Objection{.by = by,
                       .selector = i,
                       .answer = Answer::kError,
                       .error = fmt::format("{}: selector #{}: CEL compile error: {}", owner, i,
                                            expression->error()->message)};
    }
    const selector::Explanation explanation =
        selector::Explain(*expression, table.poison(table.classes()[candidate.row]),
                          table.RowInputs(candidate.row), *scratch_);
    if (explanation.verdict == selector::Verdict::kError) {
      return Objection{
          .by = by,
          .selector = i,
          .answer = Answer::kError,
          .error = fmt::format("{}: selector #{} on device {}: CEL runtime error: {}", owner, i,
                               candidate.id.ToString(), selector::WithAdvice(explanation.error))};
    }
    if (explanation.verdict == selector::Verdict::kNo) {
      return Objection{.by = by, .selector = i, .answer = Answer::kNo, .error = ""};
    }
  }
  return std::nullopt;
}

// --- Attributes, for constraints.

Result<const AttributeValues*> Problem::AttributeOf(const Demand& demand, Place place,
                                                    const std::string& name) {
  // Of several of one name the last counts.
  const api::DeviceDerivedAttribute* derived = nullptr;
  for (const api::DeviceDerivedAttribute& each : *demand.derived) {
    derived = each.name == name ? &each : derived;
  }
  if (derived != nullptr) {
    return Derive(derived->expression, name, place);
  }
  const auto [at, is_new] = attributes_.try_emplace({place, name});
  if (is_new) {
    at->second = Published(place, name);
  }
  return at->second.get();
}

std::unique_ptr<const AttributeValues> Problem::Published(Place place,
                                                          const std::string& name) const {
  const Candidate& candidate = candidates_[place];
  const std::size_t slash = name.find('/');
  const bool bare = slash == std::string::npos;
  if (bare && IsSpelledOut(candidate, name)) {
    return nullptr;
  }
  const std::string_view whole = name;
  const selector::DeviceTable& table = question_.cluster.table();
  const std::optional<selector::ColumnId> column = table.columns().Find(
      selector::ColumnKind::kAttribute, bare ? candidate.id.driver : whole.substr(0, slash),
      bare ? whole : whole.substr(slash + 1));
  const cel::Value value = column ? table.RowInputs(candidate.row).Slot(*column) : cel::Value();
  return value.is_absent() ? nullptr : std::make_unique<const AttributeValues>(ValuesOf(value));
}

Result<const AttributeValues*> Problem::Derive(const std::string& expression,
                                               const std::string& name, Place place) {
  if (const auto known = derived_.find({place, expression}); known != derived_.end()) {
    return known->second.get();
  }
  const auto compiled = question_.expressions.Get(expression, selector::Profile::Stored(),
                                                  selector::Use::kDerivedAttribute);
  if (compiled->error()) {
    return Refuse(
        fmt::format("compile derived attribute {} failed: {}", name, compiled->error()->message));
  }
  const Candidate& candidate = candidates_[place];
  const selector::DeviceTable& table = question_.cluster.table();
  const selector::Derivation derivation =
      selector::Derive(*compiled, table.poison(table.classes()[candidate.row]),
                       table.RowInputs(candidate.row), *scratch_);
  if (!derivation.value) {
    return Refuse(fmt::format("evaluate derived attribute {} on device {} failed: {}", name,
                              candidate.id.ToString(), derivation.value.error().message));
  }
  return derived_
      .emplace(std::make_pair(place, expression),
               std::make_unique<const AttributeValues>(ValuesOf(*derivation.value)))
      .first->second.get();
}

}  // namespace quadra::allocator
