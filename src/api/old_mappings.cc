#include "api/old_mappings.h"

#include <array>
#include <utility>

#include "json/value.h"

namespace quadra::api {
namespace {

constexpr std::array<std::string_view, 2> kOldNames = {"nodeAllocatableResourceMappings",
                                                       "nativeResourceMappings"};
constexpr std::string_view kNewName = "nodeAllocatableResources";

json::Value EmptyObject() { return json::Value(json::Value::Object()); }

// What is no mapping stays what it is, for the decoder to refuse.
json::Value NewMappingOf(const json::Value& old) {
  if (old.kind() != json::Kind::kObject && !old.is_null()) {
    return old;
  }
  const json::Value& plain_key = old.Get("capacityKey");
  const json::Value& key =
      plain_key.is_null() ? old.Get("quantityFrom").Get("capacity") : plain_key;
  const json::Value& multiplier = old.Get("allocationMultiplier");
  json::Value mapping = EmptyObject();
  if (!key.is_null()) {
    mapping.Set("capacityKey", key);
  }
  mapping.Set(key.is_null() ? "deviceMultiplier" : "capacityMultiplier",
              multiplier.is_null() ? json::Value(std::string("1")) : multiplier);
  return mapping;
}

void AddMappings(const json::Value& old, json::Value& resources) {
  for (const auto& [resource, form] : old.members()) {
    if (resources.Find(resource) == nullptr) {
      resources.Set(resource, EmptyObject()).Set("mapping", NewMappingOf(form));
    }
  }
}

// Of a device, or of the `basic` in which v1beta1 nests its fields.
bool RenewIn(json::Value& device) {
  bool renewed = false;
  for (const std::string_view name : kOldNames) {
    const json::Value* const found = device.Find(name);
    if (found == nullptr || found->kind() != json::Kind::kObject) {
      continue;
    }
    const json::Value old = *found;
    json::Value* resources = device.Find(kNewName);
    if (resources == nullptr || resources->is_null()) {
      resources = &device.Set(kNewName, EmptyObject());
    }
    if (resources->kind() == json::Kind::kObject) {
      AddMappings(old, *resources);
      renewed = device.Erase(name) || renewed;
    }
  }
  return renewed;
}

bool IsObject(const json::Value* value) {
  return value != nullptr && value->kind() == json::Kind::kObject;
}

bool RenewDevices(json::Value& devices) {
  bool renewed = false;
  if (devices.kind() != json::Kind::kArray) {
    return renewed;
  }
  for (json::Value& device : devices.items()) {
    renewed = (IsObject(&device) && RenewIn(device)) || renewed;
    json::Value* const basic = device.Find("basic");
    renewed = (IsObject(basic) && RenewIn(*basic)) || renewed;
  }
  return renewed;
}

// Every member of that name: of one that stands twice the last counts.
template <typename Renew>
bool RenewMembers(json::Value& object, std::string_view name, const Renew& renew) {
  bool renewed = false;
  if (IsObject(&object)) {
    for (json::Value::Member& member : object.members()) {
      renewed = (member.key == name && renew(member.value)) || renewed;
    }
  }
  return renewed;
}

}  // namespace

bool MayHaveOldMappings(std::string_view json) {
  const bool names_it = json.find("ResourceMappings") != std::string_view::npos;
  return names_it || json.find("\\u") != std::string_view::npos;  // an escape may spell anything
}

std::optional<std::string> RenewMappings(std::string_view json) {
  if (!MayHaveOldMappings(json)) {
    return std::nullopt;
  }
  Result<json::Value> slice = json::ParseValue(json);
  const auto renew_spec = [](json::Value& spec) {
    return RenewMembers(spec, "devices", RenewDevices);
  };
  return slice && RenewMembers(*slice, "spec", renew_spec) ? std::optional(json::ToJson(*slice))
                                                           : std::nullopt;
}

}  // namespace quadra::api
