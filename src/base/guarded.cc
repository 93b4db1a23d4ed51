#include "base/guarded.h"

#include <exception>
#include <new>

namespace quadra {

Error ErrorInFlight() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {
        .kind = ErrorKind::kTooLarge, .message = "out of memory", .remedy = "ask for less at once"};
  } catch (const std::exception& exception) {
    return {.kind = ErrorKind::kInvalid,
            .message = std::string("unexpected: ") + exception.what(),
            .remedy = "please report it"};
  } catch (...) {
    return {.kind = ErrorKind::kInvalid, .message = "unexpected", .remedy = "please report it"};
  }
}

}  // namespace quadra
