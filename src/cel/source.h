// Source: places in an expression, as upstream counts them: in code points, lines from 1 on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cel {

bool IsAscii(std::string_view text);

// Replaces every byte that belongs to no code point by U+FFFD.
std::string ToValidUtf8(std::string_view text);

// Line -1 means no place.
struct Place {
  int line = -1;
  int column = -1;  // code points before it on its line
};

// The lines of a source, to name many places in it.
class LineMap {
 public:
  explicit LineMap(std::string_view valid_utf8);

  Place Locate(std::uint32_t position) const;
  // Without its end; nothing for a line that does not exist.
  std::optional<std::string_view> Line(int line) const;

 private:
  struct Start {
    std::uint32_t position;
    std::size_t byte;
  };
  std::string_view source_;
  std::vector<Start> lines_;  // one past the last line too
};

}  // namespace quadra::cel
