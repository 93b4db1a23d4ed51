#include "hollow/pod_duty.h"

#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "hollow/pod_text.h"
#include "placement/pod_claims.h"

namespace quadra::hollow {
namespace {

using client::Answer;
using client::Looked;
using loop::Task;

constexpr std::string_view kByClaim = "hollow-claim";
constexpr std::string_view kByNode = "hollow-node";
constexpr std::size_t kWorkers = 50;

std::string NameOf(const api::Pod& pod) {
  return api::FullName(pod.metadata.ns, pod.metadata.name);
}

bool IsFinished(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

// The claims that it uses, as far as they have names yet.
std::vector<std::string> ClaimNamesOf(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::PodResourceClaim& each : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, each);
    if (name && !name->name.empty()) {
      names.push_back(name->name);
    }
  }
  if (const auto& extended = pod.status.extended_resource_claim_status) {
    names.push_back(extended->resource_claim_name);
  }
  return names;
}

// What it takes from its node, what its devices imply included.
placement::ResourceAmounts AmountsOf(const api::Pod& pod) {
  placement::ResourceAmounts amounts = placement::RequestsOnNode(pod).amounts;
  const auto& implied = pod.status.node_allocatable_resource_claim_statuses;
  for (const auto& [resource, amount] : placement::TotalOf({implied.begin(), implied.end()})) {
    amounts[resource] += placement::CountOf(resource, amount);
  }
  amounts["pods"] = 1;
  return amounts;
}

// For how long it runs; absent: until it is deleted.
std::optional<std::chrono::seconds> RunTimeOf(const api::Pod& pod) {
  const std::string* const text = pod.metadata.annotations.Find(kRunsFor);
  if (text == nullptr) {
    return std::nullopt;
  }
  int seconds = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), seconds);
  return read.ec == std::errc() && read.ptr == text->data() + text->size()
             ? std::optional(std::chrono::seconds(seconds))
             : std::nullopt;
}

client::ObjectReference ReferenceTo(const api::Pod& pod) {
  return {.api_version = "v1",
          .kind = "Pod",
          .ns = pod.metadata.ns,
          .name = pod.metadata.name,
          .uid = pod.metadata.uid,
          .resource_version = pod.metadata.resource_version};
}

Task<Looked> Rest() { co_return Looked::kDone; }

}  // namespace

PodDuty::PodDuty(client::ControllerContext& context, const std::vector<HollowNode>& nodes)
    : context_(context),
      pods_(context.informers.Of<api::Pod>()),
      claims_(context.informers.Of<api::ResourceClaim>()),
      events_(context.api, "hollow-kubelet"),
      queue_(context.api.loop(), {.meter = context.work.For("hollow_pods"), .workers = kWorkers},
             [this](const std::string& name) { return Sync(name); }) {
  for (const HollowNode& each : nodes) {
    placement::ResourceAmounts& amounts = capacity_[each.name];
    for (const auto& [resource, text] : each.capacity) {
      if (const auto amount = api::Quantity::Parse(text)) {
        amounts[resource] = placement::CountOf(resource, *amount);
      }
    }
  }
  pods_.AddIndex(std::string(kByNode),
                 [](const api::Pod& pod) { return std::vector<std::string>{pod.spec.node_name}; });
  pods_.AddIndex(std::string(kByClaim), [](const api::Pod& pod) {
    std::vector<std::string> keys = ClaimNamesOf(pod);
    for (std::string& each : keys) {
      each = api::FullName(pod.metadata.ns, each);
    }
    return keys;
  });
  pods_.OnChange(
      {.added = [this](const api::Pod& now) { Look(now); },
       .updated = [this](const api::Pod&, const api::Pod& now) { Look(now); },
       .deleted =
           [this](const api::Pod& last) { begun_[last.spec.node_name].erase(NameOf(last)); }});
  claims_.OnChange(
      {.added = [this](const api::ResourceClaim& now) { Look(now); },
       .updated = [this](const api::ResourceClaim&, const api::ResourceClaim& now) { Look(now); }});
}

void PodDuty::Look(const api::Pod& pod) {
  if (capacity_.contains(pod.spec.node_name)) {
    queue_.Add(NameOf(pod));
  }
}

void PodDuty::Look(const api::ResourceClaim& claim) {
  for (const PodPtr& pod : pods_.With(kByClaim, api::FullNameOf(claim))) {
    Look(*pod);
  }
}

Task<Looked> PodDuty::Sync(const std::string& full_name) {
  const PodPtr pod = pods_.Find(full_name);
  if (pod == nullptr || (IsFinished(*pod) && !pod->metadata.deletion_timestamp)) {
    return Rest();
  }
  if (pod->metadata.deletion_timestamp) {
    return Delete(pod);
  }
  return pod->status.phase == "Running" ? End(pod) : Begin(pod);
}

