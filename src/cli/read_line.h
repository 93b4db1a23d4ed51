// ReadLine: the next line of an input that may hold lines of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace quadra::cli {

// The most a question of a stream may have: two objects of 3 MB, escaped, and then some.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

enum class LineRead : std::uint8_t { kLine, kTooLong, kEnd, kUnreadable };

// Reads up to the next line end, which is not part of `line`, or to the end of the input. A line of
// more than `most` bytes is passed over and no more than `most` of it are ever held; `line` is then
// empty, and the next call reads the next line. kUnreadable: reading failed (a folder, a bad disk).
LineRead ReadLine(std::istream& in, std::size_t most, std::string& line);

}  // namespace quadra::cli
