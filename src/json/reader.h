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
  std::size_t offset() const;
  std::size_t key_offset() const;

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

  // Consumes any value, checking it. SkipRaw also returns its text as written, spaces included.
  void Skip();
  std::string_view SkipRaw();

  // Checks that nothing but white space follows the root value, and returns the first error.
  Status Finish();
  bool ok() const;
  // What went wrong, without the place, and where. REQUIRES: !ok().
  std::string_view error_what() const;
  std::size_t error_offset() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quadra::json
