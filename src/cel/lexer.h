// Lexer: an expression as tokens.
//
// Longest match, as upstream's grammar asks; time linear in the text. Whitespace and comments leave
// no token. What fits no token is reported and left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cel {

enum class TokenKind : std::uint8_t {
  kEnd,  // of the source
  kIdentifier,
  kQuotedIdentifier,  // `a-b`
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTrue,
  kFalse,
  kNull,
  kIn,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kDot,
  kComma,
  kMinus,
  kNot,
  kQuestion,
  kColon,
  kPlus,
  kStar,
  kSlash,
  kPercent,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t position = 0;  // code points
  std::uint32_t begin = 0;     // bytes
  std::uint32_t end = 0;

  std::string_view text(std::string_view source) const { return source.substr(begin, end - begin); }
};

struct LexicalError {
  std::uint32_t position = 0;
  std::string message;
};

struct Tokens {
  std::vector<Token> tokens;  // ends with kEnd
  std::vector<LexicalError> errors;
};

// REQUIRES: source is valid UTF-8 and shorter than 4 GiB.
Tokens Lex(std::string_view source);

}  // namespace quadra::cel
