// What all kinds share: names, owners, conditions, node selectors. Field meaning is upstream's;
// JSON spellings live in the schema tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/containers.h"
#include "base/clock.h"

namespace quadra::api {

// JSON kept as written; empty means absent.
struct RawJson {
  std::string text;
  friend bool operator==(const RawJson&, const RawJson&) = default;
};

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ManagedFieldsEntry {
  std::string manager;
  std::string operation;
  std::string api_version;
  std::optional<Time> time;
  std::string fields_type;
  std::optional<RawJson> fields_v1;
  std::string subresource;
  friend bool operator==(const ManagedFieldsEntry&, const ManagedFieldsEntry&) = default;
};

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string ns;  // namespace
  std::string self_link;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::optional<Time> creation_timestamp;
  std::optional<Time> deletion_timestamp;
  std::optional<std::int64_t> deletion_grace_period_seconds;
  Map<std::string> labels;
  Map<std::string> annotations;
  List<OwnerReference> owner_references;
  List<std::string> finalizers;
  List<ManagedFieldsEntry> managed_fields;
  friend bool operator==(const ObjectMeta&, const ObjectMeta&) = default;
};

struct TypeMeta {
  std::string kind;
  std::string api_version;
  friend bool operator==(const TypeMeta&, const TypeMeta&) = default;
};

struct Condition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::int64_t observed_generation = 0;
  std::optional<Time> last_transition_time;
  std::string reason;
  std::string message;
  friend bool operator==(const Condition&, const Condition&) = default;
};

struct NodeSelectorRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist, Gt, Lt
  List<std::string> values;
  friend bool operator==(const NodeSelectorRequirement&, const NodeSelectorRequirement&) = default;
};

struct NodeSelectorTerm {
  List<NodeSelectorRequirement> match_expressions;
  List<NodeSelectorRequirement> match_fields;
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct NodeSelector {
  List<NodeSelectorTerm> node_selector_terms;
  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

}  // namespace quadra::api
