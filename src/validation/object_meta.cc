#include "validation/object_meta.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/go_text.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "json/writer.h"

namespace quadra::validation {
namespace {

constexpr std::size_t kMaxAnnotationBytes = std::size_t{256} * 1024;
constexpr std::size_t kMaxManagerBytes = 128;
constexpr std::size_t kMaxSubresourceBytes = 256;
constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kStandardFinalizers[] = {"kubernetes", kOrphan, kForeground};
constexpr std::string_view kManagedOperations[] = {"Apply", "Update"};
constexpr std::string_view kImmutable = "field is immutable";

void WriteOwner(json::Writer& writer, const api::OwnerReference& owner) {
  writer.BeginObject();
  for (const auto& [key, text] :
       {std::pair("apiVersion", &owner.api_version), std::pair("kind", &owner.kind),
        std::pair("name", &owner.name), std::pair("uid", &owner.uid)}) {
    writer.Key(key);
    writer.String(*text);
  }
  for (const auto& [key, flag] : {std::pair("controller", &owner.controller),
                                  std::pair("blockOwnerDeletion", &owner.block_owner_deletion)}) {
    if (flag->has_value()) {
      writer.Key(key);
      writer.Bool(**flag);
    }
  }
  writer.EndObject();
}

Value OwnerValue(const api::OwnerReference& owner) {
  std::string json;
  json::Writer writer(json);
  WriteOwner(writer, owner);
  return Json(std::move(json));
}

Value OwnersValue(const api::List<api::OwnerReference>& owners) {
  std::string json;
  json::Writer writer(json);
  writer.BeginArray();
  for (const api::OwnerReference& owner : owners) {
    WriteOwner(writer, owner);
  }
  writer.EndArray();
  return Json(std::move(json));
}

Value StringsValue(const api::List<std::string>& strings) {
  std::string json;
  json::Writer writer(json);
  writer.BeginArray();
  for (const std::string& text : strings) {
    writer.String(text);
  }
  writer.EndArray();
  return Json(std::move(json));
}

struct GroupVersion {
  std::string_view group;
  std::string_view version;  // empty when the text is no group/version
};

GroupVersion ParseGroupVersion(std::string_view text) {
  const std::vector<std::string_view> parts = api::Split(text, '/');
  if (parts.size() > 2) {
    return {};
  }
  return {parts.size() == 2 ? parts[0] : std::string_view(), parts.back()};
}

void CheckOwner(ErrorList& errors, const Path& path, const api::OwnerReference& owner) {
  const GroupVersion gv = ParseGroupVersion(owner.api_version);
  if (owner.api_version.empty()) {
    errors.Required(path.Child("apiVersion"), "must not be empty");
  } else if (gv.version.empty()) {
    errors.Invalid(path.Child("apiVersion"), owner.api_version,
                   "must be <group>/<version> or <version>");
  }
  for (const auto& [name, value] : {std::pair("kind", &owner.kind), std::pair("name", &owner.name),
                                    std::pair("uid", &owner.uid)}) {
    if (value->empty()) {
      errors.Required(path.Child(name), "must not be empty");
    }
  }
  if (gv.group.empty() && gv.version == "v1" && owner.kind == "Event") {
    errors.Invalid(path, OwnerValue(owner), "/v1, Kind=Event is disallowed from being an owner");
  }
}

void CheckOwners(ErrorList& errors, const Path& path,
                 const api::List<api::OwnerReference>& owners) {
  std::string controller;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const api::OwnerReference& owner = owners[i];
    CheckOwner(errors, path.Index(i), owner);
    if (!owner.controller.value_or(false)) {
      continue;
    }
    const std::string name = owner.kind + "/" + owner.name;
    if (controller.empty()) {
      controller = name;
    } else {
      errors.Invalid(path, OwnersValue(owners),
                     fmt::format("Only one reference can have Controller set to true. Found "
                                 "\"true\" in references for "
                                 "{} and {}",
                                 controller, name));
    }
  }
}

void CheckFinalizers(ErrorList& errors, const Path& path,
                     const api::List<std::string>& finalizers) {
  for (const std::string& finalizer : finalizers) {
    for (const std::string& problem : api::LabelKeyProblems(finalizer)) {
      errors.Invalid(path, finalizer, problem);
    }
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(finalizers, name) != finalizers.end();
  };
  if (has(kOrphan) && has(kForeground)) {
    errors.Invalid(path, StringsValue(finalizers),
                   fmt::format("finalizer {} and {} cannot be both set", kOrphan, kForeground));
  }
}

void CheckKubeFinalizers(ErrorList& errors, const Path& path,
                         const api::List<std::string>& finalizers) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string& name = finalizers[i];
    if (name.find('/') == name.npos &&
        std::ranges::find(kStandardFinalizers, name) == std::end(kStandardFinalizers)) {
      errors.Invalid(path.Index(i), name,
                     "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
}

void CheckNoNewFinalizers(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                          const api::ObjectMeta& old) {
  std::set<std::string> added(meta.finalizers.begin(), meta.finalizers.end());
  for (const std::string& finalizer : old.finalizers) {
    added.erase(finalizer);
  }
  std::string shown;
  for (const std::string& finalizer : added) {
    shown += shown.empty() ? "" : ", ";
    shown += GoQuote(finalizer);
  }
  if (!added.empty()) {
    errors.Forbidden(path,
                     "no new finalizers can be added if the object is being deleted, found new "
                     "finalizers []string{" +
                         shown + "}");
  }
}

void CheckManager(ErrorList& errors, const Path& path, std::string_view manager) {
  if (manager.size() > kMaxManagerBytes) {
    errors.TooLong(path, kMaxManagerBytes);
  }
  for (std::size_t at = 0; at < manager.size();) {
    const Rune rune = DecodeRune(manager.substr(at));
    if (!IsPrintable(rune.code)) {
      errors.Invalid(path, manager,
                     fmt::format("invalid character U+{:04X} (at position {})",
                                 static_cast<unsigned>(rune.code), at));
    }
    at += rune.size;
  }
}

void CheckManagedFields(ErrorList& errors, const Path& path,
                        const api::List<api::ManagedFieldsEntry>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Path entry = path.Index(i);
    const api::ManagedFieldsEntry& field = fields[i];
    if (field.operation.empty()) {
      errors.Required(entry.Child("operation"), "must not be empty");
    } else if (std::ranges::find(kManagedOperations, field.operation) ==
               std::end(kManagedOperations)) {
      errors.NotSupported(entry.Child("operation"), Named(field.operation), kManagedOperations);
    }
    if (!field.fields_type.empty() && field.fields_type != "FieldsV1") {
      errors.Invalid(entry.Child("fieldsType"), field.fields_type, "must be `FieldsV1`");
    }
    CheckManager(errors, entry.Child("manager"), field.manager);
    if (field.subresource.size() > kMaxSubresourceBytes) {
      errors.TooLong(entry.Child("subresource"), kMaxSubresourceBytes);
    }
  }
}

void CheckGeneration(ErrorList& errors, const Path& path, std::int64_t generation) {
  if (generation < 0) {
    errors.Invalid(path, Number(generation), "must be greater than or equal to 0");
  }
}

void CheckNames(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                const MetaRules& rules) {
  if (!meta.generate_name.empty()) {
    for (const std::string& problem : rules.name_problems(meta.generate_name, true)) {
      errors.Invalid(path.Child("generateName"), meta.generate_name, problem);
    }
  }
  if (meta.name.empty()) {
    errors.Required(path.Child("name"), "name or generateName is required");
    return;
  }
  for (const std::string& problem : rules.name_problems(meta.name, false)) {
    errors.Invalid(path.Child("name"), meta.name, problem);
  }
}

void CheckNamespace(ErrorList& errors, const Path& path, std::string_view ns, bool namespaced) {
  if (!namespaced) {
    if (!ns.empty()) {
      errors.Forbidden(path, "not allowed on this type");
    }
    return;
  }
  if (ns.empty()) {
    errors.Required(path);
    return;
  }
  for (const std::string& problem : api::DnsLabelProblems(ns)) {
    errors.Invalid(path, ns, problem);
  }
}

Value TimeValue(const std::optional<Time>& time) {
  return time ? Named(FormatSeconds(*time)) : Null();
}

Value SecondsValue(const std::optional<std::int64_t>& seconds) {
  return seconds ? Number(*seconds) : Null();
}

void CheckUnchanged(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                    const api::ObjectMeta& old) {
  const auto check = [&](std::string_view name, bool same, const Value& value) {
    if (!same) {
      errors.Invalid(path.Child(name), value, kImmutable);
    }
  };
  check("name", meta.name == old.name, Quoted(meta.name));
  // An object that does not name its namespace is in that of the request.
  check("namespace", meta.ns == old.ns || meta.ns.empty() || old.ns.empty(), Quoted(meta.ns));
  check("uid", meta.uid == old.uid, Named(meta.uid));
  check("creationTimestamp", meta.creation_timestamp == old.creation_timestamp,
        TimeValue(meta.creation_timestamp));
  check("deletionTimestamp", meta.deletion_timestamp == old.deletion_timestamp,
        TimeValue(meta.deletion_timestamp));
  check("deletionGracePeriodSeconds",
        meta.deletion_grace_period_seconds == old.deletion_grace_period_seconds,
        SecondsValue(meta.deletion_grace_period_seconds));
}

}  // namespace

