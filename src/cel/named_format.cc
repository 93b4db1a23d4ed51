#include "cel/named_format.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "cel/timestamp.h"
#include "cel/unicode.h"
#include "cel/url.h"

namespace quadra::cel {
namespace {

using Complaints = std::vector<std::string>;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }
bool IsLowerAlnum(char c) { return IsLower(c) || IsDigit(c); }
bool IsAlnum(char c) { return IsLetter(c) || IsDigit(c); }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// first [middle* last]: the shape of every name here.
template <typename First, typename Middle, typename Last>
bool HasShape(std::string_view text, First first, Middle middle, Last last) {
  return !text.empty() && first(text.front()) && last(text.back()) &&
         std::ranges::all_of(text, middle);
}

bool IsLabel(std::string_view text) {
  return HasShape(
      text, IsLowerAlnum, [](char c) { return IsLowerAlnum(c) || c == '-'; }, IsLowerAlnum);
}

bool IsSubdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsLabel(text.substr(0, dot))) {
      return false;
    }
    if (dot == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(dot + 1);
  }
}

bool IsLabelKey(std::string_view text) {
  return HasShape(
      text, IsAlnum, [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; },
      IsAlnum);
}

std::string TooLong(int limit) { return fmt::format("must be no more than {} characters", limit); }

std::string Mismatch(std::string_view rule, std::string_view pattern,
                     std::initializer_list<std::string_view> examples) {
  std::string text = fmt::format("{} (e.g. ", rule);
  bool first = true;
  for (const std::string_view example : examples) {
    text += fmt::format("{}'{}', ", first ? "" : " or ", example);
    first = false;
  }
  return text + fmt::format("regex used for validation is '{}')", pattern);
}

// A generated name: what follows the dash does not matter.
std::string MaskDash(std::string_view text) {
  if (text.size() > 1 && text.ends_with('-')) {
    return std::string(text.substr(0, text.size() - 2)) + "a";
  }
  return std::string(text);
}

Complaints CheckLabel(std::string_view text) {
  Complaints complaints;
  if (text.size() > 63) {
    complaints.push_back(TooLong(63));
  }
  if (!IsLabel(text)) {
    complaints.push_back(
        IsSubdomain(text)
            ? "must not contain dots"
            : Mismatch("a lowercase RFC 1123 label must consist of lower case alphanumeric "
                       "characters or '-', and must start and end with an alphanumeric character",
                       "[a-z0-9]([-a-z0-9]*[a-z0-9])?", {"my-name", "123-abc"}));
  }
  return complaints;
}

