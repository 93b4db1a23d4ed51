// Tree: reaching into an object of any kind by the names of its fields.
//
//   Reach(object, {"status", "phase"}).Set(std::string("Pending"));
//   TextAt(object, {"status", "phase"});
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "api/object.h"

namespace quadra::apiserver {

// The value there, made with all above it where absent. REQUIRES: the kind has these fields, all but
// the last of them structs.
api::Value& Reach(api::Object& object, std::initializer_list<std::string_view> path);

// The member of that name of a struct, made where absent.
using Member = std::function<api::Value&(std::string_view name)>;
// Appends a struct to the list there, and lets `fill` set its members.
void AddItem(api::Object& object, std::initializer_list<std::string_view> path,
             const std::function<void(const Member&)>& fill);

// A path into an object, or into a struct of it.
using Path = std::initializer_list<std::string_view>;

// Null where it is absent.
const api::Value* Look(const api::Value& value, Path path);
const api::Value* Look(const api::Object& object, Path path);

// Empty where there is no string.
std::string TextAt(const api::Value& value, Path path);
std::string TextAt(const api::Object& object, Path path);

// Empty where there is no list.
std::span<const api::Value> ItemsAt(const api::Value& value, Path path);

}  // namespace quadra::apiserver
