#include "api/object_reader.h"

#include <charconv>

#include "api/engine_read.h"
#include "api/object.h"
#include "api/old_mappings.h"
#include "json/value.h"

namespace quadra::api {
namespace {

constexpr std::string_view kDraVersion = "resource.k8s.io/v1";

// Upstream's words; the place is for those who can say which line that is.
Error AsError(const DecodeError& error) {
  return {.kind = ErrorKind::kInvalid, .message = error.message, .field = error.exact};
}

template <typename T>
Result<T> Unwrap(Decoded<T> decoded) {
  if (!decoded) {
    return Fail(AsError(decoded.error()));
  }
  return *std::move(decoded);
}

Result<Object> DecodeCurrent(const RawObject& object) {
  QUADRA_TRY(const Object read,
             Unwrap(DecodeJson(object.json, {.strictness = Strictness::kLenient})));
  Result<Object> current = Convert(read, kDraVersion);
  if (!current) {
    return Fail(ErrorKind::kInvalid, current.error().ToString());
  }
  return current;
}

template <typename T>
Result<T> DecodeWritten(const RawObject& object) {
  return Unwrap(DecodeJson<T>(object.json, Strictness::kLenient));
}

// A kind of resource.k8s.io in any of its versions.
template <typename T>
Result<T> DecodeDra(const RawObject& object) {
  if (object.api_version == kDraVersion) {
    return DecodeWritten<T>(object);
  }
  QUADRA_TRY(const Object current, DecodeCurrent(object));
  return ToTyped<T>(current);
}

template <typename T>
Result<T> DecodeDefaulted(const RawObject& object) {
  if (object.defaults == Defaults::kAsWritten) {
    return DecodeDra<T>(object);
  }
  QUADRA_TRY(Object current, DecodeCurrent(object));
  ApplyDefaults(current, Time());
  return ToTyped<T>(current);
}

std::int32_t IntOf(const json::Value& value) {
  std::int32_t number = 0;
  if (value.kind() == json::Kind::kNumber) {
    const std::string& text = value.number();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

}  // namespace

bool IsOfGroup(std::string_view api_version, std::string_view group) {
  if (group.empty()) {
    return api_version == "v1";
  }
  return api_version.starts_with(group) && api_version.substr(group.size()).starts_with('/');
}

Result<ResourceSlice> DecodeSlice(const RawObject& object) {
  if (object.api_version == kDraVersion && !MayHaveOldMappings(object.json)) {
    return DecodeWritten<ResourceSlice>(object);
  }
  return Unwrap(DecodeSliceForEngine(object.json, FindKind(object.api_version, object.kind)));
}
Result<DeviceClass> DecodeClass(const RawObject& object) { return DecodeDra<DeviceClass>(object); }
Result<DeviceTaintRule> DecodeTaintRule(const RawObject& object) {
  return DecodeDra<DeviceTaintRule>(object);
}
Result<ResourceClaim> DecodeClaim(const RawObject& object) {
  return DecodeDefaulted<ResourceClaim>(object);
}
Result<ResourceClaimTemplate> DecodeTemplate(const RawObject& object) {
  return DecodeDefaulted<ResourceClaimTemplate>(object);
}
Result<Pod> DecodePod(const RawObject& object) { return DecodeWritten<Pod>(object); }
Result<Node> DecodeNode(const RawObject& object) { return DecodeWritten<Node>(object); }

Result<Namespace> DecodeNamespace(const RawObject& object) {
  QUADRA_TRY(const json::Value tree, json::ParseValue(object.json));
  const json::Value& meta = tree.Get("metadata");
  Namespace read;
  read.metadata.name = meta.Get("name").text();
  if (const json::Value& labels = meta.Get("labels"); labels.kind() == json::Kind::kObject) {
    for (const json::Value::Member& label : labels.members()) {
      read.metadata.labels[label.key] = label.value.text();
    }
  }
  return read;
}

Result<PriorityClass> DecodePriorityClass(const RawObject& object) {
  QUADRA_TRY(const json::Value tree, json::ParseValue(object.json));
  PriorityClass read;
  read.metadata.name = tree.Get("metadata").Get("name").text();
  read.value = IntOf(tree.Get("value"));
  const json::Value& global = tree.Get("globalDefault");
  read.global_default = global.kind() == json::Kind::kBool && global.boolean();
  return read;
}

}  // namespace quadra::api
