// Recovery: what upstream's parser says about tokens that break the grammar, besides that they do.
//
// Upstream's parser repairs such input (it drops or invents a token, or skips to one that fits) and
// goes on; what it then complains about may stand before the fault: `has(a` lacks a parenthesis at
// the end, but the earliest complaint is that `a` is no field. Since only the earliest place is
// compared with upstream's, this follows ANTLR's default error strategy step by step, and judges
// the repaired input by ParseActions.
//
// Runs for broken input only. Time linear in the tokens, since a repair skips at most 256 of them
// and the thirty-first ends it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/environment.h"
#include "cel/lexer.h"
#include "cel/parse_actions.h"

namespace quadra::cel {

struct Recovered {
  std::vector<Complaint> complaints;
  std::string too_deep;  // a limit that was reached, or empty
};

Recovered Recover(const Options& options, std::string_view source,
                  const std::vector<Token>& tokens);

}  // namespace quadra::cel
