#include "apiserver/body.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/vocabulary.h"
#include "apiserver/core_defaults.h"
#include "apiserver/old_proto_mappings.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"
#include "base/check.h"
#include "json/documents.h"

namespace quadra::apiserver {
namespace {

// A body that cannot be anything is shown by its beginning.
std::string Summary(std::string_view bytes) {
  constexpr std::size_t kMost = 30;
  if (bytes.empty()) {
    return "<empty>";
  }
  const std::string_view some = bytes.substr(0, kMost);
  const std::string_view more = bytes.size() > kMost ? " ..." : "";
  if (bytes.front() == '{') {
    return fmt::format("{}{}", some, more);
  }
  std::string hex;
  for (const char byte : some) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return hex + std::string(more);
}

Failure Unrecognized(const api::KindSchema& expected, std::string_view why,
                     std::string_view bytes) {
  return BadRequest(fmt::format("the object provided is unrecognized (must be of type {}): {} ({})",
                                expected.kind, why, Summary(bytes)));
}

Failure CannotBeHandled(std::string_view kind, std::string_view version,
                        const api::KindSchema& expected, std::string_view why) {
  return BadRequest(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", kind, version,
                                expected.kind, why));
}

// What was wrong with JSON that names its kind, or with its kind.
Failure Undecodable(std::string_view json, const api::DecodeError& error,
                    const api::KindSchema& expected) {
  const api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header && error.error_class == api::DecodeError::Class::kSyntax) {
    return Unrecognized(expected, error.message, json);
  }
  return header ? CannotBeHandled(header->kind,
                                  header->api_version.substr(header->api_version.rfind('/') + 1),
                                  expected, error.message)
                : CannotBeHandled(expected.kind, expected.version, expected, error.message);
}

OkOrFailure CheckKind(const api::KindSchema& found, const api::KindSchema& expected) {
  if (found.kind != expected.kind || found.group != expected.group) {
    return Fail(CannotBeHandled(found.kind, found.version, expected,
                                fmt::format("converting ({}.{}) to ({}): unknown conversion",
                                            found.version, found.kind, GoTypeOf(expected))));
  }
  if (found.version != expected.version) {
    return Fail(BadRequest(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    api::ApiVersionOf(found), api::ApiVersionOf(expected))));
  }
  return {};
}

// A body may name half of its type; the other half is that of the address.
OkOrFailure CheckNamedHalf(const api::Object& object, const api::KindSchema& expected,
                           std::string_view json) {
  const std::string kind = TextAt(object, {"kind"});
  const std::string version = TextAt(object, {"apiVersion"});
  if (object.kind != &expected || ((kind.empty() || kind == expected.kind) &&
                                   (version.empty() || version == api::ApiVersionOf(expected)))) {
    return {};
  }
  if (std::ranges::count(version, '/') > 1) {
    return Fail(Unrecognized(expected, "unexpected GroupVersion string: " + version, json));
  }
  const std::string named = kind.empty() ? std::string(expected.kind) : kind;
  const std::string in = version.empty() ? api::ApiVersionOf(expected) : version;
  return Fail(
      CannotBeHandled(named, in.substr(in.rfind('/') + 1), expected,
                      fmt::format("no kind \"{}\" is registered for version \"{}\"", named, in)));
}

// What the tree says of itself; protobuf keeps that outside of the message.
void NameType(api::Object& object) {
  for (const api::Field& field : object.kind->fields->fields) {
    if (field.json == "kind") {
      object.root.AddMember(field).Set(std::string(object.kind->kind));
    } else if (field.json == "apiVersion") {
      object.root.AddMember(field).Set(api::ApiVersionOf(*object.kind));
    }
  }
}

// They are kept by whoever knows server-side apply; what a client says of them is passed over.
void ForgetManagedFields(api::Object& object) {
  if (!ItemsAt(object.root, {"metadata", "managedFields"}).empty()) {
    object.root.Member("metadata")->EraseMember("managedFields");
  }
}

constexpr std::string_view kOldMappings =
    "spec.devices[*].nodeAllocatableResourceMappings is the form of Kubernetes 1.36: it was taken "
    "as "
    "spec.devices[*].nodeAllocatableResources, which needs the feature gate "
    "DRANodeAllocatableResources; kube-apiserver loses it";

bool IsOldMapping(const api::DecodeError& problem) {
  return problem.path.ends_with(".nodeAllocatableResourceMappings") ||
         problem.path.ends_with(".nativeResourceMappings");
}

// The slice of that JSON, whose devices say what they take of their node in an older form, with 1.37's
// form instead.
OrFailure<api::Object> Renewed(std::string_view json, const api::KindSchema& expected) {
  const std::string api_version = api::ApiVersionOf(expected);
  Result<api::ResourceSlice> slice =
      api::DecodeSlice({.api_version = api_version, .kind = expected.kind, .json = json});
  if (!slice) {
    return Fail(CannotBeHandled(expected.kind, expected.version, expected, slice.error().message));
  }
  slice->type = {.kind = std::string(expected.kind), .api_version = api_version};
  api::Decoded<api::Object> renewed = api::DecodeJson(api::EncodeJson(*slice, expected.version));
  QUADRA_CHECK(renewed.has_value(), "what we encode is JSON of its kind");
  return *std::move(renewed);
}

bool IsSlice(const api::KindSchema& kind) {
  return kind.group == api::kDraGroup && kind.kind == "ResourceSlice";
}

