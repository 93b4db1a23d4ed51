// Fixes that change a request, or the constraints of its claim.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/constants.h"
#include "allocator/constraint.h"
#include "allocator/fix_finder.h"
#include "allocator/plan.h"
#include "allocator/published_names.h"
#include "allocator/search.h"
#include "base/nearest.h"

namespace quadra::allocator {
namespace {

constexpr std::size_t kMostTaints = 8;
constexpr std::size_t kMostClasses = 8;

std::string TaintText(const api::DeviceTaint& taint) {
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, taint.effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
}

api::DeviceToleration TolerationOf(const api::DeviceTaint& taint) {
  api::DeviceToleration toleration;
  toleration.key = taint.key;
  toleration.op = taint.value.empty() ? "Exists" : "Equal";
  toleration.value = taint.value;
  toleration.effect = taint.effect;
  return toleration;
}

template <typename T>
void EraseAt(api::List<T>& list, std::size_t at) {
  api::List<T> rest;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != at) {
      rest.push_back(list[i]);
    }
  }
  list = std::move(rest);
}

// e.g. matchAttribute gpu.example.com/root
std::string WordsOf(const api::DeviceConstraint& constraint) {
  const ConstraintKind* kind = KindOf(constraint);
  return kind == nullptr
             ? "of an unknown kind"
             : fmt::format("{} {}", kind->Word(), kind->AttributeIn(constraint).value_or(""));
}

}  // namespace

void FixFinder::TryClasses(const DemandPath& path) {
  std::string wanted;
  With(*claims_[path.claim], path, [&](const auto& each) { wanted = each.device_class_name; });
  if (cluster_.classes().contains(wanted)) {
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, device_class] : cluster_.classes()) {
    names.push_back(name);
  }
  std::ranges::stable_sort(names, {}, [&](const auto& name) { return Edits(name, wanted); });
  names.resize(std::min(names.size(), kMostClasses));
  for (const std::string& name : names) {
    if (ConfirmEdit(Fix::Kind::kUseClass,
                    fmt::format("use class {} instead of {} in {}", name, wanted, NameOf(path)),
                    path, [&](auto& each) { each.device_class_name = name; })) {
      return;
    }
  }
}

void FixFinder::TryCounts(const DemandPath& path) {
  std::int64_t count = 0;
  With(*claims_[path.claim], path,
       [&](const auto& each) { count = each.allocation_mode == "All" ? 0 : each.count; });
  if (count < 2) {
    return;
  }
  const std::size_t not_known = NotKnown();
  const std::int64_t most = std::min(count - 1, static_cast<std::int64_t>(kMaxResults));
  for (std::int64_t fewer = most; fewer > 0; --fewer) {
    if (ConfirmEdit(Fix::Kind::kLowerCount,
                    fmt::format("lower the count of {} from {} to {}", NameOf(path), count, fewer),
                    path, [&](auto& each) { each.count = fewer; })) {
      return;
    }
  }
  InVain(fmt::format("lower the count of {}", NameOf(path)), not_known);
}

std::optional<CapacityDemand> FixFinder::CapacityDemandOf(const DemandPath& path) const {
  std::optional<CapacityDemand> demand;
  With(*claims_[path.claim], path, [&](const auto& each) {
    const auto device_class = cluster_.classes().find(each.device_class_name);
    if (device_class != cluster_.classes().end()) {
      demand = {
          .wanted = each.capacity ? &each.capacity->requests : nullptr,
          .verdicts = verdicts_.Of(cluster_, device_class->second->spec.selectors, each.selectors)};
    }
  });
  return demand;
}

std::vector<SmallerRequest> FixFinder::SmallerRequestsFor(const DemandPath& path) const {
  const std::optional<CapacityDemand> demand = CapacityDemandOf(path);
  if (!demand) {
    return {};
  }
  std::vector<CapacityDemand> others;
  for (const DemandPath& each : Paths()) {
    const bool same = each.claim == path.claim && each.request == path.request;
    if (std::optional<CapacityDemand> other = same ? std::nullopt : CapacityDemandOf(each)) {
      others.push_back(*std::move(other));
    }
  }
  std::vector<const inventory::NodeView*> nodes;
  nodes.reserve(near_.size());
  for (const Failure& failure : near_) {
    nodes.push_back(failure.node);
  }
  return SmallerRequests(cluster_, nodes, *demand, others);
}

void FixFinder::TryCapacities(const DemandPath& path) {
  for (const SmallerRequest& smaller : SmallerRequestsFor(path)) {
    if (ConfirmEdit(Fix::Kind::kLowerCapacity,
                    fmt::format("lower {} in {}", smaller.text, NameOf(path)), path,
                    [&](auto& each) { each.capacity.emplace().requests = smaller.requests; })) {
      return;
    }
  }
}

