#include "api/schema.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "api/generated/structs.h"
#include "api/kind_key.h"

namespace quadra::api {
namespace {

template <typename Word>
std::uint64_t Load(std::string_view text, std::size_t at) {
  Word word;
  std::memcpy(&word, &text[at], sizeof word);
  return word;
}

// Mixes length and both ends of a name; conformance/schema/lookup.go chooses seeds for the same.
std::uint64_t Fingerprint(std::string_view name) {
  const std::size_t size = name.size();
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (size >= 8) {
    first = Load<std::uint64_t>(name, 0);
    last = Load<std::uint64_t>(name, size - 8);
  } else if (size >= 4) {
    first = Load<std::uint32_t>(name, 0);
    last = Load<std::uint32_t>(name, size - 4);
  } else if (size > 0) {
    first = Load<std::uint8_t>(name, 0);
    last = Load<std::uint8_t>(name, size / 2) << 8 | Load<std::uint8_t>(name, size - 1);
  }
  return first + last * 0x9e3779b97f4a7c15U + size;
}

// For structs that are known only since the process runs.
const Field* SearchField(const Struct& type, std::string_view json, std::size_t& hint) {
  const auto at = std::ranges::find(type.fields, json, &Field::json);
  if (at == type.fields.end()) {
    return nullptr;
  }
  hint = static_cast<std::size_t>(at - type.fields.begin()) + 1;
  return &*at;
}

// Clients name it by the version of what they delete.
constexpr std::string_view kOfEveryVersion = "DeleteOptions";

bool HasVersion(std::string_view api_version) {
  return std::ranges::any_of(AllKinds(), [&](const KindSchema& schema) {
    return KeyOf(schema) == KeyOf(api_version, schema.kind);
  });
}

}  // namespace

std::span<const KindSchema> AllKinds() { return generated::kKinds; }

const KindSchema* FindKind(std::string_view api_version, std::string_view kind) {
  const KindKey key = KeyOf(api_version, kind);
  const auto kinds = AllKinds();
  const auto at = std::ranges::lower_bound(kinds, key, {},
                                           [](const KindSchema& schema) { return KeyOf(schema); });
  if (at != kinds.end() && KeyOf(*at) == key) {
    return &*at;
  }
  return kind == kOfEveryVersion && api_version != "v1" && HasVersion(api_version)
             ? FindKind("v1", kind)
             : nullptr;
}

std::string ApiVersionOf(const KindSchema& kind) {
  return kind.group.empty() ? std::string(kind.version)
                            : fmt::format("{}/{}", kind.group, kind.version);
}

const KindSchema& StoredKindOf(const KindSchema& kind) {
  if (kind.group == "events.k8s.io" && kind.kind == "Event") {
    return *FindKind("v1", "Event");
  }
  const KindSchema* first = kind.version == "v1" || kind.group.empty()
                                ? nullptr
                                : FindKind(fmt::format("{}/v1", kind.group), kind.kind);
  return first != nullptr ? *first : kind;
}

const Struct* FindStruct(std::string_view openapi) {
  const auto structs = generated::kStructs;
  const auto at = std::ranges::lower_bound(structs, openapi, {}, &Struct::openapi);
  return at != structs.end() && (*at)->openapi == openapi ? *at : nullptr;
}

const Field* FindField(const Struct& type, std::string_view json, std::size_t& hint) {
  if (hint < type.fields.size() && type.fields[hint].json == json) {
    return &type.fields[hint++];
  }
  if (type.lookup.empty()) {
    return SearchField(type, json, hint);
  }
  const int shift = 64 - std::countr_zero(type.lookup.size());
  const std::uint8_t at = type.lookup[Fingerprint(json) * type.lookup_seed >> shift];
  if (at >= type.fields.size() || type.fields[at].json != json) {
    return nullptr;
  }
  hint = at + 1U;
  return &type.fields[at];
}

}  // namespace quadra::api
