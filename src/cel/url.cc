#include "cel/url.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cel/go_text.h"
#include "cel/ip.h"

namespace quadra::cel {
namespace {

enum class Part { kPath, kHost, kZone, kUser, kQuery, kFragment };

bool IsAlnum(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool OneOf(unsigned char c, std::string_view set) {
  return set.find(static_cast<char>(c)) != std::string_view::npos;
}

bool ShouldEscape(unsigned char c, Part part) {
  if (IsAlnum(c) || OneOf(c, "-._~")) {
    return false;
  }
  switch (part) {
    case Part::kPath:
      return !OneOf(c, "$&+,/:;=@");
    case Part::kHost:
    case Part::kZone:
      return !OneOf(c, "!\"$&'()*+,:;<=>[]");
    case Part::kUser:
      return !OneOf(c, "$&+,;=");
    case Part::kQuery:
      return true;
    case Part::kFragment:
      return !OneOf(c, "!$&()*+,/:;=?@");
  }
  return true;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

tl::unexpected<Error> Refuse(std::string why) { return Fail(ErrorKind::kInvalid, std::move(why)); }
tl::unexpected<Error> BadEscape(std::string_view escape) {
  return Refuse("invalid URL escape " + GoQuote(escape.substr(0, 3)));
}

// One %xx at the front of `rest`, allowed in `part`.
Status CheckEscape(std::string_view rest, Part part) {
  if (rest.size() < 3 || HexDigit(rest[1]) < 0 || HexDigit(rest[2]) < 0) {
    return BadEscape(rest);
  }
  const bool percent = rest.starts_with("%25");
  if (part == Part::kHost && HexDigit(rest[1]) < 8 && !percent) {
    return BadEscape(rest);
  }
  const auto byte = static_cast<unsigned char>(HexDigit(rest[1]) * 16 + HexDigit(rest[2]));
  if (part == Part::kZone && !percent && byte != ' ' && ShouldEscape(byte, Part::kHost)) {
    return BadEscape(rest);
  }
  return {};
}

Result<std::string> Unescape(std::string_view text, Part part) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '%') {
      QUADRA_RETURN_IF_ERROR(CheckEscape(text.substr(i), part));
      out.push_back(static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2])));
      i += 2;
    } else if (c == '+' && part == Part::kQuery) {
      out.push_back(' ');
    } else if ((part == Part::kHost || part == Part::kZone) && c < 0x80 && ShouldEscape(c, part)) {
      return Refuse("invalid character " + GoQuote(text.substr(i, 1)) + " in host name");
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string Escape(std::string_view text, Part part) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (ShouldEscape(byte, part)) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

bool IsValidPort(std::string_view port) {
  return port.empty() || (port.front() == ':' && std::ranges::all_of(port.substr(1), [](char c) {
                            return c >= '0' && c <= '9';
                          }));
}

bool IsValidUserinfo(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return IsAlnum(byte) || OneOf(byte, "-._:~!$&'()*+,;=%@");
  });
}

Result<std::string> ParseBracketedHost(std::string_view host) {
  const std::size_t close = host.rfind(']');
  if (close == std::string_view::npos) {
    return Refuse("missing ']' in host");
  }
  const std::string_view port = host.substr(close + 1);
  if (!IsValidPort(port)) {
    return Refuse("invalid port " + GoQuote(port) + " after host");
  }
  const std::string_view name = host.substr(1, close - 1);
  const std::size_t zone = name.find("%25");
  QUADRA_TRY(std::string plain, Unescape(name.substr(0, zone), Part::kHost));
  if (zone != std::string_view::npos) {
    QUADRA_TRY(const std::string unescaped, Unescape(name.substr(zone), Part::kZone));
    plain += unescaped;
  }
  const Result<IpAddress> address = ParseAddress(plain);
  if (!address) {
    return Refuse("invalid host: " + address.error().message);
  }
  if (address->is_v4) {
    return Refuse("invalid IP-literal");
  }
  return "[" + plain + "]" + std::string(port);
}

