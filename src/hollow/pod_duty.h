// PodDuty: what a hollow kubelet does with the pods of its nodes: starts them when they may start,
// refuses what does not fit, ends what is deleted or done. Private to src/hollow.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hollow/hollow.h"
#include "placement/place.h"

namespace quadra::hollow {

class PodDuty {
 public:
  // `nodes` must outlive it.
  PodDuty(client::ControllerContext& context, const std::vector<HollowNode>& nodes);
  void Start() { queue_.Start(); }
  bool idle() const { return queue_.idle(); }

 private:
  using PodPtr = client::Informer<api::Pod>::Pointer;

  loop::Task<client::Looked> Sync(const std::string& full_name);
  loop::Task<client::Looked> Begin(PodPtr pod);
  loop::Task<client::Looked> End(PodPtr pod);
  loop::Task<client::Looked> Delete(PodPtr pod);
  loop::Task<client::Looked> Patch(PodPtr pod, std::string status);
  // What keeps it from starting, of its claims; empty: nothing.
  std::string MissingClaim(const api::Pod& pod) const;
  // What its node has too little of, beside those that run there, as kubelets say it; empty: nothing.
  std::string Shortage(const api::Pod& pod);
  client::Looked Ended(std::string_view what, const api::Pod& pod,
                       const client::Answer<std::string>& answer);
  void Look(const api::Pod& pod);
  // Those that wait for the claim.
  void Look(const api::ResourceClaim& claim);

  client::ControllerContext& context_;
  std::map<std::string, placement::ResourceAmounts, std::less<>> capacity_;  // by node
  client::Informer<api::Pod>& pods_;
  client::Informer<api::ResourceClaim>& claims_;
  client::EventRecorder events_;
  // Full names of pods that run here by our own decision, as our copy may not show yet; by node.
  std::map<std::string, std::set<std::string>> begun_;
  client::WorkQueue queue_;
};

}  // namespace quadra::hollow
