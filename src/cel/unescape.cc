#include "cel/unescape.h"

#include <charconv>
#include <cstdint>

#include "cel/unicode.h"

namespace quadra::cel {
namespace {

std::uint32_t ReadNumber(std::string_view digits, int base) {
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

char SimpleEscape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

bool IsCodePoint(std::uint32_t value) {
  return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

// An escape with digits: how many, in which base, and where they start after the backslash.
struct Numeric {
  std::size_t start = 0;
  std::size_t digits = 0;
  int base = 16;
};

Numeric NumericEscape(char c) {
  switch (c) {
    case 'x':
    case 'X':
      return {1, 2, 16};
    case 'u':
      return {1, 4, 16};
    case 'U':
      return {1, 8, 16};
    default:
      return c >= '0' && c <= '3' ? Numeric{0, 3, 8} : Numeric{};
  }
}

class Unescaper {
 public:
  Unescaper(std::string_view content, bool raw, bool bytes)
      : rest_(content), raw_(raw), bytes_(bytes) {}

  std::optional<std::string> Run() {
    out_.reserve(rest_.size());
    while (!rest_.empty()) {
      if (rest_[0] == '\\' && !raw_) {
        rest_.remove_prefix(1);
        if (!Escape()) {
          return std::nullopt;
        }
      } else {
        Plain();
      }
    }
    return std::move(out_);
  }

 private:
  void Plain() {
    const bool carriage_return = rest_[0] == '\r';
    out_ += carriage_return ? '\n' : rest_[0];
    rest_.remove_prefix(carriage_return && rest_.substr(1).starts_with('\n') ? 2 : 1);
  }

  bool Escape() {
    const Numeric numeric = NumericEscape(rest_[0]);
    if (numeric.digits == 0) {
      out_ += SimpleEscape(rest_[0]);
      rest_.remove_prefix(1);
      return true;
    }
    const std::uint32_t value =
        ReadNumber(rest_.substr(numeric.start, numeric.digits), numeric.base);
    rest_.remove_prefix(numeric.start + numeric.digits);
    if (bytes_) {
      out_ += static_cast<char>(value);
      return numeric.digits <= 3;
    }
    AppendRune(out_, value);
    return IsCodePoint(value);
  }

  std::string_view rest_;
  bool raw_;
  bool bytes_;
  std::string out_;
};

}  // namespace

QuotedText StripQuotes(std::string_view token) {
  QuotedText text;
  while (token[0] != '"' && token[0] != '\'') {
    text.raw = text.raw || token[0] == 'r' || token[0] == 'R';
    token.remove_prefix(1);
  }
  const bool three = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const std::size_t quotes = three ? 3 : 1;
  text.content = token.substr(quotes, token.size() - 2 * quotes);
  return text;
}

bool NeedsUnescape(const QuotedText& text) {
  return text.content.find_first_of(text.raw ? "\r" : "\\\r") != std::string_view::npos;
}

std::optional<std::string> Unescape(const QuotedText& text, bool bytes) {
  return Unescaper(text.content, text.raw, bytes).Run();
}

}  // namespace quadra::cel
