// Kubernetes' authorizer. Nothing yields one in DRA, yet calls on dyn operands keep these
// overloads, and with them their estimates.
#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"

namespace quadra::cel {
namespace {

constexpr std::uint64_t kCheck = 350'000;

Charge CheckCost(std::span<const Value> /*arguments*/, const Value& /*result*/) { return {kCheck}; }

CallEstimate CheckEstimate(const CallSite& /*site*/) { return {.cost = Fixed(kCheck)}; }

CallEstimate ParseSelectorEstimate(const CallSite& site) {
  constexpr double kRequirementsPerCharacter = 0.5;
  constexpr double kRequirement = kListCost + kStructCost;
  const CostRange size = site.ArgumentSize(0);
  return {.cost = Fixed(kListCost) + size * kTraversal +
                  size * kRequirementsPerCharacter * kRequirement};
}

constexpr Row kRows[] = {
    {"allowed",
     "decision_allowed",
     kMember,
     "kubernetes.authorization.Decision",
     "bool",
     {kUnbound, cost::One, estimate::One}},
    {"check",
     "pathcheck_check",
     kMember,
     "kubernetes.authorization.PathCheck, string",
     "kubernetes.authorization.Decision",
     {kUnbound, CheckCost, CheckEstimate, kCostByName}},
    {"check",
     "resourcecheck_check",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.Decision",
     {kUnbound, CheckCost, CheckEstimate, kCostByName}},
    {"error",
     "decision_error",
     kMember,
     "kubernetes.authorization.Decision",
     "string",
     {kUnbound, cost::One, estimate::One}},
    {"errored",
     "decision_errored",
     kMember,
     "kubernetes.authorization.Decision",
     "bool",
     {kUnbound, cost::One, estimate::One}},
    {"group",
     "authorizer_group",
     kMember,
     "kubernetes.authorization.Authorizer, string",
     "kubernetes.authorization.GroupCheck",
     {kUnbound, cost::One, estimate::One}},
    {"name",
     "resourcecheck_name",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, estimate::One}},
    {"namespace",
     "resourcecheck_namespace",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, estimate::One}},
    {"path",
     "authorizer_path",
     kMember,
     "kubernetes.authorization.Authorizer, string",
     "kubernetes.authorization.PathCheck",
     {kUnbound, cost::One, estimate::One}},
    {"reason",
     "decision_reason",
     kMember,
     "kubernetes.authorization.Decision",
     "string",
     {kUnbound, cost::One, estimate::One}},
    {"resource",
     "groupcheck_resource",
     kMember,
     "kubernetes.authorization.GroupCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, estimate::One}},
    {"serviceAccount",
     "authorizer_serviceaccount",
     kMember,
     "kubernetes.authorization.Authorizer, string, string",
     "kubernetes.authorization.Authorizer",
     {kUnbound, cost::One, estimate::One}},
    {"subresource",
     "resourcecheck_subresource",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, estimate::One}},
};

constexpr Row kSelectorRows[] = {
    {"fieldSelector",
     "authorizer_fieldselector",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, ParseSelectorEstimate}},
    {"labelSelector",
     "authorizer_labelselector",
     kMember,
     "kubernetes.authorization.ResourceCheck, string",
     "kubernetes.authorization.ResourceCheck",
     {kUnbound, cost::One, ParseSelectorEstimate}},
};

}  // namespace

void DeclareAuthorizer(Environment& environment) { Declare(environment, kRows); }

void DeclareAuthorizerSelectors(Environment& environment) { Declare(environment, kSelectorRows); }

}  // namespace quadra::cel
