// Program: a checked expression, compiled; Evaluate() is the only owner of CEL's meaning.
//
// Immutable and shared by any number of threads; each thread brings its own Scratch. Evaluation
// takes no lock, throws nothing, and allocates nothing on the heap unless the expression builds a
// string, list or map beyond what Scratch already holds. Cost is metered exactly as upstream's
// tracker does. An expression that fails is no Error: its value is one (value.h), and what the
// meter does not hear of (memory, doubling lists) ends it as if its cost had run out.
//
//   const NodeId root = checked->ast->root;
//   QUADRA_TRY(const Program program, Program::Create(checked, root, nullptr, &zones));
//   Scratch scratch;  // one a thread, used again and again
//   const Evaluation evaluation = program.Evaluate(inputs, scratch);
//   if (evaluation.value.is_error()) Print(ErrorText(evaluation.value.as_error()));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/time_zones.h"
#include "cel/checked.h"
#include "cel/value.h"

namespace quadra::cel {

using SlotIndex = std::uint32_t;

// What an evaluation reads. `Variable` is asked by position in Environment::variables. A slot
// stands for a path that the Linker resolved while compiling; kAbsent means that the last step of
// the path is missing.
class Inputs {
 public:
  virtual ~Inputs() = default;
  virtual Value Variable(std::uint32_t variable) const = 0;
  virtual Value Slot(SlotIndex slot) const = 0;
};

// Turns paths with constant steps (device.attributes["d"].id: variable device, steps attributes, d,
// id) into slots. All steps but the last must always succeed in every input.
class Linker {
 public:
  virtual ~Linker() = default;
  // How many of `steps` the returned slot covers, from the first on; none: no slot for this path.
  struct Link {
    SlotIndex slot;
    std::size_t steps;
  };
  virtual std::optional<Link> Resolve(std::string_view variable,
                                      std::span<const std::string_view> steps) = 0;
};

// Memory of one evaluation after the other, of one thread.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Arena& arena();

 private:
  friend class Program;
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

struct Limits {
  std::uint64_t cost = 1'000'000;  // the evaluation stops when it is exceeded
};

struct Evaluation {
  Value value;  // kError when the expression failed; points into scratch, inputs and program
  std::uint64_t cost = 0;
};

class Program {
 public:
  // Compiles the expression, or the sub-expression at `root`. Fails where upstream's program
  // creation fails, with its text. `linker` and `zones` may be null: the engine opens no file, it
  // asks for the zones that are named. `zones` must outlive the program, which shares `checked`.
  static Result<Program> Create(std::shared_ptr<const CheckedAst> checked, NodeId root,
                                Linker* linker, const TimeZones* zones);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // The value stays valid until the next evaluation with `scratch`.
  Evaluation Evaluate(const Inputs& inputs, Scratch& scratch, const Limits& limits = {}) const;

  // Slots it may read, sorted, each once.
  std::span<const SlotIndex> slots() const;
  // Whether it also reads variables as a whole (iteration, dynamic keys).
  bool reads_variables() const;
  std::size_t bytes() const;  // memory it holds, roughly

 private:
  struct Code;
  explicit Program(std::unique_ptr<const Code> code);
  std::unique_ptr<const Code> code_;
};

}  // namespace quadra::cel
