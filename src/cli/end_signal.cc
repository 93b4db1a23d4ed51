#include "cli/end_signal.h"

#include <csignal>

#include <unistd.h>

namespace quadra::cli {
namespace {

sigset_t Ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  return ends;
}

}  // namespace

void HoldBackEnds() {
  const sigset_t ends = Ends();
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
}

void WaitForEnd() {
  const sigset_t ends = Ends();
  int received = 0;
  sigwait(&ends, &received);
}

void EndSoon() { kill(getpid(), SIGTERM); }

}  // namespace quadra::cli
