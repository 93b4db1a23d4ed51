// Selection: selectors asked of the devices of a dump, one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/device_dump.h"
#include "selector/selector.h"

namespace quadra::cli {

struct NamedSelector {
  std::string title;  // as upstream's messages name it, e.g. "class gpu: selector #0"
  std::string text;
};

// Those of a class; of a request of a claim, its class's first. `request` may be empty where the
// claim has one request only. Errors name what is missing and what there is.
Result<std::vector<NamedSelector>> SelectorsOfClass(const DeviceDump& dump,
                                                    const std::string& name);
Result<std::vector<NamedSelector>> SelectorsOfClaim(const DeviceDump& dump,
                                                    const api::ResourceClaim& claim,
                                                    const std::string& request);

struct Selection {
  std::vector<std::shared_ptr<const selector::Expression>> expressions;
  std::vector<selector::Verdict> verdicts;  // by position in DeviceDump::devices()
  std::size_t matched = 0;
  std::size_t unmatched = 0;
  std::size_t failed = 0;
  std::string first_error;         // of the first device that failed; names it
  std::vector<std::string> hints;  // attributes that no device has, with the nearest that some have
};

// Fails with all compile errors as people see them, in `message`, ending in a line break. Without
// selectors every device matches.
Result<Selection> Select(const std::vector<NamedSelector>& selectors, const DeviceDump& dump,
                         const selector::Language& language);

// "attribute d/modle is on 0 of 12 devices; \"model\" is on 8" for a column that no device has;
// empty for one that some have.
std::string UnknownColumn(selector::ColumnId column, const DeviceDump& dump);

}  // namespace quadra::cli
