// PodStatuses: what pods that wait are told, one write of a pod at a time, the newest last.
//
// Our copy of a pod may be older than what we wrote before. So a change is measured against what the
// server answered to that, until our copy is as new: nothing is left out because an older text was the
// same, and no write overtakes another.
//
//   statuses.Tell(*pod, {.condition = …});
//   statuses.Show(*pod);            // our copy is this now
//
// Threads: the scheduler's loop. Cost: a patch for each change; what is told meanwhile is joined.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "client/api.h"
#include "client/role.h"
#include "loop/task.h"
#include "scheduler/status_patch.h"

namespace quadra::scheduler {

class PodStatuses {
 public:
  struct Around {
    client::Api& api;
    const client::Informer<api::Pod>& pods;
    std::function<void(loop::Task<void>)> write;
    std::function<void(const std::string&)> log;
  };

  explicit PodStatuses(Around around) : around_(std::move(around)) {}

  // `pod` is our copy of it. A pod that is gone is told nothing.
  void Tell(const api::Pod& pod, StatusWanted wanted);
  void Show(const api::Pod& pod);
  void Forget(const std::string& uid) { told_.erase(uid); }

 private:
  struct Telling {
    api::Pod newest;  // as far as we know
    std::optional<StatusWanted> next;
    bool is_writing = false;
  };
  using TellingPtr = std::shared_ptr<Telling>;

  loop::Task<void> Write(TellingPtr telling);
  // False where it is not known what the server has now.
  loop::Task<bool> Patch(TellingPtr telling, client::Change change);

  const Around around_;
  absl::flat_hash_map<std::string, TellingPtr> told_;  // by uid
};

}  // namespace quadra::scheduler
