// ProtoEncoder: writes an object as protobuf, byte for byte as upstream's generated code does:
// fields in order of their numbers, every scalar that is no pointer even when zero, maps sorted by
// key, lists unpacked.
//
// Messages are written back to front into one buffer, so that a length is known when it is needed.
// A template over the View of access.h. Private to api/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/schema.h"

namespace quadra::api {

// Grows towards the front: what is put first ends up last. One check of the room left per field.
class BackBuffer {
 public:
  enum Wire : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

  void Bytes(std::string_view bytes) {
    Reserve(bytes.size());
    PutBytes(bytes);
  }

  // Fields of a message, each with its tag in front.
  void VarintField(std::uint32_t number, std::uint64_t value) {
    Reserve(2 * kMaxVarint);
    PutVarint(value);
    PutTag(number, kVarint);
  }
  void Fixed64Field(std::uint32_t number, std::uint64_t bits) {
    Reserve(sizeof bits + kMaxVarint);
    PutBytes({reinterpret_cast<const char*>(&bits), sizeof bits});
    PutTag(number, kFixed64);
  }
  void BytesField(std::uint32_t number, std::string_view bytes) {
    Reserve(bytes.size() + 2 * kMaxVarint);
    PutBytes(bytes);
    PutVarint(bytes.size());
    PutTag(number, kBytes);
  }
  // Makes a field of all that was written since size() was `before`.
  void Close(std::uint32_t number, std::size_t before) {
    Reserve(2 * kMaxVarint);
    PutVarint(size() - before);
    PutTag(number, kBytes);
  }

  std::size_t size() const { return capacity_ - start_; }
  std::string_view view() const { return {buffer_.get() + start_, size()}; }

 private:
  static constexpr std::size_t kMaxVarint = 10;

  void Reserve(std::size_t bytes) {
    if (start_ < bytes) {
      Grow(bytes);
    }
  }
  void Grow(std::size_t bytes);
  // These need room that was reserved.
  void PutBytes(std::string_view bytes) {
    start_ -= bytes.size();
    if (!bytes.empty()) {  // memcpy takes no null, which the buffer and an empty view may be
      std::memcpy(buffer_.get() + start_, bytes.data(), bytes.size());
    }
  }
  void PutVarint(std::uint64_t number) {
    if (number < 0x80) {
      buffer_[--start_] = static_cast<char>(number);
    } else {
      PutLongVarint(number);
    }
  }
  void PutLongVarint(std::uint64_t number);
  void PutTag(std::uint32_t number, Wire wire) { PutVarint(std::uint64_t{number} << 3 | wire); }

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t start_ = 0;
};

template <typename View>
class ProtoEncoder {
 public:
  explicit ProtoEncoder(BackBuffer& out) : out_(out) {}

  // The fields of one message, without tag and length.
  void WriteStruct(const Struct& type, View view) {
    const auto members = view.MembersOf(type);
    std::uint32_t inside = 0;  // the embedded message that is open
    std::size_t before = 0;
    for (auto at = type.proto_order.rbegin(); at != type.proto_order.rend(); ++at) {
      const Field& field = type.fields[*at];
      if (field.proto_inside != inside) {
        CloseEmbedded(inside, before);
        inside = field.proto_inside;
        before = out_.size();
      }
      if (members.MayBeInProto(*at)) {
        WriteField(field, members.At(*at));
      }
    }
    CloseEmbedded(inside, before);
  }

 private:
  void CloseEmbedded(std::uint32_t number, std::size_t before) {
    if (number != 0) {
      out_.Close(number, before);
    }
  }

  void WriteField(const Field& field, View view) {
    if (field.pointer && view.is_nil()) {
      return;
    }
    WriteNumbered(*field.type, view, field.proto);
  }

