#include "cel/meter.h"

#include <string>

#include <fmt/format.h>

#include "cel/eval_error.h"
#include "cel/go_text.h"

namespace quadra::cel {

Value PanicError(Arena& arena, const Value& operand, std::string_view why) {
  const std::string type = GoTypeName(operand);
  return FatalError(
      arena,
      why.starts_with("missing")
          ? fmt::format("internal error: interface conversion: {} is not traits.Lister: {}", type,
                        why)
          : fmt::format("internal error: interface conversion: ref.Val is {}, {}", type, why));
}

}  // namespace quadra::cel
