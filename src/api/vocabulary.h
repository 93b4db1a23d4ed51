// The words that all objects share, for whoever reads or judges them: what names look like
// (formats.h), which features are on (gates.h), which objects and nodes a selector chooses
// (label_selector.h, field_selector.h, node_match.h), where the next page of a list begins
// (continue_token.h), how times are written (text.h).
//
// Pure functions and value types throughout; each header states its own promises.
#pragma once

#include "api/continue_token.h"  // IWYU pragma: export
#include "api/field_selector.h"  // IWYU pragma: export
#include "api/formats.h"         // IWYU pragma: export
#include "api/gates.h"           // IWYU pragma: export
#include "api/label_selector.h"  // IWYU pragma: export
#include "api/node_match.h"      // IWYU pragma: export
#include "api/text.h"            // IWYU pragma: export
