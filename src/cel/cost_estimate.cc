#include <string_view>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cel/call_estimate.h"
#include "cel/checked.h"
#include "cel/cost_range.h"

namespace quadra::cel {
namespace {

using OptionalSize = std::optional<CostRange>;

// Sizes of what a list or map holds.
struct EntrySizes {
  TypeKind container = TypeKind::kList;
  CostRange key;
  CostRange value;
};
using OptionalEntries = std::optional<EntrySizes>;

OptionalSize KeySize(const OptionalEntries& entries) {
  return entries ? OptionalSize(entries->key) : std::nullopt;
}

OptionalSize ValueSize(const OptionalEntries& entries) {
  return entries ? OptionalSize(entries->value) : std::nullopt;
}

OptionalEntries Union(const OptionalEntries& a, const OptionalEntries& b) {
  if (!a || !b) {
    return std::nullopt;
  }
  return EntrySizes{.container = a->container,
                    .key = cel::Union(a->key, b->key),
                    .value = cel::Union(a->value, b->value)};
}

// A variable of a comprehension or bind.
struct Local {
  CostPath path;
  OptionalSize size;
  OptionalEntries entries;
};

std::uint64_t CodePoints(std::string_view text) {
  std::uint64_t count = 0;
  for (const char byte : text) {
    count += (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U ? 0 : 1;
  }
  return count;
}

std::uint64_t LiteralSize(const Constant& constant) {
  if (const auto* text = std::get_if<std::string_view>(&constant)) {
    return CodePoints(*text);
  }
  if (const auto* bytes = std::get_if<Bytes>(&constant)) {
    return bytes->text.size();
  }
  return 1;
}

// Types whose values all have size one.
bool IsScalar(Type type) {
  switch (type->kind) {
    case TypeKind::kBool:
    case TypeKind::kDouble:
    case TypeKind::kDuration:
    case TypeKind::kInt:
    case TypeKind::kTimestamp:
    case TypeKind::kUint:
      return true;
    case TypeKind::kOpaque:
      return type->name == "optional_type" && IsScalar(type->parameters[0]);
    default:
      return false;
  }
}

constexpr std::string_view kAccumulators[] = {"__result__", "@result"};

// Walks the expression once, in upstream's order: sizes and paths found at one node are used at
// later ones. A node that a macro uses twice is estimated twice under one id. Recursion is as deep
// as the expression nests, which the parser bounds.
class Estimator {
 public:
  Estimator(const CheckedAst& checked, const SizeHints& hints)
      : checked_(checked), ast_(*checked.ast), hints_(hints) {}

  CostRange Estimate() { return Cost(ast_.root); }

 private:
  // --- Nodes.

  CostRange Cost(NodeId id) {
    if (IsIdent(id)) {
      return CostIdent(id);
    }
    switch (ast_.nodes[id].kind) {
      case NodeKind::kSelect:
        return CostSelect(id);
      case NodeKind::kCall:
        return CostCall(id);
      case NodeKind::kList:
        return CostList(id);
      case NodeKind::kMap:
        return CostMap(id);
      case NodeKind::kStruct:
        return CostStruct(id);
      case NodeKind::kComprehension:
        return IsBind(id) ? CostBind(id) : CostComprehension(id);
      default:
        return {};
    }
  }

  // A select chain that names one variable or type counts as a name.
  bool IsIdent(NodeId id) const {
    return ast_.nodes[id].kind == NodeKind::kIdent ||
           (ast_.nodes[id].kind == NodeKind::kSelect && !checked_.references[id].name.empty());
  }

  std::string_view NameOf(NodeId id) const {
    const std::string_view resolved = checked_.references[id].name;
    return resolved.empty() ? ast_.nodes[id].name : resolved;
  }

  const Local* FindLocal(std::string_view name) const {
    const auto found = locals_.find(name);
    return found == locals_.end() || found->second.empty() ? nullptr : &found->second.back();
  }

  const Local* LocalOf(NodeId id) const { return IsIdent(id) ? FindLocal(NameOf(id)) : nullptr; }

  CostRange CostIdent(NodeId id) {
    const Local* const local = LocalOf(id);
    paths_[id] = local != nullptr ? local->path : CostPath(NameOf(id));
    return Fixed(1);
  }

  CostRange CostSelect(NodeId id) {
    const NodeId operand = ast_.child(id, 0);
    const CostRange cost = Cost(operand);
    if (ast_.nodes[id].test_only) {
      return cost;
    }
    const TypeKind kind = checked_.types[operand]->kind;
    const bool counts =
        kind == TypeKind::kMap || kind == TypeKind::kObject || kind == TypeKind::kParam;
    paths_[id] = PathOf(operand).Append(ast_.nodes[id].name);
    return counts ? cost + Fixed(1) : cost;
  }

  CostRange CostList(NodeId id) {
    CostRange sum;
    CostRange item = ast_.children(id).empty() ? CostRange{} : kNoSize;
    for (const NodeId element : ast_.children(id)) {
      sum = sum + Cost(element);
      item = cel::Union(item, SizeOrUnknown(element));
    }
    entries_[id] = {.container = TypeKind::kList, .key = Fixed(1), .value = item};
    return sum + Fixed(kListCost);
  }

  CostRange CostMap(NodeId id) {
    const std::span<const NodeId> children = ast_.children(id);
    CostRange sum;
    CostRange key = children.empty() ? CostRange{} : kNoSize;
    CostRange value = key;
    for (std::size_t i = 0; i < children.size(); i += 2) {
      sum = sum + Cost(children[i]) + Cost(children[i + 1]);
      key = cel::Union(key, SizeOrUnknown(children[i]));
      value = cel::Union(value, SizeOrUnknown(children[i + 1]));
    }
    entries_[id] = {.container = TypeKind::kMap, .key = key, .value = value};
    return sum + Fixed(kMapCost);
  }

  CostRange CostStruct(NodeId id) {
    CostRange sum = Fixed(kStructCost);
    for (const NodeId value : ast_.children(id)) {
      sum = sum + Cost(value);
    }
    return sum;
  }

  // --- Comprehensions. Children: range, init, condition, step, result.

  bool IsBind(NodeId id) const {
    const NodeId range = ast_.child(id, 0);
    const NodeId condition = ast_.child(id, 2);
    if (ast_.nodes[range].kind != NodeKind::kList || ast_.nodes[range].child_count != 0 ||
        ast_.nodes[condition].kind != NodeKind::kConstant) {
      return false;
    }
    const bool* const value = std::get_if<bool>(&ast_.constant(condition));
    return value != nullptr && !*value && ast_.comprehension(id).accumulator != kAccumulators[0];
  }

  CostRange CostBind(NodeId id) {
    const NodeId init = ast_.child(id, 1);
    const NodeId result = ast_.child(id, 4);
    CostRange sum = Cost(ast_.child(id, 0)) + Cost(init);
    Push(ast_.comprehension(id).accumulator, Bound(init));
    sum = sum + Cost(result);
    Pop(ast_.comprehension(id).accumulator);
    CopySizes(id, result);
    return sum;
  }

  CostRange CostComprehension(NodeId id) {
    const Comprehension& names = ast_.comprehension(id);
    const NodeId range = ast_.child(id, 0);
    const NodeId init = ast_.child(id, 1);
    CostRange sum = Cost(range) + Cost(init);
    Push(names.accumulator, Bound(init));
    PushIteration(names, range);
    const CostRange condition = Cost(ast_.child(id, 2));
    const CostRange step = Cost(ast_.child(id, 3));
    Pop(names.iteration);
    if (!names.iteration2.empty()) {
      Pop(names.iteration2);
    }
    sum = sum + Cost(ast_.child(id, 4));
    Pop(names.accumulator);
    const CostRange count = SizeOrUnknown(range);
    SizeComprehension(id, count);
    return sum + count * (step + condition);
  }

  // What folds over a list or map makes one of as many entries; a literal keeps its size.
  void SizeComprehension(NodeId id, CostRange count) {
    const NodeId init = ast_.child(id, 1);
    switch (ast_.nodes[init].kind) {
      case NodeKind::kConstant:
        SetSize(id, ComputeSize(init));
        break;
      case NodeKind::kList:
      case NodeKind::kMap:
        SetSize(id, count);
        SetEntries(id, ComputeEntries(ast_.child(id, 3)));
        break;
      default:
        break;
    }
  }

  void Push(std::string_view name, Local local) { locals_[name].push_back(std::move(local)); }
  void Pop(std::string_view name) { locals_[name].pop_back(); }

  Local Bound(NodeId init) {
    CostPath path = PathOf(init);
    const OptionalEntries entries = ComputeEntries(init);
    return {.path = std::move(path), .size = ComputeSize(init), .entries = entries};
  }

  void PushIteration(const Comprehension& names, NodeId range) {
    const OptionalEntries entries = ComputeEntries(range);
    const TypeKind container = entries ? entries->container : checked_.types[range]->kind;
    const bool list = container == TypeKind::kList;
    const CostPath path = PathOf(range);
    if (names.iteration2.empty()) {
      Push(names.iteration, {.path = path.Append(list ? "@items" : "@keys"),
                             .size = list ? ValueSize(entries) : KeySize(entries),
                             .entries = std::nullopt});
      return;
    }
    Push(names.iteration, {.path = path.Append(list ? "@indices" : "@keys"),
                           .size = KeySize(entries),
                           .entries = std::nullopt});
    Push(names.iteration2, {.path = path.Append(list ? "@items" : "@values"),
                            .size = ValueSize(entries),
                            .entries = std::nullopt});
  }

  // --- Calls.

  struct Call {
    NodeId id;
    std::optional<CostNode> target;
    std::vector<NodeId> argument_ids;
    std::vector<CostNode> arguments;
    std::vector<CostRange> costs;  // of the arguments
    CostRange sum;                 // of the arguments
  };

  CostRange CostCall(NodeId id) {
    const std::span<const OverloadIndex> overloads = checked_.overloads(id);
    Call call{.id = id,
              .target = std::nullopt,
              .argument_ids = ArgumentsOf(id),
              .arguments = {},
              .costs = {},
              .sum = {}};
    CostArguments(call);
    if (overloads.empty()) {
      return {};
    }
    CostRange sum;
    if (ast_.nodes[id].has_receiver && IsMember(overloads)) {
      sum = Cost(ast_.child(id, 0));
      call.target = MakeNode(ast_.child(id, 0));
    }
    return sum + CostOverloads(call, overloads);
  }

  bool IsMember(std::span<const OverloadIndex> overloads) const {
    return !overloads.empty() && checked_.environment->overloads[overloads[0]].member;
  }

  // The receiver of `sets.contains(...)` is a part of the name.
  std::vector<NodeId> ArgumentsOf(NodeId id) const {
    const std::span<const NodeId> children = ast_.children(id);
    const std::size_t first = ast_.nodes[id].has_receiver ? 1 : 0;
    return {children.begin() + static_cast<std::ptrdiff_t>(first), children.end()};
  }

  void CostArguments(Call& call) {
    for (const NodeId argument : call.argument_ids) {
      call.costs.push_back(Cost(argument));
      call.arguments.push_back(MakeNode(argument));
      call.sum = call.sum + call.costs.back();
    }
  }

  CostNode MakeNode(NodeId id) {
    CostPath path = PathOf(id);
    if (!path.empty() && (path.front() == kAccumulators[0] || path.front() == kAccumulators[1])) {
      path = CostPath();
    }
    return {.id = id, .type = checked_.types[id], .path = std::move(path), .size = ComputeSize(id)};
  }

  // A range that covers all overloads that remain possible.
  CostRange CostOverloads(const Call& call, std::span<const OverloadIndex> overloads) {
    CostRange cost = kNoSize;
    OptionalSize size;
    for (const OverloadIndex index : overloads) {
      const CallEstimate one = CostOverload(call, checked_.environment->overloads[index]);
      cost = cel::Union(cost, one.cost);
      if (one.result_size) {
        size = size ? cel::Union(*size, *one.result_size) : *one.result_size;
      }
      if (!one.element.empty()) {
        size = ValueSize(ComputeEntries(call.argument_ids[0]));
        paths_[call.id] = PathOf(call.argument_ids[0]).Append(one.element);
      }
      if (!size) {
        size = ComputeSize(call.id);
      }
    }
    SetSize(call.id, size);
    return cost;
  }

  // With the arguments.
  CallEstimate CostOverload(const Call& call, const Overload& overload) {
    CallEstimate one =
        overload.behaviour.estimate()({.ast = ast_,
                                       .hints = hints_,
                                       .target = call.target ? &*call.target : nullptr,
                                       .arguments = call.arguments,
                                       .costs = call.costs});
    if (one.contents) {
      SetEntries(call.id, Union(ComputeEntries(call.argument_ids[one.contents->first]),
                                ComputeEntries(call.argument_ids[one.contents->second])));
    }
    if (!one.includes_arguments) {
      one.cost = one.cost + call.sum;
    }
    return one;
  }

  // --- What is known of a node.

  CostPath PathOf(NodeId id) const {
    if (const Local* const local = LocalOf(id)) {
      return local->path;
    }
    const auto found = paths_.find(id);
    return found == paths_.end() ? CostPath() : found->second;
  }

  void SetSize(NodeId id, const OptionalSize& size) {
    if (size) {
      sizes_[id] = *size;
    }
  }

  void SetEntries(NodeId id, const OptionalEntries& entries) {
    if (entries) {
      entries_[id] = *entries;
    }
  }

  void CopySizes(NodeId to, NodeId from) {
    SetSize(to, ComputeSize(from));
    SetEntries(to, ComputeEntries(from));
  }

  CostRange SizeOrUnknown(NodeId id) { return ComputeSize(id).value_or(kUnknownSize); }

  OptionalSize ComputeSize(NodeId id) {
    if (const auto found = sizes_.find(id); found != sizes_.end()) {
      return found->second;
    }
    if (const OptionalSize written = WrittenSize(id)) {
      return written;
    }
    if (const OptionalSize hint = hints_.Size(PathOf(id).steps())) {
      sizes_[id] = *hint;
      return hint;
    }
    if (IsScalar(checked_.types[id])) {
      return Fixed(1);
    }
    const Local* const local = LocalOf(id);
    return local != nullptr ? local->size : std::nullopt;
  }

  // Of literals.
  OptionalSize WrittenSize(NodeId id) const {
    const Node& node = ast_.nodes[id];
    switch (node.kind) {
      case NodeKind::kConstant:
        return Fixed(LiteralSize(ast_.constant(id)));
      case NodeKind::kList:
        return Fixed(node.child_count);
      case NodeKind::kMap:
        return Fixed(node.child_count / 2);
      default:
        return std::nullopt;
    }
  }

  OptionalEntries ComputeEntries(NodeId id) const {
    if (const auto found = entries_.find(id); found != entries_.end()) {
      return found->second;
    }
    const Local* const local = LocalOf(id);
    return local != nullptr ? local->entries : std::nullopt;
  }

  // Neutral for Union.
  static constexpr CostRange kNoSize = {.min = kUnbounded, .max = 0};

  const CheckedAst& checked_;
  const Ast& ast_;
  const SizeHints& hints_;
  absl::flat_hash_map<NodeId, CostPath> paths_;
  absl::flat_hash_map<NodeId, CostRange> sizes_;
  absl::flat_hash_map<NodeId, EntrySizes> entries_;
  absl::flat_hash_map<std::string_view, std::vector<Local>> locals_;
};

}  // namespace

CostRange EstimateCost(const CheckedAst& checked, const SizeHints& hints) {
  return Estimator(checked, hints).Estimate();
}

}  // namespace quadra::cel
