// Any bytes: the reader agrees with a naive checker, token by token and when skipping; what is
// valid is written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"

namespace {

using quadra::json::Reader;

// The grammar of RFC 8259, as plainly as it can be said; UTF-8 is left to the reader.
class NaiveChecker {
 public:
  explicit NaiveChecker(std::string_view text) : text_(text) {}

  bool Check() {
    const bool valid = Value(0);
    Space();
    return valid && at_ == text_.size();
  }

 private:
  bool Take(char c) {
    const bool there = at_ < text_.size() && text_[at_] == c;
    at_ += there ? 1 : 0;
    return there;
  }

  bool TakeAny(std::string_view set) {
    const bool there = at_ < text_.size() && set.find(text_[at_]) != std::string_view::npos;
    at_ += there ? 1 : 0;
    return there;
  }

  void Space() {
    while (TakeAny(" \t\r\n")) {
    }
  }

  bool Word(std::string_view word) {
    const bool there = text_.substr(at_, word.size()) == word;
    at_ += there ? word.size() : 0;
    return there;
  }

  bool Digits() {
    const bool any = TakeAny("0123456789");
    while (TakeAny("0123456789")) {
    }
    return any;
  }

  bool Number() {
    Take('-');
    if (!Take('0') && !Digits()) {
      return false;
    }
    if (Take('.') && !Digits()) {
      return false;
    }
    if (TakeAny("eE")) {
      TakeAny("+-");
      return Digits();
    }
    return true;
  }

  bool Escape() {
    if (!Take('u')) {
      return TakeAny("\"\\/bfnrt");
    }
    bool valid = true;
    for (int i = 0; i < 4; ++i) {
      valid = TakeAny("0123456789abcdefABCDEF") && valid;
    }
    return valid;
  }

  bool String() {
    if (!Take('"')) {
      return false;
    }
    while (at_ < text_.size() && text_[at_] != '"') {
      const auto byte = static_cast<unsigned char>(text_[at_++]);
      if (byte < 0x20 || (byte == '\\' && !Escape())) {
        return false;
      }
    }
    return Take('"');
  }

  bool Members(int depth) {  // NOLINT(misc-no-recursion)
    Space();
    if (Take('}')) {
      return true;
    }
    do {
      Space();
      if (!String()) {
        return false;
      }
      Space();
      if (!Take(':') || !Value(depth)) {
        return false;
      }
      Space();
    } while (Take(','));
    return Take('}');
  }

  bool Items(int depth) {  // NOLINT(misc-no-recursion)
    Space();
    if (Take(']')) {
      return true;
    }
    do {
      if (!Value(depth)) {
        return false;
      }
      Space();
    } while (Take(','));
    return Take(']');
  }

  bool Value(int depth) {  // NOLINT(misc-no-recursion)
    Space();
    if (depth > 1000 || at_ >= text_.size()) {
      return false;
    }
    switch (text_[at_]) {
      case '{':
        ++at_;
        return Members(depth + 1);
      case '[':
        ++at_;
        return Items(depth + 1);
      case '"':
        return String();
      case 't':
        return Word("true");
      case 'f':
        return Word("false");
      case 'n':
        return Word("null");
      default:
        return Number();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

bool IsUtf8Problem(const Reader& reader) {
  return reader.error_what().find("UTF-8") != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> exact(data, data + size);
  const std::string_view text(exact.data(), exact.size());
  Reader reader(text);
  reader.Skip();
  const bool skipped = reader.Finish().has_value();
  const auto parsed = quadra::json::ParseValue(text);
  Require(skipped == parsed.has_value());
  const bool naive = NaiveChecker(text).Check();
  Require(skipped == naive || (!skipped && IsUtf8Problem(reader)));
  if (parsed) {
    const std::string written = quadra::json::ToJson(*parsed);
    const auto again = quadra::json::ParseValue(written);
    Require(again.has_value() && *again == *parsed && quadra::json::ToJson(*again) == written);
    std::string compact;
    quadra::json::Writer(compact).Raw(text);
    const auto raw = quadra::json::ParseValue(compact);
    Require(raw.has_value() && *raw == *parsed);
  }
  return 0;
}
