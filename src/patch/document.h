// Document: an object while the operations of a JSON patch change it.
//
// A tree that is opened level by level where operations reach into it: opened objects are maps, so
// that an operation costs the depth of its path and not the size of the object, and opened lists
// hold pointers. What was never opened stays as it was written. Private to patch/.
//
//   Node root(std::move(object));
//   const Place place = FindPlace(root, "/metadata/labels/app");
//   if (place.container != nullptr) … place.container->Add(place.key, Value("web")) …
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "json/value.h"

namespace quadra::patch {

// One sentence of json-patch, or nothing where all is well.
using Trouble = std::optional<std::string>;

class Node {
 public:
  explicit Node(json::Value value) : content_(std::move(value)) {}

  // Whether it is an object or a list, which is then open.
  bool Open();
  // The whole as a tree, the members of what is open in the order of their names.
  json::Value Copy() const;

  // Of an open object or list, by name or index; negative indices count from the end.
  // Null where an object has no such member.
  tl::expected<Node*, std::string> Get(const std::string& key);
  Trouble Remove(const std::string& key);
  // Takes what Get would find and leaves null.
  std::unique_ptr<Node> Take(const std::string& key);
  // Puts `node` in place of what is there. REQUIRES: Get(key) succeeds.
  void Replace(const std::string& key, std::unique_ptr<Node> node);
  // In lists before the element of that index, behind the last with "-"; in objects as Replace.
  Trouble Add(const std::string& key, std::unique_ptr<Node> node);

 private:
  using Object = std::map<std::string, std::unique_ptr<Node>, std::less<>>;
  using List = std::vector<std::unique_ptr<Node>>;

  std::variant<json::Value, Object, List> content_;
};

// Where an operation acts: the object or list, now open, and the name or index in it.
struct Place {
  Node* container = nullptr;  // null: there is none
  std::string key;
};
// `path` is a JSON pointer; what stands before its first slash does not count.
Place FindPlace(Node& root, std::string_view path);

}  // namespace quadra::patch
