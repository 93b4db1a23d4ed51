#include "cel/source.h"

#include <algorithm>

namespace quadra::cel {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::uint32_t SequenceLength(unsigned char lead) {
  if (lead >= 0xF0) {
    return lead <= 0xF4 ? 4 : 1;
  }
  if (lead >= 0xE0) {
    return 3;
  }
  return lead >= 0xC2 ? 2 : 1;
}

bool IsShortest(char32_t value, std::uint32_t bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= kSmallest[bytes] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

}  // namespace

CodePoint DecodeCodePoint(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::uint32_t bytes = SequenceLength(lead);
  if (bytes == 1 || bytes > text.size()) {
    return {kReplacement, 1};
  }
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::uint32_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) {
      return {kReplacement, 1};
    }
    value = value << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return IsShortest(value, bytes) ? CodePoint{value, bytes} : CodePoint{kReplacement, 1};
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const auto continuation = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0U | (code_point >> 6U));
    continuation(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0U | (code_point >> 12U));
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xF0U | (code_point >> 18U));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

std::uint32_t CountCodePoints(std::string_view valid_utf8) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(valid_utf8, [](char c) { return !IsContinuation(c); }));
}

std::string ToValidUtf8(std::string_view text) {
  if (IsAscii(text)) {
    return std::string(text);
  }
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = DecodeCodePoint(text);
    AppendUtf8(next.value, out);
    text.remove_prefix(next.bytes);
  }
  return out;
}

LineMap::LineMap(std::string_view valid_utf8) : source_(valid_utf8) {
  lines_.push_back({0, 0});
  std::uint32_t position = 0;
  for (std::size_t byte = 0; byte < source_.size(); ++byte) {
    position += IsContinuation(source_[byte]) ? 0 : 1;
    if (source_[byte] == '\n') {
      lines_.push_back({position, byte + 1});
    }
  }
  lines_.push_back({position + 1, source_.size() + 1});
}

Place LineMap::Locate(std::uint32_t position) const {
  if (source_.empty()) {
    return {1, -1};  // where upstream finds the end of nothing
  }
  const auto after = std::ranges::upper_bound(lines_, position, {}, &Start::position);
  return {static_cast<int>(after - lines_.begin()),
          static_cast<int>(position - std::prev(after)->position)};
}

std::optional<std::string_view> LineMap::Line(int line) const {
  if (line < 1 || static_cast<std::size_t>(line) >= lines_.size() || source_.empty()) {
    return std::nullopt;
  }
  const std::size_t begin = lines_[static_cast<std::size_t>(line) - 1].byte;
  return source_.substr(begin, lines_[static_cast<std::size_t>(line)].byte - 1 - begin);
}

}  // namespace quadra::cel
