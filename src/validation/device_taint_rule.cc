#include "validation/declarative.h"
#include "validation/device_taint_declarative.h"
#include "validation/formats.h"
#include "validation/object_meta.h"
#include "validation/resource_slice.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

using api::DeviceTaintRule;
using api::DeviceTaintRuleSpec;

constexpr std::size_t kMaxConditions = 8;

constexpr auto kRules =
    Rules(Field("spec", &DeviceTaintRule::spec,
                Rules(Field("taint", &DeviceTaintRuleSpec::taint, kTaintRules))));

// Later versions refuse to replace an object unseen; those that always allowed it still do.
bool AllowsUnconditionalUpdate(const Request& request) {
  return request.version == "v1beta2" || request.version == "v1alpha3";
}

// The time of a taint is that of its effect: it starts anew when the effect changes and the client
// left the time alone.
void RestartTaint(api::DeviceTaint& taint, const api::DeviceTaint& old, Time now) {
  if (taint.effect != old.effect && taint.time_added == old.time_added) {
    taint.time_added = std::chrono::floor<std::chrono::seconds>(now);
  }
}

void PrepareRule(const Request& request, DeviceTaintRule& rule, const DeviceTaintRule* old,
                 Dropped& /*dropped*/) {
  switch (request.operation) {
    case Operation::kCreate:
      rule.status = {};
      rule.metadata.generation = 1;
      return;
    case Operation::kUpdate:
      rule.status = old->status;
      RestartTaint(rule.spec.taint, old->spec.taint, request.now);
      if (rule.spec != old->spec) {
        rule.metadata.generation = NextGeneration(rule.metadata.generation);
      }
      return;
    case Operation::kStatus:
      rule.spec = old->spec;
      ResetMetaForStatus(rule.metadata, old->metadata);
      return;
  }
}

void CheckSelector(ErrorList& errors, const Path& path, const api::DeviceTaintSelector& selector) {
  if (selector.driver) {
    CheckDriverName(errors, path.Child("driver"), *selector.driver);
  }
  if (selector.pool) {
    CheckPoolName(errors, path.Child("pool"), *selector.pool);
  }
  if (selector.device) {
    CheckDnsLabel(errors, path.Child("device"), *selector.device);
  }
}

void CheckSpec(ErrorList& errors, const Path& path, const DeviceTaintRuleSpec& spec,
               const DeviceTaintRuleSpec* old) {
  if (spec.device_selector) {
    CheckSelector(errors, path.Child("deviceSelector"), *spec.device_selector);
  }
  CheckTaint(errors, path.Child("taint"), spec.taint, old != nullptr ? &old->taint : nullptr);
}

void CheckStatus(ErrorList& errors, const Path& path, const api::DeviceTaintRuleStatus& status) {
  const Path conditions = path.Child("conditions");
  CheckConditions(errors, conditions, status.conditions);
  if (status.conditions.size() > kMaxConditions) {
    errors.TooMany(conditions, status.conditions.size(), kMaxConditions);
  }
}

void CheckRule(const Request& request, const DeviceTaintRule& rule, const DeviceTaintRule* old,
               ErrorList& errors) {
  const Path metadata("metadata");
  if (old == nullptr) {
    CheckKindMeta(errors, metadata, rule.metadata, {});
  } else {
    CheckKindMetaUpdate(errors, metadata, rule.metadata, old->metadata);
  }
  if (request.operation == Operation::kStatus) {
    CheckStatus(errors, Path("status"), rule.status);
  } else {
    CheckSpec(errors, Path("spec"), rule.spec, old != nullptr ? &old->spec : nullptr);
  }
}

constexpr Strategy<DeviceTaintRule> kStrategy{
    .resource = "devicetaintrules.resource.k8s.io",
    .unconditional_update = AllowsUnconditionalUpdate,
    .prepare = PrepareRule,
    .check = CheckRule,
    .declare = [](const Site& site, const DeviceTaintRule& rule, const DeviceTaintRule* old) {
      kRules(site, rule, old);
    }};

}  // namespace

Outcome Validate(const Request& request, DeviceTaintRule& object, const DeviceTaintRule* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation
