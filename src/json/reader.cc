#include "json/reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/core.h>

#include "json/lexical.h"
#include "json/token_scan.h"

namespace quadra::json {
namespace {

constexpr std::size_t kLookAhead = 256;  // tokens

std::string Described(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", c)
                                    : fmt::format("the byte 0x{:02X}", byte);
}

std::string_view ExpectedText(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "true or false";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  return "a value";
}

// How a token changes the number of open objects and arrays, by its first byte.
constexpr std::array<std::int8_t, 256> kBracketSteps = [] {
  std::array<std::int8_t, 256> steps{};
  steps['{'] = steps['['] = 1;
  steps['}'] = steps[']'] = -1;
  return steps;
}();

int BracketStep(char byte) { return kBracketSteps[static_cast<unsigned char>(byte)]; }

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kNumber:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
  }
  return "unknown";
}

// Line by line through find(), which looks at many bytes at once where rfind() looks at one.
Position PositionOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t newline = before.find('\n'); newline != std::string_view::npos;
       newline = before.find('\n', line_start)) {
    ++line;
    line_start = newline + 1;
  }
  return {line, before.size() - line_start + 1};
}

Reader::Reader(std::string_view text) : text_(text), scan_(TokenScan::Borrow()) {
  failed_ = !scan_->Run(text_);
  tokens_ = scan_->tokens;
  count_ = scan_->count;
}

Reader::~Reader() { TokenScan::Return(std::move(scan_)); }

void Reader::FailAt(std::size_t where, std::string what) {
  if (!failed_) {
    failed_ = true;
    scan_->problem = {where, std::move(what)};
  }
  at_ = count_;
  depth_ = 0;
}

void Reader::Unexpected(std::string_view expected) {
  if (failed_) {
    return;
  }
  FailAt(OffsetOf(at_), at_ < count_
                            ? fmt::format("expected {}, found {}", expected, Described(Byte()))
                            : fmt::format("expected {}, but the text ends", expected));
}

std::size_t Reader::EndOfScalarBefore(std::size_t token) const {
  std::size_t end = OffsetOf(token);
  while (IsSpace(text_[end - 1])) {
    --end;
  }
  return end;
}

bool Reader::Open(char byte, Kind kind) {
  if (Byte() != byte) {
    Unexpected(ExpectedText(kind));
    return false;
  }
  if (depth_ == kMaxDepth) {
    FailAt(tokens_[at_], fmt::format("values are nested more than {} deep", kMaxDepth));
    return false;
  }
  scan_->is_object[static_cast<std::size_t>(++depth_)] = kind == Kind::kObject;
  ++at_;
  first_ = true;
  return true;
}

std::string_view Reader::TakeAnyString() {
  if (!Expect('"', "a string")) {
    return {};
  }
  const std::size_t open = tokens_[at_] + 1;
  const std::size_t close = EndOfScalarBefore(at_ + 1) - 1;
  if (close < open || text_[close] != '"') {
    FailAt(open - 1, "the string has no end");
    return {};
  }
  ++at_;
  first_ = false;
  if (next_backslash_ < open) {
    next_backslash_ = std::min(text_.find('\\', open), text_.size());
  }
  const std::string_view raw = text_.substr(open, close - open);
  return next_backslash_ < close ? TakeUnescaped(raw) : raw;
}

std::string_view Reader::TakeUnescaped(std::string_view raw) {
  char* const out = scan_->RoomForUnescaped(text_.size());
  const Unescaped written = Unescape(raw, out);
  if (written.end == nullptr) {
    FailAt(static_cast<std::size_t>(raw.data() - text_.data()) + written.bad_at,
           "the escape in this string is not one of JSON's");
    return {};
  }
  const auto size = static_cast<std::size_t>(written.end - out);
  scan_->unescaped_size += size;
  return {out, size};
}

std::string_view Reader::TakeNumber() {
  const std::size_t start = OffsetOf(at_);
  const std::size_t length = at_ < count_ ? NumberLength(text_.substr(start)) : 0;
  if (length == 0 || start + length != EndOfScalarBefore(at_ + 1)) {
    const bool begins_one = Byte() == '-' || IsDigit(Byte());
    begins_one ? FailAt(start, "the number is malformed") : Unexpected("a number");
    return {};
  }
  ++at_;
  first_ = false;
  return text_.substr(start, length);
}

