#include "allocator/fix.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "allocator/constants.h"
#include "allocator/constraint.h"
#include "allocator/plan.h"
#include "allocator/release.h"
#include "allocator/search.h"
#include "allocator/smaller_request.h"
#include "base/nearest.h"

namespace quadra::allocator {
namespace {

// Looked at for holders and taints: the nodes that come nearest.
constexpr std::size_t kNearNodes = 8;
constexpr std::size_t kMostHolders = 64;
constexpr std::size_t kMostOfAKind = 3;
constexpr std::size_t kMostTaints = 8;
constexpr std::size_t kMostClasses = 8;
// Of one trial, and of all, when the fewest holders are looked for.
constexpr std::uint64_t kReleaseBudget = 10'000;
constexpr std::uint64_t kMostReleaseSteps = 1'000'000;

using Claims = std::vector<const api::ResourceClaim*>;

// One request of a claim, or one alternative of it.
struct DemandPath {
  std::size_t claim = 0;
  std::size_t request = 0;
  std::size_t alternative = 0;
};

// Calls `edit` with the request or alternative, whichever it is.
template <typename Claim, typename Edit>
void With(Claim& claim, const DemandPath& path, const Edit& edit) {
  auto& request = claim.spec.devices.requests[path.request];
  if (request.exactly) {
    edit(*request.exactly);
  } else {
    edit(request.first_available[path.alternative]);
  }
}

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

class FixFinder {
 public:
  FixFinder(const inventory::Snapshot& cluster, std::span<const api::ResourceClaim* const> claims,
            std::span<const Failure> failures, Verdicts& verdicts, const Judge& judge)
      : cluster_(cluster),
        claims_(claims.begin(), claims.end()),
        near_(failures.first(std::min(failures.size(), kNearNodes))),
        verdicts_(verdicts),
        judge_(judge) {}

  Fixes Find() {
    TryReleases();
    for (const DemandPath& path : Paths()) {
      TryClasses(path);
      TryCounts(path);
      TryCapacities(path);
      TryTolerations(path);
      TrySelectors(path);
    }
    TryConstraints();
    return std::move(fixes_);
  }

 private:
  // --- Asking.

  bool Confirm(Fix fix) {
    std::optional<std::string> node = judge_(fix);
    fixes_.untried += node ? 0 : 1;
    if (!node || node->empty()) {
      return false;
    }
    fix.node = *std::move(node);
    fixes_.found.push_back(std::move(fix));
    return true;
  }

  // Of what was tried only in part nobody knows.
  void InVain(std::string text) {
    if (fixes_.untried == 0) {
      fixes_.futile.push_back(std::move(text));
    }
  }

  bool ConfirmChange(Fix::Kind kind, std::string text, std::size_t claim,
                     api::ResourceClaim changed) {
    return Confirm({.kind = kind,
                    .text = std::move(text),
                    .node = "",
                    .claim = claim,
                    .changed = std::move(changed),
                    .released = {},
                    .pod = std::nullopt,
                    .admitting = std::nullopt});
  }

  template <typename Edit>
  bool ConfirmEdit(Fix::Kind kind, std::string text, const DemandPath& path, const Edit& edit) {
    api::ResourceClaim changed = *claims_[path.claim];
    With(changed, path, edit);
    return ConfirmChange(kind, std::move(text), path.claim, std::move(changed));
  }

  // --- Wording.

  std::vector<DemandPath> Paths() const {
    std::vector<DemandPath> paths;
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const auto& requests = claims_[c]->spec.devices.requests;
      for (std::size_t r = 0; r < requests.size(); ++r) {
        const std::size_t count = requests[r].exactly ? 1 : requests[r].first_available.size();
        for (std::size_t a = 0; a < count; ++a) {
          paths.push_back({.claim = c, .request = r, .alternative = a});
        }
      }
    }
    return paths;
  }

  // request "gpu", with its claim where there are several.
  std::string NameOf(const DemandPath& path) const {
    const api::ResourceClaim& claim = *claims_[path.claim];
    const api::DeviceRequest& request = claim.spec.devices.requests[path.request];
    const std::string name =
        request.exactly ? request.name
                        : request.name + "/" + request.first_available[path.alternative].name;
    return claims_.size() == 1
               ? fmt::format("request \"{}\"", name)
               : fmt::format("request \"{}\" of claim {}", name, claim.metadata.name);
  }

  std::string HolderText(const std::string& key) const {
    const inventory::Holder* holder = cluster_.held().HolderOf(key);
    if (holder == nullptr) {
      return key;
    }
    return holder->consumers.empty()
               ? fmt::format("claim {}", holder->claim)
               : fmt::format("claim {} of {}", holder->claim, fmt::join(holder->consumers, ", "));
  }

