// LostAnswers: what is done where nobody said whether a write was served: the object is read until the
// server answers, so that nothing is given away on a guess.
//
//   if (IsLost(written.error())) read = co_await ReadUntilAnswered<api::Pod>(api, ns, name);
//
// Threads: the loop's.
#pragma once

#include <chrono>
#include <string>

#include "client/api.h"
#include "loop/task.h"

namespace quadra::scheduler {

inline constexpr auto kAfterSilence = std::chrono::seconds(1);

// Whether the request may have been served all the same.
inline bool IsLost(const client::Failure& failure) {
  return failure.unreachable() || failure.code >= 500;
}

// The object as it is now, or why there is none.
template <typename T>
loop::Task<client::Answer<T>> ReadUntilAnswered(client::Api& api, std::string ns,
                                                std::string name) {
  for (;;) {
    loop::Task<client::Answer<T>> reading = api.Get<T>(ns, name);
    client::Answer<T> read = co_await reading;
    if (read || !IsLost(read.error())) {
      co_return read;
    }
    co_await loop::Pause(api.loop(), kAfterSilence);
  }
}

}  // namespace quadra::scheduler
