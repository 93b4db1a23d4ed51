// A light look at JSON text: where values end, and which members the outermost object has. Checks
// no more than it needs, at about a gigabyte a second and without memory, so that a huge List can
// be cut into its items before they are read.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace quadra::json {

// The part [begin, end) of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  std::string_view In(std::string_view text) const { return text.substr(begin, size()); }
};

std::size_t SkipSpaces(std::string_view text, std::size_t at);

struct ScannedMember {
  std::string_view key;  // between its quotes, not unescaped
  Span value;
};

struct ScannedObject {
  std::size_t end = 0;  // behind the closing brace
  std::vector<ScannedMember> members;
  std::optional<std::vector<Span>> items;  // of the last member called items, if that is an array

  // The text of a member that is a string without escapes; "" otherwise.
  std::string_view Text(std::string_view text, std::string_view key) const;
};

// The object at `begin`; nothing if its brackets, quotes, colons and commas do not fit. What is
// found may still be invalid inside of values; whatever is valid is found.
std::optional<ScannedObject> ScanObject(std::string_view text, std::size_t begin);

}  // namespace quadra::json
