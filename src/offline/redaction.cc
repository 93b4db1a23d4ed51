#include "offline/redaction.h"

#include <array>
#include <string_view>

namespace quadra::offline {
namespace {

using json::Value;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::array<std::string_view, 9> kOfContainers = {
    "env",          "envFrom",       "command",
    "args",         "lifecycle",     "readinessProbe",
    "startupProbe", "livenessProbe", "terminationMessagePath"};
constexpr std::array<std::string_view, 3> kLists = {"containers", "initContainers",
                                                    "ephemeralContainers"};

Value* ObjectAt(Value& object, std::string_view key) {
  Value* const found = object.Find(key);
  return found != nullptr && found->kind() == json::Kind::kObject ? found : nullptr;
}

void RedactContainers(Value& spec) {
  for (const std::string_view list : kLists) {
    Value* const containers = spec.Find(list);
    if (containers == nullptr || containers->kind() != json::Kind::kArray) {
      continue;
    }
    for (Value& container : containers->items()) {
      for (const std::string_view key : kOfContainers) {
        if (container.kind() == json::Kind::kObject) {
          container.Erase(key);
        }
      }
    }
  }
}

void RedactMetadata(Value& metadata) {
  metadata.Erase("managedFields");
  if (Value* const annotations = ObjectAt(metadata, "annotations")) {
    annotations->Erase(kLastApplied);
    if (annotations->members().empty()) {
      metadata.Erase("annotations");
    }
  }
}

}  // namespace

void Redact(json::Value& object) {
  if (object.kind() != json::Kind::kObject) {
    return;
  }
  if (Value* const metadata = ObjectAt(object, "metadata")) {
    RedactMetadata(*metadata);
  }
  if (Value* const spec = ObjectAt(object, "spec")) {
    RedactContainers(*spec);
  }
}

}  // namespace quadra::offline
