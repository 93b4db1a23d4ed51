// EvalError: why an evaluation failed, as small as a value. The text is built when somebody asks.
//
// Errors with a fixed text are constants; the others live in the arena of the evaluation or in the
// program. Immutable.
#pragma once

#include <cstdint>
#include <string_view>

#include "cel/arena.h"
#include "cel/value.h"

namespace quadra::cel {

enum class ErrorCode : std::uint8_t {
  kText,              // `text` is the whole message
  kNoSuchKey,         // subject: the key
  kIndexOutOfBounds,  // subject: the index
};

struct EvalError {
  ErrorCode code = ErrorCode::kText;
  bool fatal = false;
  Value subject;
  std::string_view text;
};

namespace errors {
extern const EvalError kNoSuchOverload, kDivisionByZero, kModulusByZero, kIntOverflow,
    kUintOverflow, kTimestampOverflow, kNanOrder, kCostLimit, kInvalidUtf8, kNoneDereference;
}  // namespace errors

// `text` is copied.
Value TextError(Arena& arena, std::string_view text);
Value FatalError(Arena& arena, std::string_view text);
Value NoSuchKey(Arena& arena, const Value& key);
Value IndexOutOfBounds(Arena& arena, const Value& index);
// "no such overload": `value` itself if it is an error.
Value MaybeNoSuchOverload(const Value& value);

}  // namespace quadra::cel
