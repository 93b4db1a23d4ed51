// What clients see of the kinds, made from the schema tables alone: which resources there are
// (catalog.h), how they are told of them (discovery.h, openapi.h), and objects as rows of a table or
// as their metadata (table.h, partial_metadata.h); and which pods a set or a budget selects
// (pod_selector.h).
//
// Pure: no request, no storage, no clock. Each header states its own promises.
#pragma once

#include "apiserver/catalog.h"           // IWYU pragma: export
#include "apiserver/discovery.h"         // IWYU pragma: export
#include "apiserver/openapi.h"           // IWYU pragma: export
#include "apiserver/partial_metadata.h"  // IWYU pragma: export
#include "apiserver/pod_selector.h"      // IWYU pragma: export
#include "apiserver/table.h"             // IWYU pragma: export
