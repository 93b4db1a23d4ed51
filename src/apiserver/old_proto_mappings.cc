#include "apiserver/old_proto_mappings.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "apiserver/tree.h"
#include "base/check.h"
#include "json/value.h"

namespace quadra::apiserver {
namespace {

constexpr std::size_t kMagicBytes = 4;
// Of the envelope, of a slice, of its spec, of an entry of a map, of a mapping and of a quantity.
constexpr std::uint64_t kRaw = 2;
constexpr std::uint64_t kSpec = 2;
constexpr std::uint64_t kDevices = 6;
constexpr std::uint64_t kEntryKey = 1;
constexpr std::uint64_t kEntryValue = 2;
constexpr std::uint64_t kCapacityKey = 1;
constexpr std::uint64_t kMultiplier = 2;
constexpr std::uint64_t kText = 1;
// Of a device, which v1beta1 nests.
constexpr std::uint64_t kMappings = 13;
constexpr std::uint64_t kBasic = 2;
constexpr std::uint64_t kBasicMappings = 12;

std::optional<std::uint64_t> TakeVarint(std::string_view& left) {
  constexpr unsigned kMostBits = 64;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kMostBits && !left.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(left.front());
    left.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) {
      return value;
    }
  }
  return std::nullopt;
}

// How long the content of a field is that comes next; nothing: it is none that we know.
std::optional<std::size_t> LengthOf(std::uint64_t wire_type, std::string_view& left) {
  switch (wire_type) {
    case 0: {
      std::string_view behind = left;
      return TakeVarint(behind) ? std::optional(left.size() - behind.size()) : std::nullopt;
    }
    case 1:
      return 8;
    case 2:
      return TakeVarint(left);
    case 5:
      return 4;
    default:
      return std::nullopt;
  }
}

// The fields of that number that have a length, in their order, as far as the message can be read.
std::vector<std::string_view> FieldsOf(std::string_view message, std::uint64_t number) {
  std::vector<std::string_view> found;
  while (!message.empty()) {
    const std::optional<std::uint64_t> tag = TakeVarint(message);
    if (!tag) {
      break;
    }
    const std::optional<std::size_t> length = LengthOf(*tag & 7U, message);
    if (!length || *length > message.size()) {
      break;
    }
    if (*tag == (number << 3U | 2U)) {
      found.push_back(message.substr(0, *length));
    }
    message.remove_prefix(*length);
  }
  return found;
}

// The last counts; empty where there is none.
std::string_view FieldOf(std::string_view message, std::uint64_t number) {
  const std::vector<std::string_view> fields = FieldsOf(message, number);
  return fields.empty() ? std::string_view() : fields.back();
}

void SetText(json::Value& object, std::string_view key, std::string_view text) {
  if (!text.empty()) {
    object.Set(key, json::Value(std::string(text)));
  }
}

json::Value MappingsOf(const std::vector<std::string_view>& entries) {
  json::Value mappings{json::Value::Object()};
  for (const std::string_view entry : entries) {
    const std::string_view mapping = FieldOf(entry, kEntryValue);
    json::Value& form = mappings.Set(FieldOf(entry, kEntryKey), json::Value(json::Value::Object()));
    SetText(form, "capacityKey", FieldOf(mapping, kCapacityKey));
    SetText(form, "allocationMultiplier", FieldOf(FieldOf(mapping, kMultiplier), kText));
  }
  return mappings;
}

std::vector<std::string_view> EntriesOf(std::string_view device, bool nested) {
  return nested ? FieldsOf(FieldOf(device, kBasic), kBasicMappings) : FieldsOf(device, kMappings);
}

bool IsObject(const json::Value* value) {
  return value != nullptr && value->kind() == json::Kind::kObject;
}

// The slice with the entries of each device. REQUIRES: as many as it has devices.
void AddMappings(const std::vector<std::vector<std::string_view>>& entries, bool nested,
                 json::Value& slice) {
  json::Value& devices = *slice.Find("spec")->Find("devices");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    json::Value& device = devices.items()[i];
    json::Value* const place = nested ? device.Find("basic") : &device;
    if (!entries[i].empty() && IsObject(place)) {
      place->Set("nodeAllocatableResourceMappings", MappingsOf(entries[i]));
    }
  }
}

}  // namespace

std::optional<std::string> WithOldProtoMappings(std::string_view bytes, const api::Object& slice) {
  const bool nested = slice.kind->version == "v1beta1";
  const std::string_view message = FieldOf(bytes.substr(kMagicBytes), kRaw);
  std::vector<std::vector<std::string_view>> entries;
  for (const std::string_view device : FieldsOf(FieldOf(message, kSpec), kDevices)) {
    entries.push_back(EntriesOf(device, nested));
  }
  if (std::ranges::all_of(entries, &std::vector<std::string_view>::empty) ||
      entries.size() != ItemsAt(slice.root, {"spec", "devices"}).size()) {
    return std::nullopt;
  }
  Result<json::Value> tree = json::ParseValue(api::EncodeJson(slice));
  QUADRA_CHECK(tree.has_value(), "what we encode is JSON");
  AddMappings(entries, nested, *tree);
  return json::ToJson(*tree);
}

}  // namespace quadra::apiserver
