#include "diagnosis/proof.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace quadra::diagnosis {
namespace {

using placement::Examination;
using placement::NodeAnswer;
using reasons::Refusal;

// The reasons of other requests than that of the key, of each that of the alternative that came
// nearest; and before them why the node rejects the pod.
std::vector<const Refusal*> OthersThan(const Refusal& key, const NodeAnswer& answer) {
  const auto request_of = [](const Refusal& refusal) {
    return std::pair(refusal.claim, refusal.request.substr(0, refusal.request.find('/')));
  };
  const bool rejects = answer.rejection && &*answer.rejection == &key;
  std::vector<const Refusal*> others;
  if (answer.rejection && !rejects) {
    others.push_back(&*answer.rejection);
  }
  for (const Refusal& refusal : answer.refusals) {
    const bool apart = rejects || (!key.request.empty() && !refusal.request.empty());
    if (!apart || request_of(refusal) == request_of(key)) {
      continue;
    }
    const auto same = std::ranges::find_if(
        others, [&](const Refusal* each) { return request_of(*each) == request_of(refusal); });
    if (same == others.end()) {
      others.push_back(&refusal);
    } else if (refusal.code > (*same)->code) {
      *same = &refusal;
    }
  }
  return others;
}

// e.g. request "nic" of claim default/net, for words behind `key`; empty where no request of
// anybody's is to blame.
std::string BlamedText(const Refusal& key, const Refusal& other) {
  if (other.request.empty() || other.claim.ends_with(placement::kExtendedClaimName)) {
    return "";
  }
  return fmt::format("request \"{}\"{}", other.request,
                     other.claim == key.claim ? "" : " of claim " + other.claim);
}

// e.g. ; also request "nic", DevicesBusy: 1 device wanted, 0 of 1 that match are free
std::string AlsoText(const Refusal& key, const Refusal& other) {
  const std::string blamed = BlamedText(key, other);
  if (other.code == key.code && other.message == key.message && !blamed.empty()) {
    return "; likewise " + blamed;
  }
  return fmt::format("; also {}{}{}: {}", blamed, blamed.empty() ? "" : ", ",
                     reasons::NameOf(other.code), other.message);
}

std::string AlsoText(const Refusal& key, const std::vector<const Refusal*>& others) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), kMost); ++i) {
    text += AlsoText(key, *others[i]);
  }
  return others.size() > kMost
             ? fmt::format("{}; and {} further requests", text, others.size() - kMost)
             : text;
}

// Those of the key first.
void AddHoldings(const Refusal& refusal, const inventory::Held& held,
                 std::vector<Holding>& holdings) {
  for (const auto& [key, devices] : refusal.holders) {
    const inventory::Holder* holder = held.HolderOf(key);
    if (holder != nullptr &&
        std::ranges::find(holdings, holder->claim, &Holding::claim) == holdings.end()) {
      holdings.push_back(
          {.claim = holder->claim, .consumers = holder->consumers, .devices = devices});
    }
  }
}

// The reason of its devices that counts; null where they say nothing.
const Refusal* DevicesReason(const NodeAnswer& answer) {
  return answer.refusals.empty() ? nullptr : &placement::KeyReason(answer.refusals);
}

NodeFinding FindingOf(const NodeAnswer& answer, const inventory::Held& held) {
  const Refusal& key = KeyReason(answer);
  const Refusal* const devices = DevicesReason(answer);
  const std::vector<const Refusal*> others = OthersThan(key, answer);
  NodeFinding finding{.name = answer.view->node->metadata.name,
                      .refusal = key,
                      .nearness = NearnessOf(answer),
                      .has_two_causes = answer.rejection && devices != nullptr,
                      .counted = devices != nullptr && !devices->request.empty()};
  if (finding.counted) {
    finding.matching = devices->funnel.matching();
    finding.free = devices->funnel.sufficient;
  }
  finding.refusal.message += AlsoText(key, others);
  AddHoldings(key, held, finding.holders);
  for (const Refusal* other : others) {
    AddHoldings(*other, held, finding.holders);
  }
  return finding;
}

