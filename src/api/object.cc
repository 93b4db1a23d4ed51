#include "api/object.h"

#include <algorithm>

#include "api/access.h"
#include "api/convert.h"
#include "api/header_members.h"
#include "api/json_decode.h"
#include "api/json_encode.h"
#include "api/proto_decode.h"
#include "api/proto_encode.h"
#include "api/sketch.h"
#include "base/check.h"
#include "fmt/format.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::api {
namespace {

constexpr std::string_view kEnvelopeMagic("k8s\0", 4);

// A text and the reader that walks it.
struct JsonSource {
  explicit JsonSource(std::string_view json) : text(json), reader(json) {}
  std::string_view text;
  json::Reader reader;
};

// The kind of an object whose syntax a full read is going to prove. Null where anything is odd:
// ReadHeader tells what.
const KindSchema* SkimKind(json::Reader& reader, const Registry& known) {
  if (reader.Peek() != json::Kind::kObject) {
    return nullptr;
  }
  std::string error;
  const auto skip = [&](std::string_view) { reader.SkipBrackets(); };
  const Header header = ReadHeaderMembers(reader, skip, error);
  return reader.ok() && error.empty() ? known.Find(header.api_version, header.kind) : nullptr;
}

// REQUIRES: SkimKind found a kind, or ReadHeader found no fault in the syntax.
template <typename Out>
Decoded<Header> DecodeInto(JsonSource& source, const Struct& schema, Out out,
                           const DecodeOptions& options) {
  json::Reader& reader = source.reader;
  reader.Rewind();
  DecodeErrors errors;
  const Type root{TypeKind::kStruct, nullptr, &schema};
  JsonDecoder<Out>(reader, errors).Read(root, out, false);
  if (!reader.Finish()) {
    // Worded by the reading that does not depend on the kind.
    const auto header = ReadHeader(source.text);
    return tl::unexpected(header ? SyntaxError(reader) : header.error());
  }
  if (options.strict_errors != nullptr) {
    *options.strict_errors = errors.strict();
  }
  auto first = errors.First();
  if (first && (first->error_class != DecodeError::Class::kStrict ||
                options.strictness == Strictness::kStrict)) {
    return tl::unexpected(*std::move(first));
  }
  return Header();
}

// The protobuf envelope: {typeMeta 1 {apiVersion 1, kind 2}, raw 2, contentEncoding 3, contentType
// 4}.
struct Envelope {
  std::string api_version;
  std::string kind;
  std::string_view raw;
};

Result<Envelope> OpenEnvelope(std::string_view bytes) {
  if (!bytes.starts_with(kEnvelopeMagic)) {
    return Fail(ErrorKind::kSyntax,
                "not a Kubernetes protobuf object: the first four bytes are not k8s\\0");
  }
  Envelope envelope;
  ProtoFields fields(bytes.substr(kEnvelopeMagic.size()));
  while (fields.Next()) {
    if (fields.number() == 2) {
      envelope.raw = fields.bytes();
    } else if (fields.number() == 1) {
      ProtoFields names(fields.bytes());
      while (names.Next()) {
        (names.number() == 1 ? envelope.api_version : envelope.kind) = names.bytes();
      }
    }
  }
  if (!fields.ok()) {
    return Fail(ErrorKind::kSyntax, "malformed protobuf envelope");
  }
  return envelope;
}

template <typename View>
std::string WriteEnvelope(const Struct& schema, View view, std::string_view api_version,
                          std::string_view kind) {
  BackBuffer out;
  out.BytesField(4, "");
  out.BytesField(3, "");
  std::size_t before = out.size();
  ProtoEncoder<View>(out).WriteStruct(schema, view);
  out.Close(2, before);
  before = out.size();
  out.BytesField(2, kind);
  out.BytesField(1, api_version);
  out.Close(1, before);
  out.Bytes(kEnvelopeMagic);
  return std::string(out.view());
}

Error UnknownKind(std::string_view api_version, std::string_view kind) {
  return {
      .kind = ErrorKind::kUnsupported,
      .message = fmt::format("no kind \"{}\" is registered for version \"{}\"", kind, api_version),
      .field = "kind",
      .value = std::string(kind),
      .remedy = "check apiVersion and kind"};
}

// The kind that a full reading of the header finds, or the assumed one.
Decoded<const KindSchema*> FindNamedKind(std::string_view json, const Registry& known,
                                         const KindSchema* assumed) {
  auto header = ReadHeader(json);
  if (!header) {
    const bool assumable = header.error().error_class == DecodeError::Class::kHeader;
    return assumable && assumed != nullptr ? Decoded<const KindSchema*>(assumed)
                                           : tl::unexpected(std::move(header).error());
  }
  const KindSchema* kind = known.Find(header->api_version, header->kind);
  return kind != nullptr
             ? Decoded<const KindSchema*>(kind)
             : tl::unexpected(HeaderError(UnknownKind(header->api_version, header->kind).message));
}

// The position of a field, or of none: fields.size().
std::size_t IndexOf(const Struct& schema, std::string_view json) {
  const auto at = std::ranges::find(schema.fields, json, &Field::json);
  return static_cast<std::size_t>(at - schema.fields.begin());
}

// The type stands in the envelope, not in the message; kinds without type fields do not keep it.
template <typename Out>
Status ReadEnvelope(const Envelope& envelope, const Struct& schema, Out out) {
  const auto members = out.OpenStruct(schema);
  for (const auto& [json, text] :
       {std::pair<std::string_view, std::string_view>("kind", envelope.kind),
        {"apiVersion", envelope.api_version}}) {
    if (const std::size_t field = IndexOf(schema, json); field < schema.fields.size()) {
      members.At(field).Text(text);
    }
  }
  ProtoDecoder<Out> decoder;
  if (!decoder.ReadStruct(schema, envelope.raw, out)) {
    return Fail(ErrorKind::kSyntax, decoder.error());
  }
  return {};
}

// Copies between the two forms of an object: whatever `from` shows, `to` receives.
template <typename View, typename Out>
void CopyValue(const Type& type, View from, Out to);

template <typename View, typename Out>
void CopyStruct(const Struct& schema, View from, Out to) {
  const auto copies = to.OpenStruct(schema);
  from.MembersOf(schema).ForEachGiven([&](std::size_t field, View member) {
    CopyValue(*schema.fields[field].type, member, copies.At(field));
  });
}

template <typename View, typename Out>
void CopyItems(const Type& type, View from, Out to) {
  to.Reserve(from.size());
  for (std::size_t n = 0; n < from.size(); ++n) {
    if (type.kind == TypeKind::kList) {
      CopyValue(*type.element, from.At(n), to.Append());
    } else {
      CopyValue(*type.element, from.At(n), to.Insert(from.Key(n)));
    }
  }
}

template <typename View, typename Out>
void CopyValue(const Type& type, View from, Out to) {
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kBytes:
      return to.Text(from.Text());
    case TypeKind::kBool:
      return to.Bool(from.Bool());
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return to.Int(from.Int());
    case TypeKind::kDouble:
      return to.Double(from.Double());
    case TypeKind::kQuantity:
      return to.Amount(from.Amount());
    case TypeKind::kTime:
    case TypeKind::kMicroTime:
      return from.is_nil() ? void() : to.Moment(from.Moment());
    case TypeKind::kIntOrString:
      return from.is_text() ? to.Text(from.Text()) : to.Int(from.Int());
    case TypeKind::kRawExtension:
    case TypeKind::kFieldsV1:
    case TypeKind::kJson:
      return to.Raw(from.Raw());
    case TypeKind::kStruct:
      return CopyStruct(*type.fields, from, to);
    case TypeKind::kList:
      return CopyItems(type, from, to.OpenList());
    case TypeKind::kMap:
      return CopyItems(type, from, to.OpenMap());
    case TypeKind::kSchemaOrArray:
    case TypeKind::kSchemaOrBool:
    case TypeKind::kSchemaOrStrings:
      return;  // only in CustomResourceDefinition, which has no plain struct
  }
}

}  // namespace

