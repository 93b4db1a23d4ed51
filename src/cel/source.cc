#include "cel/source.h"

#include <algorithm>

#include "cel/unicode.h"

namespace quadra::cel {
namespace {

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

std::string ToValidUtf8(std::string_view text) {
  if (IsAscii(text)) {
    return std::string(text);
  }
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune next = DecodeRune(text);
    AppendRune(out, next.code);
    text.remove_prefix(next.size);
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
