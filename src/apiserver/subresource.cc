#include "apiserver/subresource.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/pod_resize.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"
#include "base/check.h"

namespace quadra::apiserver {
namespace {

// --- Scale.

std::vector<std::string> EqualTo(const api::Value* labels) {
  std::vector<std::string> terms;
  const auto* entries = labels == nullptr ? nullptr : labels->As<api::Value::Entries>();
  if (entries != nullptr) {
    for (const auto& [key, value] : *entries) {
      const auto* text = value.As<std::string>();
      terms.push_back(fmt::format("{}={}", key, text == nullptr ? "" : *text));
    }
  }
  return terms;
}

std::string MemberText(const api::Value& of, std::string_view name) {
  const api::Value* value = of.Member(name);
  const auto* text = value == nullptr ? nullptr : value->As<std::string>();
  return text == nullptr ? "" : *text;
}

// e.g. tier in (a,b)
std::string RequirementTerm(const api::Value& expression) {
  const std::string key = MemberText(expression, "key");
  const std::string op = MemberText(expression, "operator");
  std::vector<std::string> values;
  const api::Value* list = expression.Member("values");
  if (list != nullptr && list->As<api::Value::Items>() != nullptr) {
    for (const api::Value& value : *list->As<api::Value::Items>()) {
      const auto* text = value.As<std::string>();
      values.push_back(text == nullptr ? "" : *text);
    }
  }
  if (op == "Exists" || op == "DoesNotExist") {
    return (op == "Exists" ? "" : "!") + key;
  }
  std::ranges::sort(values);
  return fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin", fmt::join(values, ","));
}

// The selector of a workload in the form of a query: requirements by key.
std::string ScaleSelector(const api::Object& workload) {
  const api::Value* selector = Look(workload, {"spec", "selector"});
  if (selector == nullptr) {
    return "";
  }
  if (selector->As<api::Value::Entries>() != nullptr) {
    return fmt::format("{}", fmt::join(EqualTo(selector), ","));
  }
  std::vector<std::string> terms = EqualTo(selector->Member("matchLabels"));
  const api::Value* expressions = selector->Member("matchExpressions");
  if (expressions != nullptr && expressions->As<api::Value::Items>() != nullptr) {
    for (const api::Value& each : *expressions->As<api::Value::Items>()) {
      terms.push_back(RequirementTerm(each));
    }
  }
  std::ranges::sort(terms);
  return fmt::format("{}", fmt::join(terms, ","));
}

std::int64_t NumberAt(const api::Object& object, std::initializer_list<std::string_view> path) {
  const api::Value* value = Look(object, path);
  const auto* number = value == nullptr ? nullptr : value->As<std::int64_t>();
  return number == nullptr ? 0 : *number;
}

api::Object ScaleOf(const api::Object& workload, const api::KindSchema& kind) {
  api::Object scale{.kind = &kind};
  Reach(scale, {"kind"}).Set(std::string(kind.kind));
  Reach(scale, {"apiVersion"}).Set(api::ApiVersionOf(kind));
  const api::ObjectMeta of = MetaOf(workload);
  api::ObjectMeta meta;
  meta.name = of.name;
  meta.ns = of.ns;
  meta.uid = of.uid;
  meta.resource_version = of.resource_version;
  meta.creation_timestamp = of.creation_timestamp;
  Reach(scale, {"metadata"}).Make<api::Value::Members>();
  SetMeta(scale, meta);
  Reach(scale, {"spec", "replicas"}).Set(NumberAt(workload, {"spec", "replicas"}));
  Reach(scale, {"status", "replicas"}).Set(NumberAt(workload, {"status", "replicas"}));
  Reach(scale, {"status", "selector"}).Set(ScaleSelector(workload));
  return scale;
}

OrFailure<api::Object> Scaled(const Ask& ask, const api::Object& scale, api::Object workload) {
  const std::int64_t replicas = NumberAt(scale, {"spec", "replicas"});
  if (replicas < 0) {
    validation::ErrorList errors;
    errors.Invalid(validation::Path("spec.replicas"), validation::Number(replicas),
                   "must be greater than or equal to 0");
    return Fail(Invalid("autoscaling", "Scale", ask.path().name, errors.errors()));
  }
  api::ObjectMeta meta = MetaOf(workload);
  const api::ObjectMeta sent = MetaOf(scale);
  meta.resource_version = sent.resource_version;
  meta.uid = sent.uid.empty() ? meta.uid : sent.uid;
  SetMeta(workload, meta);
  Reach(workload, {"spec", "replicas"}).Set(replicas);
  return workload;
}

// --- Parts that are taken over.

// The object with the resourceVersion, and the uid if any, that was sent.
api::Object WithPreconditions(const api::Object& sent, api::Object standing) {
  api::ObjectMeta meta = MetaOf(standing);
  const api::ObjectMeta sent_meta = MetaOf(sent);
  meta.resource_version = sent_meta.resource_version;
  meta.uid = sent_meta.uid.empty() ? meta.uid : sent_meta.uid;
  SetMeta(standing, meta);
  return standing;
}

// The standing object with that part as it was sent.
api::Object WithPart(const api::Object& sent, api::Object standing,
                     std::initializer_list<std::string_view> path) {
  const api::Value* part = Look(sent, path);
  Reach(standing, path) = part == nullptr ? api::Value() : *part;
  return WithPreconditions(sent, std::move(standing));
}

}  // namespace

api::Object ViewOf(const Ask& ask, const api::Object& standing) {
  api::Object object = InVersion(standing, ask.kind());
  return ask.path().subresource == "scale" ? ScaleOf(object, *ask.subresource->kind) : object;
}

OrFailure<api::Object> Merge(const Ask& ask, api::Object sent, const api::Object& standing) {
  const std::string& name = ask.path().subresource;
  if (name == "scale") {
    return Scaled(ask, sent, InVersion(standing, ask.kind()));
  }
  if (name == "finalize") {
    return WithPart(sent, InVersion(standing, ask.kind()), {"spec"});
  }
  if (name == "ephemeralcontainers") {
    return WithPart(sent, InVersion(standing, ask.kind()), {"spec", "ephemeralContainers"});
  }
  if (name == "resize") {
    return WithPreconditions(sent, WithResourcesOf(sent, InVersion(standing, ask.kind())));
  }
  return sent;
}

}  // namespace quadra::apiserver
