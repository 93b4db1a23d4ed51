#include "allocator/plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace quadra::allocator {
namespace {

using inventory::Features;
using reasons::Code;

// Whether a constraint that names `requests` covers the demand.
bool Covers(const api::List<std::string>& requests, const Demand& demand) {
  const auto names = [&](const std::string& name) {
    return std::ranges::find(requests, name) != requests.end();
  };
  return requests.empty() || names(demand.request) ||
         (demand.is_alternative && names(demand.QualifiedName()));
}

// A request or an alternative, as far as they have the same.
struct Wording {
  std::string name;
  const std::string& class_name;
  const std::string& mode;
  std::int64_t count;
  bool names_admin_access = false;  // even if false
};

class ClaimPlanner {
 public:
  ClaimPlanner(const inventory::Snapshot& cluster, Verdicts& verdicts,
               const api::ResourceClaim& claim)
      : cluster_(cluster),
        verdicts_(verdicts),
        plan_{.claim = &claim,
              .full_name = api::FullNameOf(claim),
              .requests = {},
              .constraints = {}} {}

  // False once something was refused.
  bool Plan() {
    plan_.requests.reserve(plan_.claim->spec.devices.requests.size());
    for (const api::DeviceRequest& request : plan_.claim->spec.devices.requests) {
      if (!AddRequest(request)) {
        return false;
      }
    }
    return AddConstraints();
  }

  ClaimPlan Take() && { return std::move(plan_); }

 private:
  const Features& features() const { return cluster_.features(); }
  // The beginning of upstream's complaints.
  std::string At(const std::string& request) const {
    return fmt::format("claim {}, request {}", plan_.full_name, request);
  }

  bool AddRequest(const api::DeviceRequest& request) {
    const bool has_alternatives = !request.first_available.empty();
    plan_.requests.push_back(
        {.name = request.name, .alternatives = {}, .has_alternatives = has_alternatives});
    if (std::optional<Refusal> refusal = CheckRequest(request)) {
      return Refuse(request.name, *std::move(refusal));
    }
    if (!has_alternatives && request.exactly) {
      return AddExactly(request.name, *request.exactly);
    }
    return std::ranges::all_of(request.first_available, [&](const auto& alternative) {
      return AddAlternative(request.name, alternative);
    });
  }

  bool AddExactly(const std::string& name, const api::ExactDeviceRequest& exactly) {
    Demand demand = DemandOf(exactly);
    demand.name = demand.request = name;
    demand.admin_access = exactly.admin_access.value_or(false);
    return Add(std::move(demand), {.name = name,
                                   .class_name = exactly.device_class_name,
                                   .mode = exactly.allocation_mode,
                                   .count = exactly.count,
                                   .names_admin_access = exactly.admin_access.has_value()});
  }

  bool AddAlternative(const std::string& request, const api::DeviceSubRequest& alternative) {
    Demand demand = DemandOf(alternative);
    demand.name = alternative.name;
    demand.request = request;
    demand.is_alternative = true;
    return Add(std::move(demand), {.name = alternative.name,
                                   .class_name = alternative.device_class_name,
                                   .mode = alternative.allocation_mode,
                                   .count = alternative.count});
  }

  template <typename T>
  static Demand DemandOf(const T& request) {
    Demand demand;
    demand.selectors = &request.selectors;
    demand.tolerations = &request.tolerations;
    demand.derived = &request.derived_attributes;
    demand.capacity = request.capacity ? &request.capacity->requests : nullptr;
    return demand;
  }

  bool Refuse(const std::string& request, Refusal refusal) {
    Demand demand;
    demand.name = demand.request = request;
    demand.refusal = std::move(refusal);
    plan_.requests.back().alternatives.push_back(std::move(demand));
    return false;
  }

  bool Add(Demand demand, const Wording& wording) {
    demand.refusal = Complete(demand, wording);
    const bool fine = !demand.refusal;
    plan_.requests.back().alternatives.push_back(std::move(demand));
    return fine;
  }

  std::optional<Refusal> CheckRequest(const api::DeviceRequest& request) const {
    if (!request.first_available.empty() && !features().prioritized_list) {
      return Refusal{.message =
                         At(request.name) +
                         ": has subrequests, but the DRAPrioritizedList feature is disabled"};
    }
    if (std::optional<Refusal> refusal = CheckCapacity(request)) {
      return refusal;
    }
    if (request.first_available.empty() && !request.exactly) {
      return Refusal{.message = At(request.name) + ": neither exactly nor firstAvailable is given"};
    }
    return std::nullopt;
  }

