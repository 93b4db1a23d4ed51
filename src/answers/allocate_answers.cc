// Our half of conformance/allocate: the strict answers of the stream, without what upstream's do
// not have, and with every share id replaced, since ids are random.
#include <string>
#include <string_view>

#include "json/value.h"
#include "streams/allocation.h"

namespace quadra::answers {

std::string AnswerAllocate(std::string_view question);

namespace {

void ReplaceShareIds(json::Value& claim) {
  json::Value* results = claim.Find("allocation")->Find("devices")->Find("results");
  for (std::size_t i = 0; results != nullptr && i < results->items().size(); ++i) {
    if (results->items()[i].Find("shareID") != nullptr) {
      results->items()[i].Set("shareID", json::Value("share"));
    }
  }
}

// An answer without what upstream's do not have.
json::Value Comparable(streams::AllocationAnswerer& answerer, std::string_view question) {
  json::Value answer = *json::ParseValue(answerer.Answer(question, 1));
  answer.Erase("work");
  answer.Erase("reasons");
  answer.Erase("remarks");
  if (answer.Get("claims").kind() == json::Kind::kArray && answer.Get("claims").items().empty()) {
    answer.Erase("claims");
  }
  if (json::Value* claims = answer.Find("claims")) {
    for (json::Value& claim : claims->items()) {
      ReplaceShareIds(claim);
    }
  }
  return answer;
}

bool IsDecided(const json::Value& answer) {
  const std::string result = answer.Get("result").string();
  return result == "allocated" || result == "unavailable";
}

}  // namespace

// Users never run strict, so where it meets no error the usual answer must be the same; if it is
// not, the comparison is told.
std::string AnswerAllocate(std::string_view question) {
  static const SystemTimeZones zones;
  static auto* const strict =
      new streams::AllocationAnswerer({.zones = &zones, .seed = 1, .strict = true});
  static auto* const usual = new streams::AllocationAnswerer({.zones = &zones, .seed = 1});
  const json::Value answer = Comparable(*strict, question);
  std::string text = json::ToJson(answer);
  if (!IsDecided(answer)) {
    return text;
  }
  const std::string other = json::ToJson(Comparable(*usual, question));
  return other == text ? text : "{\"without strict\":" + other + "}";
}

}  // namespace quadra::answers
