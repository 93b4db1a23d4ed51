#include "patch/document.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/go_text.h"

namespace quadra::patch {
namespace {

using json::Value;

std::string InvalidIndex(std::int64_t index) {
  return fmt::format("Unable to access invalid index: {}: invalid index referenced", index);
}

// Go's strconv.Atoi.
tl::expected<std::int64_t, std::string> ParseIndex(const std::string& text) {
  const bool plus = text.starts_with('+');
  const char* const end = text.data() + text.size();
  std::int64_t index = 0;
  const auto [stop, problem] = std::from_chars(text.data() + (plus ? 1 : 0), end, index);
  if (stop == end && problem == std::errc() && !text.starts_with("+-")) {
    return index;
  }
  const bool range = stop == end && problem == std::errc::result_out_of_range;
  return tl::unexpected(fmt::format("strconv.Atoi: parsing {}: {}", GoQuote(text),
                                    range ? "value out of range" : "invalid syntax"));
}

// The place in a list with `size` of them that `key` names, from the end where it is negative.
tl::expected<std::size_t, std::string> FindIndex(const std::string& key, std::size_t size) {
  const auto index = ParseIndex(key);
  if (!index) {
    return tl::unexpected(index.error());
  }
  const auto count = static_cast<std::int64_t>(size);
  if (*index >= count || *index < -count) {
    return tl::unexpected(InvalidIndex(*index));
  }
  return static_cast<std::size_t>(*index < 0 ? *index + count : *index);
}

// A key in a pointer: ~1 stands for a slash, ~0 for a tilde.
std::string Unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '~' && i + 1 < text.size() && (text[i + 1] | 1) == '1';
    out += !escape ? text[i] : text[i + 1] == '1' ? '/' : '~';
    i += escape ? 1 : 0;
  }
  return out;
}

std::unique_ptr<Node> NewNode(Value value) { return std::make_unique<Node>(std::move(value)); }

}  // namespace

bool Node::Open() {
  auto* closed = std::get_if<Value>(&content_);
  if (closed == nullptr) {
    return true;
  }
  if (closed->kind() == json::Kind::kObject) {
    Object object;
    for (Value::Member& member : closed->members()) {
      object.insert_or_assign(std::move(member.key), NewNode(std::move(member.value)));
    }
    content_ = std::move(object);
    return true;
  }
  if (closed->kind() == json::Kind::kArray) {
    List list;
    for (Value& item : closed->items()) {
      list.push_back(NewNode(std::move(item)));
    }
    content_ = std::move(list);
    return true;
  }
  return false;
}

tl::expected<Node*, std::string> Node::Get(const std::string& key) {
  if (auto* object = std::get_if<Object>(&content_)) {
    const auto at = object->find(key);
    return at == object->end() ? nullptr : at->second.get();
  }
  auto& list = std::get<List>(content_);
  const auto index = FindIndex(key, list.size());
  if (!index) {
    return tl::unexpected(index.error());
  }
  return list[*index].get();
}

Trouble Node::Remove(const std::string& key) {
  if (auto* object = std::get_if<Object>(&content_)) {
    if (object->erase(key) == 0) {
      return fmt::format("Unable to remove nonexistent key: {}: missing value", key);
    }
    return {};
  }
  auto& list = std::get<List>(content_);
  const auto index = FindIndex(key, list.size());
  if (!index) {
    return index.error();
  }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(*index));
  return {};
}

void Node::Replace(const std::string& key, std::unique_ptr<Node> node) {
  if (auto* object = std::get_if<Object>(&content_)) {
    (*object)[key] = std::move(node);
    return;
  }
  auto& list = std::get<List>(content_);
  const auto index = FindIndex(key, list.size());
  QUADRA_CHECK(index.has_value(), "Get has found the element");
  list[*index] = std::move(node);
}

Trouble Node::Add(const std::string& key, std::unique_ptr<Node> node) {
  auto* list = std::get_if<List>(&content_);
  if (list == nullptr) {
    Replace(key, std::move(node));
    return {};
  }
  if (key == "-") {
    list->push_back(std::move(node));
    return {};
  }
  if (const auto number = ParseIndex(key); !number) {
    return fmt::format("value was not a proper array index: '{}': {}", key, number.error());
  }
  const auto index = FindIndex(key, list->size() + 1);
  if (!index) {
    return index.error();
  }
  list->insert(list->begin() + static_cast<std::ptrdiff_t>(*index), std::move(node));
  return {};
}

std::unique_ptr<Node> Node::Take(const std::string& key) {
  const auto found = Get(key);
  return found && *found != nullptr ? std::make_unique<Node>(std::exchange(**found, Node(Value())))
                                    : NewNode(Value());
}

Value Node::Copy() const {
  if (const auto* object = std::get_if<Object>(&content_)) {
    Value::Object members;
    members.reserve(object->size());
    for (const auto& [key, node] : *object) {
      members.push_back({key, node->Copy()});
    }
    return Value(std::move(members));
  }
  if (const auto* list = std::get_if<List>(&content_)) {
    Value::Array items;
    items.reserve(list->size());
    for (const std::unique_ptr<Node>& node : *list) {
      items.push_back(node->Copy());
    }
    return Value(std::move(items));
  }
  return std::get<Value>(content_);
}

Place FindPlace(Node& root, std::string_view path) {
  std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) {
    return {};
  }
  Node* container = &root;
  while (true) {
    const std::size_t next = path.find('/', slash + 1);
    std::string key = Unescaped(path.substr(slash + 1, next - slash - 1));
    if (next == std::string_view::npos) {
      return {container, std::move(key)};
    }
    const auto found = container->Get(key);
    if (!found || *found == nullptr || !(*found)->Open()) {
      return {};
    }
    container = *found;
    slash = next;
  }
}

}  // namespace quadra::patch
