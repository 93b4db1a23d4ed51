// Creation: requests that create objects of one shape, from a file, under names that were not there
// before: NAME in the file becomes one.
//
//   QUADRA_TRY(const Creation creation, Creation::Prepare("/api/v1/nodes", "node.json"));
//   client->Fetch(creation(7));
//
// Immutable, thread-safe. Cost: one copy of the body a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "load.h"
#include "net/client.h"

namespace quadra::bench {

class Creation {
 public:
  static Result<Creation> Prepare(std::string collection, const std::string& file);

  // The i-th of this process.
  net::Request operator()(std::uint64_t i) const;

  // Creates so many, as fast as it goes; fails where one is refused.
  Status Fill(const Place& place, std::size_t count) const;

 private:
  Creation(std::string collection, std::string before, std::string after);

  std::string collection_;
  std::string before_;
  std::string after_;
  std::string prefix_;
};

}  // namespace quadra::bench
