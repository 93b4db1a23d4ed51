// What people hand in, one step above values: manifests of JSON or YAML with their positions
// (manifest.h), YAML in and out (yaml.h), kubectl's templates (jsonpath.h).
//
// Each header states its own promises.
#pragma once

#include "json/jsonpath.h"  // IWYU pragma: export
#include "json/manifest.h"  // IWYU pragma: export
#include "json/yaml.h"      // IWYU pragma: export
