#include "patch/json_patch.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

#include "patch/document.h"
#include "patch/patch.h"
#include "patch/trees.h"

namespace quadra::patch {
namespace {

using json::Value;

struct Operation {
  // `path` or `from`, or the sentence about what is there instead.
  tl::expected<std::string, std::string> Text(std::string_view name) const;

  Fields fields;
};

tl::expected<std::string, std::string> Operation::Text(std::string_view name) const {
  const auto at = fields.find(name);
  if (at == fields.end() || at->second.is_null()) {
    return tl::unexpected(fmt::format("operation{} missing {} field: missing value",
                                      name == "from" ? "," : "", name));
  }
  if (at->second.kind() != json::Kind::kString) {
    return tl::unexpected(fmt::format("json: cannot unmarshal {} into Go value of type string",
                                      json::KindName(at->second.kind())));
  }
  return at->second.string();
}

// Applies operations one after the other. Sentences are json-patch's, its slips included.
class Application {
 public:
  explicit Application(Value object) : root_(std::move(object)) { root_.Open(); }

  Trouble Apply(Operation& operation);
  Value Result() const { return root_.Copy(); }

 private:
  Trouble Add(Operation& operation);
  Trouble Remove(Operation& operation);
  Trouble Replace(Operation& operation);
  Trouble ReplaceRoot(Value value);
  Trouble Move(Operation& operation);
  Trouble Test(Operation& operation);
  Trouble Copy(Operation& operation);

  static Value TakeValue(Operation& operation);
  Place Find(std::string_view path);

