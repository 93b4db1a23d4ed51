// JsonDecoder: reads JSON into an object by its schema, with the leniency and strictness of
// upstream's decoder (sigs.k8s.io/json): names are case-sensitive, null leaves a field as it was or
// clears it, wrong types are noted and decoding goes on.
//
// A template over the Out of access.h. Private to api/.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "api/access.h"
#include "api/decode_errors.h"
#include "api/schema.h"
#include "api/text.h"
#include "base/base64.h"
#include "base/check.h"
#include "json/value.h"

namespace quadra::api {

// The keys of one map and the positions of their entries. Few keys are compared one by one, most of
// them by two bits only; many are hashed.
class SeenKeys {
 public:
  // The position kept for `key`, and whether the key is new; it then has the position offered. The
  // key must outlive this.
  std::pair<std::size_t, bool> Insert(std::string_view key, std::size_t position) {
    if (few_.size() == kFew) {
      many_.insert(few_.begin(), few_.end());
      few_.clear();
    }
    if (!many_.empty()) {
      const auto [at, is_new] = many_.emplace(key, position);
      return {at->second, is_new};
    }
    const std::uint64_t bit = BitOf(key);
    if ((bits_ & bit) != 0) {
      const auto at = std::ranges::find(few_, key, &Seen::first);
      if (at != few_.end()) {
        return {at->second, false};
      }
    }
    bits_ |= bit;
    few_.emplace_back(key, position);
    return {position, true};
  }

 private:
  using Seen = std::pair<std::string_view, std::size_t>;
  static constexpr std::size_t kFew = 16;

  static std::uint64_t BitOf(std::string_view key) {
    const auto ends = key.empty() ? 0 : (key.front() * 7 + key[key.size() / 2] * 5 + key.back());
    return std::uint64_t{1} << ((static_cast<std::size_t>(ends) + key.size()) % 64);
  }

  absl::InlinedVector<Seen, kFew> few_;
  std::uint64_t bits_ = 0;  // of those in few_
  std::unordered_map<std::string_view, std::size_t> many_;
};

template <typename Out>
class JsonDecoder {
 public:
  JsonDecoder(json::Reader& reader, DecodeErrors& errors) : reader_(reader), errors_(errors) {}

  // Reads the value at hand. `pointer`: the target can be absent, so null makes it so.
  void Read(const Type& type, Out out, bool pointer) {
    const json::Kind kind = reader_.Peek();
    if (errors_.depth() > kMaxNesting) {
      errors_.BadValue("nested deeper than 1000 levels");
      reader_.Skip();
    } else if (kind == json::Kind::kNull && reader_.ok()) {
      reader_.Null();
      ReadNull(type, out, pointer);
    } else {
      ReadGiven(kind, type, out, pointer);
    }
  }

 private:
  static constexpr std::size_t kMaxNesting = 1000;  // only JSONSchemaProps nests at all

  // Reads the value at hand, which is no null and of this JSON kind.
  void ReadGiven(json::Kind kind, const Type& type, Out out, bool pointer) {
    switch (type.kind) {
      case TypeKind::kString:
        return Expect(kind, json::Kind::kString, type) ? out.Text(reader_.String()) : void();
      case TypeKind::kBool:
        return Expect(kind, json::Kind::kBool, type) ? out.Bool(reader_.Bool()) : void();
      case TypeKind::kInt32:
        return ReadInteger<std::int32_t>(kind, type, out);
      case TypeKind::kInt64:
        return ReadInteger<std::int64_t>(kind, type, out);
      case TypeKind::kDouble:
        return ReadDouble(kind, type, out);
      case TypeKind::kStruct:
        return Expect(kind, json::Kind::kObject, type) ? ReadStruct(*type.fields, out) : void();
      case TypeKind::kList:
        return Expect(kind, json::Kind::kArray, type) ? ReadList(*type.element, out.OpenList())
                                                      : void();
      case TypeKind::kMap:
        return Expect(kind, json::Kind::kObject, type) ? ReadMap(*type.element, out.OpenMap())
                                                       : void();
      default:
        return ReadSpecial(kind, type, out, pointer);
    }
  }

