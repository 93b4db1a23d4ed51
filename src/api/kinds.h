// The engine's own kinds as plain structs, one file each.
#pragma once

#include "api/device_class.h"                  // IWYU pragma: export
#include "api/device_taint_rule.h"             // IWYU pragma: export
#include "api/node.h"                          // IWYU pragma: export
#include "api/pod.h"                           // IWYU pragma: export
#include "api/resource_claim.h"                // IWYU pragma: export
#include "api/resource_pool_status_request.h"  // IWYU pragma: export
#include "api/resource_slice.h"                // IWYU pragma: export
