// Registry: the kinds a process knows: the generated ones, and those added while it runs, as custom
// resources are.
//
// A value that never changes: adding gives another registry, so that a reader keeps the one it
// started with and needs no lock; who publishes the newest does that by a pointer swap. Copying
// shares. Looking up a generated kind costs what FindKind costs; others one more binary search.
//
//   Registry known;                              // the generated kinds
//   QUADRA_TRY(known, known.With(widget));       // and example.com/v1 Widget
//   Decoded<Object> object = DecodeJson(text, {.registry = &known});
//
// Kinds added at run time have no plain structs and no protobuf, as upstream's have none; they
// decode, default, compare and encode as trees, by their tables. An Object points to its kind: keep
// a registry that knows it, or the kind itself, for as long.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "api/schema.h"
#include "base/result.h"

namespace quadra::api {

class Registry {
 public:
  // All that is known here and this kind. `kind` owns, or keeps alive, the tables it points to; a
  // struct without `lookup` is searched field by field. Fails with ErrorKind::kInvalid when the kind
  // is known already, or lacks its group, version, name or fields.
  Result<Registry> With(std::shared_ptr<const KindSchema> kind) const;

  // Null when unknown. `api_version` is "v1" or "group/version".
  const KindSchema* Find(std::string_view api_version, std::string_view kind) const;

  // Sorted by group, version, kind.
  std::vector<const KindSchema*> All() const;

 private:
  using Added = std::vector<std::shared_ptr<const KindSchema>>;

  std::shared_ptr<const Added> added_;  // sorted like AllKinds; null: none
};

}  // namespace quadra::api