  // --- Releases.

  struct Rival {
    std::string key;
    const Failure* failure;
    std::size_t devices;
  };

  static std::vector<Rival> RivalsOn(const Failure& failure) {
    std::vector<Rival> rivals;
    for (const Refusal& reason : failure.reasons) {
      for (const auto& [key, devices] : reason.holders) {
        const bool known =
            std::ranges::any_of(rivals, [&](const Rival& rival) { return rival.key == key; });
        if (!known) {
          rivals.push_back({key, &failure, devices});
        }
      }
    }
    return rivals;
  }

  void TryReleases() {
    std::set<std::string> tried;
    std::size_t found = 0;
    for (const Failure& failure : near_) {
      for (const Rival& rival : RivalsOn(failure)) {
        if (found < kMostOfAKind && tried.size() < kMostHolders && tried.insert(rival.key).second) {
          found += TryRelease(rival) ? 1 : 0;
        }
      }
    }
    if (found > 0 || tried.empty()) {
      return;
    }
    InVain(tried.size() == 1 ? "wait for " + HolderText(*tried.begin())
                             : "wait for any single claim");
    TryFreeing();
  }

  static Fix ReleaseOf(Fix::Kind kind, std::string text, std::vector<std::string> keys) {
    return {.kind = kind,
            .text = std::move(text),
            .node = "",
            .claim = std::nullopt,
            .changed = std::nullopt,
            .released = std::move(keys),
            .pod = std::nullopt,
            .admitting = std::nullopt};
  }

  bool TryRelease(const Rival& rival) {
    return Confirm(
        ReleaseOf(Fix::Kind::kWait,
                  fmt::format("wait for {}, which holds {} device{} on {}", HolderText(rival.key),
                              rival.devices, rival.devices == 1 ? "" : "s",
                              rival.failure->node->node->metadata.name),
                  {rival.key}));
  }

  // A look that is cheaper than the judge's, and bounded: nothing is found once it becomes long.
  bool FitsWithout(std::span<const std::string> keys, const Failure& failure) {
    if (release_steps_ > kMostReleaseSteps) {
      return false;
    }
    const inventory::Snapshot trial = Released(cluster_, keys);
    Allocator allocator(trial, claims_, verdicts_, {.budget = kReleaseBudget});
    const bool fits = allocator.Try(*failure.node) == Allocator::Fit::kFits;
    release_steps_ += allocator.steps();
    return fits;
  }

  // Those that are named first; then whoever else holds anything there, since a request that could
  // be met by itself names nobody.
  std::vector<std::string> HoldersOn(const Failure& failure) const {
    std::vector<std::string> keys;
    for (const Rival& rival : RivalsOn(failure)) {
      keys.push_back(rival.key);
    }
    for (const std::string& key : HoldersSeenFrom(*failure.node, cluster_)) {
      if (std::ranges::find(keys, key) == keys.end()) {
        keys.push_back(key);
      }
    }
    return keys;
  }

  struct Freeing {
    std::vector<std::string> keys;
    const Failure* where = nullptr;
  };

  // The fewest claims on any of the nodes that the pod may use then.
  void TryFreeing() {
    std::vector<Freeing> found;
    for (const Failure& failure : near_) {
      std::vector<std::string> keys = FewestToRelease(
          HoldersOn(failure),
          [&](std::span<const std::string> released) { return FitsWithout(released, failure); });
      if (!keys.empty()) {
        found.push_back({std::move(keys), &failure});
      }
    }
    std::ranges::stable_sort(found, {}, [](const Freeing& each) { return each.keys.size(); });
    for (const Freeing& each : found) {
      if (ConfirmFreeing(each)) {
        return;
      }
    }
  }

  bool ConfirmFreeing(const Freeing& freeing) {
    std::vector<std::string> names;
    names.reserve(freeing.keys.size());
    for (const std::string& key : freeing.keys) {
      names.push_back(HolderText(key));
    }
    return Confirm(
        ReleaseOf(Fix::Kind::kFree,
                  fmt::format("free the devices on {} of {}",
                              freeing.where->node->node->metadata.name, fmt::join(names, " and ")),
                  freeing.keys));
  }

  // --- Changes of a request.

