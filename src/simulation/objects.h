// What actors read in objects, as JSON trees: a server is asked past every layer that might be wrong.
//
//   for (const Value& pod : world.Items(std::string(kPods))) { if (!IsBound(pod)) … ClaimsOf(pod) … }
//
// Pure.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace quadra::simulation {

inline constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
inline constexpr std::string_view kClaims =
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
inline constexpr std::string_view kTemplates =
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";

using Path = std::initializer_list<std::string_view>;

// The path of an object, and of what is below it.
std::string At(std::string_view collection, std::string_view name, std::string_view rest = "");

// Null, empty or false where there is nothing.
const json::Value& Look(const json::Value& value, Path path);
std::string Text(const json::Value& value, Path path);
std::vector<json::Value> List(const json::Value& value, Path path);
bool Has(const json::Value& value, Path path);

std::string NameOf(const json::Value& object);
std::string UidOf(const json::Value& object);
// The uid of the first owner; empty: none.
std::string OwnerOf(const json::Value& object);
bool IsGoing(const json::Value& object);

bool IsBound(const json::Value& pod);
// Whether it has run to its end.
bool IsDone(const json::Value& pod);
// The names of a pod's claims; empty where one has none yet.
std::vector<std::string> ClaimsOf(const json::Value& pod);
bool IsReservedFor(const json::Value& claim, const std::string& uid);

}  // namespace quadra::simulation