std::int64_t NextGeneration(std::int64_t generation) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(generation) + 1);
}

void CheckAnnotations(ErrorList& errors, const Path& path,
                      const api::Map<std::string>& annotations) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations) {
    bytes += key.size() + value.size();
    for (const std::string& problem : api::LabelKeyProblems(api::ToLower(key))) {
      errors.Invalid(path, key, problem);
    }
  }
  if (bytes > kMaxAnnotationBytes) {
    errors.TooLong(path, kMaxAnnotationBytes);
  }
}

void CheckLabels(ErrorList& errors, const Path& path, const api::Map<std::string>& labels) {
  for (const auto& [key, value] : labels) {
    CheckLabelKey(errors, path, key);
    CheckLabelValue(errors, path, value);
  }
}

void CheckMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
               const MetaRules& rules) {
  CheckNames(errors, path, meta, rules);
  CheckNamespace(errors, path.Child("namespace"), meta.ns, rules.namespaced);
  CheckGeneration(errors, path.Child("generation"), meta.generation);
  CheckLabels(errors, path.Child("labels"), meta.labels);
  CheckAnnotations(errors, path.Child("annotations"), meta.annotations);
  CheckOwners(errors, path.Child("ownerReferences"), meta.owner_references);
  CheckFinalizers(errors, path.Child("finalizers"), meta.finalizers);
  CheckManagedFields(errors, path.Child("managedFields"), meta.managed_fields);
}

