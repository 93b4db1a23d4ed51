// The demonstration: what two teams run on the hollow nodes of a demo fleet (hollow/fleet.h), among it
// two pods that cannot run, for different reasons. The door of this folder.
//
//   const auto teams = MakeDemoTeams(context, [] { … });       // a controller, like all others
//
// It makes what is missing at its start and leaves alone what is there, so that what people change
// stays changed. From time to time a batch pod comes, runs for a while and goes.
//
// Threads: the context's loop.
#pragma once

#include <functional>
#include <memory>

#include "client/role.h"

namespace quadra::demo {

// `settled` is called once: all is there, and the scheduler has looked at the pods that cannot run.
std::unique_ptr<client::Controller> MakeDemoTeams(client::ControllerContext& context,
                                                  std::function<void()> settled);

}  // namespace quadra::demo
