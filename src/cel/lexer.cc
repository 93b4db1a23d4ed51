#include "cel/lexer.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cel/source.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

enum CharClass : std::uint8_t { kOther = 0, kSpace = 1, kLetter = 2, kDigit = 4, kHex = 8 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\n', '\f'}) {
    classes[static_cast<unsigned char>(c)] = kSpace;
  }
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    classes[c] = c <= 'f' ? kLetter | kHex : kLetter;
    classes[c - 'a' + 'A'] = classes[c];
  }
  for (unsigned c = '0'; c <= '9'; ++c) {
    classes[c] = kDigit | kHex;
  }
  classes['_'] = kLetter;
  return classes;
}();

bool Is(char c, unsigned classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

struct Keyword {
  std::string_view text;
  TokenKind kind;
};
constexpr Keyword kKeywords[] = {{"in", TokenKind::kIn},
                                 {"true", TokenKind::kTrue},
                                 {"false", TokenKind::kFalse},
                                 {"null", TokenKind::kNull}};

TokenKind WordKind(std::string_view word) {
  for (const Keyword& keyword : kKeywords) {
    if (keyword.text == word) {
      return keyword.kind;
    }
  }
  return TokenKind::kIdentifier;
}

struct Sign {
  std::string_view text;
  TokenKind kind;

  bool Starts(std::string_view rest) const {
    return rest[0] == text[0] && (text.size() == 1 || (rest.size() > 1 && rest[1] == text[1]));
  }
};
// Longer ones first.
constexpr Sign kSigns[] = {
    {"==", TokenKind::kEqual},       {"!=", TokenKind::kNotEqual},
    {"<=", TokenKind::kLessEqual},   {">=", TokenKind::kGreaterEqual},
    {"&&", TokenKind::kAnd},         {"||", TokenKind::kOr},
    {".", TokenKind::kDot},          {"(", TokenKind::kLeftParen},
    {")", TokenKind::kRightParen},   {"[", TokenKind::kLeftBracket},
    {"]", TokenKind::kRightBracket}, {",", TokenKind::kComma},
    {"{", TokenKind::kLeftBrace},    {"}", TokenKind::kRightBrace},
    {"-", TokenKind::kMinus},        {"!", TokenKind::kNot},
    {"?", TokenKind::kQuestion},     {":", TokenKind::kColon},
    {"+", TokenKind::kPlus},         {"*", TokenKind::kStar},
    {"/", TokenKind::kSlash},        {"%", TokenKind::kPercent},
    {"<", TokenKind::kLess},         {">", TokenKind::kGreater},
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source), ascii_(IsAscii(source)) {}

  Tokens Run() {
    out_.tokens.reserve(source_.size() / 3 + 4);
    for (SkipBlanks(); at_ < source_.size(); SkipBlanks()) {
      Next();
    }
    Emit(TokenKind::kEnd, at_);
    return std::move(out_);
  }

 private:
  char Peek(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  void SkipBlanks() {
    while (true) {
      while (at_ < source_.size() && Is(source_[at_], kSpace)) {
        ++at_;
      }
      if (!source_.substr(at_).starts_with("//")) {
        return;
      }
      at_ = std::min(source_.find('\n', at_), source_.size());
    }
  }

  void Next() {
    const char c = source_[at_];
    if (Is(c, kLetter)) {
      Word();
    } else if (Is(c, kDigit) || (c == '.' && Is(Peek(at_ + 1), kDigit))) {
      Number();
    } else if (c == '"' || c == '\'') {
      Unprefixed();
    } else if (c == '`') {
      Quoted();
    } else {
      Symbol();
    }
  }

  // An identifier or keyword, or the prefix of a text.
  void Word() {
    std::size_t quote = at_;
    const bool bytes = source_[quote] == 'b' || source_[quote] == 'B';
    quote += bytes ? 1 : 0;
    const bool raw = Peek(quote) == 'r' || Peek(quote) == 'R';
    quote += raw ? 1 : 0;
    if (quote > at_ && (Peek(quote) == '"' || Peek(quote) == '\'') &&
        Text(quote, raw, bytes ? TokenKind::kBytes : TokenKind::kString)) {
      return;
    }
    const std::size_t end = Skip(at_, kLetter | kDigit);
    Emit(WordKind(source_.substr(at_, end - at_)), end);
  }

  std::size_t Skip(std::size_t at, unsigned classes) const {
    while (at < source_.size() && Is(source_[at], classes)) {
      ++at;
    }
    return at;
  }

  void Number() {
    if (source_[at_] == '0' && Peek(at_ + 1) == 'x' && Is(Peek(at_ + 2), kHex)) {
      EmitInteger(Skip(at_ + 2, kHex));
      return;
    }
    const std::size_t whole = Skip(at_, kDigit);
    std::size_t end = whole;
    if (Peek(end) == '.' && Is(Peek(end + 1), kDigit)) {
      end = Skip(end + 1, kDigit);
    }
    end = SkipExponent(end);
    if (end == whole) {
      EmitInteger(end);
    } else {
      Emit(TokenKind::kDouble, end);
    }
  }

  std::size_t SkipExponent(std::size_t at) const {
    if (Peek(at) != 'e' && Peek(at) != 'E') {
      return at;
    }
    const std::size_t digits = at + 1 + (Peek(at + 1) == '+' || Peek(at + 1) == '-' ? 1 : 0);
    return Is(Peek(digits), kDigit) ? Skip(digits, kDigit) : at;
  }

  void EmitInteger(std::size_t end) {
    if (Peek(end) == 'u' || Peek(end) == 'U') {
      Emit(TokenKind::kUint, end + 1);
    } else {
      Emit(TokenKind::kInt, end);
    }
  }

  void Unprefixed() {
    if (!Text(at_, false, TokenKind::kString)) {
      Refuse(bad_escape_ ? "the text contains an escape that does not exist"
                         : "the text is never closed",
             stopped_at_);
    }
  }

  // A text whose opening quote is at `quote`; false if there is none. Three quotes that are never
  // closed read as an empty text and another one, a prefix before such quotes as a name.
  bool Text(std::size_t quote, bool raw, TokenKind kind) {
    const char mark = source_[quote];
    std::optional<std::size_t> end;
    if (Peek(quote + 1) == mark && Peek(quote + 2) == mark) {
      end = FindEnd(quote + 3, std::string(3, mark), raw, false).value_or(quote + 2);
    } else {
      end = FindEnd(quote + 1, std::string_view(&mark, 1), raw, true);
    }
    if (end) {
      Emit(kind, *end);
    }
    return end.has_value();
  }

  // Just after `closing`, or nothing when a line ends (if it must not) or an escape is wrong.
  std::optional<std::size_t> FindEnd(std::size_t at, std::string_view closing, bool raw,
                                     bool one_line) {
    bad_escape_ = false;
    while (at < source_.size()) {
      const char c = source_[at];
      if (c == closing[0] && source_.substr(at).starts_with(closing)) {
        return at + closing.size();
      }
      stopped_at_ = at;
      if (one_line && (c == '\n' || c == '\r')) {
        return std::nullopt;
      }
      const auto next = c == '\\' && !raw ? EscapeEnd(at) : at + 1;
      if (!next) {
        bad_escape_ = true;
        return std::nullopt;
      }
      at = *next;
    }
    stopped_at_ = source_.size();
    return std::nullopt;
  }

  // Just after the escape at `at`; if it is none, nothing, and stopped_at_ is where that shows.
  std::optional<std::size_t> EscapeEnd(std::size_t at) {
    const char c = Peek(at + 1);
    if (c != '\0' && std::string_view("abfnrtv\"'\\?`").find(c) != std::string_view::npos) {
      return at + 2;
    }
    if (c >= '0' && c <= '3') {
      return DigitsEnd(at + 2, 2, [](char d) { return d >= '0' && d <= '7'; });
    }
    const std::size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    stopped_at_ = at + 1;
    return digits == 0 ? std::nullopt
                       : DigitsEnd(at + 2, digits, [](char d) { return Is(d, kHex); });
  }

  template <typename IsDigit>
  std::optional<std::size_t> DigitsEnd(std::size_t at, std::size_t count, IsDigit is_digit) {
    for (std::size_t end = at + count; at < end; ++at) {
      if (!is_digit(Peek(at))) {
        stopped_at_ = at;
        return std::nullopt;
      }
    }
    return at;
  }

  void Quoted() {
    std::size_t end = at_ + 1;
    while (Is(Peek(end), kLetter | kDigit) || Peek(end) == '.' || Peek(end) == '-' ||
           Peek(end) == '/' || Peek(end) == ' ') {
      ++end;
    }
    if (end > at_ + 1 && Peek(end) == '`') {
      Emit(TokenKind::kQuotedIdentifier, end + 1);
    } else {
      Refuse("a name between back quotes has letters, digits, '_', '.', '-', '/' and spaces only",
             end);
    }
  }

  void Symbol() {
    const std::string_view rest = source_.substr(at_);
    for (const Sign& sign : kSigns) {
      if (sign.Starts(rest)) {
        return Emit(sign.kind, at_ + sign.text.size());
      }
    }
    RefuseSign();
  }

  void RefuseSign() {
    const std::string_view rest = source_.substr(at_);
    const std::size_t width = DecodeRune(rest).size;
    switch (rest[0]) {
      case '=':
        return Refuse("'=' is no operator; compare with '=='", at_ + 1);
      case '&':
        return Refuse("'&' is no operator; write '&&'", at_ + 1);
      case '|':
        return Refuse("'|' is no operator; write '||'", at_ + 1);
      default:
        return Refuse(static_cast<unsigned char>(rest[0]) < ' '
                          ? "a control character has no meaning here"
                          : fmt::format("'{}' has no meaning here", rest.substr(0, width)),
                      at_ + width - 1);
    }
  }

  // Goes on after `last`, the character that could not follow, as upstream does.
  void Refuse(std::string message, std::size_t last) {
    out_.errors.push_back({Position(), std::move(message)});
    at_ = std::min(last + 1, source_.size());
    while (at_ < source_.size() && (static_cast<unsigned char>(source_[at_]) & 0xC0U) == 0x80U) {
      ++at_;
    }
  }

  void Emit(TokenKind kind, std::size_t end) {
    out_.tokens.push_back({.kind = kind,
                           .position = Position(),
                           .begin = static_cast<std::uint32_t>(at_),
                           .end = static_cast<std::uint32_t>(end)});
    at_ = end;
  }

  // Of at_, in code points; asked for ever later places.
  std::uint32_t Position() {
    if (ascii_) {
      return static_cast<std::uint32_t>(at_);
    }
    counted_ +=
        static_cast<std::uint32_t>(RuneCount(source_.substr(counted_to_, at_ - counted_to_)));
    counted_to_ = at_;
    return counted_;
  }

  std::string_view source_;
  bool ascii_;
  std::size_t at_ = 0;
  std::size_t stopped_at_ = 0;
  bool bad_escape_ = false;
  std::uint32_t counted_ = 0;
  std::size_t counted_to_ = 0;
  Tokens out_;
};

}  // namespace

Tokens Lex(std::string_view source) { return Lexer(source).Run(); }

}  // namespace quadra::cel
