#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace quadra {

void CheckFailed(const char* condition, const char* why, const char* file, int line) {
  (void)std::fprintf(stderr, "%s:%d: CHECK failed: %s (%s)\n", file, line, condition, why);
  std::abort();
}

}  // namespace quadra
