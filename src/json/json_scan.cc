#include "json/json_scan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "json/lexical.h"

namespace quadra::json {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The first quote from `at` on. Most strings are shorter than the call of memchr takes: eight bytes
// at a time a quote becomes zero, and the lowest byte that a borrow marks is the first zero.
std::size_t FindQuote(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kQuotes = 0x2222222222222222;
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  const std::size_t near = std::min(text.size(), at + 3 * sizeof(kQuotes));
  for (; at + sizeof(kQuotes) <= near; at += sizeof(kQuotes)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    bytes ^= kQuotes;
    if (const std::uint64_t marks = (bytes - kOnes) & ~bytes & kHigh; marks != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
  }
  return text.find('"', at);
}

// Behind the string whose opening quote is at `at`.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  for (std::size_t from = at + 1; from < text.size();) {
    const std::size_t quote = FindQuote(text, from);
    if (quote == kNone) {
      return kNone;
    }
    std::size_t escapes = quote;
    while (text[escapes - 1] == '\\') {
      --escapes;
    }
    if ((quote - escapes) % 2 == 0) {
      return quote + 1;
    }
    from = quote + 1;
  }
  return kNone;
}

// Past the spaces that indent a line, eight at a time: half of what kubectl prints is these.
std::size_t SkipIndent(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kEightSpaces = 0x2020202020202020;
  for (; at + sizeof(kEightSpaces) <= text.size(); at += sizeof(kEightSpaces)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    if (bytes != kEightSpaces) {
      break;
    }
  }
  return at;
}

std::size_t EndOfContainer(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      at = SkipIndent(text, at + 1);
      continue;
    }
    if (c == '"') {
      if (at = EndOfString(text, at); at == kNone) {
        return kNone;
      }
      continue;
    }
    ++at;
    if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at;
    }
  }
  return kNone;
}

std::size_t EndOfValue(std::string_view text, std::size_t at) {
  if (at >= text.size()) {
    return kNone;
  }
  if (text[at] == '"') {
    return EndOfString(text, at);
  }
  if (text[at] == '{' || text[at] == '[') {
    return EndOfContainer(text, at);
  }
  const std::size_t end = std::min(text.find_first_of(",:]}[{\" \t\r\n", at), text.size());
  return end == at ? kNone : end;
}

// Walks the parts of one object or array, whose opening bracket is at `at`.
class PartWalker {
 public:
  PartWalker(std::string_view text, std::size_t at, char closing)
      : text_(text), at_(SkipSpaces(text, at + 1)), closing_(closing) {}

  // Whether another part follows; passes the comma before it, or the closing bracket.
  bool Next() {
    if (Take(closing_)) {
      closed_ = true;
      return false;
    }
    return std::exchange(first_, false) || Take(',');
  }

  // Passes a value; empty if there is none.
  Span TakeValue() {
    const std::size_t begin = at_;
    const std::size_t end = EndOfValue(text_, at_);
    if (end == kNone) {
      return {};
    }
    at_ = SkipSpaces(text_, end);
    return {begin, end};
  }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) {
      return false;
    }
    at_ = SkipSpaces(text_, at_ + 1);
    return true;
  }

  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  std::size_t at() const { return at_; }
  void MoveTo(std::size_t at) { at_ = SkipSpaces(text_, at); }
  bool closed() const { return closed_; }

 private:
  std::string_view text_;
  std::size_t at_;
  char closing_;
  bool first_ = true;
  bool closed_ = false;
};

// The items of the array at `begin`; its end goes to `end`.
std::optional<std::vector<Span>> ScanItems(std::string_view text, std::size_t begin,
                                           std::size_t& end) {
  PartWalker walker(text, begin, ']');
  std::vector<Span> items;
  while (walker.Next()) {
    const Span item = walker.TakeValue();
    if (item.size() == 0) {
      return std::nullopt;
    }
    items.push_back(item);
  }
  end = walker.at();
  return walker.closed() ? std::optional(std::move(items)) : std::nullopt;
}

// Passes a member's value, looking into it if it is the items.
bool ScanValue(std::string_view text, std::string_view key, PartWalker& walker,
               ScannedObject& object) {
  const std::size_t begin = walker.at();
  if (key == "items" && walker.At('[')) {
    std::size_t end = 0;
    object.items = ScanItems(text, begin, end);
    walker.MoveTo(end);
    object.members.push_back({key, {begin, end}});
    return object.items.has_value();
  }
  const Span value = walker.TakeValue();
  object.members.push_back({key, value});
  return value.size() > 0;
}

}  // namespace

std::size_t SkipSpaces(std::string_view text, std::size_t at) {
  while (at < text.size() && IsSpace(text[at])) {
    ++at;
  }
  return at;
}

std::string_view ScannedObject::Text(std::string_view text, std::string_view key) const {
  const auto found = std::ranges::find(members, key, &ScannedMember::key);
  const std::string_view value = found == members.end() ? "" : found->value.In(text);
  const bool is_plain = value.size() >= 2 && value[0] == '"' && value.find('\\') == kNone;
  return is_plain ? value.substr(1, value.size() - 2) : std::string_view();
}

std::optional<ScannedObject> ScanObject(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || text[begin] != '{') {
    return std::nullopt;
  }
  ScannedObject object;
  PartWalker walker(text, begin, '}');
  while (walker.Next()) {
    const Span key = walker.At('"') ? walker.TakeValue() : Span{};
    if (key.size() == 0 || !walker.Take(':') ||
        !ScanValue(text, text.substr(key.begin + 1, key.size() - 2), walker, object)) {
      return std::nullopt;
    }
  }
  object.end = text.rfind('}', walker.at() - 1) + 1;
  return walker.closed() ? std::optional(std::move(object)) : std::nullopt;
}

}  // namespace quadra::json
