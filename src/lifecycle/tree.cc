#include "lifecycle/tree.h"

#include <string>

namespace quadra::lifecycle {

namespace {

template <typename T>
const T* FindAt(const api::Value& tree, Path path) {
  const api::Value* const found = At(tree, path);
  return found == nullptr ? nullptr : found->As<T>();
}

template <typename T>
std::optional<T> ValueAt(const api::Value& tree, Path path) {
  const T* const found = FindAt<T>(tree, path);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace

const api::Value* At(const api::Value& tree, Path path) {
  const api::Value* at = &tree;
  for (const std::string_view name : path) {
    at = at->Member(name);
    if (at == nullptr) {
      return nullptr;
    }
  }
  return at;
}

std::string_view TextAt(const api::Value& tree, Path path) {
  const auto* const text = FindAt<std::string>(tree, path);
  return text == nullptr ? std::string_view() : *text;
}

std::optional<std::int64_t> IntAt(const api::Value& tree, Path path) {
  return ValueAt<std::int64_t>(tree, path);
}

std::optional<Time> TimeAt(const api::Value& tree, Path path) { return ValueAt<Time>(tree, path); }

const api::Value::Items& ItemsAt(const api::Value& tree, Path path) {
  static const api::Value::Items none;
  const auto* const items = FindAt<api::Value::Items>(tree, path);
  return items == nullptr ? none : *items;
}

}  // namespace quadra::lifecycle
