#include "api/continue_token.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/formats.h"
#include "base/base64.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::api {
namespace {

constexpr std::string_view kVersion = "meta.k8s.io/v1";

tl::unexpected<Error> Refused(std::string_view why) {
  return Fail(ErrorKind::kInvalid, fmt::format("continue key is not valid: {}", why));
}

// Base64 for URLs is the standard one with two other digits and without padding.
void Swap(std::string& text, std::string_view from, std::string_view to) {
  for (char& c : text) {
    if (const std::size_t at = from.find(c); at != std::string_view::npos) {
      c = to[at];
    }
  }
}

bool IsDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

bool IsLineBreak(char c) { return c == '\r' || c == '\n'; }

// Line breaks are skipped, as Go does.
Result<std::string> DecodeBase64Url(std::string_view token) {
  const auto wrong =
      std::ranges::find_if(token, [](char c) { return !IsDigit(c) && !IsLineBreak(c); });
  const auto digits = static_cast<std::size_t>(std::ranges::count_if(token, IsDigit));
  if (wrong != token.end() || digits % 4 == 1) {
    const auto offset = wrong != token.end() ? wrong - token.begin() : std::ssize(token) - 1;
    return Refused(fmt::format("illegal base64 data at input byte {}", offset));
  }
  std::string standard(token);
  Swap(standard, "-_", "+/");
  standard.append((4 - digits % 4) % 4, '=');
  return DecodeBase64(standard).value_or("");
}

struct Content {
  std::string version;
  std::int64_t resource_version = 0;
  std::string start;
};

tl::unexpected<Error> WrongType(std::string_view found, std::string_view field,
                                std::string_view type) {
  return Refused(
      fmt::format("json: cannot unmarshal {} into Go struct field continueToken.{} of type {}",
                  found, field, type));
}

Status ReadText(const json::Value& value, std::string_view field, std::string& out) {
  if (value.kind() == json::Kind::kString) {
    out = value.string();
  } else if (!value.is_null()) {
    return WrongType(json::KindName(value.kind()), field, "string");
  }
  return {};
}

Status ReadRevision(const json::Value& value, std::int64_t& out) {
  if (value.is_null()) {
    return {};
  }
  if (value.kind() != json::Kind::kNumber) {
    return WrongType(json::KindName(value.kind()), "rv", "int64");
  }
  const std::string& text = value.number();
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc() || end != text.data() + text.size()) {
    return WrongType("number " + text, "rv", "int64");
  }
  return {};
}

Status ReadMember(const json::Value::Member& member, Content& out) {
  const std::string name = ToLower(member.key);
  if (name == "v") {
    return ReadText(member.value, "v", out.version);
  }
  if (name == "rv") {
    return ReadRevision(member.value, out.resource_version);
  }
  return name == "start" ? ReadText(member.value, "start", out.start) : Status();
}

Result<Content> ReadContent(std::string_view text) {
  Content content;
  const Result<json::Value> parsed = json::ParseValue(text);
  if (!parsed) {
    return Refused("not JSON: " + parsed.error().message);
  }
  if (parsed->is_null()) {
    return content;
  }
  if (parsed->kind() != json::Kind::kObject) {
    return Refused(
        fmt::format("json: cannot unmarshal {} into Go value of type storage.continueToken",
                    json::KindName(parsed->kind())));
  }
  Status first;  // the first value of a wrong type; the rest is read all the same
  for (const json::Value::Member& member : parsed->members()) {
    const Status read = ReadMember(member, content);
    first = first ? read : first;
  }
  QUADRA_RETURN_IF_ERROR(first);
  return content;
}

// Whether the path, taken from the root, is the shortest spelling of itself.
bool IsClean(std::string_view path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  return path.empty() || std::ranges::none_of(Split(path, '/'), [](std::string_view segment) {
           return segment.empty() || segment == "." || segment == "..";
         });
}

}  // namespace

Result<ContinueToken> DecodeContinue(std::string_view token, std::string_view key_prefix) {
  QUADRA_TRY(const std::string text, DecodeBase64Url(token));
  QUADRA_TRY(const Content content, ReadContent(text));
  if (content.version != kVersion) {
    return Refused("server does not recognize this encoded version " + content.version);
  }
  if (content.resource_version == 0) {
    return Refused("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (content.start.empty()) {
    return Refused("encoded start key empty (version meta.k8s.io/v1)");
  }
  if (!IsClean(content.start)) {
    return Refused(content.start);
  }
  std::string key(key_prefix);
  key += std::string_view(content.start).substr(content.start.starts_with('/') ? 1 : 0);
  return ContinueToken{std::move(key), content.resource_version};
}

Result<std::string> EncodeContinue(const ContinueToken& next, std::string_view key_prefix) {
  if (key_prefix.empty() || !next.start_key.starts_with(key_prefix)) {
    return Fail(ErrorKind::kInvalid,
                "unable to encode next field: the key and key prefix do not match");
  }
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("v");
  writer.String(kVersion);
  writer.Key("rv");
  writer.Int(next.resource_version);
  writer.Key("start");
  writer.String(std::string_view(next.start_key).substr(key_prefix.size()));
  writer.EndObject();
  std::string token;
  AppendBase64(token, text);
  Swap(token, "+/", "-_");
  token.resize(token.find_last_not_of('=') + 1);
  return token;
}

}  // namespace quadra::api
