// What lint learns about one expression by looking at it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cel/checked.h"
#include "selector/expression.h"

namespace quadra::selector {

// A finding before it has a place. Codes are listed in docs/lint.md.
struct Remark {
  std::string code;
  std::string message;
};

// Reads of attributes and capacities that no presence test of the same expression guards, as
// "attribute d/id". Paths with constant steps only; each once, in order of appearance.
std::vector<std::string> UnguardedReads(const cel::CheckedAst& checked);

// Remarks that need no devices: not compilable, refused by admission though schedulers accept it,
// always true or always false, unguarded reads.
std::vector<Remark> RemarksOn(const std::string& text, Use use, const Language& language);

}  // namespace quadra::selector
