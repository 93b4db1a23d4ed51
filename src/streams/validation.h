// Validation for programs, one JSON question and one JSON answer a line (`quadra validate
// --stream`).
//
//   {"operation":"create|update|status","object":{…},"old":{…},"featureGates":{…},"namespaceLabels":{…}}
//
// The version of `object` is the request's; `old` is the stored object, decoded leniently, in any
// version. Absent gates have their defaults. The namespace of the request exists and has
// `namespaceLabels`; everybody is authorised; a generated name ends in xxxxx. Pure, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "validation/judge.h"

namespace quadra::streams {

// The object could not be read strictly.
struct Undecodable {
  std::string path;  // empty where upstream names none
  std::string message;
};

// The question makes no sense.
struct Senseless {
  std::string why;
};

using ValidationAnswer = std::variant<validation::Judgement, Undecodable, Senseless>;

// `now` is when the request arrives.
ValidationAnswer AnswerValidation(std::string_view line, Time now);

// One line without its end: {"errors":[…],"warnings":[…],"dropped":[…]},
// {"decode":"error","path":…,"message":…} or
// {"input":…}. An empty path or decoding message is left out.
std::string ToJson(const ValidationAnswer& answer);

}  // namespace quadra::streams
