// Our half of conformance/printers: an object or a list as a table.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <vector>

#include "api/vocabulary.h"
#include "apiserver/views.h"
#include "json/value.h"

namespace quadra::answers {
namespace {

using apiserver::TableFormat;
using json::Value;

// Half a second after the one that ages are counted from, as upstream's clock is somewhere in it.
const Time kSecond = Time(std::chrono::sys_days(std::chrono::year(2026) / 8 / 1));
constexpr std::chrono::milliseconds kHalf{500};

// "age:SECONDS" and "age:SECONDS:micro" stand for times.
std::string TimeFor(std::string_view age) {
  constexpr std::string_view kWord = "age:";
  age.remove_prefix(kWord.size());
  std::int64_t seconds = 0;
  std::from_chars(age.data(), age.data() + age.size(), seconds);
  const Time time = kSecond - std::chrono::seconds(seconds);
  std::string text;
  age.ends_with(":micro") ? api::AppendMicroTime(text, time) : api::AppendTime(text, time);
  return text;
}

void PutTimes(Value& value) {
  if (value.kind() == json::Kind::kArray) {
    std::ranges::for_each(value.items(), PutTimes);
  } else if (value.kind() == json::Kind::kObject) {
    for (Value::Member& member : value.members()) {
      PutTimes(member.value);
    }
  } else if (value.kind() == json::Kind::kString && value.string().starts_with("age:")) {
    value = Value(TimeFor(value.string()));
  }
}

Result<std::string> TableOf(const Value& object) {
  constexpr std::string_view kList = "List";
  std::string kind = object.Get("kind").string();
  const Value* const items = object.Find("items");
  kind.resize(kind.size() - (items == nullptr ? 0 : kList.size()));
  const TableFormat format(*api::FindKind(object.Get("apiVersion").string(), kind));
  const apiserver::TableOptions options{.include = apiserver::IncludeObject::kNone};
  if (items == nullptr) {
    return format.Single(json::ToJson(object), kSecond + kHalf, options);
  }
  std::vector<std::string> texts;
  std::ranges::transform(items->items(), std::back_inserter(texts),
                         [](const Value& item) { return json::ToJson(item); });
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return format.List(views,
                     {.resource_version = "7", .continue_token = "next", .remaining_items = 2},
                     kSecond + kHalf, options);
}

}  // namespace

// The question is an object or a list; the answer has no descriptions, which are our own.
std::string AnswerPrinters(std::string_view question) {
  Value object = json::ParseValue(question).value_or(Value());
  PutTimes(object);
  Value table = json::ParseValue(TableOf(object).value_or("null")).value_or(Value());
  for (Value& column : table.Find("columnDefinitions")->items()) {
    column.Set("description", Value(std::string()));
  }
  return json::ToJson(table);
}

}  // namespace quadra::answers