void CheckMetaUpdate(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                     const api::ObjectMeta& old) {
  if (old.deletion_timestamp) {
    CheckNoNewFinalizers(errors, path.Child("finalizers"), meta, old);
  }
  if (meta.resource_version.empty()) {
    errors.Invalid(path.Child("resourceVersion"), meta.resource_version,
                   "must be specified for an update");
  }
  CheckGeneration(errors, path.Child("generation"), meta.generation);
  if (meta.generation < old.generation) {
    errors.Invalid(path.Child("generation"), Number(meta.generation), "must not be decremented");
  }
  CheckUnchanged(errors, path, meta, old);
  CheckLabels(errors, path.Child("labels"), meta.labels);
  CheckAnnotations(errors, path.Child("annotations"), meta.annotations);
  CheckOwners(errors, path.Child("ownerReferences"), meta.owner_references);
  CheckManagedFields(errors, path.Child("managedFields"), meta.managed_fields);
}

void CheckKindMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                   const MetaRules& rules) {
  CheckMeta(errors, path, meta, rules);
  CheckKubeFinalizers(errors, path.Child("finalizers"), meta.finalizers);
}

void CheckKindMetaUpdate(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                         const api::ObjectMeta& old) {
  CheckMetaUpdate(errors, path, meta, old);
  CheckKubeFinalizers(errors, path.Child("finalizers"), meta.finalizers);
}

}  // namespace quadra::validation
