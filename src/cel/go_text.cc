#include "cel/go_text.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cel/ip.h"
#include "cel/named_format.h"
#include "cel/timestamp.h"
#include "cel/url.h"

namespace quadra::cel {
namespace {

// Go writes at least two digits of exponent.
std::string Scientific(double value, int precision) {
  return precision < 0 ? fmt::format("{:e}", value) : fmt::format("{:.{}e}", value, precision);
}

struct Digits {
  bool negative = false;
  std::string digits;  // without a point
  int exponent = 0;    // of the first digit
};

Digits ShortestDigits(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  Digits result;
  if (text.front() == '-') {
    result.negative = true;
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c != '.') {
      result.digits.push_back(c);
    }
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') {
    exponent.remove_prefix(1);
  }
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

std::string ShortestScientific(const Digits& d) {
  std::string text = d.negative ? "-" : "";
  text.push_back(d.digits.front());
  if (d.digits.size() > 1) {
    text.push_back('.');
    text.append(d.digits, 1);
  }
  const int magnitude = d.exponent < 0 ? -d.exponent : d.exponent;
  return text + fmt::format("e{}{:02}", d.exponent < 0 ? '-' : '+', magnitude);
}

std::string ShortestFixed(const Digits& d) {
  std::string text = d.negative ? "-" : "";
  if (d.exponent < 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-d.exponent - 1), '0');
    return text + d.digits;
  }
  const auto whole = static_cast<std::size_t>(d.exponent) + 1;
  if (d.digits.size() <= whole) {
    return text + d.digits + std::string(whole - d.digits.size(), '0');
  }
  return text + d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

std::string Shortest(double value, char style) {
  const Digits digits = ShortestDigits(value);
  const bool scientific =
      style == 'e' || (style == 'g' && (digits.exponent < -4 || digits.exponent >= 6));
  return scientific ? ShortestScientific(digits) : ShortestFixed(digits);
}

// Nobody reads more; lists that share their elements may print for ever.
constexpr std::size_t kLongest = 1 << 20;

std::string ListText(const ListObject& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size() && text.size() < kLongest; ++i) {
    text += (i == 0 ? "" : ", ") + GoText(list.At(i));
  }
  return text + "]";
}

std::string MapText(const MapObject& map) {
  std::string text = "{";
  for (std::size_t i = 0; i < map.size() && text.size() < kLongest; ++i) {
    text += (i == 0 ? "" : ", ") + GoText(map.KeyAt(i)) + ": " + GoText(map.ValueAt(i));
  }
  return text + "}";
}

std::string BytesText(std::string_view bytes) {
  std::string text = "[";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " ", static_cast<unsigned char>(bytes[i]));
  }
  return text + "]";
}

std::string ListTypeName(ListForm form) {
  switch (form) {
    case ListForm::kPlain:
      return "*types.baseList";
    case ListForm::kConcatenated:
      return "*types.concatList";
    case ListForm::kGrowing:
      return "*types.mutableList";
  }
  return {};
}

std::string OptionalText(const Value* value) {
  return value == nullptr ? "optional.none()" : "optional(" + GoText(*value) + ")";
}

}  // namespace

std::string GoFloat(double value, char style, int precision) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-Inf" : "+Inf";
  }
  if (precision < 0) {
    return Shortest(value, style);
  }
  if (style == 'e') {
    return Scientific(value, precision);
  }
  return fmt::format("{:.{}f}", value, precision);
}

std::string GoText(const Value& value) {
  switch (value.kind()) {
    case Kind::kAbsent:
      return "<nil>";
    case Kind::kError:
      return ErrorText(value.as_error());
    case Kind::kNull:
      return "0";
    case Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Kind::kInt:
      return fmt::format("{}", value.as_int());
    case Kind::kUint:
      return fmt::format("{}", value.as_uint());
    case Kind::kDouble:
      return GoFloat(value.as_double(), 'g', -1);
    case Kind::kString:
      return std::string(value.as_text());
    case Kind::kBytes:
      return BytesText(value.as_text());
    case Kind::kTimestamp:
      return GoTime(value.as_timestamp());
    case Kind::kDuration:
      return GoDuration(value.as_int());
    case Kind::kType:
      return ToString(value.as_type());
    case Kind::kList:
      return ListText(value.as_list());
    case Kind::kMap:
      return MapText(value.as_map());
    case Kind::kOptional:
      return OptionalText(value.as_optional());
    case Kind::kQuantity:
      return value.as_quantity().ToString();
    case Kind::kSemver:
      return value.as_semver().ToString();
    case Kind::kIp:
      return AddressText(value.as_ip());
    case Kind::kCidr:
      return BlockText(value.as_cidr());
    case Kind::kUrl:
      return value.as_url().ToString();
    case Kind::kFormat:
      return std::string(value.as_format().name);
  }
  return {};
}

std::string GoTypeName(const Value& value) {
  constexpr std::array<std::string_view, 21> kNames = {
      "<nil>",          "*types.Err",   "types.Null",      "types.Bool",     "types.Int",
      "types.Uint",     "types.Double", "types.String",    "types.Bytes",    "types.Timestamp",
      "types.Duration", "*types.Type",  "*types.baseList", "*types.baseMap", "*types.Optional",
      "cel.Quantity",   "cel.Semver",   "cel.IP",          "cel.CIDR",       "cel.URL",
      "cel.Format"};
  static_assert(static_cast<std::size_t>(Kind::kFormat) + 1 == kNames.size());
  switch (value.kind()) {
    case Kind::kList:
      return ListTypeName(value.form());
    case Kind::kMap:
      return value.form() == ListForm::kGrowing ? "*types.mutableMap" : "*types.baseMap";
    case Kind::kQuantity:
      return value.is_computed() ? "*cel.Quantity" : "cel.Quantity";
    default:
      return std::string(kNames[static_cast<std::size_t>(value.kind())]);
  }
}

}  // namespace quadra::cel
