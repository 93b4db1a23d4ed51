// AllocateFiles: `quadra allocate -f FILE…`: the pods of a dump, placed one after the other.
#pragma once

#include "cli/cli.h"
#include "cli/exit_code.h"
#include "cli/verb.h"

namespace quadra::cli {

ExitCode AllocateFiles(const Invocation& invocation, Console& console);

}  // namespace quadra::cli
