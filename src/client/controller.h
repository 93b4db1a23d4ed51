// Controller: one duty of a control plane, as kube-controller-manager names them; and what every one
// of them is given. Part of role.h.
//
//   class ClaimController final : public Controller {
//    public:
//     explicit ClaimController(ControllerContext& context)
//         : pods_(context.informers.Of<api::Pod>()), queue_(context.api.loop(), …) { pods_.OnChange(…); }
//     void Start() override { queue_.Start(); }
//   };
//
// A controller is made before informers start: it asks for the collections it needs, adds indexes
// and handlers. Start() comes when all informers have synced. Everything happens on the loop of the
// context's Api; a controller that is dropped forgets what it was doing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/vocabulary.h"
#include "base/random.h"
#include "client/api.h"
#include "client/informers.h"
#include "client/work_meters.h"
#include "metrics/registry.h"

namespace quadra::client {

struct ControllerContext {
  Api& api;
  Informers& informers;  // outlive the controllers
  const api::FeatureGates& gates;
  metrics::Registry& metrics;
  const WorkMeters& work;
  Random& random;
  // For operators: one line, no line break.
  std::function<void(std::string_view line)> log = [](std::string_view) {};
};

class Controller {
 public:
  virtual ~Controller() = default;
  virtual void Start() = 0;
  // Nothing to do now, for tests and status: no key waits but for its time.
  virtual bool idle() const = 0;
};

}  // namespace quadra::client