bool Reader::TakeWord(std::string_view word) {
  const std::size_t start = OffsetOf(at_);
  if (at_ >= count_ || text_.substr(start, word.size()) != word ||
      start + word.size() != EndOfScalarBefore(at_ + 1)) {
    Unexpected(word);
    return false;
  }
  ++at_;
  first_ = false;
  return true;
}

bool Reader::TakeScalar() {
  switch (Byte()) {
    case '"':
      String();
      break;
    case 't':
      TakeWord("true");
      break;
    case 'f':
      TakeWord("false");
      break;
    case 'n':
      TakeWord("null");
      break;
    default:
      if (Byte() != '-' && !IsDigit(Byte())) {
        Unexpected("a value");
      } else {
        TakeNumber();
      }
  }
  return !failed_;
}

void Reader::SkipValueOrOpening(int floor) {
  const char byte = Byte();
  if (byte == '{') {
    if (Open('{', Kind::kObject)) {
      SkipToNextValue(floor);
    }
  } else if (byte == '[') {
    if (Open('[', Kind::kArray)) {
      SkipToNextValue(floor);
    }
  } else if (TakeScalar()) {
    SkipToNextValue(floor);
  }
}

void Reader::SkipToNextValue(int floor) {
  while (depth_ > floor) {
    if (!scan_->is_object[static_cast<std::size_t>(depth_)]) {
      if (Next(']', "',' or ']'")) {
        return;
      }
    } else if (Next('}', "',' or '}'")) {
      String();
      if (!failed_ && Expect(':', "':'")) {
        ++at_;
      }
      return;
    }
  }
}

bool Reader::EnterObject() { return Open('{', Kind::kObject); }
bool Reader::EnterArray() { return Open('[', Kind::kArray); }

std::string_view Reader::NumberText() { return TakeNumber(); }

bool Reader::Bool() {
  if (Byte() == 't') {
    return TakeWord("true");
  }
  if (!Expect('f', ExpectedText(Kind::kBool))) {
    return false;
  }
  TakeWord("false");
  return false;
}

void Reader::Null() { TakeWord("null"); }

std::string_view Reader::StringOrSkip() {
  if (Peek() == Kind::kString) {
    return String();
  }
  Skip();
  return "";
}

void Reader::Skip() {
  const int floor = depth_;
  do {
    SkipValueOrOpening(floor);
  } while (depth_ > floor);
}

std::string_view Reader::SkipRaw() {
  const std::size_t start = offset();
  Skip();
  return ok() ? text_.substr(start, EndOfScalarBefore(at_) - start) : std::string_view();
}

void Reader::SkipBrackets() {
  std::size_t token = at_;
  for (int open = 0; token < count_;) {
    open += BracketStep(text_[tokens_[token++]]);
    if (open <= 0) {
      break;
    }
  }
  at_ = token;
  first_ = false;
}

void Reader::Rewind() {
  at_ = 0;
  next_backslash_ = 0;
  depth_ = 0;
  first_ = false;
  scan_->unescaped_size = 0;
}

std::size_t Reader::CountAhead() const {
  if (Byte() == '}' || Byte() == ']') {
    return 0;
  }
  const std::size_t end = std::min(count_, at_ + kLookAhead);
  std::size_t commas = 0;
  int open = 0;
  for (std::size_t token = at_; token < end && open >= 0; ++token) {
    const char byte = text_[tokens_[token]];
    open += BracketStep(byte);
    commas += static_cast<std::size_t>(byte == ',' && open == 0);
  }
  return commas + 1;
}

Status Reader::Finish() {
  if (!failed_ && (at_ < count_ || depth_ > 0)) {
    Unexpected(depth_ > 0 ? "',' or a closing bracket" : "nothing after the value");
  }
  if (!failed_) {
    return {};
  }
  const Position position = PositionOf(text_, scan_->problem.offset);
  return Fail(Error{.kind = ErrorKind::kSyntax,
                    .message = fmt::format("invalid JSON at line {}, column {}: {}", position.line,
                                           position.column, scan_->problem.what)});
}

std::string_view Reader::error_what() const { return scan_->problem.what; }
std::size_t Reader::error_offset() const { return scan_->problem.offset; }

}  // namespace quadra::json
