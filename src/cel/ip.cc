#include "cel/ip.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "cel/go_text.h"

namespace quadra::cel {
namespace {

tl::unexpected<Error> Refuse(std::string_view text, std::string_view why,
                             std::string_view at = {}) {
  std::string message = fmt::format("ParseAddr({}): {}", GoQuote(text), why);
  if (!at.empty()) {
    message += fmt::format(" (at {})", GoQuote(at));
  }
  return Fail(ErrorKind::kInvalid, std::move(message));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// `fields` are in `text` from `start` to `end`.
Status ParseFields(std::string_view text, std::string_view fields, std::uint8_t* out) {
  int value = 0;
  int position = 0;
  int digits = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const char c = fields[i];
    if (IsDigit(c)) {
      if (digits == 1 && value == 0) {
        return Refuse(text, "IPv4 field has octet with leading zero");
      }
      value = value * 10 + (c - '0');
      ++digits;
      if (value > 255) {
        return Refuse(text, "IPv4 field has value >255");
      }
    } else if (c == '.') {
      if (i == 0 || i + 1 == fields.size() || fields[i - 1] == '.') {
        return Refuse(text, "IPv4 field must have at least one digit", fields.substr(i));
      }
      if (position == 3) {
        return Refuse(text, "IPv4 address too long");
      }
      out[position++] = static_cast<std::uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return Refuse(text, "unexpected character", fields.substr(i));
    }
  }
  if (position < 3) {
    return Refuse(text, "IPv4 address too short");
  }
  out[3] = static_cast<std::uint8_t>(value);
  return {};
}

int HexDigit(char c) {
  if (IsDigit(c)) {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads the colon-separated groups of one IPv6 text.
class Groups {
 public:
  Groups(std::string_view text, std::string_view groups) : text_(text), rest_(groups) {}

  Result<IpAddress> Parse() {
    if (rest_.starts_with("::")) {
      ellipsis_ = 0;
      rest_.remove_prefix(2);
      if (rest_.empty()) {
        return address_;
      }
    }
    while (at_ < 16) {
      QUADRA_TRY(const bool more, Group());
      if (!more) {
        break;
      }
    }
    return Finish();
  }

 private:
  // Whether more may follow.
  Result<bool> Group() {
    std::uint32_t value = 0;
    std::size_t size = 0;
    for (; size < rest_.size() && HexDigit(rest_[size]) >= 0; ++size) {
      value = (value << 4) + static_cast<std::uint32_t>(HexDigit(rest_[size]));
      if (size > 3) {
        return Refuse(text_, "each group must have 4 or less digits", rest_);
      }
    }
    if (size == 0) {
      return Refuse(text_, "each colon-separated field must have at least one digit", rest_);
    }
    if (size < rest_.size() && rest_[size] == '.') {
      return Embedded();
    }
    address_.bytes[at_++] = static_cast<std::uint8_t>(value >> 8);
    address_.bytes[at_++] = static_cast<std::uint8_t>(value);
    rest_.remove_prefix(size);
    return rest_.empty() ? Result<bool>(false) : Separator();
  }

  Result<bool> Embedded() {
    if (ellipsis_ < 0 && at_ != 12) {
      return Refuse(text_, "embedded IPv4 address must replace the final 2 fields of the address",
                    rest_);
    }
    if (at_ + 4 > 16) {
      return Refuse(text_, "too many hex fields to fit an embedded IPv4 at the end of the address",
                    rest_);
    }
    QUADRA_RETURN_IF_ERROR(ParseFields(text_, rest_, address_.bytes.data() + at_));
    rest_ = {};
    at_ += 4;
    return false;
  }

  Result<bool> Separator() {
    if (rest_.front() != ':') {
      return Refuse(text_, "unexpected character, want colon", rest_);
    }
    if (rest_.size() == 1) {
      return Refuse(text_, "colon must be followed by more characters", rest_);
    }
    rest_.remove_prefix(1);
    if (rest_.front() != ':') {
      return true;
    }
    if (ellipsis_ >= 0) {
      return Refuse(text_, "multiple :: in address", rest_);
    }
    ellipsis_ = static_cast<int>(at_);
    rest_.remove_prefix(1);
    return !rest_.empty();
  }

  Result<IpAddress> Finish() {
    if (!rest_.empty()) {
      return Refuse(text_, "trailing garbage after address", rest_);
    }
    if (at_ < 16) {
      if (ellipsis_ < 0) {
        return Refuse(text_, "address string too short");
      }
      const auto first = address_.bytes.begin() + ellipsis_;
      const auto last = address_.bytes.begin() + static_cast<std::ptrdiff_t>(at_);
      std::copy_backward(first, last, address_.bytes.end());
      std::fill_n(first, 16 - at_, std::uint8_t{0});
    } else if (ellipsis_ >= 0) {
      return Refuse(text_, "the :: must expand to at least one field of zeros");
    }
    return address_;
  }

  std::string_view text_;
  std::string_view rest_;
  IpAddress address_;
  std::size_t at_ = 0;
  int ellipsis_ = -1;
};

Result<IpAddress> ParseV4(std::string_view text) {
  IpAddress address;
  address.is_v4 = true;
  QUADRA_RETURN_IF_ERROR(ParseFields(text, text, address.bytes.data()));
  return address;
}

Result<IpAddress> ParseV6(std::string_view text) {
  const std::size_t percent = text.find('%');
  if (percent != std::string_view::npos && percent + 1 == text.size()) {
    return Refuse(text, "zone must be a non-empty string");
  }
  QUADRA_TRY(IpAddress address, Groups(text, text.substr(0, percent)).Parse());
  address.has_zone = percent != std::string_view::npos;
  return address;
}

unsigned Group(const IpAddress& address, std::size_t n) {
  return address.bytes[2 * n] * 256U + address.bytes[2 * n + 1];
}

struct Run {
  std::size_t start = 8;
  std::size_t end = 8;
};

// The first longest run of at least two zero groups.
Run LongestZeros(const IpAddress& address) {
  Run best;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t j = i;
    while (j < 8 && Group(address, j) == 0) {
      ++j;
    }
    if (j - i >= 2 && j - i > best.end - best.start) {
      best = {i, j};
    }
  }
  return best;
}

std::string V6Text(const IpAddress& address) {
  const Run zeros = LongestZeros(address);
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == zeros.start && zeros.end > zeros.start) {
      text += "::";
      i = zeros.end;
      if (i >= 8) {
        break;
      }
    } else if (i > 0) {
      text += ':';
    }
    text += fmt::format("{:x}", Group(address, i));
  }
  return text;
}

tl::unexpected<Error> RefuseBlock(std::string_view text, std::string_view why) {
  return Fail(ErrorKind::kInvalid, fmt::format("netip.ParsePrefix({}): {}", GoQuote(text), why));
}

bool AllZero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

bool IsMulticast(const IpAddress& address) {
  return address.is_v4 ? (address.bytes[0] & 0xF0) == 0xE0 : address.bytes[0] == 0xFF;
}

}  // namespace

