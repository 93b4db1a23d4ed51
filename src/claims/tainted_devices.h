// TaintedDevices: which published devices have a NoExecute taint, kept up to date slice by slice.
//
// Of a pool, the slices of the highest generation count; whether all of them are there does not
// matter: what is tainted is tainted. Devices without such a taint cost nothing.
// One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"

namespace quadra::claims {

// driver/pool
std::string PoolKey(const std::string& driver, const std::string& pool);

class TaintedDevices {
 public:
  using Taints = std::vector<api::DeviceTaint>;
  using ByDevice = std::map<std::string, Taints>;

  // Both say of which devices of the slice's pool the taints are not what they were.
  std::vector<std::string> Put(const api::ResourceSlice& slice);
  std::vector<std::string> Remove(const api::ResourceSlice& slice);

  // Null where it has none.
  const Taints* Find(const std::string& pool_key, const std::string& device) const;

 private:
  struct Slice {
    std::int64_t generation = 0;
    ByDevice tainted;
  };
  struct Pool {
    std::map<std::string, Slice> slices;  // by name
    ByDevice tainted;                     // of the highest generation
  };

  // What is tainted now; says what has changed.
  static std::vector<std::string> Renew(Pool& pool);

  absl::flat_hash_map<std::string, Pool> pools_;  // by PoolKey
};

}  // namespace quadra::claims
