#include "patch/refused.h"

#include <utility>

namespace quadra::patch {

std::string Refused::Message() const {
  switch (status) {
    case StatusClass::kInvalid:
      return "the server rejected our request due to an error in our request";
    case StatusClass::kTooLarge:
      return "Request entity too large: " + why;
    case StatusClass::kBadRequest:
    case StatusClass::kUnsupportedMediaType:
    case StatusClass::kInternalError:
      return why;
  }
  return why;
}

Refused BadRequest(std::string why) { return {StatusClass::kBadRequest, std::move(why)}; }
Refused Invalid(std::string why) { return {StatusClass::kInvalid, std::move(why)}; }
Refused InternalError(std::string why) { return {StatusClass::kInternalError, std::move(why)}; }

}  // namespace quadra::patch
