#include "json/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "json/float_text.h"
#include "json/lexical.h"
#include "json/utf8.h"

namespace quadra::json {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

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

void AppendCodeEscape(std::string& out, unsigned code) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    out += kHexDigits[(code >> shift) & 0xF];
  }
}

void AppendAsciiEscape(std::string& out, char c) {
  switch (c) {
    case '"':
    case '\\':
      out += {'\\', c};
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      AppendCodeEscape(out, static_cast<unsigned char>(c));
  }
}

constexpr bool IsLineSeparator(char32_t code) { return code == 0x2028 || code == 0x2029; }

// Appends the character at the start of `text`, which is not ASCII, and returns its size.
std::size_t AppendWide(std::string& out, std::string_view text) {
  const Rune rune = DecodeRune(text);
  if (!rune.valid) {
    out += "\\ufffd";
  } else if (IsLineSeparator(rune.code)) {
    AppendCodeEscape(out, static_cast<unsigned>(rune.code));
  } else {
    out += text.substr(0, rune.size);
  }
  return rune.size;
}

// Appends the character at the start of `raw`, inside a string that is JSON already; returns its
// size.
std::size_t AppendRaw(std::string& out, std::string_view raw) {
  if (raw[0] == '\\') {
    out += raw.substr(0, 2);
    return 2;
  }
  if (static_cast<unsigned char>(raw[0]) >= 0x80) {
    return AppendWide(out, raw);
  }
  AppendAsciiEscape(out, raw[0]);
  return 1;
}

// Where the run of bytes that can be copied as they are ends.
std::size_t EndOfPlain(std::string_view text, std::size_t at) {
  while (at < text.size() && !IsSpecial(text[at])) {
    ++at;
  }
  return at;
}

}  // namespace

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = EndOfPlain(text, at);
    out += text.substr(at, end - at);
    if (at = end; at == text.size()) {
      break;
    }
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      AppendAsciiEscape(out, text[at++]);
    } else {
      at += AppendWide(out, text.substr(at));
    }
  }
  out += '"';
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

void Writer::NewLine() {
  if (indent_ > 0) {
    out_ += '\n';
    out_.append(has_items_.size() * static_cast<std::size_t>(indent_), ' ');
  }
}

void Writer::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) {
    return;
  }
  if (has_items_.back()) {
    out_ += ',';
  }
  has_items_.back() = true;
  NewLine();
}

void Writer::Open(char bracket) {
  Separate();
  out_ += bracket;
  has_items_.push_back(false);
}

void Writer::Close(char bracket) {
  QUADRA_CHECK(!has_items_.empty() && !after_key_, "each End has its Begin, and each key a value");
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) {
    NewLine();
  }
  out_ += bracket;
}

void Writer::Colon() {
  out_ += indent_ > 0 ? ": " : ":";
  after_key_ = true;
}

void Writer::BeginObject() { Open('{'); }
void Writer::EndObject() { Close('}'); }
void Writer::BeginArray() { Open('['); }
void Writer::EndArray() { Close(']'); }

void Writer::Key(std::string_view key) {
  Separate();
  AppendQuoted(out_, key);
  Colon();
}

void Writer::String(std::string_view text) {
  Separate();
  AppendQuoted(out_, text);
}

void Writer::Int(std::int64_t number) {
  Separate();
  std::array<char, 24> text;
  out_.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

void Writer::Double(double number) {
  Separate();
  AppendDouble(out_, number);
}

void Writer::Number(std::string_view spelling) {
  Separate();
  out_ += spelling;
}

void Writer::Bool(bool value) {
  Separate();
  out_ += value ? "true" : "false";
}

void Writer::Null() {
  Separate();
  out_ += "null";
}

std::size_t Writer::RawString(std::string_view json, std::size_t at) {
  Separate();
  out_ += '"';
  for (++at; at < json.size();) {
    const std::size_t end = EndOfPlain(json, at);
    out_ += json.substr(at, end - at);
    if (at = end; at == json.size() || json[at] == '"') {
      break;
    }
    at += AppendRaw(out_, json.substr(at));
  }
  out_ += '"';
  return at + 1;
}

void Writer::Raw(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at = RawString(json, at);
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
}

}  // namespace quadra::json
