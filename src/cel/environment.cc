#include "cel/environment.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace quadra::cel {
namespace {

void CollectParameters(Type type, std::vector<std::string>& names) {
  if (type->kind == TypeKind::kParam && std::ranges::find(names, type->name) == names.end()) {
    names.emplace_back(type->name);
  }
  for (const Type parameter : type->parameters) {
    CollectParameters(parameter, names);
  }
}

template <typename T>
const T* FindByName(const std::vector<T>& items, std::string_view name) {
  const auto found =
      std::find_if(items.rbegin(), items.rend(), [&](const T& item) { return item.name == name; });
  return found == items.rend() ? nullptr : &*found;
}

}  // namespace

const Function* Environment::FindFunction(std::string_view name) const {
  const auto found = function_index.find(name);
  return found == function_index.end() ? nullptr : &functions[found->second];
}

const Variable* Environment::FindVariable(std::string_view name) const {
  return FindByName(variables, name);
}

const TypeName* Environment::FindTypeName(std::string_view name) const {
  return FindByName(type_names, name);
}

const ObjectType* Environment::FindObject(std::string_view name) const {
  return FindByName(objects, name);
}

void Environment::Add(std::string_view function, Overload overload) {
  const auto next = static_cast<std::uint32_t>(functions.size());
  const auto [place, fresh] = function_index.try_emplace(std::string(function), next);
  if (fresh) {
    functions.push_back({.name = std::string(function)});
  }
  std::vector<OverloadIndex>& known = functions[place->second].overloads;
  if (std::ranges::any_of(known, [&](OverloadIndex i) { return overloads[i].id == overload.id; })) {
    return;
  }
  overload.function = place->second;
  CollectParameters(overload.result, overload.type_parameters);
  for (const Type parameter : overload.parameters) {
    CollectParameters(parameter, overload.type_parameters);
  }
  known.push_back(static_cast<OverloadIndex>(overloads.size()));
  overloads.push_back(std::move(overload));
}

}  // namespace quadra::cel
