// NodeDuty: what hollow nodes owe the cluster for themselves: the Node object, its status, a lease, and
// the slices of their drivers. Private to src/hollow.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "hollow/hollow.h"
#include "publisher/publisher.h"

namespace quadra::hollow {

class NodeDuty {
 public:
  // `nodes` must outlive it.
  NodeDuty(client::ControllerContext& context, const std::vector<HollowNode>& nodes);
  void Start();
  bool idle() const { return queue_.idle() && publisher_.idle(); }

 private:
  loop::Task<client::Looked> Sync(const std::string& name);
  loop::Task<client::Looked> Register(const HollowNode& node);
  loop::Task<client::Looked> Report(const HollowNode& node);
  loop::Task<client::Looked> Renew(std::string name);
  void Publish(const HollowNode& node, const api::Node& registered);
  std::chrono::microseconds BeatPeriod() const;
  client::Looked Ended(std::string_view what, const std::string& name,
                       const client::Answer<std::string>& answer);

  client::ControllerContext& context_;
  std::map<std::string, const HollowNode*, std::less<>> nodes_;  // by name
  client::Informer<api::Node>& registered_;
  publisher::Publisher publisher_;
  std::map<std::string, std::string, std::less<>> reported_;  // uid of the Node, by name
  client::WorkQueue queue_;                                   // of names
  client::WorkQueue beats_;                                   // of names
};

}  // namespace quadra::hollow
