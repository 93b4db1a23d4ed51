// Environment: everything an expression may name (functions with their overloads in declaration
// order, variables, object types) and the options that differ between profiles.
//
// Built once from the rows of the libraries (declarations.h), then immutable and shared by threads.
// Order matters: a call on dyn operands takes the first overload whose kinds fit at run time.
// Overload ids are upstream's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cel/behaviour.h"
#include "cel/type.h"

namespace quadra::cel {

using OverloadIndex = std::uint32_t;  // in Environment::overloads

struct Overload {
  std::string id;
  std::uint32_t function = 0;  // in Environment::functions
  bool member = false;         // x.f(y): the receiver is parameter 0
  std::vector<Type> parameters = {};
  Type result = nullptr;
  // Names of the type variables in `parameters` and `result`; filled by Environment::Add.
  std::vector<std::string> type_parameters = {};
  Behaviour behaviour;
};

struct Function {
  std::string name;
  std::vector<OverloadIndex> overloads;  // in upstream's order of declaration
};

struct Variable {
  std::string name;
  Type type = nullptr;
};

// A type name used as a value (`int`, `net.IP`): ident -> type(T).
struct TypeName {
  std::string name;
  Type denoted = nullptr;
  bool has_value = true;  // false: the checker knows the name, but no program can be made with it
};

struct Field {
  std::string name;
  Type type = nullptr;
};

struct ObjectType {
  std::string name;
  std::vector<Field> fields;
};

// Syntax and checks that profiles switch.
struct Options {
  bool homogeneous_literals = true;  // [1, "a"] is refused
  bool literal_validators = true;    // duration(""), timestamp(""), regex and format literals
  bool backquoted_fields = true;     // a.`b-c`
  bool optional_syntax = true;       // a.?b, a[?b], {?k: v}, [?x]
  bool fold_constants = true;        // off only in tests: results must not depend on it
  bool macros = true;                // off: has(), all(), ... are ordinary calls
  bool two_variable_macros = true;   // all, exists, ... with two variables, transformList, ...
  bool optional_macros = true;       // optMap, optFlatMap
  bool sort_by_macro = true;
  bool bind_macro = true;  // cel.bind
  std::string container;   // name resolution prefix; empty in DRA
};

// Lets maps keyed by std::string be asked with a std::string_view.
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const {
    return std::hash<std::string_view>{}(name);
  }
};

class FunctionTable;

// What programs of an environment share; made by the first of them.
struct RuntimeHandle {
  std::once_flag made;
  std::shared_ptr<const FunctionTable> table;
};

struct Environment {
  TypeArena types;
  std::vector<Function> functions;
  std::vector<Overload> overloads;
  std::vector<Variable> variables;  // a later one of the same name wins
  std::vector<TypeName> type_names;
  std::vector<ObjectType> objects;
  Options options;
  absl::flat_hash_map<std::string, std::uint32_t, NameHash, std::equal_to<>> function_index;

  // REQUIRES: no function is added after the first program was made.
  mutable RuntimeHandle runtime;

  // Null if there is none. Names are taken literally: no container, no leading dot.
  const Function* FindFunction(std::string_view name) const;
  const Variable* FindVariable(std::string_view name) const;
  const TypeName* FindTypeName(std::string_view name) const;
  const ObjectType* FindObject(std::string_view name) const;

  // Appends, unless the function already has an overload of this id.
  void Add(std::string_view function, Overload overload);
};

// --- Kubernetes' environments, without the variables of a particular use. Building one takes about
// a millisecond; do it once and share it.

// What differs between the environments for new and for stored expressions, beyond the variables.
struct LibraryChoice {
  bool list_includes = false;  // includes(): since 1.37, or by the list-type attributes gate
  // Kubernetes' list library as of 1.37: declared after strings, so that a dyn indexOf tries
  // strings first. True for stored expressions.
  bool lists_after_strings = false;
};

// Kubernetes' base environment as DRA extends it (standard library, optionals, strings v2, sets,
// lists v3, two-variable comprehensions, cel.bind, quantity, semver, ip, cidr, url, regex, named
// formats, authorizer).
std::unique_ptr<Environment> KubernetesEnvironment(const LibraryChoice& choice);

// The language as the specification's test suite asks for it: literals may mix types.
std::unique_ptr<Environment> SpecificationEnvironment();

}  // namespace quadra::cel