// The taints that keep the request away from devices it would take, on the nodes that come
// nearest.
std::vector<api::DeviceTaint> FixFinder::TaintsFor(const DemandPath& path) const {
  std::map<std::tuple<std::string, std::string, std::string>, api::DeviceTaint> taints;
  With(*claims_[path.claim], path, [&](const auto& each) {
    const auto device_class = cluster_.classes().find(each.device_class_name);
    if (device_class == cluster_.classes().end()) {
      return;
    }
    const auto verdicts =
        verdicts_.Of(cluster_, device_class->second->spec.selectors, each.selectors);
    for (const Failure& failure : near_) {
      for (const inventory::Candidate& candidate : failure.node->candidates) {
        if (!cluster_.marks().tainted.Test(candidate.row) ||
            verdicts->At(candidate.row) != selector::Verdict::kMatch) {
          continue;
        }
        for (api::DeviceTaint& taint :
             inventory::TaintsOf(*candidate.slice, candidate.index, cluster_.taint_rules())) {
          if (!ToleratesAll(each.tolerations, {taint})) {
            taints.try_emplace({taint.key, taint.value, taint.effect}, taint);
          }
        }
      }
    }
  });
  std::vector<api::DeviceTaint> found;
  found.reserve(taints.size());
  for (auto& [key, taint] : taints) {
    found.push_back(std::move(taint));
  }
  found.resize(std::min(found.size(), kMostTaints));
  return found;
}

bool FixFinder::TryTolerating(const DemandPath& path, std::span<const api::DeviceTaint> taints) {
  std::vector<std::string> texts;
  texts.reserve(taints.size());
  for (const api::DeviceTaint& taint : taints) {
    texts.push_back(TaintText(taint));
  }
  return ConfirmEdit(Fix::Kind::kTolerate,
                     fmt::format("tolerate taint{} {} in {}", texts.size() == 1 ? "" : "s",
                                 fmt::join(texts, " and "), NameOf(path)),
                     path, [&](auto& each) {
                       for (const api::DeviceTaint& taint : taints) {
                         each.tolerations.push_back(TolerationOf(taint));
                       }
                     });
}

void FixFinder::TryTolerations(const DemandPath& path) {
  const std::vector<api::DeviceTaint> taints = TaintsFor(path);
  bool found = false;
  for (const api::DeviceTaint& taint : taints) {
    found = TryTolerating(path, {&taint, 1}) || found;
  }
  if (!found && taints.size() > 1) {
    TryTolerating(path, taints);
  }
}

void FixFinder::TrySelectors(const DemandPath& path) {
  std::vector<std::string> texts;
  With(*claims_[path.claim], path, [&](const auto& each) {
    for (const api::DeviceSelector& selector : each.selectors) {
      texts.push_back(selector.cel ? selector.cel->expression : "");
    }
  });
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t not_known = NotKnown();
    const bool replaced = TryNames(path, i, texts[i]) || TryConstants(path, i, texts[i]);
    const bool dropped =
        ConfirmEdit(Fix::Kind::kDropSelector,
                    fmt::format("drop selector {} of {}: {}", i, NameOf(path), texts[i]), path,
                    [&](auto& each) { EraseAt(each.selectors, i); });
    if (!replaced && !dropped) {
      InVain(fmt::format("drop selector {} of {}", i, NameOf(path)), not_known);
    }
  }
}

bool FixFinder::TryNames(const DemandPath& path, std::size_t selector, const std::string& text) {
  const auto expression =
      verdicts_.expressions().Get(text, selector::Profile::Stored(), selector::Use::kSelector);
  if (expression->error() != nullptr) {
    return false;
  }
  for (const UnknownName& unknown : UnknownNames(*expression, cluster_.table())) {
    if (unknown.nearest.empty()) {
      continue;
    }
    const std::string instead = WithName(text, unknown.wrong, unknown.nearest);
    if (ConfirmEdit(Fix::Kind::kCorrectName,
                    fmt::format("read {} instead of {} in selector {} of {}", unknown.nearest,
                                unknown.ToString(), selector, NameOf(path)),
                    path,
                    [&](auto& each) { each.selectors[selector].cel->expression = instead; })) {
      return true;
    }
  }
  return false;
}

bool FixFinder::TryConstants(const DemandPath& path, std::size_t selector,
                             const std::string& text) {
  const auto expression =
      verdicts_.expressions().Get(text, selector::Profile::Stored(), selector::Use::kSelector);
  if (expression->error() != nullptr) {
    return false;
  }
  for (const Literal& literal : ReplaceableLiterals(*expression, cluster_.table())) {
    for (const std::string& value : literal.instead) {
      const std::string instead = text.substr(0, literal.begin) + value + text.substr(literal.end);
      if (ConfirmEdit(Fix::Kind::kReplaceConstant,
                      fmt::format("replace {} by the published {} in selector {} of {}",
                                  literal.text, value, selector, NameOf(path)),
                      path,
                      [&](auto& each) { each.selectors[selector].cel->expression = instead; })) {
        return true;
      }
    }
  }
  return false;
}

void FixFinder::TryConstraints() {
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    const auto& constraints = claims_[c]->spec.devices.constraints;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const std::string text = fmt::format("drop constraint {} of claim {}: {}", i,
                                           claims_[c]->metadata.name, WordsOf(constraints[i]));
      const std::size_t not_known = NotKnown();
      api::ResourceClaim changed = *claims_[c];
      EraseAt(changed.spec.devices.constraints, i);
      if (!ConfirmChange(Fix::Kind::kDropConstraint, text, c, std::move(changed))) {
        InVain(text, not_known);
      }
    }
  }
}

}  // namespace quadra::allocator
