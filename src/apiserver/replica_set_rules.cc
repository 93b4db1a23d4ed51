#include "apiserver/replica_set_rules.h"

#include <array>
#include <string>
#include <string_view>

#include "apiserver/pod_selector.h"
#include "apiserver/tree.h"
#include "json/value.h"

namespace quadra::apiserver {
namespace {

using validation::ErrorList;
using FieldPath = validation::Path;

constexpr std::array<std::string_view, 1> kRestartPolicies = {"Always"};

// It spells the whole object: for refusals and updates, which are few.
validation::Value Shown(const api::Object& object, std::initializer_list<std::string_view> path) {
  Result<json::Value> tree = json::ParseValue(api::EncodeJson(object));
  const json::Value* at = tree ? &*tree : nullptr;
  for (const std::string_view name : path) {
    at = at == nullptr ? nullptr : at->Find(name);
  }
  return at == nullptr ? validation::Null() : validation::Json(json::ToJson(*at));
}

api::Map<std::string> LabelsOfTemplate(const api::Object& set) {
  api::Map<std::string> labels;
  const api::Value* const tree = Look(set, {"spec", "template", "metadata", "labels"});
  if (const auto* const entries = tree == nullptr ? nullptr : tree->As<api::Value::Entries>()) {
    for (const auto& [key, value] : *entries) {
      labels[key] = TextAt(value, {});
    }
  }
  return labels;
}

void JudgeCount(const api::Object& set, std::string_view name, ErrorList& errors) {
  const FieldPath spec("spec");
  const api::Value* const value = Look(set, {"spec", name});
  const auto* const count = value == nullptr ? nullptr : value->As<std::int64_t>();
  if (count != nullptr && *count < 0) {
    errors
        .Invalid(spec.Child(name), validation::Number(*count), "must be greater than or equal to 0")
        .WithOrigin("minimum");
  }
}

bool NeedsValues(std::string_view op) { return op == "In" || op == "NotIn"; }
bool RefusesValues(std::string_view op) { return op == "Exists" || op == "DoesNotExist"; }

void JudgeExpressions(const api::Value& selector, const FieldPath& path, ErrorList& errors) {
  const FieldPath list = path.Child("matchExpressions");
  std::size_t n = 0;
  for (const api::Value& expression : ItemsAt(selector, {"matchExpressions"})) {
    const FieldPath at = list.Index(n++);
    const std::string op = TextAt(expression, {"operator"});
    const bool has_values = !ItemsAt(expression, {"values"}).empty();
    if (NeedsValues(op) && !has_values) {
      errors.Required(at.Child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (RefusesValues(op) && has_values) {
      errors.Forbidden(at.Child("values"),
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else if (!NeedsValues(op) && !RefusesValues(op)) {
      errors.Invalid(at.Child("operator"), validation::Named(op), "not a valid selector operator");
    }
  }
}

void JudgeTemplate(const api::Object& set, const PodSelector& selector, ErrorList& errors) {
  const FieldPath spec("spec");
  const FieldPath made = spec.Child("template");
  const FieldPath metadata = made.Child("metadata");
  if (!selector.empty() && !selector.Matches(LabelsOfTemplate(set))) {
    errors.Invalid(metadata.Child("labels"), Shown(set, {"spec", "template", "metadata", "labels"}),
                   "`selector` does not match template `labels`");
  }
  const FieldPath pod = made.Child("spec");
  const api::Value* const pod_spec = Look(set, {"spec", "template", "spec"});
  if (pod_spec == nullptr || ItemsAt(*pod_spec, {"containers"}).empty()) {
    errors.Required(pod.Child("containers"));
  }
  const std::string policy = TextAt(set, {"spec", "template", "spec", "restartPolicy"});
  if (!policy.empty() && policy != kRestartPolicies.front()) {
    errors.NotSupported(pod.Child("restartPolicy"), validation::Named(policy), kRestartPolicies);
  }
}

void JudgeSelector(const api::Object& set, ErrorList& errors) {
  const FieldPath spec("spec");
  const FieldPath path = spec.Child("selector");
  const api::Value* const tree = Look(set, {"spec", "selector"});
  const Result<PodSelector> selector = PodSelector::Read(tree);
  if (tree == nullptr || tree->is_nil()) {
    errors.Required(path);
  } else {
    JudgeExpressions(*tree, path, errors);
    if (selector && selector->empty()) {
      errors.Invalid(path, Shown(set, {"spec", "selector"}),
                     "empty selector is invalid for deployment");
    }
  }
  if (!selector) {
    errors.Invalid(path, Shown(set, {"spec", "selector"}), "invalid label selector");
    return;
  }
  JudgeTemplate(set, *selector, errors);
}

void JudgeUnchanged(const api::Object& set, const api::Object& old, ErrorList& errors) {
  const FieldPath spec("spec");
  const validation::Value now = Shown(set, {"spec", "selector"});
  if (now.text != Shown(old, {"spec", "selector"}).text) {
    errors.Invalid(spec.Child("selector"), now, "field is immutable").WithOrigin("immutable");
  }
}

}  // namespace

std::vector<validation::FieldError> JudgeReplicaSet(const api::Object& set,
                                                    const api::Object* old) {
  if (set.kind->group != "apps" || set.kind->kind != "ReplicaSet") {
    return {};
  }
  ErrorList errors;
  JudgeCount(set, "replicas", errors);
  JudgeCount(set, "minReadySeconds", errors);
  JudgeSelector(set, errors);
  if (old != nullptr) {
    JudgeUnchanged(set, *old, errors);
  }
  return errors.errors();
}

}  // namespace quadra::apiserver