Result<std::string> ParseHost(std::string_view scheme, std::string_view host) {
  const std::size_t bracket = host.rfind('[');
  if (bracket == 0) {
    return ParseBracketedHost(host);
  }
  if (bracket != std::string_view::npos) {
    return Refuse("invalid IP-literal");
  }
  const bool strict = scheme == "http" || scheme == "https";
  const std::size_t colon = strict ? host.find(':') : host.rfind(':');
  if (colon != std::string_view::npos && !IsValidPort(host.substr(colon))) {
    return Refuse("invalid port " + GoQuote(host.substr(colon)) + " after host");
  }
  return Unescape(host, Part::kHost);
}

Status ParseUser(std::string_view user, Url& url) {
  if (!IsValidUserinfo(user)) {
    return Refuse("net/url: invalid userinfo");
  }
  const std::size_t colon = user.find(':');
  QUADRA_TRY(const std::string name, Unescape(user.substr(0, colon), Part::kUser));
  url.has_user = true;
  url.user = Escape(name, Part::kUser);
  if (colon != std::string_view::npos) {
    QUADRA_TRY(const std::string password, Unescape(user.substr(colon + 1), Part::kUser));
    url.user += ":" + Escape(password, Part::kUser);
  }
  return {};
}

Status ParseAuthority(std::string_view authority, Url& url) {
  const std::size_t at = authority.rfind('@');
  const std::string_view host = at == std::string_view::npos ? authority : authority.substr(at + 1);
  QUADRA_TRY(url.host, ParseHost(url.scheme, host));
  return at == std::string_view::npos ? Status() : ParseUser(authority.substr(0, at), url);
}

// The scheme off the front of `rest`.
Result<std::string> TakeScheme(std::string_view& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto c = static_cast<unsigned char>(rest[i]);
    if (c == ':') {
      if (i == 0) {
        return Refuse("missing protocol scheme");
      }
      std::string scheme(rest.substr(0, i));
      std::ranges::transform(scheme, scheme.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
      });
      rest.remove_prefix(i + 1);
      return scheme;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool later = (c >= '0' && c <= '9') || OneOf(c, "+-.");
    if (!letter && (i == 0 || !later)) {
      break;
    }
  }
  return std::string();
}

void TakeQuery(std::string_view& rest, Url& url) {
  const std::size_t mark = rest.find('?');
  if (mark != std::string_view::npos) {
    url.force_query = mark + 1 == rest.size();
    url.raw_query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
}

bool HasControlCharacter(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7F;
  });
}

// What may stand where neither authority nor absolute path does. True: `url` is complete.
Result<bool> ParseRootless(std::string_view rest, bool via_request, Url& url) {
  if (rest.starts_with('/')) {
    return false;
  }
  if (!url.scheme.empty()) {
    url.opaque = rest;
    return true;
  }
  if (via_request) {
    return Refuse("invalid URI for request");
  }
  if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
    return Refuse("first path segment in URL cannot contain colon");
  }
  return false;
}

Result<Url> ParseParts(std::string_view text, bool via_request) {
  if (HasControlCharacter(text)) {
    return Refuse("net/url: invalid control character in URL");
  }
  if (text.empty() && via_request) {
    return Refuse("empty url");
  }
  Url url;
  if (text == "*") {
    url.path = "*";
    return url;
  }
  std::string_view rest = text;
  QUADRA_TRY(url.scheme, TakeScheme(rest));
  TakeQuery(rest, url);
  QUADRA_TRY(const bool complete, ParseRootless(rest, via_request, url));
  if (complete) {
    return url;
  }
  const bool may_have_host = !url.scheme.empty() || (!via_request && !rest.starts_with("///"));
  if (may_have_host && rest.starts_with("//")) {
    const std::string_view after = rest.substr(2);
    const std::size_t slash = std::min(after.find('/'), after.size());
    QUADRA_RETURN_IF_ERROR(ParseAuthority(after.substr(0, slash), url));
    rest = after.substr(slash);
  } else if (!url.scheme.empty() && rest.starts_with('/')) {
    url.omit_host = true;
  }
  QUADRA_TRY(url.path, Unescape(rest, Part::kPath));
  url.raw_path = Escape(url.path, Part::kPath) == rest ? "" : std::string(rest);
  return url;
}

