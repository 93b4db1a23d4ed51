#include "validation/claim_expressions.h"

#include "validation/claim_limits.h"

namespace quadra::validation {

std::uint64_t CheckExpression(ErrorList& errors, const Path& path, std::string_view expression,
                              CelUse use, const Request& request) {
  if (expression.size() > kMaxExpressionBytes) {
    errors.TooLong(path, kMaxExpressionBytes);
    return 0;
  }
  const CelVerdict verdict = request.cel.Compile(expression, use, request.gates);
  if (verdict.problem && verdict.internal) {
    errors.InternalError(path, *verdict.problem);
    return 0;
  }
  if (verdict.problem) {
    errors.Invalid(path, expression, *verdict.problem);
    return 0;
  }
  if (verdict.max_cost > kMaxExpressionCost) {
    errors.Forbidden(path, "too complex, exceeds cost limit");
  }
  return verdict.max_cost;
}

}  // namespace quadra::validation
