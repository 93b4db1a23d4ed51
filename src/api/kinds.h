// The engine's own kinds as plain structs, one file each. tools/schemagen writes them
// (docs/schema.md); a field's comment is the description in its schema table. They are values:
// copy, compare, change them; no thread owns them.
#pragma once

#include "api/full_name.h"                               // IWYU pragma: export
#include "api/generated/device_class.h"                  // IWYU pragma: export
#include "api/generated/device_taint_rule.h"             // IWYU pragma: export
#include "api/generated/node.h"                          // IWYU pragma: export
#include "api/generated/pod.h"                           // IWYU pragma: export
#include "api/generated/resource_claim.h"                // IWYU pragma: export
#include "api/generated/resource_pool_status_request.h"  // IWYU pragma: export
#include "api/generated/resource_slice.h"                // IWYU pragma: export
