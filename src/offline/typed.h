// Typed: an object of a manifest as the plain struct of its kind, whatever version it is in.
#pragma once

#include <string>
#include <string_view>

#include "api/object.h"
#include "base/result.h"
#include "json/manifest.h"

namespace quadra::offline {

// The object in the version its struct is bound to, read leniently: dumps may hold fields of other
// releases. Errors name file, line and field.
Result<api::Object> DecodeCurrent(const json::Manifest& manifest, std::string_view api_version);

// An error about a manifest, with file and line in front.
Error ErrorAt(const json::Manifest& manifest, std::string_view field, std::string message);

inline constexpr std::string_view kDraVersion = "resource.k8s.io/v1";

// A kind of resource.k8s.io in any of its versions.
template <typename T>
Result<T> DecodeDra(const json::Manifest& manifest, std::string_view api_version) {
  if (api_version == kDraVersion) {
    api::Decoded<T> decoded = api::DecodeJson<T>(manifest.json(), api::Strictness::kLenient);
    if (!decoded) {
      return Fail(ErrorAt(manifest, decoded.error().exact, decoded.error().message));
    }
    return *std::move(decoded);
  }
  QUADRA_TRY(const api::Object object, DecodeCurrent(manifest, kDraVersion));
  return api::ToTyped<T>(object);
}

// A kind that has one version only.
template <typename T>
Result<T> DecodeOnly(const json::Manifest& manifest) {
  api::Decoded<T> decoded = api::DecodeJson<T>(manifest.json(), api::Strictness::kLenient);
  if (!decoded) {
    return Fail(ErrorAt(manifest, decoded.error().exact, decoded.error().message));
  }
  return *std::move(decoded);
}

// The same with the defaults that the API server fills in: manifests are often written by hand.
template <typename T>
Result<T> DecodeDraWithDefaults(const json::Manifest& manifest) {
  QUADRA_TRY(api::Object object, DecodeCurrent(manifest, kDraVersion));
  api::ApplyDefaults(object, Time());
  return api::ToTyped<T>(object);
}

}  // namespace quadra::offline
