// Declarations: the overloads of the libraries, one row each, and what reads them.
//
// A row is all there is to a function: its declaration, how it runs, what it costs, what is
// estimated for it. The rows stand in the file of their library, beside the functions they name; to
// add a function is to add a row there.
//
// Types are spelled as messages print them: "list(A), int". One capital letter is a type variable;
// "net.*" and "optional_type(T)" are opaque, other names with a dot are object types.
//
//   constexpr Row kRows[] = {
//       {"charAt", "string_char_at_int", kMember, "string, int", "string",
//        {CharAt, cost::One, estimate::One}},
//   };
//   void DeclareStrings(Environment& environment) { Declare(environment, kRows); }
//
// Order matters where overloads of one function are chosen at run time: the first that takes the
// operands wins. Ids are upstream's, so that checked trees can be compared.
#pragma once

#include <span>
#include <string_view>

#include "cel/behaviour.h"
#include "cel/environment.h"

namespace quadra::cel {

enum CallStyle : std::uint8_t { kGlobal, kMember };

struct Row {
  std::string_view function;
  std::string_view id;
  CallStyle style;
  std::string_view parameters;
  std::string_view result;
  Behaviour behaviour;  // has no default: a row without it does not compile
};

void Declare(Environment& environment, const Row& row);
void Declare(Environment& environment, std::span<const Row> rows);

// REQUIRES: `text` is one well-formed type.
Type ReadType(TypeArena& arena, std::string_view text);

// One library each, in the order and with the ids of upstream.
void DeclareStandard(Environment& environment);  // the next five, and the names of types
void DeclareOperators(Environment& environment);
void DeclareArithmetic(Environment& environment);
void DeclareConversions(Environment& environment);
void DeclareTime(Environment& environment);
void DeclareMatches(Environment& environment);
void DeclareOptionals(Environment& environment);
void DeclareStrings(Environment& environment);
void DeclareStringFormat(Environment& environment);
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
