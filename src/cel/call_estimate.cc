#include "cel/call_estimate.h"

#include <algorithm>

#include "cel/cost_range.h"

namespace quadra::cel {

CostPath::CostPath(std::string_view variable)
    : steps_(std::make_shared<std::vector<std::string_view>>(1, variable)), size_(1) {}

CostPath CostPath::Append(std::string_view step) const {
  CostPath longer = *this;
  const std::size_t capacity = steps_ == nullptr ? 0 : steps_->size();
  if (size_ == capacity) {
    longer.steps_ = steps_ == nullptr ? std::make_shared<std::vector<std::string_view>>()
                                      : std::make_shared<std::vector<std::string_view>>(*steps_);
    longer.steps_->resize(std::max<std::size_t>(1, 2 * capacity));
  }
  (*longer.steps_)[longer.size_++] = step;
  return longer;
}

std::span<const std::string_view> CostPath::steps() const {
  return steps_ == nullptr ? std::span<const std::string_view>()
                           : std::span<const std::string_view>(*steps_).first(size_);
}

CostRange CallSite::SizeOf(const CostNode& node) const {
  if (node.size) {
    return *node.size;
  }
  return hints.Size(node.path.steps()).value_or(kUnknownSize);
}

std::uint64_t CallSite::LiteralOr(const CostNode& node, std::uint64_t otherwise) const {
  if (ast.nodes[node.id].kind != NodeKind::kConstant) {
    return otherwise;
  }
  const auto* const value = std::get_if<std::int64_t>(&ast.constant(node.id));
  return value == nullptr ? otherwise
                          : static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0));
}

CostRange MatchCost(CostRange text, CostRange pattern) {
  return ((text + Fixed(1)) * kTraversal) * (pattern * kPatternLength);
}

std::optional<CostNode> ElementOf(const CostNode& list) {
  if (list.type->parameters.empty()) {
    return std::nullopt;
  }
  CostNode element{.id = kNoNode, .type = list.type->parameters[0], .path = {}, .size = {}};
  for (const std::string_view step : list.path.steps()) {
    element.path = element.path.Append(step);
  }
  if (!list.path.empty()) {
    element.path = element.path.Append("@items");
  }
  return element;
}

namespace estimate {
namespace {

bool IsText(Type type) { return type->kind == TypeKind::kString || type->kind == TypeKind::kBytes; }

}  // namespace

CallEstimate One(const CallSite& /*site*/) { return {.cost = Fixed(1)}; }

CallEstimate ReadArgument(const CallSite& site) {
  return {.cost = site.ArgumentSize(0) * kTraversal};
}

CallEstimate ReadArgumentTwice(const CallSite& site) {
  return {.cost = site.ArgumentSize(0) * (2 * kTraversal)};
}

CallEstimate Traverse(const CallSite& site) {
  const CostRange size = site.TargetSize();
  const std::optional<CostNode> element = ElementOf(*site.target);
  if (!element) {
    return {.cost = size * kTraversal};
  }
  const CostRange each =
      IsText(element->type) ? Fixed(1) + site.SizeOf(*element) * kTraversal : Fixed(1);
  return {.cost = size * each};
}

CallEstimate Compare(const CallSite& site) {
  const std::uint64_t most = std::min(site.ArgumentSize(0).max, site.ArgumentSize(1).max);
  return {.cost = CostRange{.min = most > 0 ? 1U : 0U, .max = most} * kTraversal};
}

}  // namespace estimate

}  // namespace quadra::cel
