#include "scheduler/framework/workloads.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "client/api.h"

namespace quadra::scheduler {
namespace {

std::string ControllerKey(std::string_view api_version, std::string_view kind, std::string_view ns,
                          std::string_view name) {
  return fmt::format("{}/{}/{}/{}", api_version, kind, ns, name);
}

std::string ControllerKey(const api::Object& object) {
  const client::Marks marks = client::MarksOf(object);
  return ControllerKey(api::ApiVersionOf(*object.kind), object.kind->kind, marks.ns, marks.name);
}

bool IsService(const api::KindSchema& kind) { return kind.group.empty() && kind.kind == "Service"; }

// Whether its selector is a map of labels.
bool IsSimple(const api::KindSchema& kind) {
  return IsService(kind) || (kind.group.empty() && kind.kind == "ReplicationController");
}

// Null where there is none.
const api::Value* SelectorIn(const api::Object& object) {
  const api::Value* const spec = object.root.Member("spec");
  return spec == nullptr ? nullptr : spec->Member("selector");
}

api::Map<std::string> LabelsIn(const api::Value* selector) {
  api::Map<std::string> labels;
  const auto* const entries = selector == nullptr ? nullptr : selector->As<api::Value::Entries>();
  if (entries != nullptr) {
    for (const auto& [key, value] : *entries) {
      if (const auto* const text = value.As<std::string>()) {
        labels[key] = *text;
      }
    }
  }
  return labels;
}

void MergeInto(api::Map<std::string>& labels, const api::Map<std::string>& more) {
  for (const auto& [key, value] : more) {
    labels[key] = value;
  }
}

LabelQuery QueryOf(const api::Map<std::string>& labels) {
  LabelQuery query = LabelQuery::Everything();
  for (const auto& [key, value] : labels) {
    query.AddEquals(key, value);
  }
  return query;
}

// Of ReplicaSets and StatefulSets. What cannot be read, or selects nothing, narrows nothing.
LabelQuery QueryOf(const api::Value* selector) {
  static const api::Struct* const schema =
      api::FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector");
  if (selector == nullptr || selector->is_nil()) {
    return LabelQuery::Everything();
  }
  return LabelQuery::Of(api::ToTyped<api::LabelSelectorSpec>(*schema, *selector))
      .value_or(LabelQuery::Everything());
}

const api::OwnerReference* ControllerOf(const api::Pod& pod) {
  const auto* const found = std::ranges::find_if(
      pod.metadata.owner_references,
      [](const api::OwnerReference& each) { return each.controller.value_or(false); });
  return found == pod.metadata.owner_references.end() ? nullptr : found;
}

}  // namespace

bool Workloads::Takes(const api::KindSchema& kind) {
  return IsSimple(kind) ||
         (kind.group == "apps" && (kind.kind == "ReplicaSet" || kind.kind == "StatefulSet"));
}

void Workloads::Put(const api::Object& object) {
  const api::Value* const selector = SelectorIn(object);
  if (IsService(*object.kind)) {
    const client::Marks marks = client::MarksOf(object);
    services_[std::string(marks.ns)].insert_or_assign(std::string(marks.name), LabelsIn(selector));
  } else {
    const bool simple = IsSimple(*object.kind);
    controllers_.insert_or_assign(
        ControllerKey(object),
        Controller{.labels = simple ? LabelsIn(selector) : Labels(),
                   .more = simple ? LabelQuery::Everything() : QueryOf(selector)});
  }
}

void Workloads::Remove(const api::Object& object) {
  if (!IsService(*object.kind)) {
    controllers_.erase(ControllerKey(object));
    return;
  }
  const client::Marks marks = client::MarksOf(object);
  if (const auto found = services_.find(std::string(marks.ns)); found != services_.end()) {
    found->second.erase(std::string(marks.name));
    if (found->second.empty()) {
      services_.erase(found);
    }
  }
}

LabelQuery Workloads::SelectorOf(const api::Pod& pod) const {
  Labels labels;
  if (const auto here = services_.find(pod.metadata.ns); here != services_.end()) {
    for (const auto& [name, selector] : here->second) {
      if (!selector.empty() && QueryOf(selector).Matches(pod.metadata.labels)) {
        MergeInto(labels, selector);
      }
    }
  }
  const api::OwnerReference* const owner = ControllerOf(pod);
  const auto found = owner == nullptr
                         ? controllers_.end()
                         : controllers_.find(ControllerKey(owner->api_version, owner->kind,
                                                           pod.metadata.ns, owner->name));
  if (found == controllers_.end()) {
    return QueryOf(labels);
  }
  MergeInto(labels, found->second.labels);
  LabelQuery query = QueryOf(labels);
  query.Add(found->second.more);
  return query;
}

}  // namespace quadra::scheduler
