// The comparison of validation: the answers of `quadra validate --stream`, less the words that may
// differ from upstream's.

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include "streams/validation.h"

namespace quadra::answers {
namespace {

// When every question arrives: answers must not depend on the clock.
constexpr Time kNow = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

}  // namespace

// Messages of decoding errors contain Go type names upstream, and why a question makes no sense is
// said in everyone's own words, so both are left out.
std::string AnswerValidate(std::string_view question) {
  streams::ValidationAnswer answer = streams::AnswerValidation(question, kNow);
  if (auto* undecodable = std::get_if<streams::Undecodable>(&answer)) {
    undecodable->message.clear();
  } else if (auto* senseless = std::get_if<streams::Senseless>(&answer)) {
    senseless->why.clear();
  }
  return streams::ToJson(answer);
}

// The same questions; answer the object that would be stored.
std::string AnswerStored(std::string_view question) {
  const streams::ValidationAnswer answer = streams::AnswerValidation(question, kNow);
  const auto* judged = std::get_if<validation::Judgement>(&answer);
  return judged != nullptr && judged->outcome.errors.empty() ? api::EncodeJson(judged->stored)
                                                             : R"({"refused":true})";
}

}  // namespace quadra::answers
