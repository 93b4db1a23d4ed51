// The words that all objects share, for whoever reads or judges them: what names look like
// (formats.h), which features are on (gates.h), which objects and nodes a selector chooses
// (label_selector.h, node_match.h), how times are written (text.h).
//
// Pure functions and value types throughout; each header states its own promises.
#pragma once

#include "api/formats.h"         // IWYU pragma: export
#include "api/gates.h"           // IWYU pragma: export
#include "api/label_selector.h"  // IWYU pragma: export
#include "api/node_match.h"      // IWYU pragma: export
#include "api/text.h"            // IWYU pragma: export
