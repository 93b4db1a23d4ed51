#include "scheduler/plugins/node_affinity/added_affinity.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "api/vocabulary.h"
#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kAdded = "addedAffinity";

Error WrongAffinity(std::string field, std::string message, std::string value = {}) {
  return {.kind = ErrorKind::kInvalid,
          .message = std::move(message),
          .field = std::move(field),
          .value = std::move(value)};
}

// Read where pods carry it: there is no other place for it in the tables.
Result<api::NodeAffinity> DecodeAffinity(const json::Value& added) {
  json::Value pod((json::Value::Object()));
  pod.Set("apiVersion", json::Value(std::string("v1")));
  pod.Set("kind", json::Value(std::string("Pod")));
  json::Value& spec = pod.Set("spec", json::Value(json::Value::Object()));
  json::Value& affinity = spec.Set("affinity", json::Value(json::Value::Object()));
  affinity.Set("nodeAffinity", added);
  api::Decoded<api::Pod> decoded = api::DecodeJson<api::Pod>(json::ToJson(pod));
  if (!decoded) {
    return Fail(WrongAffinity(std::string(kAdded), decoded.error().message));
  }
  return std::move(decoded->spec.affinity->node_affinity).value_or(api::NodeAffinity());
}

std::string_view WhyBad(const api::NodeSelectorRequirement& requirement) {
  const std::string_view op = requirement.op;
  const bool is_set = op == "In" || op == "NotIn";
  const bool is_presence = op == "Exists" || op == "DoesNotExist";
  const bool is_order = op == "Gt" || op == "Lt";
  if (!is_set && !is_presence && !is_order) {
    return "operator must be In, NotIn, Exists, DoesNotExist, Gt or Lt";
  }
  if (is_set && requirement.values.empty()) {
    return "In and NotIn need values";
  }
  if (is_presence && !requirement.values.empty()) {
    return "Exists and DoesNotExist have no values";
  }
  if (is_order &&
      (requirement.values.size() != 1 || !api::ReadSelectorInteger(requirement.values[0]))) {
    return "Gt and Lt need one whole number";
  }
  return "";
}

std::string_view WhyBadField(const api::NodeSelectorRequirement& requirement) {
  if (requirement.key != "metadata.name") {
    return "metadata.name is the only field";
  }
  const bool is_one = requirement.values.size() == 1;
  return is_one && (requirement.op == "In" || requirement.op == "NotIn")
             ? ""
             : "a field needs operator In or NotIn, and one value";
}

quadra::Status CheckTerm(const api::NodeSelectorTerm& term, const std::string& path) {
  const auto check = [&](const auto& requirements, std::string_view member, auto why_bad) {
    for (std::size_t i = 0; i < requirements.size(); ++i) {
      if (const std::string_view why = why_bad(requirements[i]); !why.empty()) {
        return quadra::Status(Fail(WrongAffinity(fmt::format("{}.{}[{}]", path, member, i),
                                                 std::string(why), requirements[i].key)));
      }
    }
    return quadra::Status();
  };
  QUADRA_RETURN_IF_ERROR(check(term.match_expressions, "matchExpressions", WhyBad));
  return check(term.match_fields, "matchFields", WhyBadField);
}

quadra::Status CheckAffinity(const api::NodeAffinity& affinity) {
  if (affinity.required) {
    const auto& terms = affinity.required->node_selector_terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      QUADRA_RETURN_IF_ERROR(CheckTerm(
          terms[i],
          fmt::format("{}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[{}]",
                      kAdded, i)));
    }
  }
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    QUADRA_RETURN_IF_ERROR(
        CheckTerm(affinity.preferred[i].preference,
                  fmt::format("{}.preferredDuringSchedulingIgnoredDuringExecution[{}].preference",
                              kAdded, i)));
  }
  return {};
}

}  // namespace

Result<api::NodeAffinity> ReadAddedAffinity(const json::Value& args) {
  QUADRA_TRY(const Arguments all, Arguments::Of(args, "NodeAffinityArgs", {kAdded}));
  if (all.Get(kAdded).is_null()) {
    return api::NodeAffinity();
  }
  QUADRA_TRY(api::NodeAffinity affinity, DecodeAffinity(all.Get(kAdded)));
  QUADRA_RETURN_IF_ERROR(CheckAffinity(affinity));
  return affinity;
}

}  // namespace quadra::scheduler
