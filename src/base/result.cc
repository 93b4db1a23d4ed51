#include "base/result.h"

namespace quadra {

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kInvalid:
      return "Invalid";
    case Reason::kSyntax:
      return "Syntax";
    case Reason::kUnsupported:
      return "Unsupported";
    case Reason::kNotFound:
      return "NotFound";
    case Reason::kTooLarge:
      return "TooLarge";
    case Reason::kUnreadable:
      return "Unreadable";
    case Reason::kUsage:
      return "Usage";
  }
  return "Unknown";
}

std::string Error::ToString() const {
  std::string text;
  if (!field.empty()) {
    text += field + ": ";
  }
  text += message;
  if (!value.empty()) {
    text += ": " + value;
  }
  if (!remedy.empty()) {
    text += "; " + remedy;
  }
  return text;
}

}  // namespace quadra
