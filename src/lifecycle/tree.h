// What controllers read of objects that they keep as trees (api::Object): by JSON names, absent or of
// another type meaning nothing. Views live as long as the tree.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "api/object.h"

namespace quadra::lifecycle {

using Path = std::initializer_list<std::string_view>;

// Null where there is nothing.
const api::Value* At(const api::Value& tree, Path path);

// Empty where there is none.
std::string_view TextAt(const api::Value& tree, Path path);
std::optional<std::int64_t> IntAt(const api::Value& tree, Path path);
std::optional<Time> TimeAt(const api::Value& tree, Path path);
// No items where there is no list.
const api::Value::Items& ItemsAt(const api::Value& tree, Path path);

}  // namespace quadra::lifecycle
