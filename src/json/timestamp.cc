#include "json/timestamp.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "json/lexical.h"

namespace quadra::json {
namespace {

// Takes things off the front of a text; each Take tells whether it was there.
class Front {
 public:
  explicit Front(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }

  bool Take(char c) {
    const bool there = !text_.empty() && text_[0] == c;
    text_.remove_prefix(there ? 1 : 0);
    return there;
  }

  bool TakeSpaces() {
    const std::size_t count = std::min(text_.find_first_not_of(' '), text_.size());
    text_.remove_prefix(count);
    return count > 0;
  }

  // A number of at least `least` and at most two digits that is not above `limit`.
  std::optional<unsigned> TakeNumber(std::size_t least, unsigned limit) {
    std::size_t count = 0;
    unsigned number = 0;
    while (count < 2 && count < text_.size() && IsDigit(text_[count])) {
      number = number * 10 + static_cast<unsigned>(text_[count++] - '0');
    }
    text_.remove_prefix(count);
    return count >= least && number <= limit ? std::optional(number) : std::nullopt;
  }

  // A point or comma with digits behind it; leaves anything else.
  void TakeFraction() {
    if (text_.size() >= 2 && (text_[0] == '.' || text_[0] == ',') && IsDigit(text_[1])) {
      text_.remove_prefix(std::min(text_.find_first_not_of("0123456789", 1), text_.size()));
    }
  }

  int TakeYear() {
    int year = 0;
    for (const char c : text_.substr(0, 4)) {
      year = year * 10 + (c - '0');
    }
    text_.remove_prefix(4);
    return year;
  }

 private:
  std::string_view text_;
};

bool StartsWithYear(std::string_view text) {
  return text.size() > 4 && std::ranges::all_of(text.substr(0, 4), IsDigit) && text[4] == '-';
}

bool TakeDate(Front& front) {
  const int year = front.TakeYear();
  front.Take('-');
  const auto month = front.TakeNumber(1, 12);
  if (!month || !front.Take('-')) {
    return false;
  }
  const auto day = front.TakeNumber(1, 31);
  return day && (std::chrono::year(year) / static_cast<int>(*month) / static_cast<int>(*day)).ok();
}

bool TakeTime(Front& front) {
  if (!front.TakeNumber(1, 23) || !front.Take(':') || !front.TakeNumber(1, 59) ||
      !front.Take(':') || !front.TakeNumber(1, 59)) {
    return false;
  }
  front.TakeFraction();
  return true;
}

bool TakeZone(Front& front) {
  if (front.Take('Z')) {
    return true;
  }
  return (front.Take('+') || front.Take('-')) && front.TakeNumber(2, 24) && front.Take(':') &&
         front.TakeNumber(2, 60);
}

}  // namespace

bool IsTimestamp(std::string_view text) {
  if (!StartsWithYear(text)) {
    return false;
  }
  Front front(text);
  if (!TakeDate(front)) {
    return false;
  }
  if (front.empty()) {
    return true;
  }
  if (front.TakeSpaces()) {
    return TakeTime(front) && front.empty();
  }
  return (front.Take('T') || front.Take('t')) && TakeTime(front) && TakeZone(front) &&
         front.empty();
}

}  // namespace quadra::json
