// Lease: who leads, as an object of coordination.k8s.io/v1 says it. Private to src/client.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace quadra::client {

struct Lease {
  std::string holder;  // empty: nobody, anyone may take it at once
  std::int64_t duration_seconds = 0;
  std::string acquire_time;  // as MicroTime writes them; of somebody else's clock
  std::string renew_time;
  std::int64_t transitions = 0;

  friend bool operator==(const Lease&, const Lease&) = default;
};

// What is absent or of another type reads as empty.
Lease LeaseOf(const json::Value& object);

// `object` with this as its spec; all else stays, its resourceVersion too.
std::string WithLease(json::Value object, const Lease& lease);

// An object that is not there yet.
json::Value NewLeaseObject(std::string_view ns, std::string_view name);

}  // namespace quadra::client
