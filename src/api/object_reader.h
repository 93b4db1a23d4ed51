// ObjectReader: objects out of a dump, a stream or a watch, as the plain structs of their kinds.
//
// The one table of the kinds that the engine looks at: group and kind, how the bytes become the
// struct, and the version the struct is bound to. Whoever wants objects brings a sink with one
// overload for each kind that it takes; what it does not take is not decoded.
//
//   struct Pools {
//     void operator()(ResourceSlice slice);
//     void operator()(DeviceClass device_class);
//   } pools;
//   Result<bool> taken = ReadObject({.api_version = "resource.k8s.io/v1", .kind = "ResourceSlice",
//                                    .json = text}, pools);
//
// Any served version of a kind is read, leniently: dumps hold fields of other releases. Pure,
// thread-safe where the sink is. Cost: as DecodeJson; objects of other versions than v1 go through
// a tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "api/identity.h"
#include "api/kinds.h"
#include "base/result.h"

namespace quadra::api {

// What is read of core/v1 Namespace.
struct Namespace {
  ObjectMeta metadata;  // name and labels
};

// What is read of scheduling.k8s.io PriorityClass.
struct PriorityClass {
  ObjectMeta metadata;  // name
  std::int32_t value = 0;
  bool global_default = false;
};

enum class Defaults : std::uint8_t {
  kAsWritten,
  kFilled,  // claims and templates get what the API server fills in: people write them by hand
};

struct RawObject {
  std::string_view api_version;
  std::string_view kind;
  std::string_view json;
  Defaults defaults = Defaults::kAsWritten;
};

// A row of the table.
template <typename T>
struct ReadableKind {
  std::string_view group;  // empty: core
  std::string_view kind;
  Result<T> (*decode)(const RawObject& object);
};

Result<ResourceSlice> DecodeSlice(const RawObject& object);
Result<DeviceClass> DecodeClass(const RawObject& object);
Result<DeviceTaintRule> DecodeTaintRule(const RawObject& object);
Result<ResourceClaim> DecodeClaim(const RawObject& object);
Result<ResourceClaimTemplate> DecodeTemplate(const RawObject& object);
Result<Pod> DecodePod(const RawObject& object);
Result<Node> DecodeNode(const RawObject& object);
Result<Namespace> DecodeNamespace(const RawObject& object);
Result<PriorityClass> DecodePriorityClass(const RawObject& object);

inline constexpr std::tuple kReadableKinds = {
    ReadableKind<ResourceSlice>{kDraGroup, "ResourceSlice", DecodeSlice},
    ReadableKind<DeviceClass>{kDraGroup, "DeviceClass", DecodeClass},
    ReadableKind<DeviceTaintRule>{kDraGroup, "DeviceTaintRule", DecodeTaintRule},
    ReadableKind<ResourceClaim>{kDraGroup, "ResourceClaim", DecodeClaim},
    ReadableKind<ResourceClaimTemplate>{kDraGroup, "ResourceClaimTemplate", DecodeTemplate},
    ReadableKind<Pod>{"", "Pod", DecodePod},
    ReadableKind<Node>{"", "Node", DecodeNode},
    ReadableKind<Namespace>{"", "Namespace", DecodeNamespace},
    ReadableKind<PriorityClass>{"scheduling.k8s.io", "PriorityClass", DecodePriorityClass},
};

// Whether `api_version` is one of the group's; only v1 is of the core's.
bool IsOfGroup(std::string_view api_version, std::string_view group);

// Hands the object to the overload of `sink` for its kind. False where the sink has none, or the
// kind is none of the engine's. Errors have upstream's words as their message and, where it is
// known, the field that is wrong.
template <typename Sink>
Result<bool> ReadObject(const RawObject& object, Sink&& sink) {
  std::optional<Status> read;
  const auto try_row = [&]<typename T>(const ReadableKind<T>& row) {
    if constexpr (std::is_invocable_v<Sink&, T>) {
      if (object.kind == row.kind && IsOfGroup(object.api_version, row.group)) {
        Result<T> decoded = row.decode(object);
        read = decoded ? Status() : Status(Fail(decoded.error()));
        if (decoded) {
          sink(*std::move(decoded));
        }
      }
    }
    return read.has_value();
  };
  std::apply([&](const auto&... rows) { return (try_row(rows) || ...); }, kReadableKinds);
  if (read && !*read) {
    return Fail(read->error());
  }
  return read.has_value();
}

}  // namespace quadra::api
