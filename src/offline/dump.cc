#include "offline/dump.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace quadra::offline {
namespace {

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
  QUADRA_TRY(const bool taken,
             api::ReadObject({.api_version = api_version,
                              .kind = kind,
                              .json = manifest.json(),
                              .defaults = api::Defaults::kFilled},
                             [&](auto object) { Keep(std::move(object), manifest); }));
  if (!taken) {
    ++unused_[std::string(kind)];
  }
  return {};
}

void Dump::Keep(api::ResourceSlice slice, const json::Manifest& manifest) {
  Complete(slice.metadata, false);
  const api::ObjectMeta& meta = slice.metadata;
  if (!slice_created_.insert_or_assign(meta.name, meta.creation_timestamp).second) {
    NoteTwice(manifest, "resourceslice", meta.name);
  }
  NoteNodes(slice.spec);
  inventory_.SetSlice(slice);
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

void Dump::Keep(api::DeviceClass device_class, const json::Manifest& manifest) {
  Complete(device_class.metadata, false);
  if (!other_names_.insert("deviceclass/" + device_class.metadata.name).second) {
    NoteTwice(manifest, "deviceclass", device_class.metadata.name);
  }
  inventory_.SetClass(std::move(device_class));
}

void Dump::Keep(api::DeviceTaintRule rule, const json::Manifest& manifest) {
  if (!gates_.Enabled(api::Gate::kDRADeviceTaintRules)) {
    ++unused_["DeviceTaintRule"];
    return;
  }
  Complete(rule.metadata, false);
  if (!other_names_.insert("devicetaintrule/" + rule.metadata.name).second) {
    NoteTwice(manifest, "devicetaintrule", rule.metadata.name);
  }
  inventory_.SetTaintRule(std::move(rule));
}

void Dump::Keep(api::ResourceClaim claim, const json::Manifest& manifest) {
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
}

void Dump::Keep(api::ResourceClaimTemplate made, const json::Manifest& manifest) {
  Complete(made.metadata, true);
  const std::string key = KeyOf(made.metadata.ns, made.metadata.name);
  if (!templates_.Put(std::move(made))) {
    NoteTwice(manifest, "resourceclaimtemplate", key);
  }
}

void Dump::Keep(api::Pod pod, const json::Manifest& manifest) {
  Complete(pod.metadata, true);
  const std::string key = KeyOf(pod.metadata.ns, pod.metadata.name);
  if (!pods_.Put(std::move(pod))) {
    NoteTwice(manifest, "pod", key);
  }
}

void Dump::Keep(api::Node node, const json::Manifest& manifest) {
  Complete(node.metadata, false);
  if (!other_names_.insert("node/" + node.metadata.name).second) {
    NoteTwice(manifest, "node", node.metadata.name);
  }
  inventory_.SetNode(std::move(node));
}

void Dump::Keep(api::Namespace given, const json::Manifest& manifest) {
  const std::string& name = given.metadata.name;
  if (!namespace_labels_.insert_or_assign(name, std::move(given.metadata.labels)).second) {
    NoteTwice(manifest, "namespace", name);
  }
}

void Dump::Keep(api::PriorityClass given, const json::Manifest& manifest) {
  const std::string name = given.metadata.name;
  if (!priority_classes_.insert_or_assign(name, std::move(given)).second) {
    NoteTwice(manifest, "priorityclass", name);
  }
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
