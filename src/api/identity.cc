#include "api/identity.h"

#include <utility>

#include <fmt/format.h>

#include "api/formats.h"
#include "api/header_members.h"
#include "json/value.h"

namespace quadra::api {
namespace {

// The string at hand; nothing, passing over it, when it is something else.
std::string StringOrNothing(json::Reader& reader) {
  if (reader.Peek() == json::Kind::kString) {
    return std::string(reader.String());
  }
  reader.Skip();
  return "";
}

void ReadMetadata(json::Reader& reader, Identity& identity) {
  if (reader.Peek() != json::Kind::kObject) {
    reader.Skip();
    return;
  }
  std::string generate_name;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "name") {
      identity.name = StringOrNothing(reader);
    } else if (key == "namespace") {
      identity.ns = StringOrNothing(reader);
    } else if (key == "generateName") {
      generate_name = StringOrNothing(reader);
    } else if (key == "uid") {
      identity.stored = !StringOrNothing(reader).empty();
    } else {
      reader.Skip();
    }
  }
  if (identity.name.empty() && !generate_name.empty()) {
    identity.name = generate_name + "xxxxx";
  }
}

}  // namespace

std::string_view Identity::group() const {
  const std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? "" : std::string_view(api_version).substr(0, slash);
}

std::string Identity::Title() const { return ToLower(kind) + "/" + name; }

std::string Identity::Key() const {
  return std::string(group()) + "/" + kind + "/" + ns + "/" + name;
}

void ReadHeaderMember(json::Reader& reader, std::string_view key, std::string& into,
                      std::string& error) {
  const json::Kind kind = reader.Peek();
  if (kind == json::Kind::kString) {
    into = reader.String();
    return;
  }
  if (kind != json::Kind::kNull && error.empty()) {
    error = fmt::format("{} must be a string, not {}", key, json::KindName(kind));
  }
  reader.Skip();
}

Decoded<Header> ReadHeader(std::string_view json) {
  json::Reader reader(json);
  Header header;
  std::string error;
  if (reader.Peek() == json::Kind::kObject) {
    header = ReadHeaderMembers(reader, [&](std::string_view) { reader.Skip(); }, error);
  } else {
    error = fmt::format("must be an object, not {}", json::KindName(reader.Peek()));
    reader.Skip();
  }
  if (!reader.Finish()) {
    return tl::unexpected(SyntaxError(reader));
  }
  if (error.empty() && header.kind.empty()) {
    error = "the object has no kind";
  } else if (error.empty() && header.api_version.empty()) {
    error = "the object has no apiVersion";
  }
  if (!error.empty()) {
    return tl::unexpected(HeaderError(std::move(error)));
  }
  return header;
}

Result<Identity> ReadIdentity(std::string_view json) {
  json::Reader reader(json);
  if (reader.Peek() != json::Kind::kObject) {
    return Fail(
        {.kind = ErrorKind::kSyntax,
         .message = fmt::format("a {} where an object must stand", json::KindName(reader.Peek())),
         .remedy = "give it apiVersion and kind"});
  }
  Identity identity;
  std::string ignored;  // what is no string counts as missing
  static_cast<Header&>(identity) = ReadHeaderMembers(
      reader,
      [&](std::string_view key) {
        key == "metadata" ? ReadMetadata(reader, identity) : reader.SkipBrackets();
      },
      ignored);
  if (identity.kind.empty() || identity.api_version.empty()) {
    const std::string_view missing = identity.kind.empty() ? "kind" : "apiVersion";
    return Fail(
        {.kind = ErrorKind::kSyntax,
         .message = fmt::format("not an object of Kubernetes: {} is missing or no string", missing),
         .remedy = fmt::format("add {}", missing)});
  }
  return identity;
}

}  // namespace quadra::api
