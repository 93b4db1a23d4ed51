// Named formats in expressions: format.named(), the constants, validate().
#include <array>
#include <string>
#include <vector>

#include "cel/containers.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/named_format.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Named(CallContext& context, Arguments arguments) {
  const NamedFormat* format = FindNamedFormat(arguments[0].as_text());
  return format == nullptr ? Value::Optional(nullptr)
                           : Value::Optional(context.arena.Make<Value>(Value::Of(format)));
}

Value Validate(CallContext& context, Arguments arguments) {
  const std::vector<std::string> complaints =
      arguments[0].as_format().validate(arguments[1].as_text());
  if (complaints.empty()) {
    return Value::Optional(nullptr);
  }
  Value* texts = context.arena.MakeArray<Value>(complaints.size());
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    texts[i] = Value::String(context.arena.Copy(complaints[i]));
  }
  const Value list = MakeList(context.arena, {texts, complaints.size()});
  return Value::Optional(context.arena.Make<Value>(list));
}

// The function is named after its format: format.dns1123Label().
Value Constant(CallContext& context, Arguments) {
  constexpr std::string_view kPrefix = "format.";
  const NamedFormat* format = FindNamedFormat(context.function.substr(kPrefix.size()));
  return format == nullptr ? Value::Of(&errors::kNoSuchOverload) : Value::Of(format);
}

constexpr std::array kBindings = {
    Binding{"format-named", Named},
    Binding{"format-validate", Validate},
    Binding{"format.dns1123Label", Constant},
    Binding{"format.dns1123Subdomain", Constant},
    Binding{"format.dns1035Label", Constant},
    Binding{"format.qualifiedName", Constant},
    Binding{"format.dns1123LabelPrefix", Constant},
    Binding{"format.dns1123SubdomainPrefix", Constant},
    Binding{"format.dns1035LabelPrefix", Constant},
    Binding{"format.labelValue", Constant},
    Binding{"format.uri", Constant},
    Binding{"format.uuid", Constant},
    Binding{"format.byte", Constant},
    Binding{"format.date", Constant},
    Binding{"format.datetime", Constant},
};

}  // namespace

std::span<const Binding> FormatBindings() { return kBindings; }

}  // namespace quadra::cel
