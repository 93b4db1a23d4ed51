#include "validation/strategy.h"

#include <fmt/format.h>

namespace quadra::validation {
namespace {

constexpr std::size_t kMaxGeneratedBase = 58;
constexpr std::string_view kGeneratedSuffix = "xxxxx";

}  // namespace

void PrepareMetaForCreate(api::ObjectMeta& meta, bool namespaced) {
  meta.uid.clear();
  meta.self_link.clear();
  meta.creation_timestamp.reset();
  meta.deletion_timestamp.reset();
  meta.deletion_grace_period_seconds.reset();
  if (meta.name.empty() && !meta.generate_name.empty()) {
    meta.name = meta.generate_name.substr(0, kMaxGeneratedBase).append(kGeneratedSuffix);
  }
  if (!namespaced) {
    meta.ns.clear();
  }
}

bool AdmitUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, bool unconditional,
                 ErrorList& errors) {
  if (meta.resource_version.empty()) {
    if (!unconditional) {
      const Path metadata("metadata");
      errors.Invalid(metadata.Child("resourceVersion"), Number(0),
                     "must be specified for an update");
      return false;
    }
    meta.resource_version = old.resource_version;
  }
  if (meta.resource_version != old.resource_version) {
    errors.Refuse(ErrorType::kConflict,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
    return false;
  }
  return true;
}

void PrepareMetaForUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, bool namespaced) {
  if (!namespaced) {
    meta.ns.clear();
  }
  meta.generation = old.generation;
}

void KeepSystemFields(api::ObjectMeta& meta, const api::ObjectMeta& old) {
  if (meta.uid.empty()) {
    meta.uid = old.uid;
  }
  if (old.creation_timestamp) {
    meta.creation_timestamp = old.creation_timestamp;
  }
  if (old.deletion_timestamp) {
    meta.deletion_timestamp = old.deletion_timestamp;
  }
  if (!meta.deletion_grace_period_seconds) {
    meta.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
  }
}

void ResetMetaForStatus(api::ObjectMeta& meta, const api::ObjectMeta& old) {
  meta.deletion_timestamp = old.deletion_timestamp;
  meta.generation = old.generation;
  meta.self_link = old.self_link;
  meta.labels = old.labels;
  meta.annotations = old.annotations;
  meta.finalizers = old.finalizers;
  meta.owner_references = old.owner_references;
}

}  // namespace quadra::validation
