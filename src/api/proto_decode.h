// ProtoDecoder: reads protobuf into an object by its schema, as upstream's generated code does:
// unknown fields are passed over, a later scalar replaces an earlier one, messages merge, lists
// grow, numbers may be packed.
//
// A template over the Out of access.h. Private to api/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/schema.h"
#include "api/text.h"
#include "base/result.h"

namespace quadra::api {

// One value of JSON, not deeper than an object around it can be read back.
bool IsJson(std::string_view text);

// Walks the fields of one message. After any malformed byte, ok() is false and Next() returns
// false.
class ProtoFields {
 public:
  explicit ProtoFields(std::string_view bytes) : rest_(bytes) {}

  enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  // Moves to the next field; its number, wire form and content are then at hand.
  bool Next() { return NextShort() || NextAny(); }
  std::uint32_t number() const { return number_; }
  Wire wire() const { return wire_; }
  std::uint64_t scalar() const { return scalar_; }
  std::string_view bytes() const { return bytes_; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  // How many fields of the number at hand follow one another from here on, `most` at most.
  std::size_t CountRun(std::size_t most) const {
    ProtoFields ahead = *this;
    std::size_t count = 1;
    while (count < most && ahead.Next() && ahead.number_ == number_) {
      ++count;
    }
    return count;
  }

  // Eats a varint from `text`; false when it is cut off or too long.
  static bool TakeVarint(std::string_view& text, std::uint64_t& number);

 private:
  // Nearly all fields: number below 16, fewer than 128 bytes. False, having done nothing, for
  // others.
  bool NextShort() {
    if (rest_.size() < 2) {
      return false;
    }
    const auto tag = static_cast<unsigned char>(rest_[0]);
    const auto length = static_cast<unsigned char>(rest_[1]);
    const bool plain = tag >= 8 && tag < 0x80 && (tag & 7) == 2 && length < 0x80;
    if (!plain || rest_.size() - 2 < length) {
      return false;
    }
    number_ = tag >> 3;
    wire_ = Wire::kBytes;
    scalar_ = 0;
    bytes_ = rest_.substr(2, length);
    rest_.remove_prefix(std::size_t{length} + 2);
    return true;
  }
  bool NextAny();
  bool TakeContent();
  bool SkipGroup(int depth);

  std::string_view rest_;  // empty once malformed
  std::uint32_t number_ = 0;
  Wire wire_ = Wire::kVarint;
  std::uint64_t scalar_ = 0;
  std::string_view bytes_;
  bool ok_ = true;
};

template <typename Out>
class ProtoDecoder {
 public:
  // The members of one message. False when the bytes are malformed; error() says why.
  bool ReadStruct(const Struct& type, std::string_view bytes, Out out, int depth = 0) {
    if (depth > kMaxDepth) {
      return Refuse("nested deeper than 1000 messages");
    }
    const Members members = out.OpenStruct(type);
    std::size_t hint = 0;
    ProtoFields fields(bytes);
    while (fields.Next()) {
      if (!ReadMember({type, 0, hint}, fields, members, depth)) {
        return false;
      }
    }
    return fields.ok() || Refuse("malformed message");
  }

  const std::string& error() const { return error_; }

 private:
  using Wire = ProtoFields::Wire;
  using Members = typename Out::Members;
  static constexpr int kMaxDepth = 1000;
  static constexpr std::size_t kMaxReserved = 1024;

  // Where to look for a field: among those of `type` with `inside` as their embedded message,
  // first at `hint` in protobuf's order, since fields come in it, some of them repeatedly.
  struct Search {
    const Struct& type;
    std::uint32_t inside;
    std::size_t& hint;
  };

  static const Field* Find(const Search& search, std::uint32_t number) {
    const auto order = search.type.proto_order;
    for (std::size_t tried = 0; tried < order.size(); ++tried) {
      const Field& field = search.type.fields[order[search.hint]];
      if (field.proto == number && field.proto_inside == search.inside) {
        return &field;
      }
      search.hint = search.hint + 1 < order.size() ? search.hint + 1 : 0;
    }
    return nullptr;
  }

  bool Refuse(std::string why) {
    if (error_.empty()) {
      error_ = std::move(why);
    }
    return false;
  }

