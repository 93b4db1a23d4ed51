#include "offline/salvage.h"

#include <initializer_list>

#include "json/value.h"

namespace quadra::offline {
namespace {

using json::Value;

void Drop(Value& object, std::string_view member, std::initializer_list<std::string_view> keys) {
  Value* const inner = object.Find(member);
  if (inner == nullptr || inner->kind() != json::Kind::kObject) {
    return;
  }
  for (const std::string_view key : keys) {
    inner->Erase(key);
  }
}

// Annotations of a claim name what it was made for.
void DropIdleMetadata(Value& object, std::string_view kind) {
  Drop(object, "metadata", {"generation", "managedFields", "selfLink"});
  if (kind != "ResourceClaim") {
    Drop(object, "metadata", {"annotations"});
  }
}

// `from` reduced to those of its members that `keys` names.
Value Kept(const Value& from, std::initializer_list<std::string_view> keys) {
  Value kept{Value::Object()};
  for (const std::string_view key : keys) {
    if (const Value* const value = from.Find(key)) {
      kept.Set(key, *value);
    }
  }
  return kept;
}

// Probes, environment, mounts and the like are of no use to placing.
void ReduceContainers(Value& spec, std::string_view list) {
  Value* const containers = spec.Find(list);
  if (containers == nullptr || containers->kind() != json::Kind::kArray) {
    return;
  }
  for (Value& container : containers->items()) {
    container = Kept(container, {"name", "image", "resources", "restartPolicy"});
  }
}

void ReducePod(Value& pod) {
  Drop(pod, "spec",
       {"dnsConfig", "hostAliases", "imagePullSecrets", "readinessGates", "securityContext",
        "terminationGracePeriodSeconds", "topologySpreadConstraints", "volumes"});
  Drop(pod, "status",
       {"conditions", "containerStatuses", "ephemeralContainerStatuses", "hostIPs",
        "initContainerStatuses", "message", "podIPs", "qosClass", "reason", "startTime"});
  if (Value* const spec = pod.Find("spec")) {
    ReduceContainers(*spec, "containers");
    ReduceContainers(*spec, "initContainers");
    ReduceContainers(*spec, "ephemeralContainers");
  }
}

}  // namespace

std::string DecidingPartOf(std::string_view json, std::string_view kind) {
  Result<Value> object = json::ParseValue(json);
  if (!object) {
    return "";
  }
  DropIdleMetadata(*object, kind);
  if (kind == "Node") {
    Drop(*object, "status", {"addresses", "conditions", "daemonEndpoints", "images", "nodeInfo"});
  } else if (kind == "Pod") {
    ReducePod(*object);
  } else if (kind == "ResourceClaim") {
    Drop(*object, "status", {"devices"});
  }
  return ToJson(*object);
}

std::string HoldingsOf(std::string_view json, std::string_view kind) {
  const Result<Value> object = json::ParseValue(json);
  if (!object || kind != "ResourceClaim" ||
      object->Get("status").Get("allocation").kind() != json::Kind::kObject) {
    return "";
  }
  Value holdings = Kept(*object, {"apiVersion", "kind"});
  holdings.Set("metadata", Kept(object->Get("metadata"), {"name", "namespace", "uid"}));
  holdings.Set("status", Kept(object->Get("status"), {"allocation", "reservedFor"}));
  return ToJson(holdings);
}

}  // namespace quadra::offline
