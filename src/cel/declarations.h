// Declarations: the overload tables of the libraries, as data, and what reads them.
//
// A row spells types as messages print them: "list(A), int". One capital letter is a type variable;
// "net.*" and "optional_type(T)" are opaque, other names with a dot are object types.
//
//   constexpr Declaration kRows[] = {
//       {"charAt", "string_char_at_int", kMember, "string, int", "string"}};
//   Declare(environment, kRows);
#pragma once

#include <span>
#include <string_view>

#include "cel/environment.h"

namespace quadra::cel {

enum CallStyle : std::uint8_t { kGlobal, kMember };

struct Declaration {
  std::string_view function;
  std::string_view id;
  CallStyle style;
  std::string_view parameters;
  std::string_view result;
  bool non_strict = false;
};

void Declare(Environment& environment, const Declaration& row);
void Declare(Environment& environment, std::span<const Declaration> rows);

// REQUIRES: `text` is one well-formed type.
Type ReadType(TypeArena& arena, std::string_view text);

// One library each, in the order and with the ids of upstream.
void DeclareStandard(Environment& environment);
void DeclareOptionals(Environment& environment);
void DeclareStrings(Environment& environment);
void DeclareSets(Environment& environment);
void DeclareLists(Environment& environment);
void DeclareTwoVariableComprehensions(Environment& environment);
void DeclareUrls(Environment& environment);
void DeclareRegex(Environment& environment);
void DeclareKubernetesLists(Environment& environment);
void DeclareIncludes(Environment& environment);
void DeclareAuthorizer(Environment& environment);
void DeclareAuthorizerSelectors(Environment& environment);
void DeclareQuantity(Environment& environment);
void DeclareSemver(Environment& environment);
void DeclareIp(Environment& environment);
void DeclareCidr(Environment& environment);
void DeclareNamedFormats(Environment& environment);

}  // namespace quadra::cel
