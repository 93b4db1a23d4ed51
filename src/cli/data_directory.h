// DataDirectory: --data-dir, for every verb about a server's own files.
#pragma once

#include <filesystem>

#include "cli/verb.h"

namespace quadra::cli {

inline constexpr Flag kDataDirFlag{
    .name = "data-dir",
    .value = "DIR",
    .help =
        "Where everything is kept: the database, keys, the kubeconfig. By default "
        "$XDG_STATE_HOME/quadra, or ~/.local/state/quadra."};

// What the flag says, or the default.
std::filesystem::path DataDirectoryOf(const Invocation& invocation);

}  // namespace quadra::cli
