// JsonEncoder: writes an object by its schema, byte for byte as Go's encoding/json prints
// upstream's structs: fields in Go's order, map keys sorted, omitempty and omitzero as tagged,
// absent required fields as their zero value.
//
// A template over the View of access.h. Private to api/.
#pragma once

#include <string>

#include "api/access.h"
#include "api/schema.h"
#include "api/text.h"
#include "base/base64.h"
#include "json/writer.h"

namespace quadra::api {

// kGo: as Go prints structs without JSON tags, which upstream's internal types are: Go names,
// nothing omitted. The meta types have tags everywhere.
enum class JsonNames { kTagged, kGo };

template <typename View>
class JsonEncoder {
 public:
  explicit JsonEncoder(json::Writer& writer, JsonNames names = JsonNames::kTagged)
      : writer_(writer), names_(names) {}

  // An absent value is written as its Go zero value.
  void Write(const Type& type, View view) {
    switch (type.kind) {
      case TypeKind::kString:
        return writer_.String(view.Text());
      case TypeKind::kBool:
        return writer_.Bool(view.Bool());
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return writer_.Int(view.Int());
      case TypeKind::kDouble:
        return writer_.Double(view.Double());
      case TypeKind::kStruct:
        return WriteStruct(*type.fields, view);
      case TypeKind::kList:
        return view.is_nil() ? writer_.Null() : WriteList(*type.element, view);
      case TypeKind::kMap:
        return view.is_nil() ? writer_.Null() : WriteMap(*type.element, view);
      default:
        return WriteSpecial(type, view);
    }
  }

  void WriteStruct(const Struct& type, View view) {
    WritePart(type, view, [](const Field&) { return true; });
  }

  // The fields of the struct for which `wanted(field)` holds, with all that is in them.
  template <typename Wanted>
  void WritePart(const Struct& type, View view, Wanted wanted) {
    writer_.BeginObject();
    WriteFields(type, view, wanted);
    writer_.EndObject();
  }

 private:
  // Values whose Go types have encoders of their own.
  void WriteSpecial(const Type& type, View view) {
    switch (type.kind) {
      case TypeKind::kBytes:
        return view.is_nil() ? writer_.Null() : WriteText(AppendBase64, view.Text());
      case TypeKind::kQuantity:
        return writer_.String(view.Amount().ToString());
      case TypeKind::kTime:
        return IsZeroTime(view) ? writer_.Null() : WriteText(AppendTime, view.Moment());
      case TypeKind::kMicroTime:
        return IsZeroTime(view) ? writer_.Null() : WriteText(AppendMicroTime, view.Moment());
      case TypeKind::kIntOrString:
        return view.is_text() ? writer_.String(view.Text()) : writer_.Int(view.Int());
      case TypeKind::kSchemaOrArray:
      case TypeKind::kSchemaOrBool:
      case TypeKind::kSchemaOrStrings:
        return WriteSchemaUnion(type, view);
      default:
        return view.Raw().empty() ? writer_.Null() : writer_.Raw(view.Raw());
    }
  }

  static bool IsZeroTime(View view) { return view.is_nil() || view.Moment() == kZeroTime; }

  template <typename Wanted>
  void WriteFields(const Struct& type, View view, Wanted wanted) {
    const bool tagged =
        names_ == JsonNames::kTagged || type.openapi.starts_with("io.k8s.apimachinery.");
    const auto members = view.MembersOf(type);
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      if ((tagged && !members.MayBeInJson(i)) || !wanted(type.fields[i])) {
        continue;
      }
      const Field& field = type.fields[i];
      const View part = members.At(i);
      if (tagged && Omitted(field, part)) {
        continue;
      }
      if (!tagged &&
          field.go_name == "ObjectMeta") {  // embedded without a tag: Go shows its fields
        WriteFields(*field.type->fields, part, wanted);
        continue;
      }
      writer_.Key(tagged ? field.json : field.go_name);
      if (field.pointer && part.is_nil()) {
        writer_.Null();
      } else {
        Write(*field.type, part);
      }
    }
  }

  static bool Omitted(const Field& field, View part) {
    if (field.omit_zero && part.is_nil()) {
      return true;
    }
    return field.omit_empty && (field.pointer ? part.is_nil() : IsEmpty(*field.type, part));
  }

  // What encoding/json's omitempty leaves out; structs and Go's own types are never empty.
  static bool IsEmpty(const Type& type, View part) {
    switch (type.kind) {
      case TypeKind::kString:
      case TypeKind::kBytes:
        return part.Text().empty();
      case TypeKind::kBool:
        return !part.Bool();
      case TypeKind::kInt32:
      case TypeKind::kInt64:
        return part.Int() == 0;
      case TypeKind::kDouble:
        return part.Double() == 0;
      case TypeKind::kList:
      case TypeKind::kMap:
        return part.is_nil() || part.size() == 0;
      default:
        return false;
    }
  }

  void WriteList(const Type& element, View view) {
    writer_.BeginArray();
    for (std::size_t n = 0; n < view.size(); ++n) {
      Write(element, view.At(n));
    }
    writer_.EndArray();
  }

  void WriteMap(const Type& element, View view) {
    writer_.BeginObject();
    for (std::size_t n = 0; n < view.size(); ++n) {
      writer_.Key(view.Key(n));
      Write(element, view.At(n));
    }
    writer_.EndObject();
  }

  void WriteSchemaUnion(const Type& type, View view) {
    static constexpr Type kText{TypeKind::kString};
    const Type schema{TypeKind::kStruct, nullptr, type.fields};
    if (view.is_bool()) {
      writer_.Bool(view.Bool());
    } else if (view.is_list()) {
      WriteList(type.kind == TypeKind::kSchemaOrStrings ? kText : schema, view);
    } else if (view.is_nil()) {
      writer_.Null();
    } else {
      WriteStruct(*type.fields, view);
    }
  }

  template <typename Append, typename Content>
  void WriteText(Append append, Content content) {
    scratch_.clear();
    append(scratch_, content);
    writer_.String(scratch_);
  }

  json::Writer& writer_;
  JsonNames names_;
  std::string scratch_;
};

}  // namespace quadra::api
