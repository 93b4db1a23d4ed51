#include "apiserver/stored_form.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kHole = "0";
// Nothing before the real one can look like this: inside strings quotes are escaped.
constexpr std::string_view kVersionMember = R"("resourceVersion":"0")";

const api::Field& MetadataField(const api::KindSchema& kind) {
  std::size_t hint = 0;
  const api::Field* field = api::FindField(*kind.fields, "metadata", hint);
  QUADRA_CHECK(field != nullptr, "every kind that is stored has metadata");
  return *field;
}

bool IsEmptyContainer(const api::Value& value) {
  const auto* items = value.As<api::Value::Items>();
  const auto* entries = value.As<api::Value::Entries>();
  return (items != nullptr && items->empty()) || (entries != nullptr && entries->empty());
}

// Upstream stores protobuf, which knows no empty lists and maps, only absent ones.
void ForgetEmptyContainers(api::Value& value) {
  if (auto* members = value.As<api::Value::Members>()) {
    std::erase_if(*members, [](const auto& member) { return IsEmptyContainer(member.second); });
    std::ranges::for_each(*members, [](auto& member) { ForgetEmptyContainers(member.second); });
  } else if (auto* items = value.As<api::Value::Items>()) {
    std::ranges::for_each(*items, ForgetEmptyContainers);
  } else if (auto* entries = value.As<api::Value::Entries>()) {
    std::ranges::for_each(*entries, [](auto& entry) { ForgetEmptyContainers(entry.second); });
  }
}

}  // namespace

bool IsStored(const api::KindSchema& kind) { return &api::StoredKindOf(kind) == &kind; }

std::string PrefixOf(const api::KindSchema& kind, std::string_view ns) {
  const std::string_view group = api::StoredKindOf(kind).group;
  return fmt::format("{}/{}/{}{}", group.empty() ? "core" : group, kind.plural, ns,
                     ns.empty() ? "" : "/");
}

std::string KeyOf(const api::KindSchema& kind, std::string_view ns, std::string_view name) {
  return PrefixOf(kind, kind.namespaced ? ns : "").append(name);
}

store::Draft DraftOf(api::Object object) {
  ForgetEmptyContainers(object.root);
  api::ObjectMeta meta = MetaOf(object);
  meta.resource_version = kHole;
  SetMeta(object, meta);
  store::Draft draft{.bytes = api::EncodeJson(object)};
  const std::size_t at = draft.bytes.find(kVersionMember);
  QUADRA_CHECK(at != std::string::npos, "an object is encoded with its resourceVersion");
  draft.revision_at = at + kVersionMember.size() - kHole.size() - 1;
  draft.bytes.erase(*draft.revision_at, kHole.size());
  return draft;
}

api::Object ObjectOf(const api::KindSchema& kind, const store::Record& record) {
  api::Decoded<api::Object> object = api::DecodeJson(
      record.bytes, {.strictness = api::Strictness::kLenient, .assumed = &api::StoredKindOf(kind)});
  QUADRA_CHECK(object.has_value(), "what was stored was encoded here");
  return *std::move(object);
}

std::string GoTypeOf(const api::KindSchema& kind) {
  const std::string_view group = api::StoredKindOf(kind).group;
  return fmt::format("{}.{}", group.empty() ? "core" : group.substr(0, group.find('.')), kind.kind);
}

api::Object InVersion(const api::Object& object, const api::KindSchema& kind) {
  if (object.kind == &kind) {
    return object;
  }
  Result<api::Object> converted = api::Convert(object, api::ApiVersionOf(kind));
  QUADRA_CHECK(converted.has_value(), "versions that are served convert into each other");
  return *std::move(converted);
}

api::ObjectMeta MetaOf(const api::Object& object) {
  const api::Field& field = MetadataField(*object.kind);
  const api::Value* meta = object.root.Member(field);
  return meta == nullptr ? api::ObjectMeta()
                         : api::ToTyped<api::ObjectMeta>(*field.type->fields, *meta);
}

void SetMeta(api::Object& object, const api::ObjectMeta& meta) {
  const api::Field& field = MetadataField(*object.kind);
  api::erased::Amend(*field.type->fields, &meta, api::BindingOf<api::ObjectMeta>,
                     object.root.AddMember(field));
}

}  // namespace quadra::apiserver
