// CHECK: for what cannot happen unless we made a mistake. Always on; prints the reason and the
// place, then aborts.
#pragma once

namespace quadra {

[[noreturn]] void CheckFailed(const char* condition, const char* why, const char* file, int line);

}  // namespace quadra

// `why` tells why the condition must hold, as a string literal.
#define QUADRA_CHECK(condition, why) \
  ((condition) ? static_cast<void>(0) : ::quadra::CheckFailed(#condition, why, __FILE__, __LINE__))
