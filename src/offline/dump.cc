#include "offline/dump.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "api/engine_read.h"
#include "json/value.h"
#include "offline/typed.h"

namespace quadra::offline {
namespace {

constexpr std::string_view kDraGroup = "resource.k8s.io/";
constexpr std::string_view kSchedulingGroup = "scheduling.k8s.io/";

std::string TextOf(const json::Value& value) {
  return value.kind() == json::Kind::kString ? value.string() : "";
}

std::int32_t IntOf(const json::Value& value) {
  std::int32_t number = 0;
  if (value.kind() == json::Kind::kNumber) {
    const std::string& text = value.number();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

// "1 Service", "3 Deployments", "2 NetworkPolicies".
std::string Counted(std::size_t count, std::string_view kind) {
  std::string text = fmt::format("{} {}", count, kind);
  if (count == 1) {
    return text;
  }
  if (text.ends_with('y')) {
    text.pop_back();
    return text + "ies";
  }
  return text + (text.ends_with('s') ? "es" : "s");
}

}  // namespace

Status Dump::Take(const json::Manifest& manifest, std::string_view api_version,
                  std::string_view kind) {
  if (api_version.starts_with(kDraGroup)) {
    return TakeDra(manifest, api_version, kind);
  }
  if (api_version == "v1") {
    return TakeCore(manifest, kind);
  }
  if (api_version.starts_with(kSchedulingGroup) && kind == "PriorityClass") {
    return TakePriorityClass(manifest);
  }
  ++unused_[std::string(kind)];
  return {};
}

Status Dump::TakeDra(const json::Manifest& manifest, std::string_view api_version,
                     std::string_view kind) {
  if (kind == "ResourceSlice") {
    return TakeSlice(manifest);
  }
  if (kind == "DeviceClass") {
    return TakeClass(manifest, api_version);
  }
  if (kind == "ResourceClaim") {
    return TakeClaim(manifest);
  }
  if (kind == "ResourceClaimTemplate") {
    return TakeTemplate(manifest);
  }
  if (kind == "DeviceTaintRule" && gates_.Enabled(validation::Gate::kDRADeviceTaintRules)) {
    return TakeTaintRule(manifest, api_version);
  }
  ++unused_[std::string(kind)];
  return {};
}

Status Dump::TakeCore(const json::Manifest& manifest, std::string_view kind) {
  if (kind == "Pod") {
    return TakePod(manifest);
  }
  if (kind == "Node") {
    return TakeNode(manifest);
  }
  if (kind == "Namespace") {
    return TakeNamespace(manifest);
  }
  ++unused_[std::string(kind)];
  return {};
}

Status Dump::TakeSlice(const json::Manifest& manifest) {
  api::Decoded<api::ResourceSlice> slice = api::DecodeSliceForEngine(manifest.json());
  if (!slice) {
    return Fail(ErrorAt(manifest, slice.error().exact, slice.error().message));
  }
  Complete(slice->metadata, false);
  const api::ObjectMeta& meta = slice->metadata;
  if (!slice_created_.insert_or_assign(meta.name, meta.creation_timestamp).second) {
    NoteTwice(manifest, "resourceslice", meta.name);
  }
  NoteNodes(slice->spec);
  inventory_.SetSlice(*slice);
  return {};
}

std::optional<Time> Dump::CreationOf(const std::string& slice) const {
  const auto found = slice_created_.find(slice);
  return found == slice_created_.end() ? std::nullopt : found->second;
}

void Dump::NoteNodes(const api::ResourceSliceSpec& spec) {
  const std::string node = spec.node_name.value_or("");
  const auto pool = node_of_pool_.try_emplace(KeyOf(spec.driver, spec.pool.name), node).first;
  if (pool->second != node) {
    pool->second.clear();
  }
  if (spec.node_name && !spec.node_name->empty()) {
    nodes_of_slices_.insert(*spec.node_name);
  }
  if (spec.per_device_node_selection.value_or(false)) {
    for (const api::Device& device : spec.devices) {
      if (device.node_name && !device.node_name->empty()) {
        nodes_of_slices_.insert(*device.node_name);
      }
    }
  }
}

Status Dump::TakeClass(const json::Manifest& manifest, std::string_view api_version) {
  QUADRA_TRY(api::DeviceClass device_class, DecodeDra<api::DeviceClass>(manifest, api_version));
  Complete(device_class.metadata, false);
  if (!other_names_.insert("deviceclass/" + device_class.metadata.name).second) {
    NoteTwice(manifest, "deviceclass", device_class.metadata.name);
  }
  inventory_.SetClass(std::move(device_class));
  return {};
}

Status Dump::TakeTaintRule(const json::Manifest& manifest, std::string_view api_version) {
  QUADRA_TRY(api::DeviceTaintRule rule, DecodeDra<api::DeviceTaintRule>(manifest, api_version));
  Complete(rule.metadata, false);
  if (!other_names_.insert("devicetaintrule/" + rule.metadata.name).second) {
    NoteTwice(manifest, "devicetaintrule", rule.metadata.name);
  }
  inventory_.SetTaintRule(std::move(rule));
  return {};
}

Status Dump::TakeClaim(const json::Manifest& manifest) {
  QUADRA_TRY(api::ResourceClaim claim, DecodeDraWithDefaults<api::ResourceClaim>(manifest));
  Complete(claim.metadata, true);
  const api::ObjectMeta& meta = claim.metadata;
  if (const api::ResourceClaim* before = claims_.Find(meta.ns, meta.name)) {
    NoteTwice(manifest, "resourceclaim", KeyOf(meta.ns, meta.name));
    inventory_.RemoveClaim(*before);
  }
  if (claim.status.allocation) {
    inventory_.SetClaim(claim);
  }
  claims_.Put(std::move(claim));
  return {};
}

Status Dump::TakeTemplate(const json::Manifest& manifest) {
  QUADRA_TRY(api::ResourceClaimTemplate made,
             DecodeDraWithDefaults<api::ResourceClaimTemplate>(manifest));
  Complete(made.metadata, true);
  const std::string key = KeyOf(made.metadata.ns, made.metadata.name);
  if (!templates_.Put(std::move(made))) {
    NoteTwice(manifest, "resourceclaimtemplate", key);
  }
  return {};
}

Status Dump::TakePod(const json::Manifest& manifest) {
  QUADRA_TRY(api::Pod pod, DecodeOnly<api::Pod>(manifest));
  Complete(pod.metadata, true);
  const std::string key = KeyOf(pod.metadata.ns, pod.metadata.name);
  if (!pods_.Put(std::move(pod))) {
    NoteTwice(manifest, "pod", key);
  }
  return {};
}

Status Dump::TakeNode(const json::Manifest& manifest) {
  QUADRA_TRY(api::Node node, DecodeOnly<api::Node>(manifest));
  Complete(node.metadata, false);
  if (!other_names_.insert("node/" + node.metadata.name).second) {
    NoteTwice(manifest, "node", node.metadata.name);
  }
  inventory_.SetNode(std::move(node));
  return {};
}

Status Dump::TakeNamespace(const json::Manifest& manifest) {
  QUADRA_TRY(const json::Value object, json::ParseValue(manifest.json()));
  const json::Value& meta = object.Get("metadata");
  api::Map<std::string> labels;
  if (const json::Value& given = meta.Get("labels"); given.kind() == json::Kind::kObject) {
    for (const json::Value::Member& label : given.members()) {
      labels[label.key] = TextOf(label.value);
    }
  }
  const std::string name = TextOf(meta.Get("name"));
  if (!namespace_labels_.insert_or_assign(name, std::move(labels)).second) {
    NoteTwice(manifest, "namespace", name);
  }
  return {};
}

Status Dump::TakePriorityClass(const json::Manifest& manifest) {
  QUADRA_TRY(const json::Value object, json::ParseValue(manifest.json()));
  const json::Value& global = object.Get("globalDefault");
  const std::string name = TextOf(object.Get("metadata").Get("name"));
  const PriorityClass given{
      .value = IntOf(object.Get("value")),
      .global_default = global.kind() == json::Kind::kBool && global.boolean()};
  if (!priority_classes_.insert_or_assign(name, given).second) {
    NoteTwice(manifest, "priorityclass", name);
  }
  return {};
}

void Dump::Complete(api::ObjectMeta& meta, bool namespaced) {
  if (namespaced && meta.ns.empty()) {
    meta.ns = "default";
  }
  if (meta.name.empty()) {
    meta.name = fmt::format("{}{:05}", meta.generate_name.empty() ? "unnamed-" : meta.generate_name,
                            ++generated_names_);
  }
}

void Dump::NoteTwice(const json::Manifest& manifest, std::string_view kind,
                     const std::string& name) {
  notes_.push_back(fmt::format("{}:{}: {} {} is given twice; this one counts", manifest.file(),
                               manifest.start().line, kind, name));
}

const api::Map<std::string>* Dump::NamespaceLabels(std::string_view name) const {
  const auto found = namespace_labels_.find(name);
  return found == namespace_labels_.end() ? nullptr : &found->second;
}

bool Dump::IsLocal(std::string_view driver, std::string_view pool, std::string_view node) const {
  const auto found = node_of_pool_.find(KeyOf(driver, pool));
  return found != node_of_pool_.end() && !node.empty() && found->second == node;
}

std::optional<std::int32_t> Dump::PriorityOf(std::string_view priority_class) const {
  // Built into every cluster.
  struct Known {
    std::string_view name;
    std::int32_t value;
  };
  constexpr std::array kBuiltIn = {Known{"system-node-critical", 2'000'001'000},
                                   Known{"system-cluster-critical", 2'000'000'000}};
  for (const auto& [name, given] : priority_classes_) {
    if (priority_class.empty() ? given.global_default : name == priority_class) {
      return given.value;
    }
  }
  for (const Known& known : kBuiltIn) {
    if (known.name == priority_class) {
      return known.value;
    }
  }
  return std::nullopt;
}

std::string Dump::UnusedText() const {
  std::string text;
  for (const auto& [kind, count] : unused_) {
    text += (text.empty() ? "" : ", ") + Counted(count, kind);
  }
  return text;
}

}  // namespace quadra::offline
