#include "client/resource.h"

#include <utility>

#include "base/check.h"
#include "client/metadata.h"
#include "client/target.h"
#include "json/value.h"

namespace quadra::client {
namespace {

constexpr std::string_view kDra = "resource.k8s.io/v1";

bool Pass(std::string_view& text, std::string_view expected) {
  const bool is_there = text.starts_with(expected);
  text.remove_prefix(is_there ? expected.size() : 0);
  return is_there;
}

// Whether the text begins as servers write this kind in this version.
bool BeginsAs(std::string_view json, std::string_view version, std::string_view kind) {
  return Pass(json, R"({"kind":")") && Pass(json, kind) && Pass(json, R"(","apiVersion":")") &&
         Pass(json, version) && Pass(json, R"(",)");
}

// The object's apiVersion: where it is the expected one, without reading the rest.
Result<std::string> VersionOf(std::string_view json, std::string_view expected,
                              std::string_view kind) {
  if (BeginsAs(json, expected, kind)) {
    return std::string(expected);
  }
  api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header) {
    return Fail(ErrorKind::kInvalid, header.error().message);
  }
  return std::move(header->api_version);
}

template <typename T>
Result<T> Decoded(Result<T> (*decode)(const api::RawObject&), std::string_view json,
                  std::string_view expected, std::string_view kind) {
  QUADRA_TRY(const std::string version, VersionOf(json, expected, kind));
  return decode({.api_version = version, .kind = kind, .json = json});
}

// Kinds of which the engine reads less metadata than controllers want.
template <typename T>
Result<T> WithMetadata(Result<T> (*decode)(const api::RawObject&), std::string_view json) {
  QUADRA_TRY(Metadata whole, ReadMetadata(json));
  QUADRA_TRY(T read, decode({.json = json}));
  read.metadata = std::move(whole.metadata);
  return read;
}

std::string_view TextMember(const api::Value& tree, std::string_view json) {
  const api::Value* const member = tree.Member(json);
  const auto* const text = member == nullptr ? nullptr : member->As<std::string>();
  return text == nullptr ? std::string_view() : *text;
}

}  // namespace

std::string Resource::Path(std::string_view ns, std::string_view name,
                           std::string_view subresource) const {
  std::string path = group.empty() ? "/api/" + version : "/apis/" + group + "/" + version;
  if (namespaced && !ns.empty()) {
    path.append("/namespaces/").append(EscapeSegment(ns));
  }
  path.append("/").append(plural);
  for (const std::string_view part : {name, subresource}) {
    if (!part.empty()) {
      path.append("/").append(EscapeSegment(part));
    }
  }
  return path;
}

std::string Resource::ApiVersion() const { return group.empty() ? version : group + "/" + version; }

Resource ResourceFor(std::string_view api_version, std::string_view kind) {
  const api::KindSchema* const found = api::FindKind(api_version, kind);
  QUADRA_CHECK(found != nullptr && !found->plural.empty(), "the tables have the kind");
  return {.group = std::string(found->group),
          .version = std::string(found->version),
          .plural = std::string(found->plural),
          .kind = std::string(found->kind),
          .namespaced = found->namespaced};
}

template <>
Marks MarksOf(const api::Object& object) {
  const api::Value* const meta = object.root.Member("metadata");
  return meta == nullptr ? Marks()
                         : Marks{TextMember(*meta, "namespace"), TextMember(*meta, "name"),
                                 TextMember(*meta, "uid"), TextMember(*meta, "resourceVersion")};
}

api::ObjectMeta MetaOf(const api::Object& object) {
  static const api::Struct* const kSchema =
      api::FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  const api::Value* const meta = object.root.Member("metadata");
  return meta == nullptr ? api::ObjectMeta() : api::ToTyped<api::ObjectMeta>(*kSchema, *meta);
}

Result<api::Object> Kind<api::Object>::Decode(std::string_view json) {
  api::Decoded<api::Object> read = api::DecodeJson(json, {.strictness = api::Strictness::kLenient});
  if (!read) {
    return Fail({.kind = ErrorKind::kInvalid,
                 .message = read.error().message,
                 .field = read.error().exact});
  }
  return *std::move(read);
}

Result<Metadata> Kind<Metadata>::Decode(std::string_view json) { return ReadMetadata(json); }

#define QUADRA_CLIENT_KIND(type, function, version)                  \
  Result<api::type> Kind<api::type>::Decode(std::string_view json) { \
    return Decoded<api::type>(api::function, json, version, #type);  \
  }                                                                  \
  template <>                                                        \
  Resource ResourceOf<api::type>() {                                 \
    return ResourceFor(version, #type);                              \
  }
QUADRA_CLIENT_KIND(ResourceClaim, DecodeClaim, kDra)
QUADRA_CLIENT_KIND(ResourceClaimTemplate, DecodeTemplate, kDra)
QUADRA_CLIENT_KIND(ResourceSlice, DecodeSlice, kDra)
QUADRA_CLIENT_KIND(DeviceClass, DecodeClass, kDra)
QUADRA_CLIENT_KIND(DeviceTaintRule, DecodeTaintRule, kDra)
QUADRA_CLIENT_KIND(Pod, DecodePod, "v1")
QUADRA_CLIENT_KIND(Node, DecodeNode, "v1")
#undef QUADRA_CLIENT_KIND

Result<api::Namespace> Kind<api::Namespace>::Decode(std::string_view json) {
  return WithMetadata<api::Namespace>(api::DecodeNamespace, json);
}
Result<api::PriorityClass> Kind<api::PriorityClass>::Decode(std::string_view json) {
  return WithMetadata<api::PriorityClass>(api::DecodePriorityClass, json);
}
template <>
Resource ResourceOf<api::Namespace>() {
  return ResourceFor("v1", "Namespace");
}
template <>
Resource ResourceOf<api::PriorityClass>() {
  return ResourceFor("scheduling.k8s.io/v1", "PriorityClass");
}

}  // namespace quadra::client