std::string PodDuty::MissingClaim(const api::Pod& pod) const {
  for (const api::PodResourceClaim& each : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, each);
    if (!name || name->kind == placement::ClaimName::Kind::kToBeMade) {
      return fmt::format("its claim {} was not made yet", each.name);
    }
  }
  for (const std::string& name : ClaimNamesOf(pod)) {
    const auto claim = claims_.Find(pod.metadata.ns, name);
    if (claim == nullptr || !claim->status.allocation) {
      return fmt::format("ResourceClaim {} {}", name,
                         claim == nullptr ? "does not exist" : "is not allocated");
    }
    if (!placement::IsReservedFor(*claim, pod)) {
      return fmt::format("ResourceClaim {} is not reserved for it", name);
    }
  }
  return {};
}

std::string PodDuty::Shortage(const api::Pod& pod) {
  placement::ResourceAmounts wanted = AmountsOf(pod);
  const placement::ResourceAmounts& capacity = capacity_.find(pod.spec.node_name)->second;
  placement::ResourceAmounts used;
  for (const PodPtr& other : pods_.With(kByNode, pod.spec.node_name)) {
    const bool begun = begun_[pod.spec.node_name].contains(NameOf(*other));
    if (other->metadata.uid != pod.metadata.uid && begun && !IsFinished(*other)) {
      for (const auto& [resource, amount] : AmountsOf(*other)) {
        used[resource] += amount;
      }
    }
  }
  for (const auto& [resource, amount] : wanted) {
    const auto all = capacity.find(resource);
    if (all != capacity.end() && used[resource] + amount > all->second) {
      return fmt::format("{}, requested: {}, used: {}, capacity: {}", resource, amount,
                         used[resource], all->second);
    }
  }
  return {};
}

Task<Looked> PodDuty::Begin(PodPtr pod) {
  if (std::string missing = MissingClaim(*pod); !missing.empty()) {
    events_.Record(ReferenceTo(*pod), client::EventType::kWarning, "FailedPrepareDynamicResources",
                   "the pod cannot start: " + missing);
    co_return Looked::kDone;  // the claim's next change wakes it
  }
  if (const std::string shortage = Shortage(*pod); !shortage.empty()) {
    const std::string resource = shortage.substr(0, shortage.find(','));
    Task<Looked> refusing =
        Patch(pod, RefusedText("OutOf" + resource,
                               "Pod was rejected: Node didn't have enough resource: " + shortage));
    const Looked refused = co_await refusing;
    co_return refused;
  }
  begun_[pod->spec.node_name].insert(NameOf(*pod));
  Task<Looked> beginning = Patch(pod, RunningText(*pod, context_.api.loop().Now()));
  const Looked begun = co_await beginning;
  co_return begun;
}

Task<Looked> PodDuty::End(PodPtr pod) {
  begun_[pod->spec.node_name].insert(NameOf(*pod));
  const std::optional<std::chrono::seconds> run_time = RunTimeOf(*pod);
  const std::optional<Time> started = pod->status.start_time;
  if (!run_time || !started) {
    co_return Looked::kDone;
  }
  const Time now = context_.api.loop().Now();
  const Time end = *started + *run_time;
  if (now < end) {
    queue_.AddAfter(end - now, NameOf(*pod));
    co_return Looked::kDone;
  }
  Task<Looked> ending = Patch(pod, DoneText(*pod, false, now));
  const Looked ended = co_await ending;
  co_return ended;
}

Task<Looked> PodDuty::Delete(PodPtr pod) {
  const client::Deletion deletion{.uid = pod->metadata.uid, .grace_seconds = 0};
  loop::Later<Answer<std::string>> deleting = context_.api.Delete(
      client::ResourceOf<api::Pod>(), pod->metadata.ns, pod->metadata.name, deletion);
  const Answer<std::string> deleted = co_await deleting;
  co_return Ended("end", *pod, deleted);
}

Task<Looked> PodDuty::Patch(PodPtr pod, std::string status) {
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = PatchText(*pod, status),
                        .subresource = "status"};
  loop::Later<Answer<std::string>> patching = context_.api.Patch(
      client::ResourceOf<api::Pod>(), pod->metadata.ns, pod->metadata.name, std::move(change));
  const Answer<std::string> patched = co_await patching;
  co_return Ended("tell the state of", *pod, patched);
}

// A pod that is gone needs nothing any more.
Looked PodDuty::Ended(std::string_view what, const api::Pod& pod,
                      const Answer<std::string>& answer) {
  if (answer || answer.error().Is(client::refused::kNotFound) ||
      answer.error().Is(client::refused::kConflict)) {
    return Looked::kDone;
  }
  context_.log(
      fmt::format("hollow nodes: cannot {} pod {}: {}", what, NameOf(pod), answer.error().message));
  return Looked::kAgain;
}

}  // namespace quadra::hollow
