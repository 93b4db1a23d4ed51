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
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/schema.h"

namespace quadra::api {

// Grows towards the front.
class BackBuffer {
 public:
  void Bytes(std::string_view bytes) {
    Reserve(bytes.size());
    start_ -= bytes.size();
    std::memcpy(buffer_.data() + start_, bytes.data(), bytes.size());
  }
  void Varint(std::uint64_t number);
  void Tag(std::uint32_t field, std::uint32_t wire) { Varint(std::uint64_t{field} << 3 | wire); }
  void Fixed64(std::uint64_t bits) { Bytes({reinterpret_cast<const char*>(&bits), sizeof bits}); }
  std::size_t size() const { return buffer_.size() - start_; }
  std::string_view view() const { return std::string_view(buffer_).substr(start_); }

 private:
  void Reserve(std::size_t bytes) {
    if (start_ < bytes) {
      Grow(bytes);
    }
  }
  void Grow(std::size_t bytes);

  std::string buffer_;
  std::size_t start_ = 0;
};

template <typename View>
class ProtoEncoder {
 public:
  explicit ProtoEncoder(BackBuffer& out) : out_(out) {}

  // The fields of one message, without tag and length.
  void WriteStruct(const Struct& type, View view) {
    for (auto at = type.proto_order.rbegin(); at != type.proto_order.rend();) {
      const Field& field = type.fields[*at];
      if (field.proto_inside == 0) {
        WriteField(field, view.Part(type, *at));
        ++at;
        continue;
      }
      const std::size_t before = out_.size();
      for (; at != type.proto_order.rend() && type.fields[*at].proto_inside == field.proto_inside;
           ++at) {
        WriteField(type.fields[*at], view.Part(type, *at));
      }
      Close(field.proto_inside, before);
    }
  }

 private:
  static constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2;

  void WriteField(const Field& field, View view) {
    if (field.pointer && view.is_nil()) {
      return;
    }
    WriteNumbered(*field.type, view, field.proto);
  }

  void WriteNumbered(const Type& type, View view, std::uint32_t number) {
    switch (type.kind) {
      case TypeKind::kBool:
        return WriteVarint(number, view.Bool() ? 1 : 0);
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return WriteVarint(number, static_cast<std::uint64_t>(view.Int()));
      case TypeKind::kDouble: {
        const double value = view.Double();
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        out_.Fixed64(bits);
        return out_.Tag(number, kFixed64);
      }
      case TypeKind::kString:
        return WriteBytes(number, view.Text());
      case TypeKind::kBytes:
        return view.is_nil() ? void() : WriteBytes(number, view.Text());
      case TypeKind::kList:
        return type.proto_items ? WriteItems(type, view, number)
                                : WriteList(*type.element, view, number);
      case TypeKind::kMap:
        return WriteMap(*type.element, view, number);
      default: {
        const std::size_t before = out_.size();
        WriteMessage(type, view);
        return Close(number, before);
      }
    }
  }

  // The body of a message type.
  void WriteMessage(const Type& type, View view) {
    switch (type.kind) {
      case TypeKind::kQuantity:
        return WriteBytes(1, view.Amount().ToString());
      case TypeKind::kTime:
      case TypeKind::kMicroTime:
        return view.is_nil() ? void()
                             : WriteMoment(view.Moment(), type.kind == TypeKind::kMicroTime);
      case TypeKind::kIntOrString:
        WriteBytes(3, view.is_text() ? view.Text() : std::string_view());
        WriteVarint(2, view.is_text() ? 0 : static_cast<std::uint64_t>(view.Int()));
        return WriteVarint(1, view.is_text() ? 1 : 0);
      case TypeKind::kRawExtension:
      case TypeKind::kFieldsV1:
      case TypeKind::kJson:
        return view.Raw().empty() ? void() : WriteBytes(1, view.Raw());
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
    WriteVarint(2, micros ? static_cast<std::uint64_t>((time - seconds).count() * 1000) : 0);
    WriteVarint(1, static_cast<std::uint64_t>(seconds.time_since_epoch().count()));
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
    Close(number, before);
  }

  void WriteMap(const Type& element, View view, std::uint32_t number) {
    for (std::size_t n = view.size(); n-- > 0;) {
      const std::size_t before = out_.size();
      WriteNumbered(element, view.At(n), 2);
      WriteBytes(1, view.Key(n));
      Close(number, before);
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
      WriteVarint(1, view.is_bool() ? view.Bool() : !view.is_nil());
    }
  }

  void WriteVarint(std::uint32_t number, std::uint64_t value) {
    out_.Varint(value);
    out_.Tag(number, kVarint);
  }
  void WriteBytes(std::uint32_t number, std::string_view bytes) {
    out_.Bytes(bytes);
    out_.Varint(bytes.size());
    out_.Tag(number, kBytes);
  }
  // Puts length and tag before what was written since `before`.
  void Close(std::uint32_t number, std::size_t before) {
    out_.Varint(out_.size() - before);
    out_.Tag(number, kBytes);
  }

  BackBuffer& out_;
};

}  // namespace quadra::api
