// QUADRA_BIND: how the generated sources tie a plain struct to its schemas. Private to api/.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "api/slot.h"

// Defines the binding of struct T to the schemas with these OpenAPI names, space separated.
// Members: QUADRA_AT(member, "json"). Both compilers know the offsets in structs that are not of
// standard layout, as these are for their lists.
#define QUADRA_BIND(T, openapi, ...)                                       \
  _Pragma("GCC diagnostic push")                                           \
      _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"") template <> \
      const Binding& BindingOf<T>() {                                      \
    using Self [[maybe_unused]] = T;                                       \
    static const Binding binding = Bind(openapi, __VA_ARGS__);             \
    return binding;                                                        \
  }                                                                        \
  _Pragma("GCC diagnostic pop")
#define QUADRA_AT(member, json)                                                  \
  BoundMember<std::remove_reference_t<decltype((std::declval<Self&>().member))>, \
              offsetof(Self, member)> {                                          \
    json                                                                         \
  }
