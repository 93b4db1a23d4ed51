// ObjectMeta, conditions, node selectors: the rules that all kinds share, hand-written upstream in
// apimachinery and core. (Their declarative twins are of level alpha and never show.)
#pragma once

#include <cstdint>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/formats.h"
#include "validation/path.h"

namespace quadra::validation {

struct MetaRules {
  bool namespaced = false;
  // What is wrong with a name or, with `prefix`, a generateName.
  api::Problems (*name_problems)(std::string_view name, bool prefix) = api::SubdomainNameProblems;
};

// The rules of every registry, before or after those of the kind.
void CheckMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
               const MetaRules& rules);
void CheckMetaUpdate(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                     const api::ObjectMeta& old);

// What the hand-written rules of a kind start with: the above, and that finalizers are standard or
// have a domain.
void CheckKindMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                   const MetaRules& rules);
void CheckKindMetaUpdate(ErrorList& errors, const Path& path, const api::ObjectMeta& meta,
                         const api::ObjectMeta& old);

// One more, round the end of the range as upstream's numbers go: a client may store any generation.
std::int64_t NextGeneration(std::int64_t generation);

void CheckAnnotations(ErrorList& errors, const Path& path,
                      const api::Map<std::string>& annotations);
void CheckLabels(ErrorList& errors, const Path& path, const api::Map<std::string>& labels);

void CheckConditions(ErrorList& errors, const Path& path,
                     const api::List<api::Condition>& conditions);

// At least one term; label values in requirements are checked.
void CheckNodeSelector(ErrorList& errors, const Path& path, const api::NodeSelector& selector);

}  // namespace quadra::validation