  // The field `fields` is at; unknown ones are passed over.
  bool ReadMember(const Search& search, const ProtoFields& fields, Members members, int depth) {
    const std::span<const Field> all = search.type.fields;
    if (const Field* field = Find(search, fields.number())) {
      const auto index = static_cast<std::size_t>(field - all.data());
      return ReadNumbered(*field->type, fields, members.At(index), depth);
    }
    const bool embedded =
        search.inside == 0 &&
        std::ranges::find(all, fields.number(), &Field::proto_inside) != all.end();
    return !embedded || ReadEmbedded(search.type, fields, members, depth);
  }

  bool ReadEmbedded(const Struct& type, const ProtoFields& fields, Members members, int depth) {
    std::size_t hint = 0;
    ProtoFields inner(fields.bytes());
    while (inner.Next()) {
      if (!ReadMember({type, fields.number(), hint}, inner, members, depth)) {
        return false;
      }
    }
    return inner.ok() || Refuse("malformed embedded message");
  }

  bool ReadNumbered(const Type& type, const ProtoFields& field, Out out, int depth) {
    switch (type.kind) {
      case TypeKind::kList:
        return type.proto_items ? ReadItems(type, field, out, depth)
                                : ReadListed(*type.element, field, out.OpenList(), depth);
      case TypeKind::kMap:
        return ReadEntry(*type.element, field, out.OpenMap(), depth);
      case TypeKind::kBool:
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return field.wire() == Wire::kVarint ? ReadScalar(type, field.scalar(), out) : WrongWire();
      case TypeKind::kDouble:
        return field.wire() == Wire::kFixed64 ? ReadScalar(type, field.scalar(), out) : WrongWire();
      case TypeKind::kString:
      case TypeKind::kBytes:
        return field.wire() == Wire::kBytes ? (out.Text(field.bytes()), true) : WrongWire();
      default:
        return field.wire() == Wire::kBytes ? ReadMessage(type, field.bytes(), out, depth + 1)
                                            : WrongWire();
    }
  }

  bool WrongWire() { return Refuse("a field has the wrong wire type"); }

  bool ReadScalar(const Type& type, std::uint64_t bits, Out out) {
    if (type.kind == TypeKind::kBool) {
      out.Bool(bits != 0);
    } else if (type.kind == TypeKind::kInt32) {
      out.Int(static_cast<std::int32_t>(bits));
    } else if (type.kind == TypeKind::kDouble) {
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      out.Double(number);
    } else {
      out.Int(static_cast<std::int64_t>(bits));
    }
    return true;
  }

  // An item of a list whose items are fields of their own, one after the other.
  bool ReadListed(const Type& element, const ProtoFields& field, Out list, int depth) {
    if (list.needs_room()) {
      list.Reserve(field.CountRun(kMaxReserved));
    }
    return ReadItem(element, field, list, depth);
  }

  bool ReadItem(const Type& element, const ProtoFields& field, Out list, int depth) {
    const bool number = element.kind == TypeKind::kInt32 || element.kind == TypeKind::kInt64 ||
                        element.kind == TypeKind::kBool;
    if (!number || field.wire() != Wire::kBytes) {
      return ReadNumbered(element, field, list.Append(), depth);
    }
    std::string_view packed = field.bytes();
    while (!packed.empty()) {
      std::uint64_t bits = 0;
      if (!ProtoFields::TakeVarint(packed, bits)) {
        return Refuse("malformed packed list");
      }
      ReadScalar(element, bits, list.Append());
    }
    return true;
  }

  bool ReadItems(const Type& type, const ProtoFields& field, Out out, int depth) {
    Out list = out.OpenList();
    ProtoFields items(field.bytes());
    while (items.Next()) {
      if (items.number() == 1 && !ReadItem(*type.element, items, list, depth)) {
        return false;
      }
    }
    return items.ok() || Refuse("malformed list");
  }

  bool ReadEntry(const Type& element, const ProtoFields& field, Out map, int depth) {
    if (map.needs_room()) {
      map.Reserve(field.CountRun(kMaxReserved));
    }
    ProtoFields parts(field.bytes());
    if (parts.Next() && parts.number() == 1) {
      const std::string_view key = parts.bytes();
      if (parts.Next() && parts.number() == 2 && parts.at_end()) {
        return ReadNumbered(element, parts, map.Insert(key), depth);
      }
    }
    return ReadUnusualEntry(element, field, map, depth);
  }