  void WriteNumbered(const Type& type, View view, std::uint32_t number) {
    switch (type.kind) {
      case TypeKind::kBool:
        return out_.VarintField(number, view.Bool() ? 1 : 0);
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return out_.VarintField(number, static_cast<std::uint64_t>(view.Int()));
      case TypeKind::kDouble: {
        const double value = view.Double();
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        return out_.Fixed64Field(number, bits);
      }
      case TypeKind::kString:
        return out_.BytesField(number, view.Text());
      case TypeKind::kBytes:
        return view.is_nil() ? void() : out_.BytesField(number, view.Text());
      case TypeKind::kList:
        return type.proto_items ? WriteItems(type, view, number)
                                : WriteList(*type.element, view, number);
      case TypeKind::kMap:
        return WriteMap(*type.element, view, number);
      default: {
        const std::size_t before = out_.size();
        WriteMessage(type, view);
        return out_.Close(number, before);
      }
    }
  }

  // The body of a message type.
  void WriteMessage(const Type& type, View view) {
    switch (type.kind) {
      case TypeKind::kQuantity:
        return out_.BytesField(1, view.AmountText());
      case TypeKind::kTime:
      case TypeKind::kMicroTime:
        return view.is_nil() ? void()
                             : WriteMoment(view.Moment(), type.kind == TypeKind::kMicroTime);
      case TypeKind::kIntOrString:
        out_.BytesField(3, view.is_text() ? view.Text() : std::string_view());
        out_.VarintField(2, view.is_text() ? 0 : static_cast<std::uint64_t>(view.Int()));
        return out_.VarintField(1, view.is_text() ? 1 : 0);
      case TypeKind::kRawExtension:
      case TypeKind::kFieldsV1:
      case TypeKind::kJson:
        return view.Raw().empty() ? void() : out_.BytesField(1, view.Raw());
      case TypeKind::kSchemaOrArray:
      case TypeKind::kSchemaOrBool:
      case TypeKind::kSchemaOrStrings:
        return WriteSchemaUnion(type, view);
      default:
        return WriteStruct(*type.fields, view);
    }
  }

  void WriteMoment(Time time, bool micros) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    out_.VarintField(2, micros ? static_cast<std::uint64_t>((time - seconds).count() * 1000) : 0);
    out_.VarintField(1, static_cast<std::uint64_t>(seconds.time_since_epoch().count()));
  }

  void WriteList(const Type& element, View view, std::uint32_t number) {
    for (std::size_t n = view.size(); n-- > 0;) {
      WriteNumbered(element, view.At(n), number);
    }
  }

  // A named list type: a message with the list as its field 1.
  void WriteItems(const Type& type, View view, std::uint32_t number) {
    if (view.is_nil()) {
      return;
    }
    const std::size_t before = out_.size();
    WriteList(*type.element, view, 1);
    out_.Close(number, before);
  }

  void WriteMap(const Type& element, View view, std::uint32_t number) {
    for (std::size_t n = view.size(); n-- > 0;) {
      const std::size_t before = out_.size();
      WriteNumbered(element, view.At(n), 2);
      out_.BytesField(1, view.Key(n));
      out_.Close(number, before);
    }
  }

  // JSONSchemaPropsOrArray {schema 1, schemas 2}, OrBool {allows 1, schema 2}, OrStringArray
  // {schema 1, property 2}.
  void WriteSchemaUnion(const Type& type, View view) {
    static constexpr Type kText{TypeKind::kString};
    const Type schema{TypeKind::kStruct, nullptr, type.fields};
    const bool or_bool = type.kind == TypeKind::kSchemaOrBool;
    if (view.is_list()) {
      WriteList(type.kind == TypeKind::kSchemaOrStrings ? kText : schema, view, 2);
    } else if (!view.is_bool() && !view.is_nil()) {
      WriteNumbered(schema, view, or_bool ? 2 : 1);
    }
    if (or_bool) {
      out_.VarintField(1, view.is_bool() ? view.Bool() : !view.is_nil());
    }
  }

  BackBuffer& out_;
};

}  // namespace quadra::api
