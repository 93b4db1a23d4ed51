// EndSignal: Ctrl-C and SIGTERM, for verbs that run until somebody ends them.
//
//   HoldBackEnds();            // before any thread starts
//   …
//   WaitForEnd();              // of the process, or of EndSoon()
#pragma once

namespace quadra::cli {

// All threads that start later leave these signals to WaitForEnd.
void HoldBackEnds();
void WaitForEnd();
// Lets WaitForEnd return, from any thread.
void EndSoon();

}  // namespace quadra::cli
