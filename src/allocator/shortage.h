// Shortage: what a device has too little of for a demand, in words.
#pragma once

#include <string>

namespace quadra::allocator {

struct Shortage {
  // The part of what is wanted that is there, where that is the least: of two devices the one with
  // more comes nearer. Below 0 where no amount would do.
  double nearness = 0;
  bool of_counters = false;  // else of the device's own capacity
  std::string counter_set;   // that is short; empty for a capacity
  std::string text;          // e.g. memory 60Gi wanted, 40Gi of 80Gi left
};

}  // namespace quadra::allocator
