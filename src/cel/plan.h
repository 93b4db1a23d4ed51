// Plan: a checked expression as upstream's planner would lay it out, in flat arrays.
//
// Results, error texts and the meter depend on which nodes become attributes with qualifiers, which
// are folded and how calls are dispatched; so the plan mirrors those decisions node by node. It is
// immutable once made and shared by threads. Everything refers to everything by 32-bit indices.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cel/checked.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_regex.h"
#include "cel/program.h"

namespace quadra::cel {

enum class Op : std::uint8_t {
  kConstant,         // detail: in constants
  kFolded,           // detail: in folded: a value and what computing it is charged
  kAttribute,        // detail: in attributes
  kTest,             // has(): detail: in attributes
  kAnd,              // operands
  kOr,               // operands
  kEqual,            // operands: 2
  kNotEqual,         // operands: 2
  kCall,             // operands: all are evaluated, then detail: in calls
  kVariadic,         // the same, but an error stops the evaluation of operands
  kList,             // operands; optional ones in optionals
  kMap,              // operands: key, value, ...; optional ones in optionals
  kObject,           // operands: fields; optional ones in optionals. No value of it can be made
  kFold,             // detail: in folds
  kMember,           // operand 0 in the constant set detail: in sets
  kOptionalOr,       // operands: 2
  kOptionalOrValue,  // operands: 2
};

struct PlanNode {
  Op op = Op::kConstant;
  bool has_optionals = false;
  std::uint32_t id = 0;     // under which the meter knows it
  std::uint32_t first = 0;  // in operands
  std::uint32_t count = 0;
  std::uint32_t detail = 0;
};

// One step of an attribute: .name, [key], [?key], or the last step of has().
struct Qualifier {
  enum class Form : std::uint8_t {
    kConstant,
    kAttribute,  // the key is itself an attribute
    kComputed,   // the key is the value of an expression
  };
  Form form = Form::kConstant;
  bool optional = false;
  bool test_only = false;
  std::uint32_t id = 0;
  std::uint32_t attribute = 0;  // kAttribute, kComputed: in attributes
  Value key;                    // kConstant
};

struct Attribute {
  enum class Base : std::uint8_t {
    kVariable,     // base: in Environment::variables
    kSlot,         // base: a slot that covers the first `covered` qualifiers
    kAccumulator,  // base: a frame
    kIteration,    // base: a frame
    kIteration2,   // base: a frame
    kOperand,      // base: a node
    kConditional,  // base: the node of the condition
  };
  Base form = Base::kVariable;
  std::uint32_t base = 0;
  std::uint32_t id = 0;       // its own
  std::uint32_t last_id = 0;  // under which the meter knows it: that of its last qualifier
  std::uint32_t truthy = 0;   // kConditional: in attributes
  std::uint32_t falsy = 0;
  std::uint32_t first = 0;  // in qualifiers
  std::uint32_t count = 0;
  std::uint32_t covered = 0;
  const EvalError* missing = nullptr;  // kSlot: what an absent slot means
};

struct Call {
  Implementation implementation = nullptr;
  const OverloadRuntime* overload = nullptr;  // its guards; null: none
  const Regex* regex = nullptr;
  Value (*with_regex)(const Regex&, CallContext&, std::span<const Value>) = nullptr;
  std::uint32_t function = 0;
  bool dispatch = false;  // among the function's overloads, at run time
  bool non_strict = false;
  CostFunction cost = cost::One;
  std::string_view name;
};

struct Fold {
  std::uint32_t frame = 0;
  std::uint32_t range = 0;
  std::uint32_t initial = 0;
  std::uint32_t condition = 0;
  std::uint32_t step = 0;
  std::uint32_t result = 0;
  bool two_variables = false;
};

struct FoldedCall {
  Value value;
  std::uint64_t cost = 0;
};

struct Plan {
  std::shared_ptr<const CheckedAst> checked;
  const FunctionTable* functions = nullptr;
  const TimeZones* zones = nullptr;
  std::uint32_t root = 0;
  std::uint32_t frames = 0;
  // Whether identifiers may be evaluated more than once: the meter then needs upstream's own stack.
  bool needs_stack = false;
  bool reads_variables = false;

  std::vector<PlanNode> nodes;
  std::vector<std::uint32_t> operands;
  std::vector<bool> optionals;  // by position in operands; for maps that of the key
  std::vector<Value> constants;
  std::vector<FoldedCall> folded;
  std::vector<Attribute> attributes;
  std::vector<Qualifier> qualifiers;
  std::vector<Call> calls;
  std::vector<Fold> folds;
  std::vector<std::vector<Value>> sets;  // each sorted by CompareKeys
  std::vector<SlotIndex> slots;
  std::deque<Regex> regexes;
  Arena arena;  // owns what constants point to
};

// Fails where upstream's planner fails, with its text.
Result<std::unique_ptr<Plan>> MakePlan(std::shared_ptr<const CheckedAst> checked, NodeId root,
                                       Linker* linker, const TimeZones* zones);

}  // namespace quadra::cel