Decoded<Object> DecodeJson(std::string_view json, const DecodeOptions& options) {
  const Registry generated;
  const Registry& known = options.registry == nullptr ? generated : *options.registry;
  JsonSource source(json);
  Object object{SkimKind(source.reader, known), {}};
  if (object.kind == nullptr) {
    const auto kind = FindNamedKind(json, known, options.assumed);
    if (!kind) {
      return tl::unexpected(kind.error());
    }
    object.kind = *kind;
  }
  auto read = DecodeInto(source, *object.kind->fields, TreeOut(object.root), options);
  if (!read) {
    return tl::unexpected(std::move(read).error());
  }
  return object;
}

std::string EncodeJson(const Object& object, int indent) {
  std::string out;
  json::Writer writer(out, indent);
  JsonEncoder<TreeView>(writer).WriteStruct(*object.kind->fields, TreeView(&object.root));
  return out;
}

Result<Object> DecodeProto(std::string_view bytes, const KindSchema* assumed) {
  QUADRA_TRY(const Envelope envelope, OpenEnvelope(bytes));
  const bool named = !envelope.kind.empty() && !envelope.api_version.empty();
  Object object{
      named || assumed == nullptr ? FindKind(envelope.api_version, envelope.kind) : assumed, {}};
  if (object.kind == nullptr) {
    return Fail(UnknownKind(envelope.api_version, envelope.kind));
  }
  QUADRA_RETURN_IF_ERROR(ReadEnvelope(envelope, *object.kind->fields, TreeOut(object.root)));
  return object;
}

