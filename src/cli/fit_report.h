// FitReport: what `quadra fit` prints: how many more fit, where, and what limits them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/cli.h"
#include "cli/exit_code.h"
#include "diagnosis/report.h"

namespace quadra::cli {

struct FitAnswer {
  std::string subject;  // pod/train
  std::string ns;
  std::size_t claims = 0;               // of each pod
  std::optional<std::size_t> replicas;  // as many as are wanted
  diagnosis::Fits fits;

  bool enough() const { return fits.count >= replicas.value_or(1); }
};

struct FitFormat {
  std::string format = "table";  // table, wide, name, json, yaml, jsonpath=TEMPLATE
  bool headings = true;
};

// Returns `code`; or kUsage where the format's template asks for what the document has not.
ExitCode PrintFits(const FitAnswer& answer, const FitFormat& format, ExitCode code,
                   Console& console);

}  // namespace quadra::cli
