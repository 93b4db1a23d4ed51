// Selection: selectors asked of devices, one after the other, as the scheduler asks them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspection/device_list.h"
#include "selector/selector.h"

namespace quadra::inspection {

struct NamedSelector {
  std::string title;  // as upstream's messages name it, e.g. "class gpu: selector #0"
  std::string text;
};

// Those of a class; of a request of a claim, its class's first. `request` may be empty where the
// claim has one request only. Errors name what is missing and what there is.
Result<std::vector<NamedSelector>> SelectorsOfClass(const DeviceList& devices,
                                                    const std::string& name);
Result<std::vector<NamedSelector>> SelectorsOfClaim(const DeviceList& devices,
                                                    const api::ResourceClaim& claim,
                                                    const std::string& request);

struct Selection {
  std::vector<std::shared_ptr<const selector::Expression>> expressions;
  std::vector<selector::Verdict> verdicts;  // by position in DeviceList::entries()
  std::size_t matched = 0;
  std::size_t unmatched = 0;
  std::size_t failed = 0;
  std::string first_error;         // of the first device that failed; names it
  std::vector<std::string> hints;  // attributes that no device has, with the nearest that some have
};

// Fails with all compile errors as people see them, in `message`, ending in a line break. Without
// selectors every device matches.
Result<Selection> Select(const std::vector<NamedSelector>& selectors, const DeviceList& devices,
                         const selector::Language& language);

}  // namespace quadra::inspection
