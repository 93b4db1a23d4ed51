// What the members of the generated structs are made of, besides List and Map.
#pragma once

#include <string>

#include "api/containers.h"
#include "base/clock.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

// Amounts by resource name.
using ResourceList = Map<Quantity>;

// JSON kept as written; empty means absent.
struct RawJson {
  std::string text;
  friend bool operator==(const RawJson&, const RawJson&) = default;
};

// What the bytes of an object say of its kind.
struct TypeMeta {
  std::string kind;
  std::string api_version;
  friend bool operator==(const TypeMeta&, const TypeMeta&) = default;
};

}  // namespace quadra::api