Complaints CheckSubdomain(std::string_view text) {
  Complaints complaints;
  if (text.size() > 253) {
    complaints.push_back(TooLong(253));
  }
  if (!IsSubdomain(text)) {
    complaints.push_back(Mismatch(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character",
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", {"example.com"}));
  }
  return complaints;
}

Complaints Check1035(std::string_view text) {
  Complaints complaints;
  if (text.size() > 63) {
    complaints.push_back(TooLong(63));
  }
  if (!IsLabel(text) || !IsLower(text.front())) {
    complaints.push_back(Mismatch(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
        "alphabetic character, and end with an alphanumeric character",
        "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return complaints;
}

std::string KeyMismatch() {
  return Mismatch(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character",
      "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", {"MyName", "my.name", "123-abc"});
}

Complaints CheckKeyName(std::string_view name, Complaints complaints) {
  if (name.empty()) {
    complaints.emplace_back("name part must be non-empty");
  } else if (name.size() > 63) {
    complaints.push_back("name part " + TooLong(63));
  }
  if (!IsLabelKey(name)) {
    complaints.push_back("name part " + KeyMismatch());
  }
  return complaints;
}

Complaints CheckQualifiedName(std::string_view text) {
  const auto slashes = std::ranges::count(text, '/');
  if (slashes > 1) {
    return {"a valid label key " + KeyMismatch() +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  if (slashes == 0) {
    return CheckKeyName(text, {});
  }
  const std::size_t slash = text.find('/');
  Complaints complaints;
  if (slash == 0) {
    complaints.emplace_back("prefix part must be non-empty");
  } else {
    for (const std::string& complaint : CheckSubdomain(text.substr(0, slash))) {
      complaints.push_back("prefix part " + complaint);
    }
  }
  return CheckKeyName(text.substr(slash + 1), std::move(complaints));
}

Complaints CheckLabelValue(std::string_view text) {
  Complaints complaints;
  if (text.size() > 63) {
    complaints.push_back(TooLong(63));
  }
  if (!text.empty() && !IsLabelKey(text)) {
    complaints.push_back(Mismatch(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
        "'.', and must start and end with an alphanumeric character",
        "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", {"MyValue", "my_value", "12345"}));
  }
  return complaints;
}

Complaints CheckUri(std::string_view text) {
  const Result<Url> url = ParseRequestUri(text);
  return url ? Complaints() : Complaints{url.error().message};
}

// Eight, four, four, four and twelve hexadecimal digits; each dash may be missing.
bool IsUuid(std::string_view text) {
  constexpr std::array<std::size_t, 5> kGroups = {8, 4, 4, 4, 12};
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    if (i > 0 && text.starts_with('-')) {
      text.remove_prefix(1);
    }
    if (text.size() < kGroups[i] || !std::ranges::all_of(text.substr(0, kGroups[i]), IsHex)) {
      return false;
    }
    text.remove_prefix(kGroups[i]);
  }
  return text.empty();
}

Complaints CheckUuid(std::string_view text) {
  return IsUuid(text) ? Complaints() : Complaints{"does not match the UUID format"};
}

bool IsBase64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) {
    return false;
  }
  const std::size_t padding = text.ends_with("==") ? 2 : (text.ends_with('=') ? 1 : 0);
  return std::ranges::all_of(text.substr(0, text.size() - padding),
                             [](char c) { return IsAlnum(c) || c == '+' || c == '/'; });
}

Complaints CheckByte(std::string_view text) {
  return IsBase64(text) ? Complaints() : Complaints{"invalid base64"};
}

bool IsDate(std::string_view text) {
  return text.size() == 10 && ParseTimestamp(std::string(text) + "T00:00:00Z").has_value();
}

Complaints CheckDate(std::string_view text) {
  return IsDate(text) ? Complaints() : Complaints{"invalid date"};
}

// hh:mm:ss, a fraction after any one character, z or an offset; lower case.
bool IsClock(std::string_view text) {
  const auto two = [](std::string_view part) {
    return part.size() == 2 && IsDigit(part[0]) && IsDigit(part[1]);
  };
  if (text.size() < 9 || !two(text.substr(0, 2)) || text[2] != ':' || !two(text.substr(3, 2)) ||
      text[5] != ':' || !two(text.substr(6, 2)) || text.substr(0, 2) > "23" ||
      text.substr(3, 2) > "59" || text.substr(6, 2) > "59") {
    return false;
  }
  const auto is_zone = [&](std::string_view zone) {
    return zone == "z" || (zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') &&
                           two(zone.substr(1, 2)) && zone[3] == ':' && two(zone.substr(4)));
  };
  std::string_view rest = text.substr(8);
  if (is_zone(rest)) {
    return true;
  }
  rest.remove_prefix(DecodeRune(rest).size);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return digits > 0 && is_zone(rest.substr(digits));
}

bool IsDateTime(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const std::size_t t = lower.find('t');
  if (t == std::string::npos || !IsDate(std::string_view(lower).substr(0, t))) {
    return false;
  }
  const std::string_view clock = std::string_view(lower).substr(t + 1);
  return IsClock(clock.substr(0, clock.find('t')));
}

Complaints CheckDateTime(std::string_view text) {
  return IsDateTime(text) ? Complaints() : Complaints{"invalid datetime"};
}

constexpr std::array<NamedFormat, 13> kFormats = {{
    {"dns1123Label", "DNS1123Label", 30, CheckLabel},
    {"dns1123Subdomain", "DNS1123Subdomain", 60, CheckSubdomain},
    {"dns1035Label", "DNS1035Label", 30, Check1035},
    {"qualifiedName", "QualifiedName", 60, CheckQualifiedName},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30,
     [](std::string_view text) { return CheckLabel(MaskDash(text)); }},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60,
     [](std::string_view text) { return CheckSubdomain(MaskDash(text)); }},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30,
     [](std::string_view text) { return Check1035(MaskDash(text)); }},
    {"labelValue", "LabelValue", 40, CheckLabelValue},
    {"uri", "URI", 1103, CheckUri},
    {"uuid", "uuid", 70, CheckUuid},
    {"byte", "byte", 84, CheckByte},
    {"date", "date", 71, CheckDate},
    {"datetime", "datetime", 71, CheckDateTime},
}};

}  // namespace

std::span<const NamedFormat> NamedFormats() { return kFormats; }

const NamedFormat* FindNamedFormat(std::string_view key) {
  const auto found = std::ranges::find(kFormats, key, &NamedFormat::key);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace quadra::cel
