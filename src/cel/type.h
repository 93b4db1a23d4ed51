// Type: a CEL type, as the checker sees it and as messages print it.
//
// A handle to an immutable node; equal types may have different nodes, compare with Same(). Simple
// types are constants; composite ones are made in a TypeArena, which must outlive them.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cel {

enum class TypeKind : std::uint8_t {
  kDyn,
  kAny,  // google.protobuf.Any: assignable like dyn, but no list, map or format argument
  kError,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kType,    // parameters: the type denoted, or none
  kList,    // parameters: element
  kMap,     // parameters: key, value
  kOpaque,  // name, parameters: optional_type(T), kubernetes.Quantity, net.IP, ...
  kObject,  // name: fields are known to the Environment
  kParam,   // name: a type variable of a declaration, or one the checker made
};

struct TypeNode {
  TypeKind kind = TypeKind::kDyn;
  std::string_view name;  // as upstream's TypeName(): "int", "google.protobuf.Timestamp", "list"
  std::span<const TypeNode* const> parameters;
};
using Type = const TypeNode*;

namespace types {
extern const Type kDyn, kAny, kError, kNull, kBool, kInt, kUint, kDouble, kString, kBytes,
    kTimestamp, kDuration, kTypeType, kListDyn, kMapDynDyn;
}  // namespace types

class TypeArena {
 public:
  TypeArena() = default;
  TypeArena(const TypeArena&) = delete;
  TypeArena& operator=(const TypeArena&) = delete;

  Type List(Type element);
  Type Map(Type key, Type value);
  Type TypeOf(Type denoted);
  Type Opaque(std::string_view name, std::initializer_list<Type> parameters = {});
  Type Optional(Type value) { return Opaque("optional_type", {value}); }
  Type Object(std::string_view name);
  Type Param(std::string_view name);

 private:
  Type Make(TypeKind kind, std::string_view name, std::initializer_list<Type> parameters);

  std::deque<TypeNode> nodes_;
  std::deque<std::vector<Type>> parameters_;
  std::deque<std::string> names_;
};

// Structural equality.
bool Same(Type a, Type b);
// As upstream's checker prints it in messages: "list(int)", "map(string, dyn)", "type(int)".
std::string ToString(Type type);

}  // namespace quadra::cel
