// Guarded: the last line of defence against what libraries throw.
//
// Nothing of ours throws, and each edge (files, numbers, zones, patterns) handles what it knows can
// be thrown there. What was not foreseen, and running out of memory, must still cost one question
// and not the process: loops that serve strangers run each question through here.
//
//   const Result<std::string> answer = Guarded([&] { return Answer(question); });
//
// Whatever `work` holds must be released by destructors. A broken CHECK still aborts: after it
// nothing can be trusted.
#pragma once

#include <type_traits>

#include "base/result.h"

namespace quadra {

// Of the exception that is being handled: "out of memory", or "unexpected: " and its own words.
Error ErrorInFlight();

template <typename Work>
Result<std::invoke_result_t<Work>> Guarded(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    return Fail(ErrorInFlight());
  }
}

}  // namespace quadra
