#include "base/result.h"

namespace quadra {

std::string_view ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalid:
      return "Invalid";
    case ErrorKind::kSyntax:
      return "Syntax";
    case ErrorKind::kUnsupported:
      return "Unsupported";
    case ErrorKind::kNotFound:
      return "NotFound";
    case ErrorKind::kTooLarge:
      return "TooLarge";
    case ErrorKind::kUnreadable:
      return "Unreadable";
    case ErrorKind::kUsage:
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
