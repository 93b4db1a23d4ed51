// Writer: appends JSON to a string, spelling it as Go's encoding/json does.
//
// Compact by default; `indent` gives kubectl's pretty form. Strings escape <, >, & and
// U+2028/U+2029 like Go, and invalid UTF-8 becomes \ufffd. Commas and nesting are kept right;
// balancing Begin and End is the caller's part (checked at End). The string is to be left alone
// while an object or array is open, and complete when none is. Not thread-safe; allocates only to
// grow the string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quadra::json {

// Appends `text` quoted and escaped; invalid UTF-8 becomes \ufffd.
void AppendQuoted(std::string& out, std::string_view text);
// Appends Go's shortest form, e.g. 1, 0.5, 1e+21. REQUIRES: `number` is finite.
void AppendDouble(std::string& out, double number);

class Writer {
 public:
  explicit Writer(std::string& out, int indent = 0) : out_(out), indent_(indent) {}

  void BeginObject();
  void EndObject();
  void BeginArray();
  void EndArray();
  void Key(std::string_view key);

  void String(std::string_view text);
  void Int(std::int64_t number);
  void Double(double number);              // see AppendDouble
  void Number(std::string_view spelling);  // REQUIRES: a JSON number.
  void Bool(bool value);
  void Null();
  // A value that is JSON already; white space outside strings is dropped as Go's encoder does, and
  // <, >, & and U+2028/9 inside strings are escaped. REQUIRES: `json` is valid.
  void Raw(std::string_view json);

  // A key with a string; the second leaves out what is empty.
  void Member(std::string_view key, std::string_view text);
  void MemberIfAny(std::string_view key, std::string_view text);

 private:
  void Separate();
  void NewLine();
  void Open(char bracket);
  void Close(char bracket);
  void Colon();
  // Takes the string that `json` begins with, and returns its size.
  std::size_t RawString(std::string_view json);

  char* Room(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) {
      Grow(size);
    }
    return at_;
  }
  void Grow(std::size_t size);
  void Settle();
  std::size_t UsedSize() const { return static_cast<std::size_t>(at_ - out_.data()); }
  void Put(char byte);
  void Put(std::string_view text);
  void PutQuoted(std::string_view text);

  std::string& out_;
  // Where the next byte goes and where the string ends; null while nothing is open.
  char* at_ = nullptr;
  char* end_ = nullptr;
  int indent_;
  std::size_t depth_ = 0;  // of open objects and arrays
  bool first_ = true;      // nothing was written yet where the next value goes
  bool after_key_ = false;
};

}  // namespace quadra::json
