#include "cli/read_line.h"

#include <array>
#include <istream>
#include <span>

namespace quadra::cli {

namespace {

// Takes the next piece of a line, and tells whether the line goes on behind it.
struct Piece {
  std::size_t size = 0;  // without the line end
  bool is_last = true;
  bool is_end = false;  // nothing was left
  bool is_bad = false;  // reading failed
};

Piece ReadPiece(std::istream& in, std::span<char> chunk) {
  in.clear();
  in.getline(chunk.data(), static_cast<std::streamsize>(chunk.size()));
  const auto got = static_cast<std::size_t>(in.gcount());
  if (in.fail()) {
    const bool is_full = got == chunk.size() - 1 && !in.bad();
    return {.size = got, .is_last = !is_full, .is_end = !is_full, .is_bad = in.bad()};
  }
  return {.size = in.eof() ? got : got - 1};
}

}  // namespace

LineRead ReadLine(std::istream& in, std::size_t most, std::string& line) {
  std::array<char, std::size_t{1} << 14> chunk;
  line.clear();
  std::size_t size = 0;
  Piece piece{.is_last = false};
  while (!piece.is_last) {
    piece = ReadPiece(in, chunk);
    size += piece.size;
    if (size <= most) {
      line.append(chunk.data(), piece.size);
    }
  }
  if (piece.is_bad) {
    return LineRead::kUnreadable;
  }
  if (size > most) {
    line.clear();
    return LineRead::kTooLong;
  }
  return size == 0 && piece.is_end ? LineRead::kEnd : LineRead::kLine;
}

}  // namespace quadra::cli
