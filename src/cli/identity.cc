#include "cli/identity.h"

#include <algorithm>

#include "json/reader.h"

namespace quadra::cli {
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
    } else {
      reader.Skip();
    }
  }
  if (identity.name.empty() && !generate_name.empty()) {
    identity.name = generate_name + "xxxxx";
  }
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

}  // namespace

std::string_view Identity::group() const {
  const std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? "" : std::string_view(api_version).substr(0, slash);
}

std::string Identity::Title() const { return Lower(kind) + "/" + name; }

std::string Identity::Key() const {
  return std::string(group()) + "/" + kind + "/" + ns + "/" + name;
}

Result<Identity> ReadIdentity(std::string_view json) {
  json::Reader reader(json);
  Identity identity;
  if (reader.Peek() != json::Kind::kObject) {
    return Fail({.reason = Reason::kSyntax,
                 .message = "a " + std::string(json::KindName(reader.Peek())) +
                            " where an object must stand",
                 .remedy = "give it apiVersion and kind"});
  }
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "apiVersion") {
      identity.api_version = StringOrNothing(reader);
    } else if (key == "kind") {
      identity.kind = StringOrNothing(reader);
    } else if (key == "metadata") {
      ReadMetadata(reader, identity);
    } else {
      reader.SkipBrackets();
    }
  }
  const std::string_view missing = identity.kind.empty() ? "kind" : "apiVersion";
  if (identity.kind.empty() || identity.api_version.empty()) {
    return Fail({.reason = Reason::kSyntax,
                 .message = "not an object of Kubernetes: " + std::string(missing) +
                            " is missing or no string",
                 .remedy = "add " + std::string(missing)});
  }
  return identity;
}

}  // namespace quadra::cli
