#include "apiserver/cell.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "apiserver/words.h"

namespace quadra::apiserver {
namespace {

using json::Kind;
using json::Value;

// A requirement of a label selector, as -l takes it; nothing where it is not valid.
std::optional<std::string> RequirementText(const Value& expression) {
  const std::string key = TextAt(expression, "key");
  const std::string operation = TextAt(expression, "operator");
  std::vector<std::string> values = TextsAt(expression, "values");
  const auto is_bad = [](const std::string& value) {
    return !api::LabelValueProblems(value).empty();
  };
  if (!api::LabelKeyProblems(key).empty() || std::ranges::any_of(values, is_bad)) {
    return std::nullopt;
  }
  if (operation == "Exists" || operation == "DoesNotExist") {
    const std::string_view sign = operation == "Exists" ? "" : "!";
    return values.empty() ? std::optional(fmt::format("{}{}", sign, key)) : std::nullopt;
  }
  if ((operation != "In" && operation != "NotIn") || values.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(values);
  return fmt::format("{} {} ({})", key, operation == "In" ? "in" : "notin", Joined(values));
}

std::optional<std::string> EqualityText(const Value::Member& label) {
  const std::string& value = label.value.text();
  if (!api::LabelKeyProblems(label.key).empty() || !api::LabelValueProblems(value).empty()) {
    return std::nullopt;
  }
  return fmt::format("{}={}", label.key, value);
}

}  // namespace

const Value& At(const Value& value, std::string_view path) {
  const Value* found = &value;
  for (const std::string_view key : Words(path, '.')) {
    found = &found->Get(key);
  }
  return *found;
}

std::string TextAt(const Value& value, std::string_view path) { return At(value, path).text(); }

std::int64_t IntAt(const Value& value, std::string_view path) {
  const Value& found = At(value, path);
  std::int64_t number = 0;
  if (found.kind() == Kind::kNumber) {
    const std::string& text = found.number();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

bool BoolAt(const Value& value, std::string_view path) { return At(value, path) == Value(true); }

std::span<const Value> ItemsAt(const Value& value, std::string_view path) {
  const Value& found = At(value, path);
  return found.kind() == Kind::kArray ? std::span<const Value>(found.items())
                                      : std::span<const Value>();
}

std::span<const Value::Member> MembersAt(const Value& value, std::string_view path) {
  const Value& found = At(value, path);
  return found.kind() == Kind::kObject ? std::span<const Value::Member>(found.members())
                                       : std::span<const Value::Member>();
}

std::optional<Time> TimeAt(const Value& value, std::string_view path) {
  return api::ParseTime(TextAt(value, path));
}

bool HasAt(const Value& value, std::string_view path) { return !At(value, path).is_null(); }

std::vector<std::string> TextsAt(const Value& value, std::string_view path) {
  return TextsAt(value, path, "");
}

std::vector<std::string> TextsAt(const Value& value, std::string_view path,
                                 std::string_view member) {
  std::vector<std::string> texts;
  for (const Value& item : ItemsAt(value, path)) {
    texts.push_back(TextAt(item, member));
  }
  return texts;
}

std::string Joined(const std::vector<std::string>& texts, std::string_view separator) {
  return fmt::format("{}", fmt::join(texts, separator));
}

std::string OrElse(std::string text, std::string_view when_empty) {
  return text.empty() ? std::string(when_empty) : std::move(text);
}

bool ConditionHolds(const Value& object, std::string_view type) {
  for (const Value& condition : ItemsAt(object, "status.conditions")) {
    if (TextAt(condition, "type") == type) {
      return TextAt(condition, "status") == "True";
    }
  }
  return false;
}

std::string HumanDuration(std::chrono::microseconds duration) {
  using std::chrono::duration_cast;
  const auto seconds = duration_cast<std::chrono::seconds>(duration).count();
  const auto minutes = seconds / 60;
  const auto hours = minutes / 60;
  const auto days = hours / 24;
  const auto years = days / 365;
  const auto pair = [](std::int64_t large, char unit, std::int64_t small, char smaller) {
    return small == 0 ? fmt::format("{}{}", large, unit)
                      : fmt::format("{}{}{}{}", large, unit, small, smaller);
  };
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 120) {
    return fmt::format("{}s", std::max<std::int64_t>(seconds, 0));
  }
  if (minutes < 180) {
    return pair(minutes, 'm', minutes < 10 ? seconds % 60 : 0, 's');
  }
  if (hours < 48) {
    return pair(hours, 'h', hours < 8 ? minutes % 60 : 0, 'm');
  }
  if (years < 2) {
    return pair(days, 'd', days < 8 ? hours % 24 : 0, 'h');
  }
  return pair(years, 'y', years < 8 ? days % 365 : 0, 'd');
}

std::string AgeOf(std::optional<Time> time, Time now) {
  return time && *time != api::kZeroTime ? HumanDuration(now - *time) : "<unknown>";
}

std::string LabelsText(const Value& labels) {
  std::vector<std::string> texts;
  for (const Value::Member& label : MembersAt(labels, "")) {
    texts.push_back(fmt::format("{}={}", label.key, TextAt(label.value, "")));
  }
  std::ranges::sort(texts);
  return OrElse(Joined(texts), "<none>");
}

std::optional<std::string> SelectorText(const Value& selector) {
  std::multimap<std::string, std::string> by_key;  // requirements
  for (const Value::Member& label : MembersAt(selector, "matchLabels")) {
    const std::optional<std::string> text = EqualityText(label);
    if (!text) {
      return std::nullopt;
    }
    by_key.emplace(label.key, *text);
  }
  for (const Value& expression : ItemsAt(selector, "matchExpressions")) {
    const std::optional<std::string> text = RequirementText(expression);
    if (!text) {
      return std::nullopt;
    }
    by_key.emplace(TextAt(expression, "key"), *text);
  }
  std::vector<std::string> texts;
  for (auto& [key, text] : by_key) {
    texts.push_back(std::move(text));
  }
  return Joined(texts);
}

}  // namespace quadra::apiserver
