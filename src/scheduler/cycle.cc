#include "scheduler/cycle.h"

#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/dynamic_resources/state.h"
#include "scheduler/plugins/registry.h"

namespace quadra::scheduler {
namespace {

std::vector<WeightedPlugin> PluginsOf(const ProfileConfig& config, Handle& handle) {
  Result<std::vector<WeightedPlugin>> plugins = MakePlugins(config, handle);
  QUADRA_CHECK(plugins.has_value(), "the configuration was checked");
  return *std::move(plugins);
}

std::vector<const DisruptionBudget*> PointersTo(
    const std::map<std::string, DisruptionBudget>& budgets) {
  std::vector<const DisruptionBudget*> pointers;
  pointers.reserve(budgets.size());
  for (const auto& [name, budget] : budgets) {
    pointers.push_back(&budget);
  }
  return pointers;
}

}  // namespace

Cycle::Served::Served(const Handle& around, const ProfileConfig& config)
    : handle(around),
      profile(config.scheduler_name, PluginsOf(config, handle), handle),
      chooser({.percentage = config.percentage_of_nodes, .random = handle.random}) {}

Cycle::Cycle(client::ControllerContext& context, const SchedulerOptions& options)
    : context_(context),
      options_(options),
      pods_(context.informers.Of<api::Pod>()),
      devices_(language_, context.gates),
      handle_{.gates = context.gates,
              .snapshot = cache_,
              .devices = devices_,
              .random = context.random,
              .strict = options.strict,
              .preempt_devices = options.preempt_devices && !options.strict,
              .api = &context.api,
              .write = [this](loop::Task<void> task) { Write(std::move(task)); },
              .tell =
                  [this](const api::Pod& pod, std::string_view reason, const std::string& note) {
                    Record(pod, client::EventType::kNormal, reason, note);
                  },
              .surroundings = this,
              .nominated = [this](const std::string& node) { return queue_->Nominated(node); },
              .budgets = [this] { return PointersTo(budgets_); }},
      profiles_(MakeProfiles()),
      queue_(MakeQueue()),
      statuses_({.api = context.api,
                 .pods = pods_,
                 .write = [this](loop::Task<void> task) { Write(std::move(task)); },
                 .log = context.log}),
      meters_(context.metrics) {
  for (const auto& [name, served] : profiles_) {
    events_.try_emplace(name, context.api, name);
  }
}

Cycle::Profiles Cycle::MakeProfiles() {
  Profiles profiles;
  for (const ProfileConfig& config : options_.config.profiles) {
    profiles.try_emplace(config.scheduler_name, handle_, config);
  }
  return profiles;
}

std::unique_ptr<Queue> Cycle::MakeQueue() {
  std::vector<QueueRules> rules;
  for (const auto& [name, served] : profiles_) {
    rules.push_back(QueueRules::Of(served.profile));
  }
  return std::make_unique<Queue>(
      context_.api.loop(), std::move(rules),
      QueueOptions{.initial_backoff = options_.config.first_backoff,
                   .max_backoff = options_.config.longest_backoff,
                   .ready = [this] { Wake(); },
                   .incoming =
                       [this](std::string_view queue, std::string_view event) {
                         meters_.CountIncoming(queue, event);
                         ShowDepthsSoon();
                       }});
}

void Cycle::Start() {
  started_ = true;
  Wake();
}

bool Cycle::idle() const { return !has_turn_ && tasks_.size() == 0; }

void Cycle::Write(loop::Task<void> task) {
  if (in_cycle_) {
    decided_.push_back(std::move(task));
  } else {
    tasks_.Start(std::move(task));
  }
}

// Once for all that happens at the same moment.
void Cycle::ShowDepthsSoon() {
  if (!std::exchange(shows_depths_, true)) {
    context_.api.loop().Post([weak = weak_from_this()] {
      if (const std::shared_ptr<Cycle> alive = weak.lock()) {
        alive->shows_depths_ = false;
        alive->meters_.ShowDepths(alive->queue_->depths());
      }
    });
  }
}

void Cycle::Wake() {
  if (started_ && !has_turn_) {
    has_turn_ = true;
    context_.api.loop().Post([weak = weak_from_this()] {
      if (const std::shared_ptr<Cycle> alive = weak.lock()) {
        alive->Turn();
      }
    });
  }
}

void Cycle::Turn() {
  has_turn_ = false;
  std::optional<QueuedPod> next = queue_->Pop();
  ShowDepthsSoon();
  if (!next) {
    return;
  }
  auto attempt = std::make_shared<Attempt>();
  attempt->queued = *std::move(next);
  attempt->began = context_.api.loop().Now();
  const std::uint64_t sent = context_.api.sent();
  in_cycle_ = true;
  Place(attempt);
  in_cycle_ = false;
  QUADRA_CHECK(context_.api.sent() == sent, "what a cycle decides is written after it");
  for (loop::Task<void>& task : std::exchange(decided_, {})) {
    tasks_.Start(std::move(task));
  }
  Wake();
}

// The scheduling cycle: choose a node, take what the pod needs there, and have both written.
void Cycle::Place(const AttemptPtr& attempt) {
  const auto profile = profiles_.find(attempt->pod().pod.spec.scheduler_name);
  if (profile == profiles_.end() || IsToBeSkipped(*attempt)) {
    return queue_->Done(attempt->pod().uid());
  }
  attempt->profile = &profile->second.profile;
  const std::uint64_t before = devices_.verdicts().evaluations();
  attempt->choice =
      profile->second.chooser.Choose(*attempt->profile, cache_, attempt->state, attempt->pod());
  attempt->evaluations = devices_.verdicts().evaluations() - before;
  meters_.CountAlgorithm(context_.api.loop().Now() - attempt->began);
  if (attempt->choice.node == nullptr) {
    return GiveUp(attempt);
  }
  attempt->node = attempt->choice.node->name();
  if (Status reserved = AssumeAndReserve(*attempt); !reserved.ok()) {
    TakeBack(*attempt);
    return Fail(attempt, Refused(*attempt, std::move(reserved)), std::string());
  }
  Remember(*attempt, "waiting", "its node is chosen; what it needs there is being written");
  Write(Bind(attempt));
}

// No node took it: perhaps room can be made.
void Cycle::GiveUp(const AttemptPtr& attempt) {
  Choice& choice = attempt->choice;
  if (!choice.error.ok()) {
    return Fail(attempt, choice.error, std::string());
  }
  meters_.CountPreemptionAttempt();
  PostFilterResult made =
      attempt->profile->RunPostFilter(attempt->state, attempt->pod(), choice.diagnosis.statuses);
  choice.diagnosis.post_filter = made.status.Message();
  if (made.plan) {
    meters_.CountPreemption(*made.plan);
  }
  attempt->plan = std::move(made.plan);
  std::string text = TextOf(choice.diagnosis);
  if (!options_.strict) {
    text += " " + AccountOf(choice.diagnosis, attempt->pod().pod);
  }
  Fail(attempt, Status(Code::kUnschedulable, std::move(text)), made.nominated_node);
}

bool Cycle::IsToBeSkipped(const Attempt& attempt) {
  const PodInfo& pod = attempt.pod();
  if (pod.pod.metadata.deletion_timestamp) {
    Record(pod.pod, client::EventType::kWarning, "FailedScheduling",
           fmt::format("skip schedule deleting pod: {}", pod.full_name));
    return true;
  }
  return cache_.IsAssumed(pod);
}

Status Cycle::AssumeAndReserve(Attempt& attempt) {
  api::Pod placed = attempt.pod().pod;
  placed.spec.node_name = attempt.node;
  for (auto& status : NodeAllocatableOn(attempt.state, attempt.node)) {
    placed.status.node_allocatable_resource_claim_statuses.push_back(std::move(status));
  }
  attempt.assumed = PodInfo::Of(std::move(placed), context_.gates);
  cache_.Assume(attempt.assumed, attempt.node);
  queue_->DeleteNominated(attempt.pod());
  return attempt.profile->RunReserve(attempt.state, *attempt.assumed, attempt.node);
}

void Cycle::TakeBack(Attempt& attempt) {
  attempt.profile->RunUnreserve(attempt.state, *attempt.assumed, attempt.node);
  cache_.Forget(*attempt.assumed);
}

// A refusal of the chosen node counts as if the cluster had that node alone, as upstream tells it.
Status Cycle::Refused(Attempt& attempt, Status status) {
  if (!status.IsRejected()) {
    return status;
  }
  Diagnosis diagnosis{.nodes = 1};
  diagnosis.Blame(status);
  const Code code = status.code();
  diagnosis.statuses.nodes.insert_or_assign(attempt.node, std::move(status));
  attempt.choice.diagnosis = std::move(diagnosis);
  return Status(code, TextOf(attempt.choice.diagnosis));
}

}  // namespace quadra::scheduler