// The object where it is such a slice, with its new form; `problems` are then without those of the old
// one.
OrFailure<std::optional<api::Object>> RenewedJson(std::string_view json,
                                                  const api::KindSchema& expected,
                                                  std::vector<api::DecodeError>& problems) {
  if (!IsSlice(expected) || std::erase_if(problems, IsOldMapping) == 0) {
    return std::nullopt;
  }
  OrFailure<api::Object> renewed = Renewed(json, expected);
  return renewed ? OrFailure<std::optional<api::Object>>(*std::move(renewed))
                 : Fail(std::move(renewed).error());
}

OrFailure<Body> ReadProto(std::string_view bytes, const api::KindSchema& expected) {
  constexpr std::size_t kMagicBytes = 4;
  if (bytes.size() == kMagicBytes) {
    return Fail(Unrecognized(expected, "empty body", bytes));
  }
  Result<api::Object> object = api::DecodeProto(bytes, &expected);
  if (!object) {
    return Fail(Unrecognized(expected, object.error().message, bytes));
  }
  if (OkOrFailure fits = CheckKind(*object->kind, expected); !fits) {
    return Fail(std::move(fits).error());
  }
  NameType(*object);
  const std::optional<std::string> json =
      IsSlice(expected) ? WithOldProtoMappings(bytes, *object) : std::nullopt;
  if (json) {
    OrFailure<api::Object> renewed = Renewed(*json, expected);
    return renewed ? OrFailure<Body>(Body{.object = *std::move(renewed),
                                          .warnings = {},
                                          .notes = {std::string(kOldMappings)}})
                   : Fail(std::move(renewed).error());
  }
  return Body{.object = *std::move(object), .warnings = {}, .notes = {}};
}

// What YAML's reader says in several lines are as many warnings.
std::vector<std::string> WarningsOf(const std::vector<std::string>& messages) {
  std::vector<std::string> warnings;
  for (std::string_view message : messages) {
    if (const std::size_t lines = message.find("yaml: unmarshal errors:\n");
        lines != message.npos) {
      message.remove_prefix(message.find('\n', lines) + 1);
    }
    for (const std::string_view line : api::Split(message, '\n')) {
      warnings.emplace_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    }
  }
  return warnings;
}

OrFailure<Body> ReadJson(std::string_view bytes, Encoding encoding, const api::KindSchema& expected,
                         FieldValidation validation) {
  std::vector<std::string> messages;
  const OrFailure<std::string> json = JsonOf(bytes, encoding, &messages);
  if (!json) {
    return Fail(Unrecognized(expected, json.error().message, bytes));
  }
  std::vector<api::DecodeError> strict;
  api::Decoded<api::Object> object = api::DecodeJson(
      *json,
      {.strictness = api::Strictness::kLenient, .assumed = &expected, .strict_errors = &strict});
  if (!object) {
    return Fail(Undecodable(*json, object.error(), expected));
  }
  if (OkOrFailure fits = CheckKind(*object->kind, expected); !fits) {
    return Fail(std::move(fits).error());
  }
  if (OkOrFailure fits = CheckNamedHalf(*object, expected, *json); !fits) {
    return Fail(std::move(fits).error());
  }
  OrFailure<std::optional<api::Object>> renewed = RenewedJson(*json, expected, strict);
  if (!renewed) {
    return Fail(std::move(renewed).error());
  }
  std::optional<api::Object>& better = *renewed;
  const bool is_renewed = better.has_value();
  if (better) {
    object = *std::move(better);
  }
  NameType(*object);
  std::ranges::transform(strict, std::back_inserter(messages), &api::DecodeError::message);
  if (validation == FieldValidation::kStrict && !messages.empty()) {
    return Fail(
        CannotBeHandled(expected.kind, expected.version, expected,
                        fmt::format("strict decoding error: {}", fmt::join(messages, ", "))));
  }
  return Body{
      .object = *std::move(object),
      .warnings = validation == FieldValidation::kIgnore ? std::vector<std::string>()
                                                         : WarningsOf(messages),
      .notes = is_renewed ? std::vector{std::string(kOldMappings)} : std::vector<std::string>()};
}

}  // namespace

OrFailure<std::string> JsonOf(std::string_view bytes, Encoding encoding,
                              std::vector<std::string>* remarks) {
  if (encoding != Encoding::kYaml) {
    return std::string(bytes);
  }
  std::vector<json::YamlDuplicate> duplicates;
  Result<std::string> json = json::YamlToJson(bytes, &duplicates);
  if (json && remarks != nullptr && !duplicates.empty()) {
    remarks->push_back(json::YamlToJsonStrict(bytes).error().message);
  }
  return json ? OrFailure<std::string>(*std::move(json)) : Fail(BadRequest(json.error().message));
}

OrFailure<Body> ReadBody(std::string_view bytes, Encoding encoding, const api::KindSchema& expected,
                         FieldValidation validation) {
  OrFailure<Body> body = encoding == Encoding::kProtobuf
                             ? ReadProto(bytes, expected)
                             : ReadJson(bytes, encoding, expected, validation);
  if (body) {
    ForgetManagedFields(body->object);
  }
  if (body && expected.group != api::kDraGroup) {
    ApplyCoreDefaults(body->object);
  }
  return body;
}

}  // namespace quadra::apiserver
