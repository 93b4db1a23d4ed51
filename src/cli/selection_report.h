// How `quadra select` prints a selection.
#pragma once

#include <string>

#include "cli/cli.h"
#include "cli/exit_code.h"
#include "inspection/selection.h"

namespace quadra::cli {

struct SelectionFormat {
  std::string format;  // table, wide, name, json, yaml, jsonpath=TEMPLATE
  bool headings = true;
};

// Devices and counts go to `out`; with `name`, which is for scripts, the counts go to `err`.
// Returns kYes where some match, else kNo, or kUsage where a template fails.
ExitCode PrintSelection(const inspection::Selection& selection,
                        const inspection::DeviceList& devices, const SelectionFormat& format,
                        Console& console);

}  // namespace quadra::cli
