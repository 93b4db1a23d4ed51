// TokenScan: where the tokens of a JSON text begin, found by simdjson's first stage in one
// vectorised pass. Private to json/; only its source sees the library.
//
// Also the working memory a Reader needs, so that both are reused together: threads keep what they
// are done with for the next text, unless the text was larger than 4 MB.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "json/reader.h"

namespace quadra::json {

struct Problem {
  std::size_t offset = 0;
  std::string what;
};

struct TokenScan {
  static std::unique_ptr<TokenScan> Borrow();
  static void Return(std::unique_ptr<TokenScan> scan);
  ~TokenScan();

  // Finds the tokens of `text`: brackets, colons, commas and the first byte of each scalar. Text
  // that is no UTF-8, or has a string without an end or with a control character, is a problem;
  // then there are none. After a string stands white space only, up to the next token.
  bool Run(std::string_view text);

  const std::uint32_t* tokens = nullptr;  // offsets; the one behind the last is the text's size
  std::size_t count = 0;
  Problem problem;

  // The Reader's: what is open, by depth, and how much it has unescaped.
  std::bitset<kMaxDepth + 1> is_object;
  std::size_t unescaped_size = 0;
  // Where the next unescaped string of a text of `size` bytes goes. All of them fit.
  char* RoomForUnescaped(std::size_t size);

 private:
  struct Scanner;
  TokenScan();
  bool Prepare(std::size_t size);

  std::unique_ptr<Scanner> scanner_;
  std::unique_ptr<char[]> unescaped_;
  std::size_t unescaped_capacity_ = 0;
};

}  // namespace quadra::json
