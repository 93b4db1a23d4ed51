#include "validation/strategy.h"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include "base/go_text.h"

namespace quadra::validation {
namespace {

constexpr std::size_t kMaxGeneratedBase = 58;
constexpr std::string_view kGeneratedSuffix = "xxxxx";
constexpr std::string_view kDefaultNamespace = "default";

// The resourceVersion as a number, 0 when there is none. Reports one that is no number, as the
// store does.
std::uint64_t ParseVersion(const api::ObjectMeta& meta, ErrorList& errors) {
  const std::string& text = meta.resource_version;
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || (problem == std::errc() && end == text.data() + text.size())) {
    return number;
  }
  if (errors.empty()) {
    const bool too_large =
        problem == std::errc::result_out_of_range && end == text.data() + text.size();
    errors.Refuse(ErrorType::kUnknown,
                  fmt::format("strconv.ParseUint: parsing {}: {}", GoQuote(text),
                              too_large ? "value out of range" : "invalid syntax"));
  }
  return 0;
}

void SettleNamespace(api::ObjectMeta& meta, bool namespaced) {
  if (!namespaced) {
    meta.ns.clear();
  } else if (meta.ns.empty()) {
    meta.ns = kDefaultNamespace;
  }
}

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
  SettleNamespace(meta, namespaced);
}

void AdmitUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, std::string_view resource,
                 bool unconditional, ErrorList& errors) {
  const std::uint64_t wanted = ParseVersion(meta, errors);
  const std::uint64_t stored = ParseVersion(old, errors);
  if (!errors.empty()) {
    return;
  }
  if (wanted == 0 && unconditional) {
    meta.resource_version = stored == 0 ? "1" : old.resource_version;
  } else if (wanted == 0) {
    const Path metadata("metadata");
    errors.Invalid(metadata.Child("resourceVersion"), Number(0), "must be specified for an update");
  } else if (stored != 0 && wanted != stored) {
    errors.Refuse(
        ErrorType::kConflict,
        fmt::format("Operation cannot be fulfilled on {} {}: the object has been modified; "
                    "please apply your changes to the latest version and try again",
                    resource, GoQuote(meta.name)));
  }
}

void PrepareMetaForUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, bool namespaced) {
  SettleNamespace(meta, namespaced);
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
