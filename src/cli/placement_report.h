// PlacementReport: what `quadra allocate -f` prints: who gets which devices where, or why not.
#pragma once

#include <string>
#include <string_view>

#include "cli/cli.h"
#include "cli/dump_input.h"
#include "cli/exit_code.h"
#include "diagnosis/report.h"
#include "placement/cluster.h"
#include "placement/place.h"

namespace quadra::cli {

// What placing does not look at; a line.
inline constexpr std::string_view kNotModelled =
    "not modelled: volumes, affinity between pods, spreading, preemption\n";

struct PlacementFormat {
  std::string format = "table";  // table, wide, name, json, yaml, jsonpath=TEMPLATE
  bool headings = true;
  std::string_view holds = "the files hold";  // Source's
};

// Prints those of the decisions that `scope` shows, and a summary. Returns kYes where all of them
// have their devices, kNo where some have not, kPartial where the dump did not say enough.
ExitCode PrintPlacement(const diagnosis::Report& report, const placement::Cluster& cluster,
                        const Scope& scope, const PlacementFormat& format, Console& console);

}  // namespace quadra::cli
