// ComputedDefaults: the core defaults that follow from other fields; one row a struct.
//
// Pure, thread-safe. For core_defaults.cc alone.
#pragma once

#include <span>
#include <string_view>

#include "api/object.h"

namespace quadra::apiserver {

// Fills in what is absent in a tree of the schema; fields inside it come later.
using ComputeDefaults = void (*)(const api::Struct& schema, api::Value& tree);

struct ComputedDefaults {
  std::string_view in;  // the struct as OpenAPI calls it, less io.k8s.api
  ComputeDefaults compute;
};

std::span<const ComputedDefaults> AllComputedDefaults();

}  // namespace quadra::apiserver