bool IpAddress::is_mapped() const {
  return !is_v4 && AllZero(std::span(bytes).first(10)) && bytes[10] == 0xFF && bytes[11] == 0xFF;
}

Result<IpAddress> ParseAddress(std::string_view text) {
  const std::size_t mark = text.find_first_of(".:%");
  if (mark == std::string_view::npos) {
    return Refuse(text, "unable to parse IP");
  }
  if (text[mark] == '.') {
    return ParseV4(text);
  }
  return text[mark] == ':' ? ParseV6(text) : Refuse(text, "missing IPv6 address");
}

Result<CidrBlock> ParseBlock(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) {
    return RefuseBlock(text, "no '/'");
  }
  const Result<IpAddress> address = ParseAddress(text.substr(0, slash));
  if (!address) {
    return RefuseBlock(text, address.error().message);
  }
  if (address->has_zone) {
    return RefuseBlock(text, "IPv6 zones cannot be present in a prefix");
  }
  const std::string_view bits = text.substr(slash + 1);
  int length = 0;
  std::string_view number = bits;
  if (!number.empty() && number.front() == '+') {
    number.remove_prefix(1);
  }
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), length);
  const bool padded = bits.size() > 1 && (bits[0] < '1' || bits[0] > '9');
  if (padded || problem != std::errc() || end != number.data() + number.size()) {
    return RefuseBlock(text, "bad bits after slash: " + GoQuote(bits));
  }
  if (length < 0 || length > address->bits()) {
    return RefuseBlock(text, "prefix length out of range");
  }
  return CidrBlock{*address, length};
}

