#include "api/convert.h"

#include <algorithm>
#include <array>

#include "api/object.h"
#include "fmt/format.h"

namespace quadra::api {
namespace {

class Converter {
 public:
  explicit Converter(std::vector<std::string>* lost) : lost_(lost) {}

  Value ConvertStruct(const Struct& from, const Struct& to, const Value& tree);
  Value ConvertValue(const Type& from, const Type& to, const Value& value);
  // Copies the members of `tree` that `to` has by name into `out`. Absent members stay absent.
  void CopyMembers(const Struct& to, const Value& tree, Value& out);

 private:
  std::string path_;
  std::vector<std::string>* lost_;
};

// Upstream rebuilds these containers, so that empty ones come out absent.
constexpr std::array<std::string_view, 5> kRebuilt = {"attributes", "capacity", "consumesCounters",
                                                      "taints", "tolerations"};

void DropRebuiltEmpties(Value& out) {
  for (const std::string_view name : kRebuilt) {
    const Value* value = out.Member(name);
    if (value == nullptr) {
      continue;
    }
    const auto* items = value->As<Value::Items>();
    const auto* entries = value->As<Value::Entries>();
    if ((items != nullptr && items->empty()) || (entries != nullptr && entries->empty())) {
      out.EraseMember(name);
    }
  }
}

const Field& FieldNamed(const Struct& schema, std::string_view json) {
  return *std::ranges::find(schema.fields, json, &Field::json);
}

bool IsZero(const Value& value) {
  const auto* text = value.As<std::string>();
  const auto* number = value.As<std::int64_t>();
  const auto* flag = value.As<bool>();
  return value.is_nil() || (text != nullptr && text->empty()) ||
         (number != nullptr && *number == 0) || (flag != nullptr && !*flag);
}

// The members of `tree` with those of its member `name` in the place of that.
Value WithoutLevel(Converter& converter, const Struct& to, const Value& tree,
                   std::string_view name) {
  Value out;
  out.Make<Value::Members>();
  Value bare = tree;
  bare.EraseMember(name);
  converter.CopyMembers(to, bare, out);
  if (const Value* level = tree.Member(name)) {
    converter.CopyMembers(to, *level, out);
  }
  return out;
}

// v1beta1 keeps all of a device but its name under `basic`.
Value LiftBasic(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out = WithoutLevel(converter, to, tree, "basic");
  DropRebuiltEmpties(out);
  return out;
}

Value SinkBasic(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out;
  const Field& basic = FieldNamed(to, "basic");
  if (const Value* name = tree.Member("name")) {
    out.AddMember(FieldNamed(to, "name")) = *name;
  }
  Value rest = tree;
  rest.EraseMember("name");
  Value& inside = out.AddMember(basic);
  inside.Make<Value::Members>();
  converter.CopyMembers(*basic.type->fields, rest, inside);
  DropRebuiltEmpties(inside);
  return out;
}

// v1beta1 has the members of `exactly` beside `name`; any that is given makes an `exactly`. An
// `int` or string counts as given when not zero, a list or pointer when present.
Value LiftExactly(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out;
  out.Make<Value::Members>();
  Value exactly;
  const Field& field = FieldNamed(to, "exactly");
  for (const auto& [member, value] : *tree.As<Value::Members>()) {
    Value one;
    one.AddMember(*member) = value;
    if (member->json == "name" || member->json == "firstAvailable") {
      converter.CopyMembers(to, one, out);
    } else if (member->pointer || member->type->kind == TypeKind::kList ? !value.is_nil()
                                                                        : !IsZero(value)) {
      converter.CopyMembers(*field.type->fields, one, exactly);
    }
  }
  if (!exactly.is_nil()) {
    DropRebuiltEmpties(exactly);
    out.AddMember(field) = std::move(exactly);
  }
  return out;
}

Value SinkExactly(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out = WithoutLevel(converter, to, tree, "exactly");
  if (tree.Member("exactly") != nullptr) {
    DropRebuiltEmpties(out);
  }
  return out;
}

// In v1beta1 nodeName and allNodes are plain values: "" and false mean that they are not given.
Value DropZeroNodeFields(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out;
  out.Make<Value::Members>();
  converter.CopyMembers(to, tree, out);
  for (const std::string_view name : {"nodeName", "allNodes"}) {
    if (const Value* value = out.Member(name); value != nullptr && IsZero(*value)) {
      out.EraseMember(name);
    }
  }
  return out;
}

// Events have two groups, which call the same things differently.
struct Renaming {
  std::string_view core;
  std::string_view events;
};
constexpr std::array kEventNames = {
    Renaming{"involvedObject", "regarding"},
    Renaming{"message", "note"},
    Renaming{"source", "deprecatedSource"},
    Renaming{"firstTimestamp", "deprecatedFirstTimestamp"},
    Renaming{"lastTimestamp", "deprecatedLastTimestamp"},
    Renaming{"count", "deprecatedCount"},
    Renaming{"reportingComponent", "reportingController"},
};

std::string_view OtherNameOf(std::string_view name) {
  for (const Renaming& row : kEventNames) {
    if (name == row.core || name == row.events) {
      return name == row.core ? row.events : row.core;
    }
  }
  return name;
}

Value RenameEvent(Converter& converter, const Struct&, const Struct& to, const Value& tree) {
  Value out;
  out.Make<Value::Members>();
  for (const auto& [field, value] : *tree.As<Value::Members>()) {
    const Field& target = FieldNamed(to, OtherNameOf(field->json));
    out.AddMember(target) = converter.ConvertValue(*field->type, *target.type, value);
  }
  return out;
}

struct Reshaping {
  std::string_view from;
  std::string_view to;
  Value (*convert)(Converter&, const Struct& from, const Struct& to, const Value& tree);
};

constexpr std::array kReshapings = {
    Reshaping{"v1beta1.Device", "v1.Device", LiftBasic},
    Reshaping{"v1.Device", "v1beta1.Device", SinkBasic},
    Reshaping{"v1beta1.DeviceRequest", "v1.DeviceRequest", LiftExactly},
    Reshaping{"v1.DeviceRequest", "v1beta1.DeviceRequest", SinkExactly},
    Reshaping{"v1beta1.ResourceSliceSpec", "v1.ResourceSliceSpec", DropZeroNodeFields},
    Reshaping{"v1.Event", "v1.Event", RenameEvent},
};

Value Converter::ConvertStruct(const Struct& from, const Struct& to, const Value& tree) {
  if (&from == &to || tree.As<Value::Members>() == nullptr) {
    return tree;
  }
  for (const Reshaping& row : kReshapings) {
    if (row.from == from.name && row.to == to.name) {
      return row.convert(*this, from, to, tree);
    }
  }
  Value out;
  out.Make<Value::Members>();
  CopyMembers(to, tree, out);
  return out;
}

void Converter::CopyMembers(const Struct& to, const Value& tree, Value& out) {
  const auto* members = tree.As<Value::Members>();
  if (members == nullptr) {
    return;
  }
  for (const auto& [field, value] : *members) {
    const std::size_t length = path_.size();
    path_ += fmt::format("{}{}", path_.empty() ? "" : ".", field->json);
    const auto target = std::ranges::find(to.fields, field->json, &Field::json);
    if (target != to.fields.end()) {
      out.AddMember(*target) = ConvertValue(*field->type, *target->type, value);
    } else if (lost_ != nullptr && !IsZero(value)) {
      lost_->push_back(path_);
    }
    path_.resize(length);
  }
}

Value Converter::ConvertValue(const Type& from, const Type& to, const Value& value) {
  const std::size_t length = path_.size();
  if (from.kind == TypeKind::kStruct && to.kind == TypeKind::kStruct) {
    return ConvertStruct(*from.fields, *to.fields, value);
  }
  if (const auto* items = value.As<Value::Items>(); items != nullptr && from.element != nullptr) {
    Value out;
    auto& converted = out.Make<Value::Items>();
    for (std::size_t i = 0; i < items->size(); ++i) {
      path_ += fmt::format("[{}]", i);
      converted.push_back(ConvertValue(*from.element, *to.element, (*items)[i]));
      path_.resize(length);
    }
    return out;
  }
  if (const auto* entries = value.As<Value::Entries>();
      entries != nullptr && from.element != nullptr) {
    Value out;
    auto& converted = out.Make<Value::Entries>();
    for (const auto& [key, entry] : *entries) {
      path_ += fmt::format(".{}", key);
      converted.emplace_back(key, ConvertValue(*from.element, *to.element, entry));
      path_.resize(length);
    }
    return out;
  }
  return value;
}

}  // namespace

const Struct* SiblingIn(const Struct& schema, std::string_view version) {
  const std::string_view name = schema.openapi;
  const std::size_t last = name.rfind('.');
  const std::size_t before = name.rfind('.', last - 1);
  const Struct* sibling =
      FindStruct(fmt::format("{}.{}{}", name.substr(0, before), version, name.substr(last)));
  return sibling != nullptr ? sibling : &schema;
}

Value ConvertTree(const Struct& from, const Struct& to, const Value& tree,
                  std::vector<std::string>* lost) {
  return Converter(lost).ConvertStruct(from, to, tree);
}

namespace {

// v1 is the shape every other version knows how to reach, so conversion between two others goes
// through it.
Result<Object> ConvertOnce(const Object& object, std::string_view api_version,
                           std::vector<std::string>* lost) {
  const KindSchema* kind = FindKind(api_version, object.kind->kind);
  if (kind == nullptr || StoredKindOf(*kind).group != StoredKindOf(*object.kind).group) {
    return Fail({.kind = ErrorKind::kUnsupported,
                 .message = fmt::format("{} has no version {}", object.kind->kind, api_version),
                 .field = "apiVersion",
                 .value = std::string(api_version),
                 .remedy = "name a version that serves this kind"});
  }
  Object converted{kind, ConvertTree(*object.kind->fields, *kind->fields, object.root, lost)};
  converted.root.AddMember(FieldNamed(*kind->fields, "apiVersion")).Set(std::string(api_version));
  return converted;
}

}  // namespace

Result<Object> Convert(const Object& object, std::string_view api_version,
                       std::vector<std::string>* lost) {
  const std::string hub = fmt::format("{}/v1", object.kind->group);
  const bool needs_hub = object.kind->version != "v1" && api_version != hub &&
                         !object.kind->group.empty() && FindKind(hub, object.kind->kind) != nullptr;
  if (!needs_hub) {
    return ConvertOnce(object, api_version, lost);
  }
  QUADRA_TRY(const Object middle, ConvertOnce(object, hub, lost));
  return ConvertOnce(middle, api_version, lost);
}

}  // namespace quadra::api
