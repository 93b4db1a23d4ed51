// The parameters of requests, as OpenAPI documents list them.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/writer.h"

namespace quadra::apiserver {

// Which operations take a parameter in their query; a set of these is their sum.
enum ParameterUse : std::uint8_t {
  kOfEvery = 1,
  kOfList = 2,    // list and watch
  kOfSelect = 4,  // list, watch and deletecollection
  kOfWrite = 8,   // create, update, patch
  kOfPatch = 16,
  kOfDelete = 32,  // delete and deletecollection
};
using ParameterUses = unsigned;

// Writes the query parameters that have one of these uses, sorted by name.
void WriteQueryParameters(json::Writer& writer, ParameterUses uses);

// A parameter of the path: `name` or `namespace`.
void WritePathParameter(json::Writer& writer, std::string_view name, std::string_view description);

}  // namespace quadra::apiserver
