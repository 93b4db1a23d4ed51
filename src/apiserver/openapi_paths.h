// The paths of an OpenAPI v3 document: every path of a version and every operation there is on it.
#pragma once

#include "apiserver/catalog.h"
#include "apiserver/openapi_schemas.h"
#include "json/writer.h"

namespace quadra::apiserver {

// Writes an object, path to operations, and refers to the schemas that they speak.
void WriteOpenApiPaths(json::Writer& writer, const GroupVersion& version, OpenApiSchemas& schemas);

}  // namespace quadra::apiserver
