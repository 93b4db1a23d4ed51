// Role: controllers that work together on one loop of their own, wherever their server is: those of
// kube-controller-manager, or the scheduler. A door of this folder.
//
//   Role role(client, {.name = "quadra-controller", .makers = MakersOf(chosen, settings)});
//   role.Start({.ready = [] { … }, .lost = [] { … }});
//   role.Stop();                                        // gives the lease up
//
// Start comes back at once: the server may be away for as long as it likes. First it is asked for
// the versions that it has, then collections are listed, then, where there is an election, the lease
// is waited for; then controllers work and `ready` is called.
//
// Threads: all members may be called by all but the role's own loop; calls come on that loop.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/vocabulary.h"
#include "client/role.h"
#include "metrics/registry.h"
#include "net/client.h"
#include "roles/controllers.h"

namespace quadra::roles {

struct RoleOptions {
  std::string name;  // as servers know it: user agent and field manager
  std::vector<ControllerMaker> makers;
  api::FeatureGates gates;
  // Absent: this is the only process.
  std::optional<client::LeaderElectionOptions> leader;
  // For client::ApiOptions: who we are.
  std::function<net::Headers()> headers = [] { return net::Headers(); };
  std::function<bool()> renew = [] { return false; };
  // For operators, a line each; called on the loop.
  std::function<void(std::string_view line)> log = [](std::string_view) {};
};

struct RoleCalls {
  std::function<void()> ready = [] {};
  std::function<void()> lost = [] {};  // another leads now; nothing is done here any more
};

class Role {
 public:
  // `client` must outlive it.
  Role(net::Client& client, RoleOptions options);
  ~Role();
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;

  void Start(RoleCalls calls);
  // Waits a little for the lease to be given up. Nothing is written afterwards.
  void Stop();

  bool ready() const;
  metrics::Registry& metrics();

 private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace quadra::roles
