// QuestionCluster: the objects of a question as the scheduler keeps them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "api/vocabulary.h"
#include "base/result.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cache.h"
#include "scheduler/framework/pod_info.h"
#include "selector/selector.h"

namespace quadra::scheduler {

class QuestionCluster {
 public:
  // Both must outlive it.
  QuestionCluster(const selector::Language& language, const api::FeatureGates& gates)
      : gates_(gates), devices_(language, gates) {}

  // Of any kind; those that no plugin looks at are passed over.
  quadra::Status Add(std::string_view json);

  void operator()(api::Pod pod);
  void operator()(api::Node node);
  void operator()(const api::Namespace& ns);
  void operator()(api::ResourceClaim claim);
  void operator()(const api::ResourceSlice& slice) { devices_.Put(slice); }
  void operator()(api::DeviceClass device_class) { devices_.Put(std::move(device_class)); }
  void operator()(api::DeviceTaintRule rule);

  const Cache& cache() const { return cache_; }
  Devices& devices() { return devices_; }
  // Pods that wait and are promised the node.
  std::vector<PodInfoPtr> Nominated(const std::string& node) const;

 private:
  const api::FeatureGates& gates_;
  Cache cache_;
  Devices devices_;
  std::vector<PodInfoPtr> nominated_;
};

}  // namespace quadra::scheduler
