#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "json/float_text.h"
#include "json/lexical.h"

namespace quadra::json {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kLongestEscape = 6;   // \\u0000, for one byte
constexpr std::size_t kLongestSpecial = 8;  // one character
constexpr std::size_t kLongestInt = 20;     // -9223372036854775808
constexpr std::size_t kFirstRoom = 240;

// Bytes that cannot be copied into a string as they are: quotes, controls, HTML's three, and all
// beyond ASCII.
constexpr std::array<bool, 256> kSpecial = [] {
  std::array<bool, 256> special{};
  for (std::size_t i = 0; i < special.size(); ++i) {
    special[i] = i < 0x20 || i >= 0x80;
  }
  for (const char c : {'"', '\\', '<', '>', '&'}) {
    special[static_cast<unsigned char>(c)] = true;
  }
  return special;
}();

bool IsSpecial(char c) { return kSpecial[static_cast<unsigned char>(c)]; }

// The Write functions write at `out`, which has the room they need, and return the end.

char* Write(char* out, std::string_view text) { return out + text.copy(out, text.size()); }

char* WriteCodeEscape(char* out, unsigned code) {
  out = Write(out, "\\u");
  for (int shift = 12; shift >= 0; shift -= 4) {
    *out++ = kHexDigits[(code >> shift) & 0xF];
  }
  return out;
}

char* WriteAsciiEscape(char* out, char c) {
  switch (c) {
    case '"':
      return Write(out, "\\\"");
    case '\\':
      return Write(out, "\\\\");
    case '\b':
      return Write(out, "\\b");
    case '\f':
      return Write(out, "\\f");
    case '\n':
      return Write(out, "\\n");
    case '\r':
      return Write(out, "\\r");
    case '\t':
      return Write(out, "\\t");
    default:
      return WriteCodeEscape(out, static_cast<unsigned char>(c));
  }
}

constexpr bool IsLineSeparator(char32_t code) { return code == 0x2028 || code == 0x2029; }

// Takes the special character that `rest` begins with. Needs room for kLongestEscape a byte.
char* WriteSpecial(char* out, std::string_view& rest) {
  if (static_cast<unsigned char>(rest[0]) < 0x80) {
    out = WriteAsciiEscape(out, rest[0]);
    rest.remove_prefix(1);
    return out;
  }
  const Rune rune = DecodeRune(rest);
  if (!rune.valid) {
    out = Write(out, "\\ufffd");
  } else if (IsLineSeparator(rune.code)) {
    out = WriteCodeEscape(out, static_cast<unsigned>(rune.code));
  } else {
    out = Write(out, rest.substr(0, rune.size));
  }
  rest.remove_prefix(rune.size);
  return out;
}

// Where the run of bytes that can be copied as they are ends.
std::size_t EndOfPlain(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if(text, IsSpecial) - text.begin());
}

constexpr std::uint64_t EachByte(std::uint64_t byte) { return byte * 0x0101010101010101; }

// The high bit of one byte at least is set if any of eight bytes is less than `limit`, which is at
// most 0x80; other bits mean nothing.
constexpr std::uint64_t Below(std::uint64_t bytes, std::uint64_t limit) {
  return (bytes - EachByte(limit)) & ~bytes;
}

// IsSpecial for eight bytes at once; a mask joins pairs of characters that differ in one bit.
constexpr bool AnySpecial(std::uint64_t bytes) {
  const std::uint64_t quote_or_ampersand = (bytes & ~EachByte('"' ^ '&')) ^ EachByte('"');
  const std::uint64_t less_or_greater = (bytes & ~EachByte('<' ^ '>')) ^ EachByte('<');
  const std::uint64_t found = bytes | Below(bytes, 0x20) | Below(quote_or_ampersand, 1) |
                              Below(less_or_greater, 1) | Below(bytes ^ EachByte('\\'), 1);
  return (found & EachByte(0x80)) != 0;
}

template <typename Word>
Word CopyWord(char* to, const char* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
  return word;
}

// Copies `text` word by word, the last one overlapping the one before; null if any byte of it is
// special.
char* WritePlain(char* out, std::string_view text) {
  const char* const from = text.data();
  const std::size_t size = text.size();
  bool special = false;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      special |= AnySpecial(CopyWord<std::uint64_t>(out + at, from + at));
    }
    special |= AnySpecial(CopyWord<std::uint64_t>(out + size - 8, from + size - 8));
  } else if (size >= 4) {
    const std::uint64_t first = CopyWord<std::uint32_t>(out, from);
    special = AnySpecial(first << 32 | CopyWord<std::uint32_t>(out + size - 4, from + size - 4));
  } else {
    for (std::size_t at = 0; at < size; ++at) {
      special |= IsSpecial(CopyWord<char>(out + at, from + at));
    }
  }
  return special ? nullptr : out + size;
}

// The room that `text` needs in quotes, at most.
std::size_t QuotedRoom(std::string_view text) {
  const auto special = static_cast<std::size_t>(std::ranges::count_if(text, IsSpecial));
  return text.size() + special * (kLongestEscape - 1) + 2;
}

char* WriteQuoted(char* out, std::string_view text) {
  *out++ = '"';
  while (!text.empty()) {
    const std::size_t plain = EndOfPlain(text);
    out = Write(out, text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.empty()) {
      out = WriteSpecial(out, text);
    }
  }
  *out++ = '"';
  return out;
}

