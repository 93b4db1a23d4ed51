// What a call costs, overload by overload. Private to cel/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cel/checked.h"
#include "cel/cost_estimate.h"

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

struct CallSite {
  const Ast& ast;
  const SizeHints& hints;
  std::string_view function;
  std::string_view overload;
  const CostNode* target;  // null: a global call
  std::span<const CostNode> arguments;

  // Known from the expression, or from the hints, or anything.
  CostRange SizeOf(const CostNode& node) const;
  // The literal's value if the argument is an int literal (a negative one is 0), or `otherwise`.
  std::uint64_t LiteralOr(const CostNode& node, std::uint64_t otherwise) const;
};

struct CallEstimate {
  CostRange cost;  // without the operands
  std::optional<CostRange> result_size = std::nullopt;
};

// The rules of the extension libraries, by overload.
std::optional<CallEstimate> ExtensionCallEstimate(const CallSite& site);
// The rules of the Kubernetes libraries, by function.
std::optional<CallEstimate> KubernetesCallEstimate(const CallSite& site);

}  // namespace quadra::cel