  // Values whose Go types have decoders of their own.
  void ReadSpecial(json::Kind kind, const Type& type, Out out, bool pointer) {
    switch (type.kind) {
      case TypeKind::kBytes:
        return ReadBytes(kind, type, out);
      case TypeKind::kQuantity:
        return ReadQuantity(out);
      case TypeKind::kTime:
      case TypeKind::kMicroTime:
        return ReadTime(kind, type, out, pointer);
      case TypeKind::kIntOrString:
        return ReadIntOrString(kind, type, out);
      case TypeKind::kSchemaOrArray:
      case TypeKind::kSchemaOrBool:
      case TypeKind::kSchemaOrStrings:
        return ReadSchemaUnion(kind, type, out);
      default:
        return out.Raw(reader_.SkipRaw());
    }
  }

  // True when the value at hand is of the wanted JSON kind; otherwise notes the error and passes
  // the value.
  bool Expect(json::Kind found, json::Kind wanted, const Type& type) {
    if (found == wanted || !reader_.ok()) {
      return reader_.ok();
    }
    errors_.WrongType(json::KindName(found), type);
    reader_.Skip();
    return false;
  }

  // Only what can be absent changes; Go's own types see a null as a value, and take it as nothing
  // too.
  void ReadNull(const Type& type, Out out, bool pointer) {
    const bool container = type.kind == TypeKind::kList || type.kind == TypeKind::kMap ||
                           type.kind == TypeKind::kBytes;
    if (pointer || container) {
      out.Nil();
    }
  }

  template <typename Integer>
  void ReadInteger(json::Kind kind, const Type& type, Out out) {
    if (!Expect(kind, json::Kind::kNumber, type)) {
      return;
    }
    const std::string_view text = reader_.NumberText();
    Integer number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      errors_.WrongType("number " + std::string(text), type);
    } else {
      out.Int(number);
    }
  }