  void TryClasses(const DemandPath& path) {
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

  void TryCounts(const DemandPath& path) {
    std::int64_t count = 0;
    With(*claims_[path.claim], path,
         [&](const auto& each) { count = each.allocation_mode == "All" ? 0 : each.count; });
    if (count < 2) {
      return;
    }
    const std::int64_t most = std::min(count - 1, static_cast<std::int64_t>(kMaxResults));
    for (std::int64_t fewer = most; fewer > 0; --fewer) {
      if (ConfirmEdit(
              Fix::Kind::kLowerCount,
              fmt::format("lower the count of {} from {} to {}", NameOf(path), count, fewer), path,
              [&](auto& each) { each.count = fewer; })) {
        return;
      }
    }
    InVain(fmt::format("lower the count of {}", NameOf(path)));
  }

  std::vector<SmallerRequest> SmallerRequestsFor(const DemandPath& path) const {
    std::vector<const inventory::NodeView*> nodes;
    nodes.reserve(near_.size());
    for (const Failure& failure : near_) {
      nodes.push_back(failure.node);
    }
    std::vector<SmallerRequest> smaller;
    With(*claims_[path.claim], path, [&](const auto& each) {
      const auto device_class = cluster_.classes().find(each.device_class_name);
      if (each.capacity && device_class != cluster_.classes().end()) {
        const auto verdicts =
            verdicts_.Of(cluster_, device_class->second->spec.selectors, each.selectors);
        smaller = SmallerRequests(cluster_, nodes, *verdicts, each.capacity->requests);
      }
    });
    return smaller;
  }

  void TryCapacities(const DemandPath& path) {
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
  std::vector<api::DeviceTaint> TaintsFor(const DemandPath& path) const {
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

  bool TryTolerating(const DemandPath& path, std::span<const api::DeviceTaint> taints) {
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

  void TryTolerations(const DemandPath& path) {
    const std::vector<api::DeviceTaint> taints = TaintsFor(path);
    bool found = false;
    for (const api::DeviceTaint& taint : taints) {
      found = TryTolerating(path, {&taint, 1}) || found;
    }
    if (!found && taints.size() > 1) {
      TryTolerating(path, taints);
    }
  }

  void TrySelectors(const DemandPath& path) {
    std::vector<std::string> texts;
    With(*claims_[path.claim], path, [&](const auto& each) {
      for (const api::DeviceSelector& selector : each.selectors) {
        texts.push_back(selector.cel ? selector.cel->expression : "");
      }
    });
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool replaced = TryConstants(path, i, texts[i]);
      const bool dropped =
          ConfirmEdit(Fix::Kind::kDropSelector,
                      fmt::format("drop selector {} of {}: {}", i, NameOf(path), texts[i]), path,
                      [&](auto& each) { EraseAt(each.selectors, i); });
      if (!replaced && !dropped) {
        InVain(fmt::format("drop selector {} of {}", i, NameOf(path)));
      }
    }
  }

  bool TryConstants(const DemandPath& path, std::size_t selector, const std::string& text) {
    const auto expression =
        verdicts_.expressions().Get(text, selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error() != nullptr) {
      return false;
    }
    for (const Literal& literal : ReplaceableLiterals(*expression, cluster_.table())) {
      for (const std::string& value : literal.instead) {
        const std::string instead =
            text.substr(0, literal.begin) + value + text.substr(literal.end);
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

  void TryConstraints() {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const auto& constraints = claims_[c]->spec.devices.constraints;
      for (std::size_t i = 0; i < constraints.size(); ++i) {
        const std::string text = fmt::format("drop constraint {} of claim {}: {}", i,
                                             claims_[c]->metadata.name, WordsOf(constraints[i]));
        api::ResourceClaim changed = *claims_[c];
        EraseAt(changed.spec.devices.constraints, i);
        if (!ConfirmChange(Fix::Kind::kDropConstraint, text, c, std::move(changed))) {
          InVain(text);
        }
      }
    }
  }

  const inventory::Snapshot& cluster_;
  Claims claims_;
  std::span<const Failure> near_;
  Verdicts& verdicts_;
  const Judge& judge_;
  std::uint64_t release_steps_ = 0;
  Fixes fixes_;
};

}  // namespace

std::string_view KindName(Fix::Kind kind) {
  constexpr std::array<std::string_view, 11> kNames = {
      "Wait",           "Free",     "LowerCount",    "Tolerate", "ReplaceConstant", "DropSelector",
      "DropConstraint", "UseClass", "LowerCapacity", "Delete",   "AdmitNode"};
  return kNames[static_cast<std::size_t>(kind)];
}

Fixes FindFixes(const inventory::Snapshot& cluster,
                std::span<const api::ResourceClaim* const> claims,
                std::span<const Failure> failures, Verdicts& verdicts, const Judge& judge) {
  return FixFinder(cluster, claims, failures, verdicts, judge).Find();
}

}  // namespace quadra::allocator