// Nearest first, then who has most free.
void SortByNearness(std::vector<NodeFinding>& findings) {
  std::ranges::stable_sort(findings, [](const NodeFinding& a, const NodeFinding& b) {
    return std::tie(b.nearness, b.free, b.matching) < std::tie(a.nearness, a.free, a.matching);
  });
}

// The funnel of one request, summed over nodes.
class StageCounter {
 public:
  // `constrained`: a constraint wants devices to agree.
  StageCounter(const Refusal& key, bool constrained) : key_(key), constrained_(constrained) {}

  void Add(const NodeAnswer& answer) {
    const auto same = std::ranges::find_if(answer.refusals, [&](const Refusal& refusal) {
      return !key_.request.empty() && refusal.claim == key_.claim &&
             refusal.request == key_.request;
    });
    if (same == answer.refusals.end()) {
      return;
    }
    const reasons::Funnel& funnel = same->funnel;
    std::size_t at = 0;
    Count(at++, "published", funnel.seen);
    Count(at++, "accepted by the class", funnel.after_class);
    for (std::size_t i = 0; i < funnel.after_selectors.size(); ++i) {
      Count(at++, fmt::format("accepted by selector {}", i), funnel.after_selectors[i]);
    }
    Count(at++, "untainted or tolerated", funnel.untainted);
    Count(at++, "free", funnel.free);
    Count(at++, "with capacity and counters left", funnel.sufficient);
    if (constrained_) {
      Count(at++, "agreeing as constraints want", funnel.best_group);
    }
    enough_ += funnel.best_group >= same->wanted ? 1 : 0;
    most_ = std::max(most_, funnel.best_group);
  }

  std::vector<Stage> Take() && {
    if (!stages_.empty()) {
      stages_.push_back(
          {.step = fmt::format("{} on one node", key_.wanted), .devices = most_, .nodes = enough_});
    }
    return std::move(stages_);
  }

 private:
  void Count(std::size_t at, std::string step, std::size_t devices) {
    if (at == stages_.size()) {
      stages_.push_back({.step = std::move(step)});
    }
    stages_[at].devices += devices;
    stages_[at].nodes += devices > 0 ? 1 : 0;
  }

  const Refusal& key_;
  bool constrained_;
  std::vector<Stage> stages_;
  std::size_t enough_ = 0;
  std::size_t most_ = 0;
};

}  // namespace

std::vector<NodeFinding> FindingsOf(const Examination& examined, const inventory::Held& held) {
  std::vector<NodeFinding> findings;
  for (const NodeAnswer& answer : examined.nodes) {
    if (!answer.fits) {
      findings.push_back(FindingOf(answer, held));
    }
  }
  SortByNearness(findings);
  return findings;
}

std::vector<ReasonGroup> GroupsOf(const std::vector<NodeFinding>& findings) {
  std::vector<ReasonGroup> groups;
  for (const NodeFinding& finding : findings) {
    const auto same = std::ranges::find(groups, finding.refusal.code, &ReasonGroup::code);
    if (same != groups.end()) {
      ++same->nodes;
    } else {
      groups.push_back({.code = finding.refusal.code,
                        .nodes = 1,
                        .nearest = finding.name,
                        .message = finding.refusal.message});
    }
  }
  std::ranges::stable_sort(groups, std::greater(), &ReasonGroup::nodes);
  return groups;
}

std::vector<Stage> StagesOf(const Examination& examined, const Refusal& key) {
  const bool constrained = std::ranges::any_of(
      examined.claims, [](const auto& claim) { return !claim.spec.devices.constraints.empty(); });
  StageCounter counter(key, constrained);
  for (const NodeAnswer& answer : examined.nodes) {
    if (!answer.rejection || answer.lacks_room) {
      counter.Add(answer);
    }
  }
  return std::move(counter).Take();
}

}  // namespace quadra::diagnosis
