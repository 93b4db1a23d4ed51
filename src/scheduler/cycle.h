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
#include "scheduler/queue/queue.h"
#include "scheduler/scheduler.h"
#include "selector/selector.h"

namespace quadra::scheduler {

class Cycle {
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

 private:
  using AttemptPtr = std::shared_ptr<Attempt>;
  // What serves the pods of one scheduler name.
  struct Served {
    std::unique_ptr<Profile> profile;
    NodeChooser chooser;
  };
  using Profiles = std::map<std::string, Served, std::less<>>;
  Profiles MakeProfiles();
  std::unique_ptr<Queue> MakeQueue();

  // --- cycle.cc
  void Wake();
  void Turn();
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
  void Undo(const AttemptPtr& attempt, const Status& status);

  // --- failure.cc
  // `status` is why it came to nothing; the pod waits for what may change that.
  void Fail(const AttemptPtr& attempt, const Status& status,
            const std::optional<std::string>& nominated);
  void TellPod(const api::Pod& pod, const Status& status,
               const std::optional<std::string>& nominated);
  loop::Task<void> PatchStatus(PodInfoPtr pod, client::Change change);
  void Record(const api::Pod& pod, client::EventType type, std::string_view reason,
              const std::string& note);

  // --- remembering.cc: for who asks afterwards.
  void Remember(const Attempt& attempt, std::string_view result, std::string message);
  void ForgetAttempts(const api::Pod& pod);

  // --- following.cc
  bool IsOurs(const api::Pod& pod) const { return profiles_.contains(pod.spec.scheduler_name); }
  void OnWaiting(const api::Pod* before, const api::Pod& now);
  void OnWaitingGone(const api::Pod& last, bool bound);
  void OnPlaced(const api::Pod* before, const api::Pod& now);
  void OnPlacedGone(const api::Pod& last);
  PodInfoPtr InfoOf(const api::Pod& pod) const;

  client::ControllerContext& context_;
  const SchedulerOptions options_;
  client::Informer<api::Pod>& pods_;
  const selector::Language language_;
  Cache cache_;
  Devices devices_;
  Handle handle_;
  Profiles profiles_;  // by scheduler name
  std::unique_ptr<Queue> queue_;
  client::EventRecorder events_;
  Meters meters_;
  bool started_ = false;
  bool has_turn_ = false;
  loop::TaskGroup tasks_;
};

}  // namespace quadra::scheduler
