#include "base/guarded.h"

#include <exception>
#include <new>

namespace quadra {

Error ErrorInFlight() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {
        .reason = Reason::kTooLarge, .message = "out of memory", .remedy = "ask for less at once"};
  } catch (const std::exception& exception) {
    return {.reason = Reason::kInvalid,
            .message = std::string("unexpected: ") + exception.what(),
            .remedy = "please report it"};
  } catch (...) {
    return {.reason = Reason::kInvalid, .message = "unexpected", .remedy = "please report it"};
  }
}

}  // namespace quadra
