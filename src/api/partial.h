// Partial structs: those of kinds.h that keep only what the engine decides by.
//
// What such a struct does not keep is lost in it, so it can be read but never written: the encoders
// of object.h refuse it when they are compiled. Amend (object.h) writes what it does keep into the
// whole object. A test holds this list against the schemas.
#pragma once

#include "api/generated/node.h"
#include "api/generated/pod.h"

namespace quadra::api {

template <typename T>
inline constexpr bool kIsPartial = false;

template <>
inline constexpr bool kIsPartial<Container> = true;
template <>
inline constexpr bool kIsPartial<PodSpec> = true;
template <>
inline constexpr bool kIsPartial<ContainerStatus> = true;
template <>
inline constexpr bool kIsPartial<PodStatus> = true;
template <>
inline constexpr bool kIsPartial<Pod> = true;
template <>
inline constexpr bool kIsPartial<PodTemplateSpec> = true;
template <>
inline constexpr bool kIsPartial<NodeSpec> = true;
template <>
inline constexpr bool kIsPartial<NodeStatus> = true;
template <>
inline constexpr bool kIsPartial<Node> = true;

// Structs that keep every field of their schema, and so can be written.
template <typename T>
concept Whole = !kIsPartial<T>;

}  // namespace quadra::api
