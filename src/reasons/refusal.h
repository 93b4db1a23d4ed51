// Refusal: a no, as data, from where it is decided to where it is printed.
//
// Whoever says no makes one: with a code, with the object that is to blame as far as one is, with a
// sentence for people, and, where devices were counted, with the proof. Nobody between the one who
// decides and the one who prints turns it into something else; a question that cannot be answered
// at all is an Error (base/result.h), which has no code.
//
//   return Refusal{.code = Code::kClassMissing, .request = "gpu", .message = "device class …"};
//   OrRefusal<std::vector<api::ResourceClaim>> claims = book.ClaimsOf(pod);
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "reasons/code.h"

namespace quadra::reasons {

// How many devices of a node are left after each stage, for one request. The first stage that left
// too few names the code.
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

  // Those that class and selectors accept.
  std::size_t matching() const {
    return after_selectors.empty() ? after_class : after_selectors.back();
  }
};

struct Refusal {
  Code code = Code::kNotModelled;
  std::string claim;    // namespace/name; empty where no single claim is to blame
  std::string request;  // request, or request/alternative; empty likewise
  std::string message;  // one sentence; does not repeat the two above, unless it is verbatim:
  // Upstream's own words, which name claim and request. They serve nobody else who asks the same.
  bool verbatim = false;
  bool only_node = false;  // said before a search: other nodes may say something else

  // The proof, where devices were counted.
  std::size_t wanted = 0;
  Funnel funnel;
  // Who holds devices that the request could use: keys of claims in the inventory's Held, with the
  // number of those devices, most first.
  std::vector<std::pair<std::string, std::size_t>> holders;
};

// What was asked for, or why not.
template <typename T>
using OrRefusal = tl::expected<T, Refusal>;

inline tl::unexpected<Refusal> Refuse(Code code, std::string message) {
  return tl::unexpected<Refusal>(Refusal{.code = code, .message = std::move(message)});
}

}  // namespace quadra::reasons
