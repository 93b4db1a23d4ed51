// Reader: pulls one JSON document apart, token by token, over simdjson.
//
// Every byte that is passed is checked (UTF-8, escapes, numbers, nesting), so a document that was
// read to the end is valid JSON. Errors stick: after the first one all calls answer as at the end,
// and error() tells what and where. Recursion is the caller's; depth is limited to kMaxDepth here.
// Not thread-safe. No allocation per token.
//
// Escapes of surrogates without a partner are read as U+FFFD, as Go does. Numbers keep their
// spelling, of any size. Cost: one vectorised pass over the text when made, then a few nanoseconds
// a token. Working memory (4 bytes for each byte of text) is kept by the thread for its next
// reader, unless the text was larger than 4 MB.
//
//   Reader reader(text);
//   std::string_view key;
//   for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
//     if (key == "name") name = reader.String(); else reader.Skip();
//   }
//   QUADRA_RETURN_IF_ERROR(reader.Finish());
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace quadra::json {

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
// As Go's decoder names them: null, bool, number, string, array, object.
std::string_view KindName(Kind kind);

inline constexpr int kMaxDepth = 10'000;  // Go's limit

// Where a byte of a text stands; both count from 1, columns in bytes.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};
Position PositionOf(std::string_view text, std::size_t offset);

struct TokenScan;

class Reader {
 public:
  // `text` must outlive the reader and needs no padding. Starts before the root value.
  explicit Reader(std::string_view text);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The kind of the value at hand, which is not consumed. kNull after an error.
  Kind Peek();
  // Offset in `text` of the value at hand, and of the key that NextKey returned last.
  std::size_t offset() const { return OffsetOf(at_); }
  std::size_t key_offset() const { return key_at_; }

  // Anything but an object / array at hand is an error. False after an error.
  bool EnterObject();
  bool EnterArray();
  // Moves to the next member or item; false, having left the object or array, at its end. The value
  // of the one before must have been consumed. Keys are unescaped and live as long as strings.
  bool NextKey(std::string_view& key);
  bool NextItem();

  // Consume the value at hand; another kind at hand is an error. Views are valid while the reader
  // and the text live.
  std::string_view String();      // unescaped
  std::string_view NumberText();  // as spelled, e.g. "1.50", "-0", "1e3"
  bool Bool();
  void Null();
  std::string_view StringOrSkip();  // a string; past anything else, answering ""

  // Consumes any value, checking it. SkipRaw also returns its text as written, spaces included.
  void Skip();
  std::string_view SkipRaw();

  // Looking ahead in a text that is going to be read in full; nothing is checked. SkipBrackets
  // consumes any value, Rewind goes back before the root value. REQUIRES for Rewind: ok().
  void SkipBrackets();
  void Rewind();
  // About how many members or items the object or array just entered has: exact for the small,
  // too low for those of more than some hundred tokens.
  std::size_t CountAhead() const;

  // Checks that nothing but white space follows the root value, and returns the first error.
  Status Finish();
  bool ok() const { return !failed_; }
  // What went wrong, without the place, and where. REQUIRES: !ok().
  std::string_view error_what() const;
  std::size_t error_offset() const;

 private:
  // The first byte of the token at hand; 0, which begins no token, at the end.
  char Byte() const { return at_ < count_ ? text_[tokens_[at_]] : '\0'; }
  // Where a token stands; the one behind the last stands at the end.
  std::size_t OffsetOf(std::size_t token) const {
    return token < count_ ? tokens_[token] : text_.size();
  }
  std::size_t EndOfScalarBefore(std::size_t token) const;
  void FailAt(std::size_t where, std::string what);
  void Unexpected(std::string_view expected);
  bool Expect(char byte, std::string_view expected);

  bool Open(char byte, Kind kind);
  bool Next(char closing, std::string_view expected);
  std::string_view TakeAnyString();
  std::string_view TakeUnescaped(std::string_view raw);
  std::string_view TakeNumber();
  bool TakeWord(std::string_view word);
  bool TakeScalar();
  void SkipValueOrOpening(int floor);
  void SkipToNextValue(int floor);

  std::string_view text_;
  const std::uint32_t* tokens_ = nullptr;
  std::size_t count_ = 0;  // of tokens
  std::size_t at_ = 0;     // the token at hand
  std::size_t key_at_ = 0;
  std::size_t next_backslash_ = 0;  // known to be the first one from any offset below it on
  int depth_ = 0;
  bool first_ = false;   // just entered an object or array
  bool failed_ = false;  // then at_ == count_
  std::unique_ptr<TokenScan> scan_;
};

// What follows is on the way of every token.

inline Kind Reader::Peek() {
  switch (Byte()) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
    case 'f':
      return Kind::kBool;
    case 'n':
      return Kind::kNull;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return Kind::kNumber;
    default:
      Unexpected("a value");
      return Kind::kNull;
  }
}

// Passes the closing bracket or the comma before the next member; true if a member should follow.
inline bool Reader::Next(char closing, std::string_view expected) {
  const char byte = Byte();
  if (byte == closing && depth_ > 0) {
    ++at_;
    --depth_;
    first_ = false;
    return false;
  }
  if (!std::exchange(first_, false)) {
    if (byte != ',') {
      Unexpected(expected);
      return false;
    }
    ++at_;
  }
  return !failed_;
}

// Most strings end right before the next token and have no escapes.
inline std::string_view Reader::String() {
  if (Byte() == '"') {
    const std::size_t open = tokens_[at_] + 1U;
    const std::size_t close = tokens_[at_ + 1] - 1U;
    if (open <= close && text_[close] == '"' && open <= next_backslash_ &&
        close < next_backslash_) {
      ++at_;
      first_ = false;
      return {text_.data() + open, close - open};
    }
  }
  return TakeAnyString();
}

inline bool Reader::NextKey(std::string_view& key) {
  if (failed_ || !Next('}', "',' or '}'")) {
    return false;
  }
  key_at_ = OffsetOf(at_);
  if (!Expect('"', "a key in quotes")) {
    return false;
  }
  key = String();
  if (failed_ || !Expect(':', "':'")) {
    return false;
  }
  ++at_;
  return true;
}

inline bool Reader::NextItem() { return !failed_ && Next(']', "',' or ']'"); }

inline bool Reader::Expect(char byte, std::string_view expected) {
  if (Byte() != byte) {
    Unexpected(expected);
    return false;
  }
  return true;
}

}  // namespace quadra::json
