// Upstream's estimates for the functions of the Kubernetes libraries, which also cover some of the
// strings extension. By function: overloads of one name share a rule.
#include <algorithm>
#include <array>
#include <cmath>

#include "cel/call_estimate.h"
#include "cel/cost_range.h"

namespace quadra::cel {
namespace {

using Rule = std::optional<CallEstimate> (*)(const CallSite&);

std::optional<CallEstimate> One(const CallSite& /*site*/) { return CallEstimate{.cost = Fixed(1)}; }

// The first argument is read once, or `times`.
std::optional<CallEstimate> ReadArgument(const CallSite& site, double times = 1) {
  if (site.arguments.empty()) {
    return std::nullopt;
  }
  return CallEstimate{.cost = site.SizeOf(site.arguments[0]) * (times * kTraversal)};
}

std::optional<CallEstimate> Parse(const CallSite& site) { return ReadArgument(site); }

std::optional<CallEstimate> ParseTwice(const CallSite& site) { return ReadArgument(site, 2); }

std::optional<CallEstimate> Ip(const CallSite& site) {
  return site.overload == "cidr_ip" ? One(site) : ReadArgument(site);
}

std::optional<CallEstimate> ParseUrl(const CallSite& site) {
  if (site.arguments.size() != 1) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(site.arguments[0]);
  return CallEstimate{.cost = size * kTraversal, .result_size = size};
}

// --- Texts.

std::optional<CallEstimate> Transform(const CallSite& site) {
  if (site.target == nullptr) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(*site.target);
  return CallEstimate{.cost = size * kTraversal, .result_size = size};
}

// Ceiling of a quotient as upstream's machine converts it: 2^64 becomes 2^63.
std::uint64_t Quotient(std::uint64_t dividend, std::uint64_t divisor) {
  const double quotient = std::ceil(static_cast<double>(dividend) / static_cast<double>(divisor));
  return quotient >= kTooLarge ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(quotient);
}

// One bound of what replacing makes: how many replacements, and what is kept besides.
struct Replaced {
  std::uint64_t count = 0;
  std::uint64_t kept = 0;
};

// `text` characters; what is replaced has at least `pattern` (0: every place matches);
// `no_change`: a replacement does not move this bound.
Replaced ReplacedBound(std::uint64_t text, bool everywhere, bool no_change, std::uint64_t pattern) {
  if (everywhere) {
    return {.count = AddBounded(text, 1), .kept = text};
  }
  if (no_change) {
    return {.count = 0, .kept = text};
  }
  return {.count = Quotient(text, pattern), .kept = 0};
}

std::optional<CallEstimate> Replace(const CallSite& site) {
  if (site.target == nullptr || site.arguments.size() < 2) {
    return std::nullopt;
  }
  const CostRange text = site.SizeOf(*site.target);
  const CostRange old = site.SizeOf(site.arguments[0]);
  const CostRange with = site.SizeOf(site.arguments[1]);
  const Replaced most = ReplacedBound(text.max, old.min == 0, with.max <= old.min, old.min);
  const Replaced least = ReplacedBound(text.min, old.max == 0, old.max <= with.min, old.max);
  const CostRange count = {.min = least.count, .max = most.count};
  const CostRange kept = {.min = least.kept, .max = most.kept};
  return CallEstimate{.cost = text * (2 * kTraversal), .result_size = count * with + kept};
}

std::optional<CallEstimate> Split(const CallSite& site) {
  if (site.target == nullptr) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(*site.target);
  std::uint64_t most = size.max;
  if (site.arguments.size() > 1) {
    const NodeId limit = site.arguments[1].id;
    if (site.ast.nodes[limit].kind == NodeKind::kConstant) {
      if (const auto* value = std::get_if<std::int64_t>(&site.ast.constant(limit))) {
        most = static_cast<std::uint64_t>(*value);
      }
    }
  }
  return CallEstimate{.cost = size * (2 * kTraversal),
                      .result_size = CostRange{.min = 0, .max = most}};
}

// The element of a list, or whatever parameter the type has; none for dyn and the like.
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

std::optional<CallEstimate> Join(const CallSite& site) {
  if (site.target == nullptr) {
    return std::nullopt;
  }
  const CostRange count = site.SizeOf(*site.target);
  CostRange size;
  if (const std::optional<CostNode> element = ElementOf(*site.target)) {
    size = count * site.SizeOf(*element);
  }
  if (!site.arguments.empty()) {
    const CostRange separators = {.min = count.min - std::min<std::uint64_t>(count.min, 1),
                                  .max = count.max - std::min<std::uint64_t>(count.max, 1)};
    size = size + site.SizeOf(site.arguments[0]) * separators;
  }
  return CallEstimate{.cost = size * kTraversal, .result_size = size};
}

std::optional<CallEstimate> Find(const CallSite& site) {
  if (site.target == nullptr || site.arguments.empty()) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(*site.target);
  const CostRange text = (size + Fixed(1)) * kTraversal;
  const CostRange pattern = site.SizeOf(site.arguments[0]) * kPatternLength;
  return CallEstimate{.cost = text * pattern, .result_size = CostRange{.min = 0, .max = size.max}};
}

std::optional<CallEstimate> Validate(const CallSite& site) {
  constexpr double kLongestPattern = 128;
  if (site.arguments.empty()) {
    return std::nullopt;
  }
  const CostRange text = site.SizeOf(site.arguments[0]) * kTraversal;
  return CallEstimate{.cost = text * (kLongestPattern * kPatternLength)};
}

// --- Lists.

bool IsText(Type type) { return type->kind == TypeKind::kString || type->kind == TypeKind::kBytes; }

// isSorted, sum, min, max, indexOf, lastIndexOf, includes: every element is looked at. On a string
// or an operand of unknown type, every character; includes counts a comparison for each.
std::optional<CallEstimate> Traverse(const CallSite& site) {
  if (site.target == nullptr) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(*site.target);
  CostRange each = Fixed(1);
  if (const std::optional<CostNode> element = ElementOf(*site.target)) {
    if (IsText(element->type)) {
      each = each + site.SizeOf(*element) * kTraversal;
    }
    return CallEstimate{.cost = size * each};
  }
  return CallEstimate{.cost = site.function == "includes" ? size * each : size * kTraversal};
}

// --- Addresses: four or sixteen bytes.

constexpr CostRange kAddress = {.min = 4, .max = 16};

// Upstream takes the size of a text for its cost before multiplying.
CostRange AddressText(const CallSite& site, std::string_view overload) {
  return site.overload == overload ? site.SizeOf(site.arguments[0]) * kTraversal : CostRange{};
}

std::optional<CallEstimate> ContainsIp(const CallSite& site) {
  if (site.arguments.empty()) {
    return std::nullopt;
  }
  return CallEstimate{.cost = (kAddress + kAddress) * kTraversal +
                              AddressText(site, "cidr_contains_ip_string")};
}

std::optional<CallEstimate> ContainsCidr(const CallSite& site) {
  if (site.arguments.empty()) {
    return std::nullopt;
  }
  return CallEstimate{.cost = (kAddress + kAddress) * kTraversal + kAddress * kTraversal +
                              Fixed(1) + AddressText(site, "cidr_contains_cidr_string")};
}

// --- Authorizer. Nothing yields one in DRA, yet calls on dyn operands keep these overloads.

std::optional<CallEstimate> Check(const CallSite& /*site*/) {
  constexpr std::uint64_t kCheck = 350'000;
  return CallEstimate{.cost = Fixed(kCheck)};
}

std::optional<CallEstimate> ParseSelector(const CallSite& site) {
  constexpr double kRequirementsPerCharacter = 0.5;
  constexpr double kRequirement = kListCost + kStructCost;
  if (site.arguments.size() != 1) {
    return std::nullopt;
  }
  const CostRange size = site.SizeOf(site.arguments[0]);
  return CallEstimate{.cost = Fixed(kListCost) + size * kTraversal +
                              size * kRequirementsPerCharacter * kRequirement};
}

// --- Equality.

constexpr std::array<std::string_view, 9> kEqualInOne = {
    "net.IP",
    "net.CIDR",
    "kubernetes.Quantity",
    "kubernetes.Semver",
    "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck",
    "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck",
    "kubernetes.authorization.Decision",
};

std::optional<CallEstimate> Equal(const CallSite& site) {
  constexpr std::uint64_t kLongestFormat = 64;
  const CostNode& right = site.arguments[1];
  const std::string_view type = site.arguments[0].type->name;
  if (type != right.type->name) {
    return std::nullopt;
  }
  if (std::ranges::find(kEqualInOne, type) != kEqualInOne.end()) {
    return One(site);
  }
  if (type == "kubernetes.NamedFormat") {
    return CallEstimate{.cost = CostRange{.min = 1, .max = kLongestFormat} * kTraversal};
  }
  if (type == "kubernetes.URL") {
    const CostRange size = right.size.value_or(Fixed(1));
    return CallEstimate{.cost = CostRange{.min = 1, .max = size.max} * kTraversal};
  }
  return std::nullopt;
}

struct FunctionRule {
  std::string_view function;
  Rule rule;
};

// Sorted by function.
constexpr std::array kRules = {
    FunctionRule{"_==_", Equal},
    FunctionRule{"add", One},
    FunctionRule{"allowed", One},
    FunctionRule{"asApproximateFloat", One},
    FunctionRule{"asInteger", One},
    FunctionRule{"check", Check},
    FunctionRule{"cidr", Parse},
    FunctionRule{"compareTo", One},
    FunctionRule{"containsCIDR", ContainsCidr},
    FunctionRule{"containsIP", ContainsIp},
    FunctionRule{"error", One},
    FunctionRule{"errored", One},
    FunctionRule{"family", One},
    FunctionRule{"fieldSelector", ParseSelector},
    FunctionRule{"find", Find},
    FunctionRule{"findAll", Find},
    FunctionRule{"format.named", One},
    FunctionRule{"getEscapedPath", One},
    FunctionRule{"getHost", One},
    FunctionRule{"getHostname", One},
    FunctionRule{"getPort", One},
    FunctionRule{"getQuery", One},
    FunctionRule{"getScheme", One},
    FunctionRule{"group", One},
    FunctionRule{"includes", Traverse},
    FunctionRule{"indexOf", Traverse},
    FunctionRule{"ip", Ip},
    FunctionRule{"ip.isCanonical", ParseTwice},
    FunctionRule{"isCIDR", Parse},
    FunctionRule{"isGlobalUnicast", One},
    FunctionRule{"isGreaterThan", One},
    FunctionRule{"isIP", Parse},
    FunctionRule{"isInteger", One},
    FunctionRule{"isLessThan", One},
    FunctionRule{"isLinkLocalMulticast", One},
    FunctionRule{"isLinkLocalUnicast", One},
    FunctionRule{"isLoopback", One},
    FunctionRule{"isQuantity", Parse},
    FunctionRule{"isSemver", Parse},
    FunctionRule{"isSorted", Traverse},
    FunctionRule{"isUnspecified", One},
    FunctionRule{"join", Join},
    FunctionRule{"labelSelector", ParseSelector},
    FunctionRule{"lastIndexOf", Traverse},
    FunctionRule{"lowerAscii", Transform},
    FunctionRule{"major", One},
    FunctionRule{"masked", One},
    FunctionRule{"max", Traverse},
    FunctionRule{"min", Traverse},
    FunctionRule{"minor", One},
    FunctionRule{"name", One},
    FunctionRule{"namespace", One},
    FunctionRule{"patch", One},
    FunctionRule{"path", One},
    FunctionRule{"prefixLength", One},
    FunctionRule{"quantity", Parse},
    FunctionRule{"reason", One},
    FunctionRule{"replace", Replace},
    FunctionRule{"resource", One},
    FunctionRule{"semver", Parse},
    FunctionRule{"serviceAccount", One},
    FunctionRule{"sign", One},
    FunctionRule{"split", Split},
    FunctionRule{"sub", One},
    FunctionRule{"subresource", One},
    FunctionRule{"substring", Transform},
    FunctionRule{"sum", Traverse},
    FunctionRule{"trim", Transform},
    FunctionRule{"upperAscii", Transform},
    FunctionRule{"url", ParseUrl},
    FunctionRule{"validate", Validate},
};
static_assert(std::ranges::is_sorted(kRules, {}, &FunctionRule::function));

}  // namespace

std::optional<CallEstimate> KubernetesCallEstimate(const CallSite& site) {
  const auto* const rule =
      std::ranges::lower_bound(kRules, site.function, {}, &FunctionRule::function);
  if (rule == kRules.end() || rule->function != site.function) {
    return std::nullopt;
  }
  return rule->rule(site);
}

}  // namespace quadra::cel