  void ReadDouble(json::Kind kind, const Type& type, Out out) {
    if (!Expect(kind, json::Kind::kNumber, type)) {
      return;
    }
    const std::string_view text = reader_.NumberText();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
      errors_.WrongType("number " + std::string(text), type);
    } else {
      out.Double(number);
    }
  }

  void ReadBytes(json::Kind kind, const Type& type, Out out) {
    if (kind == json::Kind::kArray) {
      ReadByteList(out);
      return;
    }
    if (!Expect(kind, json::Kind::kString, type)) {
      return;
    }
    if (const auto bytes = DecodeBase64(reader_.String())) {
      out.Bytes(*bytes);
    } else {
      errors_.BadEncoding();
    }
  }

  // Go also takes bytes as a list of small numbers.
  void ReadByteList(Out out) {
    static constexpr Type kByte{TypeKind::kInt32};
    std::string bytes;
    for (bool more = reader_.EnterArray(); more && reader_.NextItem();) {
      Value byte;
      JsonDecoder<TreeOut>(reader_, errors_).Read(kByte, TreeOut(byte), false);
      const auto* number = byte.As<std::int64_t>();
      bytes += static_cast<char>(number != nullptr ? *number : 0);
    }
    out.Bytes(bytes);
  }

  void ReadQuantity(Out out) {
    if constexpr (Out::kAsEncoded) {
      out.Text(reader_.String());
    } else {
      ParseQuantity(out);
    }
  }

  void ParseQuantity(Out out) {
    std::string_view text = reader_.SkipRaw();
    if (!reader_.ok() || errors_.aborted()) {
      return;
    }
    auto parsed = quantity::Quantity::ParseJson(text);
    if (parsed) {
      out.Amount(*std::move(parsed));
    } else {
      errors_.BadValue(std::move(parsed).error().message);
    }
  }

  void ReadTime(json::Kind kind, const Type& type, Out out, bool pointer) {
    if (kind != json::Kind::kString) {
      errors_.BadValueType(json::KindName(kind), type);
      reader_.Skip();
      return;
    }
    const std::string text(reader_.String());
    const auto time = type.kind == TypeKind::kMicroTime ? ParseMicroTime(text) : ParseTime(text);
    if (time && *time == kZeroTime && !pointer) {
      out.Nil();
    } else if (time) {
      out.Moment(*time);
    } else {
      errors_.BadValue("\"" + text + "\" is no time; write it like 2026-08-01T12:18:00Z");
    }
  }

  void ReadIntOrString(json::Kind kind, const Type& type, Out out) {
    if (kind == json::Kind::kString) {
      out.Text(reader_.String());
      return;
    }
    if (kind != json::Kind::kNumber) {
      errors_.BadValueType(json::KindName(kind), type);
      reader_.Skip();
      return;
    }
    const std::string_view text = reader_.NumberText();
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) {
      out.Int(number);
    } else {
      errors_.BadValueType("number " + std::string(text), type);
    }
  }

  // One JSONSchemaProps, a bool, or a list of schemas or strings. Upstream reads these by a parser
  // of their own: it is not strict, and takes other values as nothing except where a bool may be.
  void ReadSchemaUnion(json::Kind kind, const Type& type, Out out) {
    errors_.EnterLenient();
    ReadSchemaChoice(kind, type, out);
    errors_.LeaveLenient();
  }

  void ReadSchemaChoice(json::Kind kind, const Type& type, Out out) {
    static constexpr Type kText{TypeKind::kString};
    const Type schema{TypeKind::kStruct, nullptr, type.fields};
    if (kind == json::Kind::kObject) {
      ReadStruct(*type.fields, out);
    } else if (kind == json::Kind::kArray && type.kind != TypeKind::kSchemaOrBool) {
      ReadList(type.kind == TypeKind::kSchemaOrStrings ? kText : schema, out.OpenList());
    } else if (kind == json::Kind::kBool && type.kind == TypeKind::kSchemaOrBool) {
      out.Bool(reader_.Bool());
    } else {
      if (type.kind == TypeKind::kSchemaOrBool) {
        errors_.BadValue("must be a boolean or a JSON schema");
      }
      reader_.Skip();
    }
  }

  void ReadStruct(const Struct& type, Out out) {
    QUADRA_CHECK(type.fields.size() <= kMaxPositions, "no API struct has more fields");
    const auto members = out.OpenStruct(type);
    Positions seen = 0;
    std::size_t hint = 0;
    std::string_view key;
    for (bool more = reader_.EnterObject(); more && reader_.NextKey(key);) {
      const Field* field = FindField(type, key, hint);
      if (field == nullptr) {
        errors_.Unknown(key);
        reader_.Skip();
        continue;
      }
      const auto index = static_cast<std::size_t>(field - type.fields.data());
      if ((seen & PositionBit(index)) != 0) {
        errors_.Duplicate(key);
      }
      seen |= PositionBit(index);
      const DecodeErrors::Inside step(errors_, *field);
      Read(*field->type, members.At(index), field->pointer);
    }
  }

  void ReadList(const Type& element, Out out) {
    std::size_t index = 0;
    for (bool more = reader_.EnterArray(); more && reader_.NextItem(); ++index) {
      if (!Out::kAsEncoded && index == 1) {  // most lists have one item: no need to look ahead
        out.Reserve(reader_.CountAhead() + 1);
      }
      const DecodeErrors::Inside step(errors_, index);
      Read(element, out.Append(), false);
    }
  }

  void ReadMap(const Type& element, Out out) {
    if constexpr (Out::kAsEncoded) {
      ReadOrderedMap(element, out);
    } else {
      ReadAnyMap(element, out);
    }
  }

  // Keys come once and in their order.
  void ReadOrderedMap(const Type& element, Out out) {
    for (auto [more, key] = std::pair(reader_.EnterObject(), std::string_view());
         more && reader_.NextKey(key);) {
      Read(element, out.Append(key), false);
    }
  }

  // Entries are appended as they come and ordered at the end. `earlier`: how many are there
  // already, because the map was given twice.
  void ReadAnyMap(const Type& element, Out out) {
    const std::size_t earlier = out.size();
    SeenKeys seen;
    bool more = reader_.EnterObject();
    if (more && out.needs_room()) {
      out.Reserve(reader_.CountAhead());
    }
    for (std::string_view key; more && reader_.NextKey(key);) {
      const auto [position, is_new] = seen.Insert(key, PositionOf(key, earlier, out));
      if (!is_new) {
        errors_.Duplicate(key);
      }
      const DecodeErrors::Inside step(errors_, key);
      Read(element, position < out.size() ? out.At(position) : out.Append(key), false);
    }
    out.Order();
  }

  // Where `key` stands among the `earlier` entries of a map, which are in order; otherwise the
  // position of the next new entry.
  static std::size_t PositionOf(std::string_view key, std::size_t earlier, Out map) {
    std::size_t low = 0;
    for (std::size_t high = earlier; low < high;) {
      const std::size_t middle = (low + high) / 2;
      map.Key(middle) < key ? low = middle + 1 : high = middle;
    }
    return low < earlier && map.Key(low) == key ? low : map.size();
  }

  json::Reader& reader_;
  DecodeErrors& errors_;
};

}  // namespace quadra::api
