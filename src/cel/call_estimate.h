// What a call is estimated to cost: what a rule may ask about the call, and the rules that
// libraries share. Private to cel/.
//
// A rule is a function from a CallSite to a CallEstimate; the row of an overload names its own
// (declarations.h). All of them may assume what the declaration says: that a member call has a
// target, and how many arguments there are.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cel/checked.h"

namespace quadra::cel {

// CostPath: how an operand is reached from a variable.
//
// Appending behaves as in the language that upstream is written in: it writes into spare room of
// the storage that copies share, so that of two paths made from one the later overwrites the last
// step of the earlier. The estimate of `m.all(k, v, ...)` shows it: k gets the size of v.
class CostPath {
 public:
  CostPath() = default;
  explicit CostPath(std::string_view variable);
  CostPath Append(std::string_view step) const;
  bool empty() const { return size_ == 0; }
  std::string_view front() const { return steps_->front(); }
  std::span<const std::string_view> steps() const;

 private:
  std::shared_ptr<std::vector<std::string_view>> steps_;  // its size is its capacity
  std::size_t size_ = 0;
};

// An operand of a call.
struct CostNode {
  NodeId id = kNoNode;
  Type type = nullptr;
  CostPath path;
  std::optional<CostRange> size;  // known from the expression itself
};

// One call while it is estimated.
struct CallSite {
  const Ast& ast;
  const SizeHints& hints;
  const CostNode* target;  // null: a global call
  std::span<const CostNode> arguments;
  std::span<const CostRange> costs;  // of the arguments

  // Known from the expression, or from the hints, or anything.
  CostRange SizeOf(const CostNode& node) const;
  CostRange ArgumentSize(std::size_t n) const { return SizeOf(arguments[n]); }
  // REQUIRES: a member call.
  CostRange TargetSize() const { return SizeOf(*target); }
  // The literal's value if the argument is an int literal (a negative one is 0), or `otherwise`.
  std::uint64_t LiteralOr(const CostNode& node, std::uint64_t otherwise) const;
};

struct CallEstimate {
  CostRange cost;  // without the operands
  std::optional<CostRange> result_size = std::nullopt;
  bool includes_arguments = false;  // not all of them may be evaluated: `cost` is the whole
  // The result is an element of the first argument: the step that leads there.
  std::string_view element = {};
  // The result is a list or map that holds what these two arguments hold.
  struct Contents {
    std::size_t first;
    std::size_t second;
  };
  std::optional<Contents> contents = std::nullopt;
};

// Rules that several libraries share; the others stand in the file of their library.
namespace estimate {

CallEstimate One(const CallSite& site);
CallEstimate ReadArgument(const CallSite& site);       // the first argument, once
CallEstimate ReadArgumentTwice(const CallSite& site);  // ip.isCanonical()
// isSorted, indexOf, ...: every element of the target is looked at; of a string or an operand of
// unknown type every character.
CallEstimate Traverse(const CallSite& site);
// Two texts or lists, as far as the shorter one goes.
CallEstimate Compare(const CallSite& site);

}  // namespace estimate

// ((text + 1) * .1) * (pattern * .25).
CostRange MatchCost(CostRange text, CostRange pattern);

// The element of a list, or whatever parameter the type has; none for dyn and the like.
std::optional<CostNode> ElementOf(const CostNode& list);

}  // namespace quadra::cel
