// Cycle: the scheduler at work: takes the next pod, decides, and has it bound while the next one is
// decided.
//
// One object for all profiles of a process. Informers tell it what happens (following.cc); it keeps
// cache, devices and queue, and Turn() places one pod (cycle.cc); binding.cc writes what was decided,
// failure.cc tells the pod why not.
// Threads: the loop's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/role.h"
#include "loop/task.h"
#include "scheduler/attempt.h"
#include "scheduler/choice.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cache.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/profile.h"
#include "scheduler/meters.h"
#include "scheduler/pod_statuses.h"
#include "scheduler/queue/queue.h"
#include "scheduler/scheduler.h"
#include "selector/selector.h"

namespace quadra::scheduler {

class Cycle final : public Surroundings, public std::enable_shared_from_this<Cycle> {
 public:
  Cycle(client::ControllerContext& context, const SchedulerOptions& options);
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  void Start();
  bool idle() const;

  // --- What happens, by informers.
  void OnPod(const api::Pod* before, const api::Pod* now);
  void OnNode(const api::Node* before, const api::Node* now);
  void OnClaim(const api::ResourceClaim* before, const api::ResourceClaim* now);
  void OnSlice(const api::ResourceSlice* before, const api::ResourceSlice* now);
  void OnClass(const api::DeviceClass* before, const api::DeviceClass* now);
  void OnTaintRule(const api::DeviceTaintRule* before, const api::DeviceTaintRule* now);
  void OnNamespace(const api::Namespace* before, const api::Namespace* now);
  void OnWorkload(const api::Object* before, const api::Object* now);
  void OnBudget(const api::Object* before, const api::Object* now);

  // --- Surroundings: what plugins have done.
  std::shared_ptr<const api::Pod> FindPod(std::string_view full_name) const override;
  void Activate(const PodInfoPtr& pod) override;
  bool CancelBinding(const std::string& uid, const std::string& why) override;
  void TellOfClaim(const ClaimPtr& before, const ClaimPtr& now) override;
  void Log(const std::string& line) override;
  void Nominate(const PodInfoPtr& pod, const std::string& node) override;

 private:
  using AttemptPtr = std::shared_ptr<Attempt>;
  // What serves the pods of one scheduler name.
  struct Served {
    Served(const Handle& around, const ProfileConfig& config);
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    Handle handle;
    Profile profile;
    NodeChooser chooser;
  };
  using Profiles = std::map<std::string, Served, std::less<>>;
  Profiles MakeProfiles();
  std::unique_ptr<Queue> MakeQueue();

  // --- cycle.cc
  void Wake();
  void ShowDepthsSoon();
  void Turn();
  // Starts it, within a cycle after that.
  void Write(loop::Task<void> task);
  void Place(const AttemptPtr& attempt);
  void GiveUp(const AttemptPtr& attempt);
  bool IsToBeSkipped(const Attempt& attempt);
  // Counts the pod as on its node and takes what it needs there.
  Status AssumeAndReserve(Attempt& attempt);
  void TakeBack(Attempt& attempt);
  static Status Refused(Attempt& attempt, Status status);

  // --- binding.cc
  loop::Task<void> Bind(AttemptPtr attempt);
  loop::Task<Status> WriteAndBind(AttemptPtr attempt);
  // PreBind, up to its end or until it is cancelled.
  loop::Task<Status> Prepare(AttemptPtr attempt);
  loop::Task<void> RunPreBind(AttemptPtr attempt, std::function<void(Status)> bring);
  void Undo(const AttemptPtr& attempt, const Status& status);

  // --- failure.cc
  // `status` is why it came to nothing; the pod waits for what may change that.
  void Fail(const AttemptPtr& attempt, const Status& status,
            const std::optional<std::string>& nominated);
  void TellPod(const api::Pod& pod, const Status& status,
               const std::optional<std::string>& nominated);
  void Record(const api::Pod& about, client::EventType type, std::string_view reason,
              const std::string& note);
  loop::Task<void> WriteEvent(client::ObjectReference about, client::EventRecorder& recorder,
                              client::EventType type, std::string reason, std::string note);

  // --- remembering.cc: for who asks afterwards.
  void Remember(const Attempt& attempt, std::string_view result, std::string message);
  void ForgetAttempts(const api::Pod& pod);

  // --- following.cc
  bool IsOurs(const api::Pod& pod) const { return profiles_.contains(pod.spec.scheduler_name); }
  void OnWaiting(const api::Pod* before, const api::Pod& now);
  void OnWaitingGone(const api::Pod& last, bool bound);
  void OnPlaced(const api::Pod* before, const api::Pod& now);
  void OnPlacedGone(const api::Pod& last);
  void WakeRefusedForAffinity();
  PodInfoPtr InfoOf(const api::Pod& pod) const;

  client::ControllerContext& context_;
  const SchedulerOptions options_;
  client::Informer<api::Pod>& pods_;
  const selector::Language language_;
  Cache cache_;
  Devices devices_;
  std::map<std::string, DisruptionBudget> budgets_;  // by full name
  const Handle handle_;                              // each profile has a copy of it
  Profiles profiles_;                                // by scheduler name
  std::unique_ptr<Queue> queue_;
  PodStatuses statuses_;
  std::map<std::string, client::EventRecorder, std::less<>> events_;  // by scheduler name
  Meters meters_;
  bool started_ = false;
  bool has_turn_ = false;
  bool shows_depths_ = false;
  bool in_cycle_ = false;
  std::vector<loop::Task<void>> decided_;  // in this cycle, to be written after it
  // Ends PreBind of the pod of this uid; of those that are in it.
  absl::flat_hash_map<std::string, std::function<void(Status)>> preparing_;
  loop::TaskGroup tasks_;
};

}  // namespace quadra::scheduler
