// ReplicaSet: what its controller reads of one, and the status that it should have. Pure.
//
//   QUADRA_TRY(const ReplicaSet set, ReplicaSet::Read(object));
//   const ReplicaSetStatus status = set.StatusWith({.active = pods, .terminating = 1}, loop.Now());
//   if (status != set.status) … set.StatusPatch(status, …) …
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "api/object.h"
#include "apiserver/views.h"
#include "base/clock.h"
#include "base/result.h"
#include "lifecycle/deletion_order.h"

namespace quadra::lifecycle {

using apiserver::PodSelector;

struct ReplicaSetStatus {
  std::int64_t replicas = 0;
  std::int64_t fully_labeled = 0;  // with all labels of the template
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> terminating;
  std::int64_t observed_generation = 0;
  bool failing = false;  // has the condition ReplicaFailure

  friend bool operator==(const ReplicaSetStatus&, const ReplicaSetStatus&) = default;
};

// What there is of a set.
struct Replicas {
  std::span<const PodPointer> active;
  std::optional<std::int64_t> terminating;  // absent: not counted
  // Why pods could not be created or deleted; empty: they could.
  std::string trouble = {};
};

struct ReplicaSet {
  using Pointer = std::shared_ptr<const api::Object>;

  // Fails where nobody could say which pods it selects.
  static Result<ReplicaSet> Read(const Pointer& object);

  ReplicaSetStatus StatusWith(const Replicas& replicas, Time now) const;
  // A strategic merge patch that gives it this status, of this state of it alone. `trouble` becomes
  // a condition where it has none.
  std::string StatusPatch(const ReplicaSetStatus& wanted, const Replicas& replicas, Time now) const;
  // A pod of its template, with it as the controlling owner.
  std::string PodText() const;
  // When the next of these pods becomes available.
  std::optional<Time> NextAvailable(std::span<const PodPointer> active, Time now) const;

  Pointer object;
  api::ObjectMeta metadata;
  std::int64_t replicas = 0;
  std::int64_t min_ready_seconds = 0;
  PodSelector selector;
  ReplicaSetStatus status;
};

}  // namespace quadra::lifecycle
