// Workloads: what selects pods from outside: Services, and the controllers that own them.
//
//   workloads.Put(service);  workloads.Put(replica_set);
//   workloads.SelectorOf(pod)      // what pods like this one have in common
//
// Threads: the scheduler's loop. Cost: SelectorOf looks at the Services of one namespace.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "api/object.h"
#include "scheduler/framework/label_query.h"

namespace quadra::scheduler {

class Workloads {
 public:
  // Whether it is a Service, ReplicationController, ReplicaSet or StatefulSet.
  static bool Takes(const api::KindSchema& kind);
  // REQUIRES: of a kind that it takes.
  void Put(const api::Object& object);
  void Remove(const api::Object& object);

  // As upstream deduces what default constraints spread: the selectors of all Services that select
  // the pod, and of the controller that owns it; where two labels contradict each other, that of the
  // controller counts. Everything where there are none.
  LabelQuery SelectorOf(const api::Pod& pod) const;

 private:
  using Labels = api::Map<std::string>;
  using Services = std::map<std::string, Labels>;  // selectors by name
  struct Controller {
    Labels labels;    // of ReplicationControllers
    LabelQuery more;  // of the others
  };
  absl::flat_hash_map<std::string, Services> services_;       // by namespace
  absl::flat_hash_map<std::string, Controller> controllers_;  // by version, kind and full name
};

}  // namespace quadra::scheduler