// Null if `text` is not plain.
char* WriteQuotedPlain(char* out, std::string_view text) {
  char* const end = WritePlain(out + 1, text);
  if (end == nullptr) {
    return nullptr;
  }
  *out = '"';
  *end = '"';
  return end + 1;
}

}  // namespace

void AppendQuoted(std::string& out, std::string_view text) {
  const std::size_t size = out.size();
  out.resize(size + text.size() + 2);
  if (WriteQuotedPlain(out.data() + size, text) == nullptr) {
    out.resize(size + QuotedRoom(text));
    const char* const end = WriteQuoted(out.data() + size, text);
    out.resize(static_cast<std::size_t>(end - out.data()));
  }
}

void AppendDouble(std::string& out, double number) {
  QUADRA_CHECK(std::isfinite(number), "JSON has no spelling for infinities and NaN");
  std::string text = FloatText(number, kGoJson);
  const std::size_t size = text.size();
  if (size >= 4 && std::string_view(text).substr(size - 4, 3) == "e-0") {
    text.erase(size - 2, 1);
  }
  out += text;
}

// Makes room in the string, at least doubling it; from the first write until Settle() the string is
// longer than what is written.
void Writer::Grow(std::size_t size) {
  const std::size_t used = at_ == nullptr ? out_.size() : UsedSize();
  out_.resize(std::max(2 * used, used + size + kFirstRoom));
  at_ = out_.data() + used;
  end_ = out_.data() + out_.size();
}

void Writer::Settle() {
  if (depth_ == 0 && at_ != nullptr) {
    out_.resize(UsedSize());
    at_ = end_ = nullptr;
  }
}

void Writer::Put(char byte) {
  *Room(1) = byte;
  ++at_;
}

void Writer::Put(std::string_view text) { at_ = Write(Room(text.size()), text); }

void Writer::PutQuoted(std::string_view text) {
  char* const end = WriteQuotedPlain(Room(text.size() + 2), text);
  at_ = end != nullptr ? end : WriteQuoted(Room(QuotedRoom(text)), text);
}

void Writer::NewLine() {
  if (indent_ > 0) {
    const std::size_t spaces = depth_ * static_cast<std::size_t>(indent_);
    char* const line = Room(spaces + 1);
    *line = '\n';
    at_ = std::fill_n(line + 1, spaces, ' ');
  }
}

// What stands between a value or key and what was before it.
void Writer::Separate() {
  if (std::exchange(after_key_, false)) {
    return;
  }
  if (!std::exchange(first_, false) && depth_ > 0) {
    Put(',');
  }
  if (depth_ > 0) {
    NewLine();
  }
}

void Writer::Open(char bracket) {
  Separate();
  Put(bracket);
  ++depth_;
  first_ = true;
}

void Writer::Close(char bracket) {
  QUADRA_CHECK(depth_ > 0 && !after_key_, "each End has its Begin, and each key a value");
  --depth_;
  if (!std::exchange(first_, false)) {
    NewLine();
  }
  Put(bracket);
  Settle();
}

void Writer::Colon() {
  Put(':');
  if (indent_ > 0) {
    Put(' ');
  }
  after_key_ = true;
}

void Writer::BeginObject() { Open('{'); }
void Writer::EndObject() { Close('}'); }
void Writer::BeginArray() { Open('['); }
void Writer::EndArray() { Close(']'); }

void Writer::Key(std::string_view key) {
  Separate();
  PutQuoted(key);
  Colon();
}

void Writer::String(std::string_view text) {
  Separate();
  PutQuoted(text);
  Settle();
}

void Writer::Int(std::int64_t number) {
  Separate();
  char* const text = Room(kLongestInt);
  at_ = std::to_chars(text, text + kLongestInt, number).ptr;
  Settle();
}

void Writer::Double(double number) {
  std::string text;
  AppendDouble(text, number);
  Number(text);
}

void Writer::Number(std::string_view spelling) {
  Separate();
  Put(spelling);
  Settle();
}

void Writer::Bool(bool value) { Number(value ? "true" : "false"); }
void Writer::Null() { Number("null"); }

void Writer::Member(std::string_view key, std::string_view text) {
  Key(key);
  String(text);
}

void Writer::MemberIfAny(std::string_view key, std::string_view text) {
  if (!text.empty()) {
    Member(key, text);
  }
}

std::size_t Writer::RawString(std::string_view json) {
  Separate();
  std::string_view rest = json.substr(1);
  Put('"');
  while (!rest.empty() && rest[0] != '"') {
    const std::size_t plain = EndOfPlain(rest);
    const std::size_t copied = plain == 0 && rest[0] == '\\' ? 2 : plain;
    if (copied > 0) {
      Put(rest.substr(0, copied));
      rest.remove_prefix(std::min(copied, rest.size()));
    } else {
      at_ = WriteSpecial(Room(kLongestSpecial), rest);
    }
  }
  Put('"');
  return json.size() - rest.size() + 1;
}

void Writer::Raw(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at += RawString(json.substr(at));
      continue;
    }
    ++at;
    if (c == '{' || c == '[') {
      Open(c);
    } else if (c == '}' || c == ']') {
      Close(c);
    } else if (c == ':') {
      Colon();
    } else if (c != ',' && !IsSpace(c)) {
      const std::size_t end = std::min(json.find_first_of(",]} \t\r\n", at), json.size());
      Number(json.substr(at - 1, end - at + 1));
      at = end;
    }
  }
  Settle();
}

}  // namespace quadra::json
