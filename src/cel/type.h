// Type: a CEL type, as the checker sees it and as messages print it.
//
// A handle to an immutable node; equal types may have different nodes, compare with Same(). Simple
// types are constants; composite ones are made in a TypeArena, which must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
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
  kOpaque,  // name, parameters: optional_type(T), net.IP, net.CIDR
  kObject,  // name: kubernetes.DRADevice, kubernetes.Quantity, ...; fields are known to the
            // Environment
  kParam,   // name: a type variable of a declaration, or one the checker made
};

struct TypeNode {
  TypeKind kind = TypeKind::kDyn;
  std::string_view name;  // as upstream's TypeName(): "int", "google.protobuf.Timestamp", "list"
  std::span<const TypeNode* const> parameters;
  bool open = false;           // contains a kParam
  std::uint32_t variable = 0;  // kParam made by the checker: its number, from 1 on
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
  Type Optional(Type value);
  Type Object(std::string_view name);
  Type Param(std::string_view name);
  // A type variable of the checker, printed as "_var<number>".
  Type Variable(std::uint32_t number);
  // `shape` with other parameters, as many as it has.
  Type Like(Type shape, std::span<const Type> parameters);

 private:
  Type Make(TypeKind kind, std::string_view name, std::span<const Type> parameters,
            std::uint32_t variable = 0);
  std::string_view Keep(std::string_view text);
  void* Allocate(std::size_t bytes);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t left_ = 0;
  std::byte* next_ = nullptr;
};

// Structural equality.
bool Same(Type a, Type b);
// As upstream's checker prints it in messages: "list(int)", "map(string, dyn)", "duration".
std::string ToString(Type type);
// As upstream names the type of a whole expression: "google.protobuf.Duration", "null_type".
std::string DeclaredName(Type type);

}  // namespace quadra::cel