  // An entry that is not its key and then its value: the last key counts, values merge.
  bool ReadUnusualEntry(const Type& element, const ProtoFields& field, Out map, int depth) {
    std::string_view key;
    ProtoFields find_key(field.bytes());
    while (find_key.Next()) {
      key = find_key.number() == 1 ? find_key.bytes() : key;
    }
    Out value = map.Insert(key);
    ProtoFields parts(field.bytes());
    while (parts.Next()) {
      if (parts.number() == 2 && !ReadNumbered(element, parts, value, depth)) {
        return false;
      }
    }
    return parts.ok() || Refuse("malformed map entry");
  }

  bool ReadMessage(const Type& type, std::string_view bytes, Out out, int depth) {
    switch (type.kind) {
      case TypeKind::kStruct:
        return ReadStruct(*type.fields, bytes, out, depth);
      case TypeKind::kQuantity:
        return ReadQuantity(bytes, out);
      case TypeKind::kTime:
      case TypeKind::kMicroTime:
        return ReadMoment(bytes, out);
      case TypeKind::kIntOrString:
        return ReadIntOrString(bytes, out);
      case TypeKind::kRawExtension:
      case TypeKind::kFieldsV1:
      case TypeKind::kJson:
        return ReadRaw(bytes, out);
      default:
        return ReadSchemaUnion(type, bytes, out, depth);
    }
  }

  bool ReadQuantity(std::string_view bytes, Out out) {
    ProtoFields fields(bytes);
    while (fields.Next()) {
      if (fields.number() != 1) {
        continue;
      }
      auto parsed = quantity::Quantity::Parse(fields.bytes());
      if (!parsed) {
        return Refuse(std::move(parsed).error().message);
      }
      out.Amount(*std::move(parsed));
    }
    return fields.ok() || Refuse("malformed quantity");
  }

  // An empty message is Go's zero time.
  bool ReadMoment(std::string_view bytes, Out out) {
    std::int64_t seconds = 0, nanos = 0;
    ProtoFields fields(bytes);
    while (fields.Next()) {
      (fields.number() == 1 ? seconds : nanos) = static_cast<std::int64_t>(fields.scalar());
    }
    if (!fields.ok()) {
      return Refuse("malformed time");
    }
    // Far beyond what a time can be, adding would overflow.
    constexpr std::int64_t kMostSeconds = 300'000'000'000;
    const Time time = Time(std::chrono::seconds(std::clamp(seconds, -kMostSeconds, kMostSeconds))) +
                      std::chrono::microseconds(nanos / 1000);
    if (!CanBeWritten(time)) {
      return Refuse("a time must lie between the years 0 and 9999");
    }
    if (!bytes.empty()) {
      out.Moment(time);
    }
    return true;
  }

  bool ReadIntOrString(std::string_view bytes, Out out) {
    bool is_text = false;
    std::int64_t number = 0;
    std::string_view text;
    ProtoFields fields(bytes);
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          is_text = fields.scalar() != 0;
          break;
        case 2:
          number = static_cast<std::int32_t>(fields.scalar());
          break;
        case 3:
          text = fields.bytes();
          break;
        default:
          break;
      }
    }
    is_text ? out.Text(text) : out.Int(number);
    return fields.ok() || Refuse("malformed IntOrString");
  }

  bool ReadRaw(std::string_view bytes, Out out) {
    ProtoFields fields(bytes);
    while (fields.Next()) {
      if (fields.number() != 1) {
        continue;
      }
      if (!fields.bytes().empty() && !IsJson(fields.bytes())) {
        return Refuse("a raw value must be JSON");
      }
      out.Raw(fields.bytes());
    }
    return fields.ok() || Refuse("malformed raw value");
  }

  bool ReadSchemaUnion(const Type& type, std::string_view bytes, Out out, int depth) {
    static constexpr Type kText{TypeKind::kString};
    const Type schema{TypeKind::kStruct, nullptr, type.fields};
    const std::uint32_t schema_number = type.kind == TypeKind::kSchemaOrBool ? 2 : 1;
    ProtoFields fields(bytes);
    while (fields.Next()) {
      bool good = true;
      if (fields.number() == schema_number) {
        good = ReadNumbered(schema, fields, out, depth);
      } else if (type.kind == TypeKind::kSchemaOrBool) {
        out.Bool(fields.scalar() != 0);
      } else {
        good = ReadItem(type.kind == TypeKind::kSchemaOrStrings ? kText : schema, fields,
                        out.OpenList(), depth);
      }
      if (!good) {
        return false;
      }
    }
    return fields.ok() || Refuse("malformed schema");
  }

  std::string error_;
};

}  // namespace quadra::api
