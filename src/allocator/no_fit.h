// NoFit: why claims do not fit, as data.
//
// A no is told as a funnel: how many devices were left after each stage, and the first stage that
// left too few names the reason.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reasons/code.h"

namespace quadra::allocator {

// How many devices of the node are left after each stage, for one request.
struct Funnel {
  std::size_t seen = 0;
  std::size_t after_class = 0;
  std::vector<std::size_t> after_selectors;  // of the request, one each
  std::size_t untainted = 0;
  std::size_t free = 0;
  std::size_t sufficient = 0;  // capacity and counters
  std::size_t best_group = 0;  // the most that a matchAttribute constraint leaves together
  std::size_t errors = 0;      // devices on which a selector failed
  std::string first_error;
};

struct NoFit {
  reasons::Code code = reasons::Code::kUndecided;
  std::string claim;    // namespace/name; empty where no single claim is to blame
  std::string request;  // request, or request/alternative; empty likewise
  std::string message;  // one sentence
  std::size_t wanted = 0;
  Funnel funnel;  // where there is a request
  // Who holds devices that the request could use: keys of claims in the inventory's Held, with the
  // number of those devices, most first.
  std::vector<std::pair<std::string, std::size_t>> holders;
};

}  // namespace quadra::allocator
