// Happening: an event with its objects, kept alive: pods that are being scheduled meanwhile are told of
// it when they come back. Pure data.
#pragma once

#include <memory>

#include "api/kinds.h"
#include "scheduler/framework/cluster_event.h"

namespace quadra::scheduler {

struct Happening {
  ClusterEvent event;
  PodInfoPtr pod_before = nullptr;
  PodInfoPtr pod_now = nullptr;
  std::shared_ptr<const api::Node> node_before = nullptr;
  std::shared_ptr<const api::Node> node_now = nullptr;
  std::shared_ptr<const api::ResourceClaim> claim_before = nullptr;
  std::shared_ptr<const api::ResourceClaim> claim_now = nullptr;
  std::shared_ptr<const api::DeviceClass> class_before = nullptr;
  std::shared_ptr<const api::DeviceClass> class_now = nullptr;

  EventObjects objects() const {
    return {.pod_before = pod_before.get(),
            .pod_now = pod_now.get(),
            .node_before = node_before.get(),
            .node_now = node_now.get(),
            .claim_before = claim_before.get(),
            .claim_now = claim_now.get(),
            .class_before = class_before.get(),
            .class_now = class_now.get()};
  }
};

}  // namespace quadra::scheduler
