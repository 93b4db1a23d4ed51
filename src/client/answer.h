// Answer<T>: what became of a request: the value, or why there is none.
//
//   if (claim.has_value()) …
//   if (claim.error().Is(refused::kNotFound)) …
//
// A Failure is not an Error: nobody's input was wrong; a server said no, or was not there. What a
// program decides by is the reason, in the API's own words; people read the message.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "base/result.h"

namespace quadra::client {

// Reasons of a Status that programs decide by.
namespace refused {
inline constexpr std::string_view kNotFound = "NotFound";
inline constexpr std::string_view kAlreadyExists = "AlreadyExists";
inline constexpr std::string_view kConflict = "Conflict";
inline constexpr std::string_view kInvalid = "Invalid";
inline constexpr std::string_view kForbidden = "Forbidden";
inline constexpr std::string_view kUnauthorized = "Unauthorized";
inline constexpr std::string_view kExpired = "Expired";
inline constexpr std::string_view kGone = "Gone";
inline constexpr std::string_view kTooManyRequests = "TooManyRequests";
}  // namespace refused

struct Failure {
  int code = 0;         // of HTTP; 0: no server answered, or not so that we understand it
  std::string reason;   // of the Status; empty where there is none
  std::string message;  // one sentence: the server's words, or what kept us from it
  std::optional<std::chrono::seconds> retry_after;

  bool Is(std::string_view wanted) const { return reason == wanted; }
  // Whether no server took it: the request may, but need not, have been served.
  bool unreachable() const { return code == 0; }
  // For commands: the message, and what to do about it.
  Error ToError() const;

  friend bool operator==(const Failure&, const Failure&) = default;
};

template <typename T>
using Answer = tl::expected<T, Failure>;

// A Status in JSON, as servers refuse; other bodies become the message of a Failure of this code.
Failure ReadFailure(int code, std::string_view body);

}  // namespace quadra::client