std::string AddressText(const IpAddress& address) {
  const auto& b = address.bytes;
  if (address.is_v4) {
    return fmt::format("{}.{}.{}.{}", b[0], b[1], b[2], b[3]);
  }
  if (address.is_mapped()) {
    return fmt::format("::ffff:{}.{}.{}.{}", b[12], b[13], b[14], b[15]);
  }
  return V6Text(address);
}

std::string BlockText(const CidrBlock& block) {
  return fmt::format("{}/{}", AddressText(block.address), block.length);
}

int CompareAddresses(const IpAddress& a, const IpAddress& b) {
  if (a.is_v4 != b.is_v4) {
    return a.is_v4 ? -1 : 1;
  }
  return a.bytes < b.bytes ? -1 : static_cast<int>(b.bytes < a.bytes);
}

int CompareBlocks(const CidrBlock& a, const CidrBlock& b) {
  const int order = CompareAddresses(a.address, b.address);
  return order != 0 ? order : a.length - b.length;
}

bool IsUnspecified(const IpAddress& address) { return AllZero(address.bytes); }

bool IsLoopback(const IpAddress& address) {
  if (address.is_v4) {
    return address.bytes[0] == 127;
  }
  return AllZero(std::span(address.bytes).first(15)) && address.bytes[15] == 1;
}

bool IsLinkLocalUnicast(const IpAddress& address) {
  const auto& b = address.bytes;
  return address.is_v4 ? b[0] == 169 && b[1] == 254 : b[0] == 0xFE && (b[1] & 0xC0) == 0x80;
}

bool IsLinkLocalMulticast(const IpAddress& address) {
  const auto& b = address.bytes;
  return address.is_v4 ? b[0] == 224 && b[1] == 0 && b[2] == 0
                       : b[0] == 0xFF && (b[1] & 0x0F) == 0x02;
}

bool IsGlobalUnicast(const IpAddress& address) {
  const auto& b = address.bytes;
  const bool broadcast = address.is_v4 && b[0] == 255 && b[1] == 255 && b[2] == 255 && b[3] == 255;
  return !broadcast && !IsUnspecified(address) && !IsLoopback(address) && !IsMulticast(address) &&
         !IsLinkLocalUnicast(address);
}

CidrBlock Masked(const CidrBlock& block) {
  CidrBlock masked = block;
  for (int i = 0; i < 16; ++i) {
    const int kept = std::clamp(block.length - 8 * i, 0, 8);
    masked.address.bytes[static_cast<std::size_t>(i)] &= static_cast<std::uint8_t>(0xFF00U >> kept);
  }
  return masked;
}

bool Contains(const CidrBlock& block, const IpAddress& address) {
  return block.address.is_v4 == address.is_v4 &&
         Masked(block).address.bytes == Masked({address, block.length}).address.bytes;
}

bool Overlaps(const CidrBlock& a, const CidrBlock& b) {
  const int shorter = std::min(a.length, b.length);
  return a.address.is_v4 == b.address.is_v4 &&
         Masked({a.address, shorter}).address == Masked({b.address, shorter}).address;
}

}  // namespace quadra::cel
