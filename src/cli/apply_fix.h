// ApplyFix: does in a cluster what a fix says. What cannot be changed is deleted and made anew under
// the same name: claims, templates, and the pod where it has to start over.
#pragma once

#include "cli/explain_fix.h"
#include "live/session.h"

namespace quadra::cli {

struct ApplyFixOptions {
  bool asks = true;  // before anything is deleted
};

// Says first what it deletes. A pod that a controller owns, and a claim that is in use, are left
// alone; then it says what to change instead.
ExitCode ApplyFix(const ChosenFix& fix, live::Session& session, const ApplyFixOptions& options,
                  Console& console);

}  // namespace quadra::cli
