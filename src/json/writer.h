// Writer: appends JSON to a string, spelling it as Go's encoding/json does.
//
// Compact by default; `indent` gives kubectl's pretty form. Strings escape <, >, & and
// U+2028/U+2029 like Go, and invalid UTF-8 becomes \ufffd. Commas and nesting are kept right;
// balancing Begin and End is the caller's part (checked at End). Not thread-safe; allocates only to
// grow the string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

 private:
  void Separate();
  void NewLine();
  void Open(char bracket);
  void Close(char bracket);
  std::size_t RawString(std::string_view json, std::size_t at);
  void Colon();

  std::string& out_;
  int indent_;
  std::vector<bool> has_items_;  // one entry per open object or array
  bool after_key_ = false;
};

}  // namespace quadra::json
