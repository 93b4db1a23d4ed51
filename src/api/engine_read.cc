#include "api/engine_read.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "json/value.h"

namespace quadra::api {
namespace {

constexpr std::string_view kOldField = "nodeAllocatableResourceMappings";

bool UsesOldForm(const std::vector<DecodeError>& unknown) {
  return std::ranges::any_of(unknown,
                             [](const DecodeError& e) { return e.path.ends_with(kOldField); });
}

// The member's text, if it is a string or a number.
std::optional<std::string> TextOf(const json::Value& object, std::string_view key) {
  const json::Value& value = object.Get(key);
  switch (value.kind()) {
    case json::Kind::kString:
      return value.string();
    case json::Kind::kNumber:
      return value.number();
    default:
      return std::nullopt;
  }
}

Decoded<NodeAllocatableMapping> ReadMapping(const json::Value& old) {
  auto multiplier = Quantity::Parse(TextOf(old, "allocationMultiplier").value_or("1"));
  if (!multiplier) {
    return tl::unexpected(DecodeError{.error_class = DecodeError::Class::kValue,
                                      .path = {},
                                      .exact = {},
                                      .message = std::move(multiplier).error().message});
  }
  NodeAllocatableMapping mapping;
  mapping.capacity_key = TextOf(old, "capacityKey");
  (mapping.capacity_key ? mapping.capacity_multiplier : mapping.device_multiplier) = *multiplier;
  return mapping;
}

Decoded<Header> AddMappings(const json::Value& old, Device& device) {
  for (const auto& [resource, form] : old.members()) {
    if (device.node_allocatable_resources.contains(resource)) {
      continue;
    }
    auto mapping = ReadMapping(form);
    if (!mapping) {
      return tl::unexpected(std::move(mapping).error());
    }
    device.node_allocatable_resources[resource].mapping = *std::move(mapping);
  }
  return Header();
}

// v1beta1 nests a device's fields under `basic`.
const json::Value& OldMappings(const json::Value& device) {
  const json::Value& plain = device.Get(kOldField);
  return plain.is_null() ? device.Get("basic").Get(kOldField) : plain;
}

Decoded<Header> AdoptOldForm(std::string_view text, ResourceSlice& slice) {
  const auto document = json::ParseValue(text);
  QUADRA_CHECK(document.has_value(), "the text was decoded before");
  const json::Value& devices = document->Get("spec").Get("devices");
  if (devices.kind() != json::Kind::kArray || devices.items().size() != slice.spec.devices.size()) {
    return Header();  // given twice: decoding took the last, Get the first
  }
  for (std::size_t i = 0; i < slice.spec.devices.size(); ++i) {
    const json::Value& old = OldMappings(devices.items()[i]);
    if (old.kind() != json::Kind::kObject) {
      continue;
    }
    if (auto added = AddMappings(old, slice.spec.devices[i]); !added) {
      return added;
    }
  }
  return Header();
}

}  // namespace

bool MayUseOldForm(std::string_view json) {
  const bool names_it = json.find(kOldField) != std::string_view::npos;
  return names_it || json.find("\\u") != std::string_view::npos;  // an escape may spell anything
}

Decoded<ResourceSlice> DecodeSliceForEngine(std::string_view json) {
  std::vector<DecodeError> unknown;
  auto object = DecodeJson(json, {.strictness = Strictness::kLenient, .strict_errors = &unknown});
  if (!object) {
    return tl::unexpected(std::move(object).error());
  }
  const auto v1 = Convert(*object, "resource.k8s.io/v1");
  if (!v1) {
    return tl::unexpected(DecodeError{.error_class = DecodeError::Class::kHeader,
                                      .path = {},
                                      .exact = {},
                                      .message = v1.error().ToString()});
  }
  auto slice = ToTyped<ResourceSlice>(*v1);
  if (UsesOldForm(unknown)) {
    if (auto adopted = AdoptOldForm(json, slice); !adopted) {
      return tl::unexpected(std::move(adopted).error());
    }
  }
  return slice;
}

}  // namespace quadra::api
