// Refused: why a patch was not applied, with the class of answer that a client of kube-apiserver
// would get and upstream's words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace quadra::patch {

// The number is the HTTP status code.
enum class StatusClass : std::uint16_t {
  kBadRequest = 400,
  kTooLarge = 413,
  kUnsupportedMediaType = 415,
  kInvalid = 422,
  // The code of upstream's answer to many a strategic merge patch that makes no sense.
  kInternalError = 500,
};

struct Refused {
  StatusClass status = StatusClass::kBadRequest;
  // What upstream's packages say. For kInvalid its server keeps this to itself: see Message.
  std::string why;

  // What upstream's server tells the client: `message` of the Status object.
  std::string Message() const;

  friend bool operator==(const Refused&, const Refused&) = default;
};

// Of a step that changes something in place: nothing, or why it could not.
using Complaint = std::optional<Refused>;

Refused BadRequest(std::string why);
Refused Invalid(std::string why);
Refused InternalError(std::string why);

}  // namespace quadra::patch
