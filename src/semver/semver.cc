#include "semver/semver.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace quadra::semver {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsIdentifierCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

bool IsNumeric(std::string_view text) { return std::ranges::all_of(text, IsDigit); }
bool IsIdentifier(std::string_view text) {
  return std::ranges::all_of(text, IsIdentifierCharacter);
}
bool HasLeadingZero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

// What stands before the first `separator`; `rest` becomes what follows it, or nothing.
std::string_view Next(std::optional<std::string_view>& rest, char separator) {
  const std::string_view all = rest.value_or("");
  const std::size_t end = all.find(separator);
  rest = end == all.npos ? std::nullopt : std::optional(all.substr(end + 1));
  return all.substr(0, end);
}

tl::unexpected<Error> Refuse(std::string message, std::string_view value = {}) {
  return Fail(Error{
      .kind = ErrorKind::kInvalid, .message = std::move(message), .value = std::string(value)});
}

enum class Numbers : std::uint8_t { kUint64, kAnyLength };

// The value of an all-digit text. With kAnyLength it may be anything if it does not fit.
Result<std::uint64_t> ReadDigits(std::string_view text, Numbers numbers) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) {
    return Refuse("invalid syntax", text);
  }
  if (error == std::errc::result_out_of_range && numbers == Numbers::kUint64) {
    return Refuse("value out of range", text);
  }
  return number;
}

struct Component {
  std::string_view name, capitalized;
};
constexpr std::array<Component, 3> kComponents = {
    {{"major", "Major"}, {"minor", "Minor"}, {"patch", "Patch"}}};

Result<std::uint64_t> ReadComponent(std::string_view text, const Component& component,
                                    Numbers numbers) {
  if (!IsNumeric(text)) {
    return Refuse(
        std::string("Invalid character(s) found in ").append(component.name).append(" number"),
        text);
  }
  if (HasLeadingZero(text)) {
    return Refuse(
        std::string(component.capitalized).append(" number must not contain leading zeroes"), text);
  }
  return ReadDigits(text, numbers);
}

Status CheckPrerelease(std::string_view identifier, Numbers numbers) {
  if (identifier.empty()) {
    return Refuse("Prerelease is empty");
  }
  if (!IsIdentifier(identifier)) {
    return Refuse("Invalid character(s) found in prerelease", identifier);
  }
  if (!IsNumeric(identifier)) {
    return {};
  }
  if (HasLeadingZero(identifier)) {
    return Refuse("Numeric PreRelease version must not contain leading zeroes", identifier);
  }
  QUADRA_RETURN_IF_ERROR(ReadDigits(identifier, numbers));
  return {};
}

Status CheckBuild(std::string_view identifier, Numbers /*numbers*/) {
  if (identifier.empty()) {
    return Refuse("Build meta data is empty");
  }
  if (!IsIdentifier(identifier)) {
    return Refuse("Invalid character(s) found in build meta data", identifier);
  }
  return {};
}

Status CheckEach(std::optional<std::string_view> identifiers,
                 Status (*check)(std::string_view, Numbers), Numbers numbers) {
  while (identifiers) {
    QUADRA_RETURN_IF_ERROR(check(Next(identifiers, '.'), numbers));
  }
  return {};
}

struct Parts {
  std::array<std::uint64_t, 3> numbers;
  std::string_view tail;    // pre-release and build metadata with their signs
  std::size_t build_start;  // in tail
};

// Checks in upstream's order, so that the first mistake is the one it names.
Result<Parts> Read(std::string_view text, Numbers numbers) {
  if (text.empty()) {
    return Refuse("Version string empty");
  }
  std::optional<std::string_view> rest = text;
  const std::string_view major = Next(rest, '.');
  const std::string_view minor = rest ? Next(rest, '.') : std::string_view();
  if (!rest) {
    return Refuse("No Major.Minor.Patch elements found");
  }
  Parts parts{};
  QUADRA_TRY(parts.numbers[0], ReadComponent(major, kComponents[0], numbers));
  QUADRA_TRY(parts.numbers[1], ReadComponent(minor, kComponents[1], numbers));
  const std::string_view last = *rest;
  std::optional<std::string_view> build = last;
  std::optional<std::string_view> prerelease = Next(build, '+');
  const std::size_t before_build = prerelease->size();
  const std::string_view patch = Next(prerelease, '-');
  QUADRA_TRY(parts.numbers[2], ReadComponent(patch, kComponents[2], numbers));
  QUADRA_RETURN_IF_ERROR(CheckEach(prerelease, CheckPrerelease, numbers));
  QUADRA_RETURN_IF_ERROR(CheckEach(build, CheckBuild, numbers));
  parts.tail = last.substr(patch.size());
  parts.build_start = before_build - patch.size();
  return parts;
}

