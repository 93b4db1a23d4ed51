#include "diagnosis/leak.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/place.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using State = Consumer::State;

// What is to be said of a claim that holds devices.
struct HolderUse {
  const api::ResourceClaim* claim = nullptr;
  std::vector<Consumer> consumers;
  Use use = Use::kInUse;
};

// By the key under which the inventory knows the claim.
std::map<std::string, HolderUse> UsesIn(const Cluster& cluster) {
  const LeakJudge judge(cluster);
  std::map<std::string, HolderUse> uses;
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    if (claim.status.allocation) {
      HolderUse use{.claim = &claim, .consumers = judge.ConsumersOf(claim)};
      use.use = LeakJudge::UseOf(use.consumers);
      uses.emplace(inventory::ClaimKey(claim), std::move(use));
    }
  }
  return uses;
}

// "pod ns/x is gone"; "reserved for nobody"
std::string WhyLeaked(const HolderUse& use) {
  std::vector<std::string> texts;
  texts.reserve(use.consumers.size());
  for (const Consumer& consumer : use.consumers) {
    texts.push_back(fmt::format("{}pod {} {}", consumer.replaced ? "an earlier " : "",
                                consumer.name,
                                consumer.state == State::kGone ? "is gone" : "has finished"));
  }
  return texts.empty() ? "it is reserved for nobody" : fmt::format("{}", fmt::join(texts, ", "));
}

bool IsGoing(const api::ResourceClaim& claim) {
  return claim.metadata.deletion_timestamp.has_value();
}

std::string DeletionOf(const HolderUse& use) {
  const std::optional<api::AllocationResult>& allocation = use.claim->status.allocation;
  const std::size_t devices = allocation ? allocation->devices.results.size() : 0;
  return fmt::format("claim {}, which is leaked ({}) and holds {} device{}{}",
                     api::FullNameOf(*use.claim), WhyLeaked(use), devices, devices == 1 ? "" : "s",
                     IsGoing(*use.claim) ? " though it is being deleted" : "");
}

void JudgeRelease(const std::map<std::string, HolderUse>& uses, allocator::Fix& fix) {
  std::vector<std::string> leaked;
  std::set<std::string> unseen;
  bool all_going = true;
  for (const std::string& key : fix.released) {
    const auto found = uses.find(key);
    if (found != uses.end() && found->second.use == Use::kLeaked) {
      leaked.push_back(DeletionOf(found->second));
      all_going = all_going && IsGoing(*found->second.claim);
    } else if (found != uses.end() && found->second.use == Use::kUnknown) {
      unseen.insert(found->second.claim->metadata.ns);
    }
  }
  if (!leaked.empty() && leaked.size() == fix.released.size()) {
    fix.kind = fix.besides.empty() ? allocator::Fix::Kind::kDelete : fix.kind;
    fix.text =
        fmt::format("{}release {}{}{}", all_going ? "" : "delete or ", fmt::join(leaked, ", and "),
                    fix.besides.empty() ? "" : ", and ", fix.besides);
  } else if (!leaked.empty()) {
    fix.text += fmt::format("; of these delete {}", fmt::join(leaked, ", and "));
  }
  for (const std::string& ns : unseen) {
    fix.text += fmt::format(" (whether its pod still runs: {})", CommandForPods(ns));
  }
}

}  // namespace

bool IsMeant(const api::ResourceClaimConsumerReference& reference, const api::Pod& pod) {
  return reference.uid.empty() || pod.metadata.uid.empty() || pod.metadata.uid == reference.uid;
}

LeakJudge::LeakJudge(const Cluster& cluster) : cluster_(cluster) {
  for (const api::Pod& pod : cluster.pods().all()) {
    namespaces_.insert(pod.metadata.ns);
    if (placement::IsFinished(pod)) {
      continue;
    }
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const auto claim = placement::ResolveClaim(pod, entry);
      if (claim && !claim->name.empty()) {
        users_[api::FullName(pod.metadata.ns, claim->name)].push_back(&pod);
      }
    }
  }
}

State LeakJudge::StateOf(const api::ResourceClaimConsumerReference& reference,
                         const std::string& ns) const {
  if (reference.resource != "pods" || namespaces_.empty()) {
    return State::kUnknown;
  }
  if (!namespaces_.contains(ns)) {
    return State::kUnseen;
  }
  const api::Pod* pod = cluster_.pods().Find(ns, reference.name);
  if (pod == nullptr || !IsMeant(reference, *pod)) {
    return State::kGone;
  }
  return placement::IsFinished(*pod) ? State::kFinished : State::kLive;
}

std::vector<Consumer> LeakJudge::ConsumersOf(const api::ResourceClaim& claim) const {
  std::vector<Consumer> consumers;
  for (const api::ResourceClaimConsumerReference& reference : claim.status.reserved_for) {
    consumers.push_back({.resource = reference.resource,
                         .name = api::FullName(claim.metadata.ns, reference.name),
                         .state = StateOf(reference, claim.metadata.ns)});
    consumers.back().replaced = consumers.back().state == State::kGone &&
                                cluster_.pods().Find(claim.metadata.ns, reference.name) != nullptr;
  }
  const auto users = users_.find(api::FullNameOf(claim));
  for (std::size_t i = 0; users != users_.end() && i < users->second.size(); ++i) {
    const std::string name = api::FullNameOf(*users->second[i]);
    // Who stands there may be an earlier pod of that name.
    const bool stands = std::ranges::any_of(consumers, [&](const Consumer& each) {
      return each.name == name && each.state != State::kGone;
    });
    if (!stands) {
      consumers.push_back(
          {.resource = "pods", .name = name, .state = State::kLive, .reserved = false});
    }
  }
  return consumers;
}

Use LeakJudge::UseOf(const std::vector<Consumer>& consumers) {
  const auto any = [&](State state) {
    return std::ranges::find(consumers, state, &Consumer::state) != consumers.end();
  };
  if (any(State::kLive) || any(State::kUnknown)) {
    return Use::kInUse;
  }
  return any(State::kUnseen) ? Use::kUnknown : Use::kLeaked;
}

std::string CommandForPods(const std::string& ns) {
  return fmt::format("kubectl get pods -n {} -o yaml", ns);
}

void PutLeakedFirst(const Cluster& cluster, std::vector<allocator::Failure>& failures) {
  const std::map<std::string, HolderUse> uses = UsesIn(cluster);
  for (allocator::Failure& failure : failures) {
    for (reasons::Refusal& reason : failure.reasons) {
      std::ranges::stable_partition(reason.holders, [&](const auto& holder) {
        const auto found = uses.find(holder.first);
        return found != uses.end() && found->second.use == Use::kLeaked;
      });
    }
  }
}

void JudgeReleases(const Cluster& cluster, allocator::Fixes& fixes) {
  const std::map<std::string, HolderUse> uses = UsesIn(cluster);
  for (allocator::Fix& fix : fixes.found) {
    JudgeRelease(uses, fix);
  }
  std::ranges::stable_partition(fixes.found, [](const allocator::Fix& fix) {
    return fix.kind == allocator::Fix::Kind::kDelete;
  });
}

}  // namespace quadra::diagnosis
