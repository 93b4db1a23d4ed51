// What messages, maps and holders call an object among those of its kind.
#pragma once

#include <string>
#include <string_view>

namespace quadra::api {

// namespace/name; the name alone where there is no namespace.
inline std::string FullName(std::string_view ns, std::string_view name) {
  std::string full(ns);
  full += ns.empty() ? "" : "/";
  full += name;
  return full;
}
// Of an object that has metadata.
template <typename T>
std::string FullNameOf(const T& object) {
  return FullName(object.metadata.ns, object.metadata.name);
}

}  // namespace quadra::api