// Without leading zeros, but never without a leading digit: "007" is "7", "00-rc" is "0-rc".
std::string WithoutLeadingZeros(std::string_view part) {
  if (part.size() <= 1) {
    return std::string(part);
  }
  part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
  const bool bare = part.empty() || !IsDigit(part[0]);
  return std::string(bare ? "0" : "").append(part);
}

// Numbers come before words and by value; without leading zeros the longer one is larger.
std::strong_ordering CompareIdentifiers(std::string_view a, std::string_view b) {
  const bool number_a = IsNumeric(a);
  const bool number_b = IsNumeric(b);
  if (number_a != number_b) {
    return number_a ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (number_a && a.size() != b.size()) {
    return a.size() <=> b.size();
  }
  return a <=> b;
}

// A release comes after its pre-releases; of two lists of which one begins the other, the shorter
// comes first.
std::strong_ordering ComparePrereleases(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) {
    return a.empty() <=> b.empty();
  }
  std::optional<std::string_view> rest_a = a, rest_b = b;
  while (rest_a && rest_b) {
    if (const auto order = CompareIdentifiers(Next(rest_a, '.'), Next(rest_b, '.')); order != 0) {
      return order;
    }
  }
  return rest_a.has_value() <=> rest_b.has_value();
}

}  // namespace

Result<Version> Version::Parse(std::string_view text) {
  QUADRA_TRY(const Parts parts, Read(text, Numbers::kUint64));
  Version version;
  version.major_ = parts.numbers[0];
  version.minor_ = parts.numbers[1];
  version.patch_ = parts.numbers[2];
  version.tail_ = parts.tail;
  version.build_start_ = parts.build_start;
  return version;
}

Result<Version> Version::ParseNormalized(std::string_view text) {
  text.remove_prefix(text.starts_with('v') ? 1 : 0);
  std::optional<std::string_view> rest = text;
  std::string normal;
  for (int dots = 0; dots < 2; ++dots) {
    const std::string_view part = Next(rest, '.');
    normal.append(WithoutLeadingZeros(part)).push_back('.');
    if (!rest) {
      if (part.find_first_of("+-") != part.npos) {
        return Refuse("short version cannot contain PreRelease/Build meta data");
      }
      rest = "0";
    }
  }
  return Parse(normal.append(WithoutLeadingZeros(*rest)));
}

std::string_view Version::prerelease() const {
  return build_start_ == 0 ? std::string_view()
                           : std::string_view(tail_).substr(1, build_start_ - 1);
}

std::string_view Version::build() const {
  return build_start_ == tail_.size() ? std::string_view()
                                      : std::string_view(tail_).substr(build_start_ + 1);
}

std::string Version::ToString() const {
  std::string text = std::to_string(major_);
  text.append(".").append(std::to_string(minor_));
  text.append(".").append(std::to_string(patch_));
  return text.append(tail_);
}

std::weak_ordering operator<=>(const Version& a, const Version& b) {
  if (const auto order = a.major_ <=> b.major_; order != 0) {
    return order;
  }
  if (const auto order = a.minor_ <=> b.minor_; order != 0) {
    return order;
  }
  if (const auto order = a.patch_ <=> b.patch_; order != 0) {
    return order;
  }
  return ComparePrereleases(a.prerelease(), b.prerelease());
}

bool MatchesSpec(std::string_view text) { return Read(text, Numbers::kAnyLength).has_value(); }

}  // namespace quadra::semver
