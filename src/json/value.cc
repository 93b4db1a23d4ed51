#include "json/value.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/core.h>

#include "base/check.h"

namespace quadra::json {
namespace {

bool IsContainer(const Value& value) {
  return value.kind() == Kind::kArray || value.kind() == Kind::kObject;
}

Value Leaf(Reader& reader) {
  switch (reader.Peek()) {
    case Kind::kBool:
      return Value(reader.Bool());
    case Kind::kNumber:
      return Value::Number(std::string(reader.NumberText()));
    case Kind::kString:
      return Value(std::string(reader.String()));
    default:
      reader.Null();
      return {};
  }
}

// Puts values where they belong while a reader walks a document; `open_` is the path to the
// container at hand.
class Builder {
 public:
  explicit Builder(Reader& reader) : reader_(reader) {}

  Value Build() {
    Place(root_);
    while (!open_.empty()) {
      Step(*open_.back());
    }
    return reader_.ok() ? std::move(root_) : Value();
  }

 private:
  void Place(Value& slot) {
    switch (reader_.Peek()) {
      case Kind::kArray:
        slot = Value(Value::Array());
        Open(slot, reader_.EnterArray());
        break;
      case Kind::kObject:
        slot = Value(Value::Object());
        Open(slot, reader_.EnterObject());
        break;
      default:
        slot = Leaf(reader_);
    }
  }

  // A container's own slot never moves while it is open: its parent grows only after it is closed.
  void Open(Value& slot, bool entered) {
    if (entered) {
      open_.push_back(&slot);
    }
  }

  void Step(Value& container) {
    std::string_view key;
    if (container.kind() == Kind::kArray) {
      reader_.NextItem() ? Place(container.items().emplace_back()) : open_.pop_back();
    } else if (reader_.NextKey(key)) {
      Place(container.members().emplace_back(Value::Member{std::string(key), {}}).value);
    } else {
      open_.pop_back();
    }
  }

  Reader& reader_;
  Value root_;
  std::vector<Value*> open_;
};

void WriteLeaf(const Value& value, Writer& writer) {
  switch (value.kind()) {
    case Kind::kBool:
      return writer.Bool(value.boolean());
    case Kind::kNumber:
      return writer.Number(value.number());
    case Kind::kString:
      return writer.String(value.string());
    default:
      return writer.Null();
  }
}

bool SameLeaf(const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::kBool:
      return a.boolean() == b.boolean();
    case Kind::kNumber:
      return a.number() == b.number();
    case Kind::kString:
      return a.string() == b.string();
    default:
      return true;
  }
}

// A container half way through, in walks with a stack of their own.
struct Cursor {
  const Value* value;
  std::size_t next = 0;
};

std::size_t SizeOf(const Value& container) {
  return container.kind() == Kind::kArray ? container.items().size() : container.members().size();
}

const Value& ChildOf(const Cursor& cursor) {
  return cursor.value->kind() == Kind::kArray ? cursor.value->items()[cursor.next]
                                              : cursor.value->members()[cursor.next].value;
}

using Pairs = std::vector<std::pair<const Value*, const Value*>>;

std::vector<std::size_t> ByKey(const Value::Object& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::pair(std::string_view(members[i].key), i); });
  return order;
}

// Adds the pairs of values that must be equal for `a` and `b` to be; false if the keys differ
// already.
bool PairMembers(const Value::Object& a, const Value::Object& b, Pairs& pairs) {
  const bool same_order = std::ranges::equal(a, b, {}, &Value::Member::key, &Value::Member::key);
  const std::vector<std::size_t> order_a = same_order ? std::vector<std::size_t>() : ByKey(a);
  const std::vector<std::size_t> order_b = same_order ? std::vector<std::size_t>() : ByKey(b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Value::Member& left = a[same_order ? i : order_a[i]];
    const Value::Member& right = b[same_order ? i : order_b[i]];
    if (left.key != right.key) {
      return false;
    }
    pairs.emplace_back(&left.value, &right.value);
  }
  return true;
}

bool PairChildren(const Value& a, const Value& b, Pairs& pairs) {
  if (SizeOf(a) != SizeOf(b)) {
    return false;
  }
  if (a.kind() == Kind::kObject) {
    return PairMembers(a.members(), b.members(), pairs);
  }
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    pairs.emplace_back(&a.items()[i], &b.items()[i]);
  }
  return true;
}

// The index of the first member whose key an earlier one has.
std::optional<std::size_t> FirstRepeated(const Value::Object& members) {
  const std::vector<std::size_t> order = ByKey(members);
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (members[order[i - 1]].key == members[order[i]].key) {
      first = std::min(first.value_or(order[i]), order[i]);
    }
  }
  return first;
}

// The path to the member or item that `path`'s last cursor is at.
std::string PathText(const std::vector<Cursor>& path) {
  std::string text;
  for (const Cursor& step : path) {
    if (step.value->kind() == Kind::kArray) {
      text += fmt::format("[{}]", step.next);
    } else {
      text += (text.empty() ? "" : ".") + step.value->members()[step.next].key;
    }
  }
  return text;
}

const Value kNullValue;

}  // namespace

Value::Value() = default;
Value::Value(std::string text) : data_(std::move(text)) {}
Value::Value(Array items) : data_(std::move(items)) {}
Value::Value(Object members) : data_(std::move(members)) {}
Value Value::Int(std::int64_t number) { return Number(std::to_string(number)); }

Value Value::Number(std::string spelling) {
  Value value;
  value.data_ = Spelling{std::move(spelling)};
  return value;
}

Value::Value(Value&& other) noexcept = default;

