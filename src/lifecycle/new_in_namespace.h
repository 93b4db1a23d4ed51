// What came of making an object that every namespace has. Private to src/lifecycle.
#pragma once

#include <string>

#include "client/api.h"

namespace quadra::lifecycle {

// Whether there is nothing more to do: it is there now, by us or by another, or its namespace goes
// or has gone, so that nobody wants it.
inline bool IsMadeOrUnwanted(const client::Answer<std::string>& made) {
  if (made || made.error().Is(client::refused::kAlreadyExists) ||
      made.error().Is(client::refused::kNotFound)) {
    return true;
  }
  return made.error().Is(client::refused::kForbidden) &&
         made.error().message.find("because it is being terminated") != std::string::npos;
}

}  // namespace quadra::lifecycle
