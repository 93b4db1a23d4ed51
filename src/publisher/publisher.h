// Publisher: keeps the ResourceSlices of pools as a driver says that they are. The door of this folder.
//
//   Publisher publisher(context);
//   publisher.Put({.driver = "gpu.example.com", .name = "node-1", .owner = node, .slices = {…}});
//   publisher.Start();                                      // when informers have synced
//   publisher.Put({… one device fewer …});
//
// Promises. A pool that is as wanted costs no write. What differs is written under a new generation,
// slices that stay are updated in place, and what is left over is deleted last: at any moment readers
// see the old pool, the new one, or one that they know to be incomplete. Slices that others change or
// delete are written again; a write that fails is tried again, later and later.
//
// Made before informers start. Threads: the context's loop. Cost: a write for each slice of a pool
// that changes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/role.h"

namespace quadra::publisher {

struct Pool {
  std::string driver;
  std::string name;
  // Whose going takes the slices along: the node, for devices of one.
  std::optional<api::OwnerReference> owner;
  // Without driver and pool, which are filled in. Where the devices are, each says itself.
  std::vector<api::ResourceSliceSpec> slices;
};

class Publisher {
 public:
  explicit Publisher(client::ControllerContext& context);
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // The pool of this driver and name is this one from now on.
  void Put(Pool pool);
  // The driver has no such pool any more.
  void Remove(std::string_view driver, std::string_view name);
  void Start() { queue_.Start(); }
  bool idle() const { return queue_.idle(); }

 private:
  using SlicePtr = std::shared_ptr<const api::ResourceSlice>;
  // What is to be done to make a pool as it is wanted.
  struct Plan {
    std::vector<api::ResourceSlice> writes;  // those without a name are new
    std::vector<SlicePtr> deletions;
  };

  Plan PlanFor(const Pool& wanted) const;
  loop::Task<client::Looked> Sync(std::string key);
  loop::Task<client::Answer<api::ResourceSlice>> Write(api::ResourceSlice slice);
  loop::Task<bool> Delete(SlicePtr slice);
  // Until our copy has the slice: by an older one the pool would be written once more.
  loop::Task<void> AwaitShown(api::ResourceSlice written);
  bool Log(const std::string& slice, const client::Failure& failure);

  client::ControllerContext& context_;
  client::Informer<api::ResourceSlice>& slices_;
  std::map<std::string, Pool, std::less<>> pools_;  // by driver/name; without slices: removed
  client::WorkQueue queue_;
};

}  // namespace quadra::publisher
