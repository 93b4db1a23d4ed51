// What the garbage collector writes to one object, of any kind. Private to src/lifecycle.
//
// Each says which uid it means, so that nothing happens to another object of the same name. Answers
// are the server's; NotFound says that the object has gone. `api` must outlive the task.
//
// Threads: the loop's. Cost: one request where nobody is in the way, two for what a read precedes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/api.h"
#include "lifecycle/graph.h"

namespace quadra::lifecycle {

// An object, and where it is served.
struct CollectedObject {
  Identity identity;
  client::Resource resource;

  // For people: configmaps team-a/settings.
  std::string Name() const;
};

OwnerReferences OwnersOf(const api::ObjectMeta& meta);
bool HasFinalizer(const api::ObjectMeta& meta, std::string_view finalizer);

// These are not its owners any more.
loop::Task<client::Answer<std::string>> RemoveOwners(client::Api& api, CollectedObject object,
                                                     std::vector<std::string> owner_uids);
// It holds up none of its owners any more.
loop::Task<client::Answer<std::string>> Unblock(client::Api& api, CollectedObject object,
                                                OwnerReferences owners);
// Tries again a few times where somebody else writes to it. Fine where it has not got it.
loop::Task<client::Answer<std::string>> RemoveFinalizer(client::Api& api, CollectedObject object,
                                                        std::string finalizer);
// Deletes it unless its owners are others than in `latest`; whatever else is written to it meanwhile
// does not save it.
loop::Task<client::Answer<std::string>> DeleteUnlessOwned(client::Api& api, CollectedObject object,
                                                          api::ObjectMeta latest,
                                                          client::Propagation propagation);

}  // namespace quadra::lifecycle