std::string EncodeProto(const Object& object) {
  const TreeView root(&object.root);
  const auto text = [&](std::string_view json) {
    const Value* value = object.root.Member(json);
    return TreeView(value).Text();
  };
  return WriteEnvelope(*object.kind->fields, root, text("apiVersion"), text("kind"));
}

std::string ProtoOfJson(const KindSchema& kind, std::string_view json) {
  json::Reader reader(json);
  DecodeErrors errors;
  SketchPaper paper;
  Sketch root;
  const Type type{TypeKind::kStruct, nullptr, kind.fields};
  JsonDecoder<SketchOut>(reader, errors).Read(type, SketchOut(root, paper), false);
  const auto first = errors.First();
  QUADRA_CHECK(reader.Finish() && (!first || first->error_class == DecodeError::Class::kStrict),
               "EncodeJson wrote it");
  return WriteEnvelope(*kind.fields, SketchView(&root), ApiVersionOf(kind), kind.kind);
}

bool operator==(const Object& a, const Object& b) {
  return a.kind == b.kind && Equal({TypeKind::kStruct, nullptr, a.kind->fields}, a.root, b.root);
}

namespace erased {

Decoded<Header> DecodeJson(std::string_view json, Strictness strictness, void* place,
                           BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  JsonSource source(json);
  const KindSchema* kind = SkimKind(source.reader, Registry());
  if (kind == nullptr || !binding().Has(*kind->fields)) {
    auto header = ReadHeader(json);
    return !header ? header
                   : tl::unexpected(HeaderError(fmt::format("expected a {}, not {} {}",
                                                            binding().schema().name,
                                                            header->api_version, header->kind)));
  }
  return DecodeInto(source, *kind->fields, TypedOut(place, &slot), {.strictness = strictness});
}

std::string EncodeJson(const void* place, BindingFunction binding, std::string_view version) {
  const Slot slot = StructSlot(binding);
  std::string out;
  json::Writer writer(out);
  const Struct& schema = binding().schema();
  const Struct* other = version.empty() ? &schema : SiblingIn(schema, version);
  if (binding().Has(*other)) {
    JsonEncoder<TypedView>(writer).WriteStruct(*other, TypedView(place, &slot));
  } else {
    const Value converted = ConvertTree(schema, *other, ToTree(place, binding), nullptr);
    JsonEncoder<TreeView>(writer).WriteStruct(*other, TreeView(&converted));
  }
  return out;
}

std::string EncodeJsonWithout(const void* place, BindingFunction binding,
                              std::initializer_list<std::string_view> left_out) {
  const Slot slot = StructSlot(binding);
  const Struct& schema = binding().schema();
  for (const std::string_view json : left_out) {
    QUADRA_CHECK(IndexOf(schema, json) < schema.fields.size(), "what is left out is a field");
  }
  std::string out;
  json::Writer writer(out);
  JsonEncoder<TypedView>(writer).WritePart(
      schema, TypedView(place, &slot), [&](const Field& field) {
        return std::ranges::find(left_out, field.json) == left_out.end();
      });
  return out;
}

std::string EncodeGoStruct(const void* place, BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  std::string out;
  json::Writer writer(out);
  JsonEncoder<TypedView>(writer, JsonNames::kGo)
      .WriteStruct(binding().schema(), TypedView(place, &slot));
  return out;
}

Status DecodeProto(std::string_view bytes, void* place, BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  QUADRA_TRY(const Envelope envelope, OpenEnvelope(bytes));
  const KindSchema* kind = FindKind(envelope.api_version, envelope.kind);
  if (kind == nullptr || !binding().Has(*kind->fields)) {
    return Fail(UnknownKind(envelope.api_version, envelope.kind));
  }
  return ReadEnvelope(envelope, *kind->fields, TypedOut(place, &slot));
}

std::string EncodeProto(const void* place, BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  const Struct& schema = binding().schema();
  const TypedView view(place, &slot);
  const auto text = [&](std::string_view json) {
    return view.MembersOf(schema).At(IndexOf(schema, json)).Text();
  };
  return WriteEnvelope(schema, view, text("apiVersion"), text("kind"));
}

void FromTree(const Struct& schema, const Value& tree, void* place, BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  CopyStruct(schema, TreeView(&tree), TypedOut(place, &slot));
}

Value ToTree(const void* place, BindingFunction binding) {
  const Slot slot = StructSlot(binding);
  Value tree;
  CopyStruct(binding().schema(), TypedView(place, &slot), TreeOut(tree));
  return tree;
}

}  // namespace erased
}  // namespace quadra::api
