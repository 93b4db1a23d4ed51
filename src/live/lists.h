// Lists: several collections of a cluster at once, each in pages, as the documents that dumps are
// made of. Part of the doors of this folder.
//
//   const std::vector<Need> needs = {{.resource = ResourceOf<api::ResourceSlice>()},
//                                    {.resource = ResourceOf<api::Pod>(), .vital = false}};
//   for (const Got& got : ReadAll(session, needs, {})) …
//
// A server that has resource.k8s.io in older versions only is asked in those.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "client/api.h"
#include "live/session.h"

namespace quadra::live {

// A collection that a question needs.
struct Need {
  client::Resource resource;
  client::Choice choice = {};
  // Without it there is no answer; otherwise there is one from partial data.
  bool vital = false;
  // Where listing all namespaces is denied: this one is read instead. Empty: none is.
  std::string fallback_ns = {};
};

struct Got {
  // Objects with apiVersion and kind. Empty where the server does not have the kind.
  client::Answer<client::Page> page;
  // Of all namespaces only this one could be read, since `denied`.
  std::string narrowed_to = {};
  client::Failure denied = {};
};

// One a need, in their order. `on_objects` is told how many came, of whichever kind; on the session's
// loop, while this waits.
std::vector<Got> ReadAll(Session& session, const std::vector<Need>& needs,
                         const std::function<void(std::size_t)>& on_objects);

}  // namespace quadra::live
