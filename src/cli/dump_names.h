// DumpNames: what a command line could be about, for completion: the names of the objects in the files
// that it names itself.
#pragma once

#include <string>
#include <vector>

#include "cli/cli.h"

namespace quadra::cli {

// `words` is a command line as far as it is typed, with or without the program; shells may split
// --filename=x at the =. For explain pod/NAME and claim/NAME, for fit its models; sorted, each once.
// Names that mean something to a shell are left out, and so are files that cannot be read.
std::vector<std::string> DumpNames(const std::vector<std::string>& words, Console& console);

}  // namespace quadra::cli
