#include "cel/program.h"

#include "cel/machine.h"
#include "cel/plan.h"

namespace quadra::cel {
namespace {

// Memory for the meter's stack beyond this is given back after an evaluation.
constexpr std::size_t kKeepObserved = std::size_t{16} * 1024;

template <typename T>
std::size_t BytesOf(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

}  // namespace

struct Scratch::Memory {
  MachineMemory machine;
};

Scratch::Scratch() : memory_(std::make_unique<Memory>()) {}
Scratch::~Scratch() = default;
Arena& Scratch::arena() { return memory_->machine.arena; }

struct Program::Code {
  std::unique_ptr<const Plan> plan;
};

Program::Program(std::unique_ptr<const Code> code) : code_(std::move(code)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Result<Program> Program::Create(std::shared_ptr<const CheckedAst> checked, NodeId root,
                                Linker* linker, const TimeZones* zones) {
  QUADRA_TRY(std::unique_ptr<Plan> plan, MakePlan(std::move(checked), root, linker, zones));
  auto code = std::make_unique<Code>();
  code->plan = std::move(plan);
  return Program(std::move(code));
}

Evaluation Program::Evaluate(const Inputs& inputs, Scratch& scratch, const Limits& limits) const {
  MachineMemory& memory = scratch.memory_->machine;
  memory.arena.Reset();
  memory.decimals.clear();
  if (memory.stack.capacity() > kKeepObserved) {
    memory.stack = {};
  }
  return Execute(*code_->plan, inputs, memory, limits);
}

std::span<const SlotIndex> Program::slots() const { return code_->plan->slots; }
bool Program::reads_variables() const { return code_->plan->reads_variables; }

std::size_t Program::bytes() const {
  const Plan& plan = *code_->plan;
  return sizeof(Plan) + BytesOf(plan.nodes) + BytesOf(plan.operands) + BytesOf(plan.constants) +
         BytesOf(plan.folded) + BytesOf(plan.attributes) + BytesOf(plan.qualifiers) +
         BytesOf(plan.calls) + BytesOf(plan.folds) + plan.arena.used() +
         BytesOf(plan.checked->ast->nodes) + plan.checked->ast->source.size();
}

}  // namespace quadra::cel