  std::optional<Refusal> CheckCapacity(const api::DeviceRequest& request) const {
    constexpr std::string_view kDisabled =
        ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
    if (features().consumable_capacity) {
      return std::nullopt;
    }
    if (request.exactly && request.exactly->capacity) {
      return Refusal{.message = At(request.name) + std::string(kDisabled)};
    }
    for (const api::DeviceSubRequest& alternative : request.first_available) {
      if (alternative.capacity) {
        return Refusal{.message = fmt::format("claim {}, subrequest {}{}", plan_.full_name,
                                              alternative.name, kDisabled)};
      }
    }
    return std::nullopt;
  }

  std::optional<Refusal> CheckDemand(const Demand& demand, const Wording& wording) const {
    if (!demand.derived->empty() && !features().derived_attributes) {
      return Refusal{.message = At(demand.name) +
                                ": cannot handle request with derived attributes, the "
                                "feature is disabled"};
    }
    for (std::size_t i = 0; i < demand.selectors->size(); ++i) {
      if (!(*demand.selectors)[i].cel) {
        return Refusal{.message = fmt::format(
                           "{}, selector #{}: CEL expression empty (unsupported selector type?)",
                           At(demand.name), i)};
      }
    }
    if (wording.names_admin_access && !features().admin_access) {
      return Refusal{
          .code = Code::kAdminAccessDenied,
          .message = At(demand.name) + ": admin access is requested, but the feature is disabled"};
    }
    return std::nullopt;
  }

  std::optional<Refusal> Complete(Demand& demand, const Wording& wording) {
    if (std::optional<Refusal> refusal = CheckDemand(demand, wording)) {
      return refusal;
    }
    if (wording.class_name.empty()) {
      return Refusal{
          .code = Code::kClassMissing,
          .message = At(demand.name) + ": missing device class name (unsupported request type?)"};
    }
    const auto found = cluster_.classes().find(wording.class_name);
    if (found == cluster_.classes().end()) {
      return Refusal{
          .code = Code::kClassMissing,
          .message = fmt::format("{}: could not retrieve device class {}: "
                                 "deviceclass.resource.k8s.io \"{}\" not found",
                                 At(demand.name), wording.class_name, wording.class_name)};
    }
    demand.device_class = found->second.get();
    demand.verdicts =
        verdicts_.Of(cluster_, demand.device_class->spec.selectors, *demand.selectors);
    demand.all = wording.mode == "All";
    if (demand.all) {
      return std::nullopt;
    }
    demand.asked = wording.count;
    demand.count = static_cast<std::size_t>(std::max<std::int64_t>(wording.count, 0));
    return wording.mode == "ExactCount"
               ? std::nullopt
               : std::optional(Refusal{.message = fmt::format("{}: unsupported count mode {}",
                                                              At(demand.name), wording.mode)});
  }

  bool AddConstraints() {
    const auto& constraints = plan_.claim->spec.devices.constraints;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const ConstraintKind* kind = KindOf(constraints[i]);
      if (kind == nullptr) {
        plan_.refusal = Refusal{
            .message = fmt::format("claim {}, constraint #{}: empty constraint (unsupported "
                                   "constraint type?)",
                                   plan_.full_name, i)};
        return false;
      }
      const std::optional<std::string>& attribute = kind->AttributeIn(constraints[i]);
      QUADRA_CHECK(attribute.has_value(), "a kind is found by the attribute that it reads");
      plan_.constraints.push_back({.kind = kind, .attribute = &*attribute});
      Cover(i, constraints[i].requests);
    }
    return true;
  }

  void Cover(std::size_t constraint, const api::List<std::string>& requests) {
    for (Request& request : plan_.requests) {
      for (Demand& demand : request.alternatives) {
        if (Covers(requests, demand)) {
          demand.constraints.push_back(constraint);
        }
      }
    }
  }

  const inventory::Snapshot& cluster_;
  Verdicts& verdicts_;
  ClaimPlan plan_;
};

}  // namespace

std::string Where(const ClaimPlan& claim, const Demand& demand) {
  return fmt::format("claim {}, request {}", claim.full_name, demand.name);
}

std::vector<ClaimPlan> MakePlan(const inventory::Snapshot& cluster,
                                std::span<const api::ResourceClaim* const> claims,
                                Verdicts& verdicts) {
  std::vector<ClaimPlan> plans;
  plans.reserve(claims.size());
  for (const api::ResourceClaim* claim : claims) {
    ClaimPlanner planner(cluster, verdicts, *claim);
    const bool fine = planner.Plan();
    plans.push_back(std::move(planner).Take());
    if (!fine) {
      break;
    }
  }
  return plans;
}

}  // namespace quadra::allocator