// `other` may be a part of this value, which must then live until it was moved.
Value& Value::operator=(Value&& other) noexcept {
  if (this == &other) {
    return *this;
  }
  if (IsContainer(*this)) {
    const Value old(std::move(*this));
    data_ = std::move(other.data_);
  } else {
    data_ = std::move(other.data_);
  }
  return *this;
}

Value::Value(const Value& other) {
  std::vector<std::pair<const Value*, Value*>> todo = {{&other, this}};
  while (!todo.empty()) {
    const auto [from, to] = todo.back();
    todo.pop_back();
    if (from->kind() == Kind::kArray) {
      Array& items = to->data_.emplace<Array>(from->items().size());
      for (std::size_t i = 0; i < items.size(); ++i) {
        todo.emplace_back(&from->items()[i], &items[i]);
      }
    } else if (from->kind() == Kind::kObject) {
      Object& members = to->data_.emplace<Object>(from->members().size());
      for (std::size_t i = 0; i < members.size(); ++i) {
        members[i].key = from->members()[i].key;
        todo.emplace_back(&from->members()[i].value, &members[i].value);
      }
    } else {
      to->data_ = from->data_;
    }
  }
}

Value& Value::operator=(const Value& other) { return *this = Value(other); }

Value::~Value() {
  if (HasNested()) {
    Dismantle();
  }
}

bool Value::HasNested() const {
  if (kind() == Kind::kArray) {
    return std::ranges::any_of(items(), IsContainer);
  }
  return kind() == Kind::kObject && std::ranges::any_of(members(), IsContainer, &Member::value);
}

void Value::MoveNestedTo(Array& out) {
  const auto take = [&out](Value& value) {
    if (IsContainer(value)) {
      out.push_back(std::move(value));
    }
  };
  if (kind() == Kind::kArray) {
    std::ranges::for_each(items(), take);
  } else {
    std::ranges::for_each(members(), take, &Member::value);
  }
}

// Flattens the tree, so that every container is destroyed when it holds no other.
void Value::Dismantle() noexcept {
  Array pending;
  MoveNestedTo(pending);
  while (!pending.empty()) {
    Value last = std::move(pending.back());
    pending.pop_back();
    last.MoveNestedTo(pending);
  }
}

const Value* Value::Find(std::string_view key) const {
  if (kind() != Kind::kObject) {
    return nullptr;
  }
  const auto found = std::ranges::find(members(), key, &Member::key);
  return found == members().end() ? nullptr : &found->value;
}

Value* Value::Find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).Find(key));
}

const std::string& Value::text() const {
  static const std::string none;
  return kind() == Kind::kString ? string() : none;
}

const Value& Value::Get(std::string_view key) const {
  const Value* const found = Find(key);
  return found == nullptr ? kNullValue : *found;
}

Value& Value::Set(std::string_view key, Value value) {
  Value* slot = Find(key);
  if (slot == nullptr) {
    slot = &members().emplace_back(Member{std::string(key), {}}).value;
  }
  return *slot = std::move(value);
}

bool Value::Erase(std::string_view key) {
  return std::erase_if(members(), [key](const Member& member) { return member.key == key; }) > 0;
}

bool operator==(const Value& a, const Value& b) {
  Pairs pairs = {{&a, &b}};
  while (!pairs.empty()) {
    const auto [left, right] = pairs.back();
    pairs.pop_back();
    if (left->kind() != right->kind()) {
      return false;
    }
    const bool equal =
        IsContainer(*left) ? PairChildren(*left, *right, pairs) : SameLeaf(*left, *right);
    if (!equal) {
      return false;
    }
  }
  return true;
}

Value ReadValue(Reader& reader) { return Builder(reader).Build(); }

Result<Value> ParseValue(std::string_view text) {
  Reader reader(text);
  Value value = ReadValue(reader);
  QUADRA_RETURN_IF_ERROR(reader.Finish());
  return value;
}

void WriteValue(const Value& value, Writer& writer) {
  std::vector<Cursor> open;
  const auto write = [&](const Value& next) {
    if (!IsContainer(next)) {
      return WriteLeaf(next, writer);
    }
    next.kind() == Kind::kArray ? writer.BeginArray() : writer.BeginObject();
    open.push_back({&next});
  };
  for (write(value); !open.empty();) {
    Cursor& top = open.back();
    const bool is_array = top.value->kind() == Kind::kArray;
    if (top.next == SizeOf(*top.value)) {
      is_array ? writer.EndArray() : writer.EndObject();
      open.pop_back();
      continue;
    }
    if (!is_array) {
      writer.Key(top.value->members()[top.next].key);
    }
    const Value& child = ChildOf(top);
    ++top.next;
    write(child);
  }
}

std::string ToJson(const Value& value, int indent) {
  std::string out;
  Writer writer(out, indent);
  WriteValue(value, writer);
  return out;
}

std::optional<std::string> FindDuplicateKey(const Value& value) {
  std::vector<Cursor> path;
  const Value* entering = IsContainer(value) ? &value : nullptr;
  while (entering != nullptr || !path.empty()) {
    if (entering != nullptr) {
      path.push_back({entering});
      const bool is_object = entering->kind() == Kind::kObject;
      if (const auto repeated = is_object ? FirstRepeated(entering->members()) : std::nullopt) {
        path.back().next = *repeated;
        return PathText(path);
      }
    } else if (++path.back().next; path.back().next >= SizeOf(*path.back().value)) {
      path.pop_back();
      continue;
    }
    const bool inside = path.back().next < SizeOf(*path.back().value);
    entering = inside && IsContainer(ChildOf(path.back())) ? &ChildOf(path.back()) : nullptr;
  }
  return std::nullopt;
}

}  // namespace quadra::json
