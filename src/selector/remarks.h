// What lint learns about one expression by looking at it.
#pragma once

#include <cstdint>
#include <span>
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
// "attribute d/id". Paths with constant steps only; each once, in order of appearance. What is read
// beside `|| true` or `&& false` cannot fail and does not count.
std::vector<std::string> UnguardedReads(const cel::CheckedAst& checked);

// What every device has that the selector accepts, named likewise: tested or read by what must be
// true for that. Nothing for what does not compile.
std::vector<std::string> PresentAfter(const std::string& text, const Language& language);

// Remarks that need no devices: not compilable, refused by admission though schedulers accept it,
// always true or always false, unguarded reads. `present`: what devices are known to have that get
// as far as this expression.
std::vector<Remark> RemarksOn(const std::string& text, Use use, const Language& language,
                              std::span<const std::string> present = {});

}  // namespace quadra::selector
