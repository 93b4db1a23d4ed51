#include "cel/type.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace quadra::cel {
namespace {

constexpr TypeNode kDynNode{.kind = TypeKind::kDyn, .name = "dyn"};
constexpr TypeNode kAnyNode{.kind = TypeKind::kAny, .name = "google.protobuf.Any"};
constexpr TypeNode kErrorNode{.kind = TypeKind::kError, .name = "error"};
constexpr TypeNode kNullNode{.kind = TypeKind::kNull, .name = "null_type"};
constexpr TypeNode kBoolNode{.kind = TypeKind::kBool, .name = "bool"};
constexpr TypeNode kIntNode{.kind = TypeKind::kInt, .name = "int"};
constexpr TypeNode kUintNode{.kind = TypeKind::kUint, .name = "uint"};
constexpr TypeNode kDoubleNode{.kind = TypeKind::kDouble, .name = "double"};
constexpr TypeNode kStringNode{.kind = TypeKind::kString, .name = "string"};
constexpr TypeNode kBytesNode{.kind = TypeKind::kBytes, .name = "bytes"};
constexpr TypeNode kTimestampNode{.kind = TypeKind::kTimestamp,
                                  .name = "google.protobuf.Timestamp"};
constexpr TypeNode kDurationNode{.kind = TypeKind::kDuration, .name = "google.protobuf.Duration"};
constexpr TypeNode kTypeNode{.kind = TypeKind::kType, .name = "type"};
constexpr std::array<Type, 2> kDynDyn = {&kDynNode, &kDynNode};
constexpr TypeNode kListNode{
    .kind = TypeKind::kList, .name = "list", .parameters = std::span(kDynDyn).first(1)};
constexpr TypeNode kMapNode{.kind = TypeKind::kMap, .name = "map", .parameters = kDynDyn};

// The first variables exist once for all: "_var0" to "_var255".
struct VariableName {
  std::array<char, 7> text = {'_', 'v', 'a', 'r'};
  std::size_t size = 4;
};
constexpr std::size_t kSharedVariables = 256;
constexpr auto kVariableNames = [] {
  std::array<VariableName, kSharedVariables> names;
  for (std::size_t i = 0; i < kSharedVariables; ++i) {
    for (std::size_t unit = i >= 100 ? 100 : i >= 10 ? 10 : 1; unit > 0; unit /= 10) {
      names[i].text[names[i].size++] = static_cast<char>('0' + i / unit % 10);
    }
  }
  return names;
}();
constexpr auto kVariables = [] {
  std::array<TypeNode, kSharedVariables> nodes;
  for (std::size_t i = 0; i < kSharedVariables; ++i) {
    nodes[i] = {.kind = TypeKind::kParam,
                .name = {kVariableNames[i].text.data(), kVariableNames[i].size},
                .open = true,
                .variable = static_cast<std::uint32_t>(i + 1)};
  }
  return nodes;
}();

// How messages spell a type, apart from its parameters.
std::string MessageName(Type type) {
  switch (type->kind) {
    case TypeKind::kAny:
      return "any";
    case TypeKind::kDuration:
      return "duration";
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kTimestamp:
      return "timestamp";
    default:
      return std::string(type->name);
  }
}

std::string TypeName(Type type) {
  return type->kind == TypeKind::kParam ? fmt::format("<{}>", type->name) : std::string(type->name);
}

// Types can share parts so often that their text would not fit into memory.
constexpr std::size_t kLongestText = 1 << 20;

// Both spellings differ in the names alone.
void Append(Type type, std::string (*name)(Type), std::string& out) {
  out += name(type);
  if (type->parameters.empty() || out.size() > kLongestText) {
    return;
  }
  out += '(';
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    out += i == 0 ? "" : ", ";
    Append(type->parameters[i], name, out);
  }
  out += ')';
}

}  // namespace

namespace types {
const Type kDyn = &kDynNode;
const Type kAny = &kAnyNode;
const Type kError = &kErrorNode;
const Type kNull = &kNullNode;
const Type kBool = &kBoolNode;
const Type kInt = &kIntNode;
const Type kUint = &kUintNode;
const Type kDouble = &kDoubleNode;
const Type kString = &kStringNode;
const Type kBytes = &kBytesNode;
const Type kTimestamp = &kTimestampNode;
const Type kDuration = &kDurationNode;
const Type kTypeType = &kTypeNode;
const Type kListDyn = &kListNode;
const Type kMapDynDyn = &kMapNode;
}  // namespace types

Type TypeArena::List(Type element) { return Make(TypeKind::kList, "list", {&element, 1}); }

Type TypeArena::Map(Type key, Type value) {
  return Make(TypeKind::kMap, "map", std::array{key, value});
}

Type TypeArena::TypeOf(Type denoted) { return Make(TypeKind::kType, "type", {&denoted, 1}); }

Type TypeArena::Opaque(std::string_view name, std::initializer_list<Type> parameters) {
  return Make(TypeKind::kOpaque, Keep(name), {parameters.begin(), parameters.size()});
}

Type TypeArena::Optional(Type value) {
  return Make(TypeKind::kOpaque, "optional_type", {&value, 1});
}

Type TypeArena::Object(std::string_view name) { return Make(TypeKind::kObject, Keep(name), {}); }

Type TypeArena::Param(std::string_view name) { return Make(TypeKind::kParam, Keep(name), {}); }

Type TypeArena::Variable(std::uint32_t number) {
  if (number < kSharedVariables) {
    return &kVariables[number];
  }
  std::array<char, 16> text;
  const auto end = fmt::format_to(text.begin(), "_var{}", number);
  return Make(TypeKind::kParam, Keep({text.begin(), end}), {}, number + 1);
}

Type TypeArena::Like(Type shape, std::span<const Type> parameters) {
  return Make(shape->kind, shape->name, parameters);
}

Type TypeArena::Make(TypeKind kind, std::string_view name, std::span<const Type> parameters,
                     std::uint32_t variable) {
  auto* const kept = static_cast<Type*>(Allocate(parameters.size_bytes()));
  std::ranges::copy(parameters, kept);
  const bool open =
      kind == TypeKind::kParam || std::ranges::any_of(parameters, [](Type p) { return p->open; });
  return new (Allocate(sizeof(TypeNode))) TypeNode{.kind = kind,
                                                   .name = name,
                                                   .parameters = {kept, parameters.size()},
                                                   .open = open,
                                                   .variable = variable};
}

std::string_view TypeArena::Keep(std::string_view text) {
  auto* const kept = static_cast<char*>(Allocate(text.size()));
  std::ranges::copy(text, kept);
  return {kept, text.size()};
}

void* TypeArena::Allocate(std::size_t bytes) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t rounded =
      (bytes + alignof(TypeNode) - 1) / alignof(TypeNode) * alignof(TypeNode);
  if (rounded > left_) {
    left_ = std::max(kBlock, rounded);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
    next_ = blocks_.back().get();
  }
  void* const result = next_;
  next_ += rounded;
  left_ -= rounded;
  return result;
}

bool Same(Type a, Type b) {
  if (a == b) {
    return true;
  }
  return a->kind == b->kind && a->name == b->name &&
         std::ranges::equal(a->parameters, b->parameters, Same);
}

std::string ToString(Type type) {
  std::string out;
  Append(type, MessageName, out);
  return out;
}

std::string DeclaredName(Type type) {
  std::string out;
  Append(type, TypeName, out);
  return out;
}

}  // namespace quadra::cel