// The original escaping where it is valid and means the same.
std::string EscapedAs(const std::string& plain, const std::string& raw, Part part) {
  const bool valid = std::ranges::all_of(raw, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return OneOf(byte, "!$&'()*+,;=:@[]%") || !ShouldEscape(byte, part);
  });
  if (!raw.empty() && valid) {
    const Result<std::string> unescaped = Unescape(raw, part);
    if (unescaped && *unescaped == plain) {
      return raw;
    }
  }
  return Escape(plain, part);
}

Result<Url> Name(Result<Url> result, std::string_view text) {
  if (!result) {
    return Refuse("parse " + GoQuote(text) + ": " + result.error().message);
  }
  return result;
}

struct HostPort {
  std::string_view host;
  std::string_view port;
};

HostPort SplitHostPort(std::string_view text) {
  HostPort result{text, {}};
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && IsValidPort(text.substr(colon))) {
    result = {text.substr(0, colon), text.substr(colon + 1)};
  }
  if (result.host.starts_with('[') && result.host.ends_with(']')) {
    result.host = result.host.substr(1, result.host.size() - 2);
  }
  return result;
}

}  // namespace

Result<Url> ParseRequestUri(std::string_view text) {
  return Name(ParseParts(text, /*via_request=*/true), text);
}

Result<Url> ParseUrl(std::string_view text) {
  const std::size_t hash = text.find('#');
  Result<Url> url =
      Name(ParseParts(text.substr(0, hash), /*via_request=*/false), text.substr(0, hash));
  if (!url || hash == std::string_view::npos || hash + 1 == text.size()) {
    return url;
  }
  const std::string_view fragment = text.substr(hash + 1);
  Result<std::string> plain = Unescape(fragment, Part::kFragment);
  if (!plain) {
    return Refuse("parse " + GoQuote(text) + ": " + plain.error().message);
  }
  url->fragment = *std::move(plain);
  url->raw_fragment =
      Escape(url->fragment, Part::kFragment) == fragment ? "" : std::string(fragment);
  return url;
}

std::string_view Url::Hostname() const { return SplitHostPort(host).host; }
std::string_view Url::Port() const { return SplitHostPort(host).port; }

std::string Url::EscapedPath() const {
  return raw_path.empty() && path == "*" ? "*" : EscapedAs(path, raw_path, Part::kPath);
}

std::string Url::ToString() const {
  std::string text = scheme.empty() ? "" : scheme + ":";
  if (!opaque.empty()) {
    text += opaque;
  } else {
    const bool silent = omit_host && host.empty() && !has_user;
    if ((!scheme.empty() || !host.empty() || has_user) && !silent) {
      text += host.empty() && path.empty() && !has_user ? "" : "//";
      text += has_user ? user + "@" : "";
      text += Escape(host, Part::kHost);
    }
    const std::string escaped = EscapedPath();
    if (!escaped.empty() && escaped.front() != '/' && !host.empty()) {
      text += '/';
    }
    if (text.empty() && escaped.substr(0, escaped.find('/')).find(':') != std::string::npos) {
      text += "./";
    }
    text += escaped;
  }
  if (force_query || !raw_query.empty()) {
    text += "?" + raw_query;
  }
  if (!fragment.empty()) {
    text += "#" + EscapedAs(fragment, raw_fragment, Part::kFragment);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> Url::Query() const {
  constexpr std::ptrdiff_t kMaxParameters = 10'000;
  std::vector<std::pair<std::string, std::string>> pairs;
  if (std::ranges::count(raw_query, '&') + 1 > kMaxParameters) {
    return pairs;
  }
  std::string_view rest = raw_query;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) {
      continue;
    }
    const std::size_t equals = std::min(pair.find('='), pair.size());
    Result<std::string> key = Unescape(pair.substr(0, equals), Part::kQuery);
    Result<std::string> value =
        Unescape(pair.substr(std::min(equals + 1, pair.size())), Part::kQuery);
    if (key && value) {
      pairs.emplace_back(*std::move(key), *std::move(value));
    }
  }
  return pairs;
}

}  // namespace quadra::cel
