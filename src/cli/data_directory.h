// DataDirectory: --data-dir, for every verb about a server's own files.
#pragma once

#include <filesystem>
#include <string_view>

#include "cli/verb.h"

namespace quadra::cli {

inline constexpr Flag kDataDirFlag{
    .name = "data-dir",
    .value = "DIR",
    .help =
        "Where everything is kept: the database, keys, the kubeconfig. By default "
        "$XDG_STATE_HOME/quadra, or ~/.local/state/quadra."};

inline constexpr std::string_view kUsualState = "quadra";
inline constexpr std::string_view kDemoState = "quadra-demo";

// What the flag says, or the default: `kept`, where states are. kUsage where there is no home.
Result<std::filesystem::path> DataDirectoryOf(const Invocation& invocation,
                                              std::string_view kept = kUsualState);

}  // namespace quadra::cli
