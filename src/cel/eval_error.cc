#include "cel/eval_error.h"

#include "cel/go_text.h"

namespace quadra::cel {
namespace errors {

constinit const EvalError kNoSuchOverload{.text = "no such overload"};
constinit const EvalError kDivisionByZero{.text = "division by zero"};
constinit const EvalError kModulusByZero{.text = "modulus by zero"};
constinit const EvalError kIntOverflow{.text = "integer overflow"};
constinit const EvalError kUintOverflow{.text = "unsigned integer overflow"};
constinit const EvalError kTimestampOverflow{.text = "timestamp overflow"};
constinit const EvalError kNanOrder{.text = "NaN values cannot be ordered"};
constinit const EvalError kCostLimit{.fatal = true,
                                     .text = "operation cancelled: actual cost limit exceeded"};
constinit const EvalError kInvalidUtf8{.text = "invalid UTF-8 in bytes, cannot convert to string"};
constinit const EvalError kNoneDereference{.text = "optional.none() dereference"};

}  // namespace errors

Value TextError(Arena& arena, std::string_view text) {
  return Value::Of(arena.Make<EvalError>(EvalError{.text = arena.Copy(text)}));
}

Value FatalError(Arena& arena, std::string_view text) {
  return Value::Of(arena.Make<EvalError>(EvalError{.fatal = true, .text = arena.Copy(text)}));
}

Value NoSuchKey(Arena& arena, const Value& key) {
  return Value::Of(arena.Make<EvalError>(EvalError{.code = ErrorCode::kNoSuchKey, .subject = key}));
}

Value IndexOutOfBounds(Arena& arena, const Value& index) {
  return Value::Of(
      arena.Make<EvalError>(EvalError{.code = ErrorCode::kIndexOutOfBounds, .subject = index}));
}

Value MaybeNoSuchOverload(const Value& value) {
  return value.is_error() ? value : Value::Of(&errors::kNoSuchOverload);
}

std::string ErrorText(const EvalError& error) {
  switch (error.code) {
    case ErrorCode::kText:
      return std::string(error.text);
    case ErrorCode::kNoSuchKey:
      return "no such key: " + GoText(error.subject);
    case ErrorCode::kIndexOutOfBounds:
      return "index out of bounds: " + GoText(error.subject);
  }
  return {};
}

bool IsFatal(const EvalError& error) { return error.fatal; }

}  // namespace quadra::cel
