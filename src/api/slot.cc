#include "api/slot.h"

#include <algorithm>
#include <cstdlib>

#include "base/check.h"

namespace quadra::api {
namespace {

ScalarForm WantedScalar(TypeKind kind) {
  switch (kind) {
    case TypeKind::kString:
    case TypeKind::kBytes:
      return ScalarForm::kText;
    case TypeKind::kBool:
      return ScalarForm::kBool;
    case TypeKind::kInt32:
      return ScalarForm::kInt32;
    case TypeKind::kInt64:
      return ScalarForm::kInt64;
    case TypeKind::kQuantity:
      return ScalarForm::kAmount;
    case TypeKind::kTime:
    case TypeKind::kMicroTime:
      return ScalarForm::kMoment;
    case TypeKind::kRawExtension:
    case TypeKind::kFieldsV1:
    case TypeKind::kJson:
      return ScalarForm::kRaw;
    default:
      return ScalarForm::kNone;
  }
}

// True when a value of the schema's type can be kept in the slot.
bool Fits(const Type& type, const Slot& slot) {
  if (slot.form == SlotForm::kOptional) {
    return Fits(type, *slot.inner);
  }
  switch (type.kind) {
    case TypeKind::kStruct:
      return slot.form == SlotForm::kStruct;
    case TypeKind::kList:
      return slot.form == SlotForm::kList && Fits(*type.element, *slot.inner);
    case TypeKind::kMap:
      return slot.form == SlotForm::kMap && Fits(*type.element, *slot.inner);
    default:
      return slot.form == SlotForm::kScalar && slot.scalar != ScalarForm::kNone &&
             slot.scalar == WantedScalar(type.kind);
  }
}

// Whether JSON shows the field of a struct that does not have it, as JsonEncoder decides.
bool IsAlwaysInJson(const Field& field) {
  const ScalarForm scalar = WantedScalar(field.type->kind);
  const bool can_be_empty = field.type->kind == TypeKind::kList ||
                            field.type->kind == TypeKind::kMap || scalar == ScalarForm::kText ||
                            scalar == ScalarForm::kBool || scalar == ScalarForm::kInt32 ||
                            scalar == ScalarForm::kInt64;
  return !field.omit_zero && !(field.omit_empty && (field.pointer || can_be_empty));
}

// The same for protobuf, as ProtoEncoder decides.
bool IsAlwaysInProto(const Field& field) {
  return !field.pointer && field.type->kind != TypeKind::kList &&
         field.type->kind != TypeKind::kMap;
}

MemberTable Arrange(const Struct& schema, std::initializer_list<Member> members) {
  QUADRA_CHECK(schema.fields.size() <= kMaxPositions, "no API struct has more fields");
  MemberTable table{.schema = &schema, .members = std::vector<Member>(schema.fields.size())};
  for (const Member& member : members) {
    const auto field = std::ranges::find(schema.fields, member.json, &Field::json);
    QUADRA_CHECK(field != schema.fields.end(), "a bound member is a field of its schema");
    QUADRA_CHECK(Fits(*field->type, *member.slot), "a bound member has its field's type");
    table.field_of_member.push_back(static_cast<std::size_t>(field - schema.fields.begin()));
    table.members[table.field_of_member.back()] = member;
  }
  for (std::size_t i = 0; i < schema.fields.size(); ++i) {
    table.always_in_json |= IsAlwaysInJson(schema.fields[i]) ? PositionBit(i) : 0;
    table.always_in_proto |= IsAlwaysInProto(schema.fields[i]) ? PositionBit(i) : 0;
  }
  return table;
}

}  // namespace

Binding::Binding(std::string_view openapi, std::initializer_list<Member> members,
                 Positions (*present)(const void* place))
    : present_(present) {
  while (!openapi.empty()) {
    const std::string_view name = openapi.substr(0, openapi.find(' '));
    openapi.remove_prefix(std::min(openapi.size(), name.size() + 1));
    const Struct* const schema = FindStruct(name);
    QUADRA_CHECK(schema != nullptr, "a bound struct has a schema");
    tables_.push_back(Arrange(*schema, members));
  }
}

void Binding::Missing(const Struct&) {
  QUADRA_CHECK(false, "a struct is only read and written by the schemas it is bound to");
  std::abort();
}

}  // namespace quadra::api
