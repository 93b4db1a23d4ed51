// Object: API objects in and out of bytes. The typed structs of kinds.h and generic trees go through the same tables.
#pragma once

#include <string>
#include <string_view>

namespace quadra::api {

// `value` as Go's json.Marshal prints the versioned type. T: any struct of kinds.h. `api_version` chooses the shape
// (v1beta1 differs); by default v1.
template <typename T>
std::string EncodeJson(const T& value, std::string_view api_version = "resource.k8s.io/v1");

// `value` as Go prints upstream's internal struct, which has no JSON tags: Go field names, nothing omitted. Some error
// texts show values so.
template <typename T>
std::string EncodeGoStruct(const T& value);

}  // namespace quadra::api
