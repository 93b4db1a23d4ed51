// The Kubernetes environments for CEL, without the variables of a particular use: which functions,
// types and macros an expression may name.
//
// Building one takes about a millisecond; do it once and share it.
#pragma once

#include <memory>

#include "cel/environment.h"

namespace quadra::cel {

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
