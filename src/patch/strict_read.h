// Strict read: what upstream's decoder says of a patch before it is applied: values of a wrong type,
// and fields that are unknown or given twice. Private to patch/.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace quadra::patch {

struct Findings {
  // The first value of a wrong type, in Go's words; empty: all fit, and `remarks` counts.
  std::string error;
  // Unknown and duplicate fields in document order, each once and a hundred at most.
  std::vector<std::string> remarks;
};

// As an object of any content, or null.
Findings ReadObject(const json::Value& patch);
// As a list of operations `op`, `path`, `from`, `value`, or null.
Findings ReadOperations(const json::Value& patch);

}  // namespace quadra::patch
