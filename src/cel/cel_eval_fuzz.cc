// The whole pipeline: what an expression computes, and what it is charged, must not depend on
// whether constants are folded.
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "cel/environment.h"
#include "cel/go_text.h"
#include "cel/program.h"

namespace {

using namespace quadra::cel;

class Nothing final : public Inputs {
 public:
  Value Variable(std::uint32_t) const override { return Value::Null(); }
  Value Slot(SlotIndex) const override { return {}; }
};

std::unique_ptr<Environment> MakeEnvironment(bool fold) {
  auto environment = KubernetesEnvironment({.list_includes = true, .lists_after_strings = true});
  environment->variables.push_back({"x", types::kDyn});
  environment->options.fold_constants = fold;
  return environment;
}

struct Answer {
  bool compiled = false;
  std::string text;
  std::uint64_t cost = 0;
  friend bool operator==(const Answer&, const Answer&) = default;
};

Answer Ask(const Environment& environment, std::string_view expression) {
  ParseOutcome parsed = Parse(environment, expression);
  if (parsed.ast == nullptr) {
    return {};
  }
  CheckOutcome outcome = Check(environment, std::move(parsed.ast));
  if (outcome.checked == nullptr) {
    return {};
  }
  const std::shared_ptr<const CheckedAst> checked = std::move(outcome.checked);
  const auto program = Program::Create(checked, checked->ast->root, nullptr, nullptr);
  if (!program) {
    return {.text = program.error().message};
  }
  Scratch scratch;
  const Evaluation result = program->Evaluate(Nothing(), scratch, {.cost = 20'000});
  return {true, result.value.is_error() ? ErrorText(result.value.as_error()) : GoText(result.value),
          result.cost};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<Environment> folding = MakeEnvironment(true);
  static const std::unique_ptr<Environment> plain = MakeEnvironment(false);
  const std::string_view expression(reinterpret_cast<const char*>(data), size);
  if (size <= 4096) {
    QUADRA_CHECK(Ask(*folding, expression) == Ask(*plain, expression),
                 "folding constants changes no answer");
  }
  return 0;
}
