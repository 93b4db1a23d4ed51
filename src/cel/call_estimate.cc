#include "cel/call_estimate.h"

#include <algorithm>
#include <array>

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

namespace {

// A call that makes a list of `size` elements, each at `factor`.
CallEstimate ListMaking(double factor, CostRange size) {
  return {.cost = size * factor + Fixed(1) + Fixed(kListCost), .result_size = size};
}

CallEstimate Slice(const CallSite& site) {
  const std::uint64_t start = site.LiteralOr(site.arguments[0], 0);
  const std::uint64_t end = site.LiteralOr(site.arguments[1], site.SizeOf(*site.target).max);
  return ListMaking(1, Fixed(end - start));  // wraps around, as upstream's does
}

CallEstimate Range(const CallSite& site) {
  return ListMaking(1, Fixed(site.LiteralOr(site.arguments[0], kUnbounded)));
}

CallEstimate Reverse(const CallSite& site) { return ListMaking(1, site.SizeOf(*site.target)); }

CallEstimate Flatten(const CallSite& site) {
  const std::uint64_t depth =
      site.arguments.empty() ? 1 : site.LiteralOr(site.arguments[0], kUnbounded);
  return ListMaking(static_cast<double>(depth), site.SizeOf(*site.target));
}

// Quadratic, at `factor` for each pair.
CallEstimate Pairwise(CostRange size, double factor) { return ListMaking(factor, size * size); }

CallEstimate Distinct(const CallSite& site) { return Pairwise(site.SizeOf(*site.target), 2.0); }

// list_T_sort sorts its receiver, list_T_sortByAssociatedKeys by its argument.
CallEstimate Sort(const CallSite& site) {
  const CostNode& keys = site.arguments.empty() ? *site.target : site.arguments[0];
  const bool text =
      site.overload.starts_with("list_string_") || site.overload.starts_with("list_bytes_");
  return Pairwise(site.SizeOf(keys), text ? 2.0 + kTraversal : 2.0);
}

CallEstimate Sets(const CallSite& site, double factor) {
  const CostRange pairs = site.SizeOf(site.arguments[0]) * site.SizeOf(site.arguments[1]);
  return {.cost = pairs * factor + Fixed(1)};
}

struct ExtensionRule {
  std::string_view overload;
  CallEstimate (*cost)(const CallSite&);
};

constexpr std::array kExtensionRules = {
    ExtensionRule{"list_slice", Slice},
    ExtensionRule{"list_flatten", Flatten},
    ExtensionRule{"list_flatten_int", Flatten},
    ExtensionRule{"lists_range", Range},
    ExtensionRule{"list_reverse", Reverse},
    ExtensionRule{"list_distinct", Distinct},
    ExtensionRule{"list_sets_contains_list", [](const CallSite& site) { return Sets(site, 1); }},
    ExtensionRule{"list_sets_intersects_list", [](const CallSite& site) { return Sets(site, 1); }},
    ExtensionRule{"list_sets_equivalent_list", [](const CallSite& site) { return Sets(site, 2); }},
};

}  // namespace

std::optional<CallEstimate> ExtensionCallEstimate(const CallSite& site) {
  for (const ExtensionRule& rule : kExtensionRules) {
    if (rule.overload == site.overload) {
      return rule.cost(site);
    }
  }
  if (site.overload.starts_with("list_") &&
      (site.overload.ends_with("_sort") || site.overload.ends_with("_sortByAssociatedKeys"))) {
    return Sort(site);
  }
  return std::nullopt;
}

}  // namespace quadra::cel