  Node root_;
  std::size_t open_depth_ = 0;  // opened nodes nest no deeper
  std::size_t copied_bytes_ = 0;
};

// Opened nodes are walked and destroyed by recursion; objects nest far less deep than this.
constexpr std::size_t kMaxOpenDepth = 1000;

std::size_t DepthOf(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

Place Application::Find(std::string_view path) {
  if (DepthOf(path) > kMaxOpenDepth) {
    return {};
  }
  open_depth_ = std::max(open_depth_, DepthOf(path));
  return FindPlace(root_, path);
}

// Null where the operation has none.
Value Application::TakeValue(Operation& operation) {
  const auto at = operation.fields.find("value");
  return at == operation.fields.end() ? Value() : std::move(at->second);
}

Trouble Application::Add(Operation& operation) {
  const auto path = operation.Text("path");
  if (!path) {
    return "add operation failed to decode path: missing value";
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format("add operation does not apply: doc is missing path: \"{}\": missing value",
                       *path);
  }
  Trouble trouble = place.container->Add(place.key, std::make_unique<Node>(TakeValue(operation)));
  return trouble ? fmt::format("error in add for path: '{}': {}", *path, *trouble) : trouble;
}

Trouble Application::Remove(Operation& operation) {
  const auto path = operation.Text("path");
  if (!path) {
    return "remove operation failed to decode path: missing value";
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format(
        "remove operation does not apply: doc is missing path: \"{}\": missing value", *path);
  }
  Trouble trouble = place.container->Remove(place.key);
  return trouble ? fmt::format("error in remove for path: '{}': {}", *path, *trouble) : trouble;
}

Trouble Application::ReplaceRoot(Value value) {
  if (value.kind() != json::Kind::kObject && value.kind() != json::Kind::kArray) {
    return "replace operation value must be object or array: %!w(<nil>)";
  }
  root_ = Node(std::move(value));
  root_.Open();
  return {};
}

Trouble Application::Replace(Operation& operation) {
  const auto path = operation.Text("path");
  if (!path) {
    return "replace operation failed to decode path: " + path.error();
  }
  if (path->empty()) {
    return ReplaceRoot(TakeValue(operation));
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format("replace operation does not apply: doc is missing path: {}: missing value",
                       *path);
  }
  if (!place.container->Get(place.key)) {
    return fmt::format("replace operation does not apply: doc is missing key: {}: missing value",
                       *path);
  }
  place.container->Replace(place.key, std::make_unique<Node>(TakeValue(operation)));
  return {};
}

Trouble Application::Move(Operation& operation) {
  const auto from = operation.Text("from");
  if (!from) {
    return "move operation failed to decode from: " + from.error();
  }
  const Place source = Find(*from);
  if (source.container == nullptr) {
    return fmt::format("move operation does not apply: doc is missing from path: {}: missing value",
                       *from);
  }
  std::unique_ptr<Node> moved = source.container->Take(source.key);
  if (const Trouble trouble = source.container->Remove(source.key)) {
    return fmt::format("error in move for path: '{}': {}", source.key, *trouble);
  }
  const auto path = operation.Text("path");
  if (!path) {
    return "move operation failed to decode path: " + path.error();
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format(
        "move operation does not apply: doc is missing destination path: {}: missing value", *path);
  }
  open_depth_ += DepthOf(*path);
  Trouble trouble = place.container->Add(place.key, std::move(moved));
  return trouble ? fmt::format("error in move for path: '{}': {}", *path, *trouble) : trouble;
}

// Whether the node is this value. It then counts as looked into.
bool Is(Node& node, Value value) {
  Value found = node.Copy();
  SortMembers(found);
  SortMembers(value);
  const bool same = found == value;
  node = Node(std::move(found));
  return same;
}

Trouble Application::Test(Operation& operation) {
  const auto path = operation.Text("path");
  if (!path) {
    return "test operation failed to decode path: " + path.error();
  }
  const Trouble failed = fmt::format("testing value {} failed: test failed", *path);
  if (path->empty()) {
    const bool same = Is(root_, TakeValue(operation));
    root_.Open();
    return same ? Trouble() : failed;
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format("test operation does not apply: is missing path: {}: missing value", *path);
  }
  const auto found = place.container->Get(place.key);
  if (!found) {
    return fmt::format("error in test for path: '{}': {}", *path, found.error());
  }
  Value wanted = TakeValue(operation);
  const bool same = *found == nullptr ? wanted.is_null() : Is(**found, std::move(wanted));
  return same ? Trouble() : failed;
}

Trouble Application::Copy(Operation& operation) {
  const auto from = operation.Text("from");
  if (!from) {
    return "copy operation failed to decode from: " + from.error();
  }
  const Place source = Find(*from);
  if (source.container == nullptr) {
    return fmt::format("copy operation does not apply: doc is missing from path: {}: missing value",
                       *from);
  }
  const auto found = source.container->Get(source.key);
  if (!found) {
    return fmt::format("error in copy for from: '{}': {}", *from, found.error());
  }
  const auto path = operation.Text("path");
  if (!path) {
    return "copy operation failed to decode path: missing value";
  }
  const Place place = Find(*path);
  if (place.container == nullptr) {
    return fmt::format(
        "copy operation does not apply: doc is missing destination path: {}: missing value", *path);
  }
  Value copy = *found == nullptr ? Value() : (*found)->Copy();
  copied_bytes_ += copy.is_null() ? 0 : json::ToJson(copy).size();
  if (copied_bytes_ > kMaxCopiedBytes) {
    return fmt::format(
        "Unable to complete the copy, the accumulated size increase of copy is {}, exceeding the "
        "limit {}",
        copied_bytes_, kMaxCopiedBytes);
  }
  Trouble trouble = place.container->Add(place.key, std::make_unique<Node>(std::move(copy)));
  return trouble ? "error while adding value during copy: " + *trouble : trouble;
}

Trouble Application::Apply(Operation& operation) {
  struct Row {
    std::string_view name;
    Trouble (Application::*apply)(Operation&);
  };
  constexpr std::array kRows = {
      Row{"add", &Application::Add},   Row{"remove", &Application::Remove},
      Row{"move", &Application::Move}, Row{"replace", &Application::Replace},
      Row{"copy", &Application::Copy}, Row{"test", &Application::Test},
  };
  if (open_depth_ > kMaxOpenDepth) {
    root_ = Node(root_.Copy());
    root_.Open();
    open_depth_ = 0;
  }
  const std::string name = operation.Text("op").value_or("unknown");
  for (const Row& row : kRows) {
    if (row.name == name) {
      return (this->*row.apply)(operation);
    }
  }
  return "Unexpected kind: " + name;
}

Refused WrongType(const Value& found, std::string_view wanted) {
  return BadRequest(fmt::format("json: cannot unmarshal {} into Go value of type jsonpatch.{}",
                                json::KindName(found.kind()), wanted));
}

// Of null there are none; a null among them has no fields.
Complaint CheckShape(const Value& patch) {
  if (patch.is_null()) {
    return {};
  }
  if (patch.kind() != json::Kind::kArray) {
    return WrongType(patch, "Patch");
  }
  for (const Value& operation : patch.items()) {
    if (!operation.is_null() && operation.kind() != json::Kind::kObject) {
      return WrongType(operation, "Operation");
    }
  }
  if (patch.items().size() > kMaxOperations) {
    return Refused{StatusClass::kTooLarge,
                   fmt::format("The allowed maximum operations in a JSON patch is {}, got {}",
                               kMaxOperations, patch.items().size())};
  }
  return {};
}

}  // namespace

Complaint ApplyJsonPatch(Value& object, Value patch) {
  if (Complaint refused = CheckShape(patch)) {
    return refused;
  }
  Value::Array operations = patch.is_null() ? Value::Array() : std::move(patch.items());
  Application application(std::move(object));
  for (Value& one : operations) {
    Operation operation{one.is_null() ? Fields() : TakeFields(one)};
    if (const Trouble trouble = application.Apply(operation)) {
      return Invalid(*trouble);
    }
  }
  object = application.Result();
  return {};
}

}  // namespace quadra::patch
