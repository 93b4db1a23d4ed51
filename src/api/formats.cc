#include "api/formats.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

namespace quadra::api {
namespace {

constexpr std::size_t kMaxSubdomainLength = 253;
constexpr std::string_view kLabelRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kSubdomainRegex =
    R"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)";
constexpr std::string_view kLabelKeyRegex = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kLabelKeyRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }
bool IsAlphanumeric(char c) { return IsLetter(c) || IsDigit(c); }
bool IsLowerAlphanumeric(char c) { return IsLower(c) || IsDigit(c); }

std::string TooLong(std::size_t max, Wording wording) {
  return fmt::format("must be no more than {} {}", max,
                     wording == Wording::kBytes ? "bytes" : "characters");
}

// The sentence about a value that does not match `regex`, with Go's odd spacing between examples.
std::string Mismatch(std::string_view rule, std::string_view regex,
                     std::initializer_list<std::string_view> examples) {
  std::string text = fmt::format("{} (e.g. ", rule);
  for (const std::string_view example : examples) {
    text += example == *examples.begin() ? "" : " or ";
    text += fmt::format("'{}', ", example);
  }
  return text + fmt::format("regex used for validation is '{}')", regex);
}

// Starts and ends with `edge`, and everything between is `inner`. Empty text is not bounded.
template <typename Edge, typename Inner>
bool IsBounded(std::string_view text, Edge edge, Inner inner) {
  return !text.empty() && edge(text.front()) && edge(text.back()) &&
         std::ranges::all_of(text, inner);
}

bool MatchesLabel(std::string_view text) {
  return IsBounded(text, IsLowerAlphanumeric,
                   [](char c) { return IsLowerAlphanumeric(c) || c == '-'; });
}

// Cuts `text` at the first `separator`; what follows goes to `rest`. False when there is none.
bool CutAt(std::string_view& text, char separator, std::string_view& rest) {
  const std::size_t at = text.find(separator);
  if (at == text.npos) {
    return false;
  }
  rest = text.substr(at + 1);
  text = text.substr(0, at);
  return true;
}

bool MatchesSubdomain(std::string_view text) {
  std::string_view rest;
  while (CutAt(text, '.', rest)) {
    if (!MatchesLabel(text)) {
      return false;
    }
    text = rest;
  }
  return MatchesLabel(text);
}

bool MatchesLabelKey(std::string_view text) {
  return IsBounded(text, IsAlphanumeric,
                   [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Letters beyond ASCII that become ASCII ones.
struct Letter {
  std::string_view from;
  char to;
};
constexpr Letter kLowered[] = {{"\u0130", 'i'},
                               {"\u212a", 'k'}};  // by Go's ToLower: dotted I, Kelvin sign
constexpr Letter kFolded[] = {{"\u017f", 's'},
                              {"\u212a", 'k'}};  // by Go's (?i): long s, Kelvin sign

std::string Lowered(std::string_view text, std::span<const Letter> letters) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  for (const auto& [from, to] : letters) {
    for (std::size_t at = lower.find(from); at != lower.npos; at = lower.find(from, at)) {
      lower.replace(at, from.size(), 1, to);
    }
  }
  return lower;
}

// A trailing dash is fine in a generateName: the generated part follows. Upstream checks such a
// name with the last two characters replaced.
std::string WithoutTrailingDash(std::string_view name) {
  return name.size() > 1 && name.ends_with('-') ? std::string(name.substr(0, name.size() - 2)) + "a"
                                                : std::string(name);
}

void Append(Problems& problems, Problems more, std::string_view prefix) {
  std::ranges::transform(more, std::back_inserter(problems),
                         [&](const std::string& text) { return std::string(prefix) + text; });
}

// The parts of a semver, each dot-separated.
bool IsNumeric(std::string_view part) {
  return !part.empty() && std::ranges::all_of(part, IsDigit) &&
         (part == "0" || part.front() != '0');
}
bool IsBuildPart(std::string_view part) {
  return !part.empty() &&
         std::ranges::all_of(part, [](char c) { return IsAlphanumeric(c) || c == '-'; });
}
bool IsPreReleasePart(std::string_view part) {
  return IsBuildPart(part) && (!std::ranges::all_of(part, IsDigit) || IsNumeric(part));
}

Problems SubdomainProblems(std::string_view value, Wording wording, bool matches,
                           std::string_view rule, std::string_view example) {
  Problems problems;
  if (value.size() > kMaxSubdomainLength) {
    problems.push_back(TooLong(kMaxSubdomainLength, wording));
  }
  if (!matches) {
    problems.push_back(Mismatch(rule, kSubdomainRegex, {example}));
  }
  return problems;
}

}  // namespace

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::string_view rest;
  while (CutAt(text, separator, rest)) {
    parts.push_back(text);
    text = rest;
  }
  parts.push_back(text);
  return parts;
}

std::string ToLower(std::string_view text) { return Lowered(text, kLowered); }

Problems DnsLabelProblems(std::string_view value, Wording wording) {
  Problems problems;
  if (value.size() > kMaxLabelLength) {
    problems.push_back(TooLong(kMaxLabelLength, wording));
  }
  if (MatchesLabel(value)) {
    return problems;
  }
  problems.push_back(
      MatchesSubdomain(value)
          ? "must not contain dots"
          : Mismatch(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
                "'-', and must start and end with an alphanumeric character",
                kLabelRegex, {"my-name", "123-abc"}));
  return problems;
}

Problems DnsSubdomainProblems(std::string_view value, Wording wording) {
  return SubdomainProblems(
      value, wording, MatchesSubdomain(value),
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
      "or '.', and must start and end with an alphanumeric character",
      "example.com");
}

Problems CaselessDnsSubdomainProblems(std::string_view value) {
  return SubdomainProblems(
      value, Wording::kBytes, MatchesSubdomain(Lowered(value, kFolded)),
      "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must "
      "start and end with an alphanumeric character",
      "Example.com");
}

Problems LabelKeyProblems(std::string_view value) {
  const std::vector<std::string_view> parts = Split(value, '/');
  const std::string mismatch =
      MatchesLabelKey(parts.back()) && parts.size() <= 2
          ? ""
          : Mismatch(kLabelKeyRule, kLabelKeyRegex, {"MyName", "my.name", "123-abc"});
  if (parts.size() > 2) {
    return {"a valid label key " + mismatch +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  Problems problems;
  if (parts.size() == 2 && parts[0].empty()) {
    problems.emplace_back("prefix part must be non-empty");
  } else if (parts.size() == 2) {
    Append(problems, DnsSubdomainProblems(parts[0], Wording::kBytes), "prefix part ");
  }
  if (parts.back().empty()) {
    problems.emplace_back("name part must be non-empty");
  } else if (parts.back().size() > kMaxLabelLength) {
    problems.push_back("name part " + TooLong(kMaxLabelLength, Wording::kBytes));
  }
  if (!mismatch.empty()) {
    problems.push_back("name part " + mismatch);
  }
  return problems;
}

Problems LabelValueProblems(std::string_view value) {
  Problems problems;
  if (value.size() > kMaxLabelLength) {
    problems.push_back(TooLong(kMaxLabelLength, Wording::kBytes));
  }
  if (!value.empty() && !MatchesLabelKey(value)) {
    problems.push_back(Mismatch(
        fmt::format("a valid label must be an empty string or {}", kLabelKeyRule.substr(5)),
        fmt::format("({})?", kLabelKeyRegex), {"MyValue", "my_value", "12345"}));
  }
  return problems;
}

Problems CIdentifierProblems(std::string_view value) {
  const auto fits = [](char c) { return IsAlphanumeric(c) || c == '_'; };
  if (!value.empty() && !IsDigit(value.front()) && std::ranges::all_of(value, fits)) {
    return {};
  }
  return {Mismatch(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of "
      "alphanumeric characters or '_'",
      "[A-Za-z_][A-Za-z0-9_]*", {"my_name", "MY_NAME", "MyName"})};
}

Problems PathSegmentProblems(std::string_view value, bool prefix) {
  if (!prefix && (value == "." || value == "..")) {
    return {fmt::format("may not be '{}'", value)};
  }
  Problems problems;
  for (const char illegal : {'/', '%'}) {
    if (value.find(illegal) != value.npos) {
      problems.push_back(fmt::format("may not contain '{}'", illegal));
    }
  }
  return problems;
}

Problems SubdomainNameProblems(std::string_view value, bool prefix) {
  return prefix ? DnsSubdomainProblems(WithoutTrailingDash(value)) : DnsSubdomainProblems(value);
}

Problems LabelNameProblems(std::string_view value, bool prefix) {
  return prefix ? DnsLabelProblems(WithoutTrailingDash(value)) : DnsLabelProblems(value);
}

bool IsLowerCaseUuid(std::string_view value) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto fits = [](char c, char shape) {
    return shape == '-' ? c == '-' : IsDigit(c) || (c >= 'a' && c <= 'f');
  };
  return value.size() == kShape.size() &&
         std::equal(value.begin(), value.end(), kShape.begin(), fits);
}

bool IsSemver(std::string_view value) {
  std::string_view build;
  if (CutAt(value, '+', build) && !std::ranges::all_of(Split(build, '.'), IsBuildPart)) {
    return false;
  }
  std::string_view pre_release;
  if (CutAt(value, '-', pre_release) &&
      !std::ranges::all_of(Split(pre_release, '.'), IsPreReleasePart)) {
    return false;
  }
  const std::vector<std::string_view> numbers = Split(value, '.');
  return numbers.size() == 3 && std::ranges::all_of(numbers, IsNumeric);
}

}  // namespace quadra::api
