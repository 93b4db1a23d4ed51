// Element order: where the elements of a merged list stand. Those that the patch names come in its
// order, the others in that of the server, and both are woven together. Private to patch/.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "json/value.h"
#include "patch/refused.h"

namespace quadra::patch {

using Elements = json::Value::Array;

// What the elements of a list are told apart by.
struct Identity {
  bool of_objects = false;
  std::string_view merge_key = {};
};

// One text for each identity: of an object the JSON of the merge key's value, else its own. Empty
// where there is no merge key.
std::string IdentityOf(const json::Value& element, const Identity& identity);
using Identities = std::vector<std::string>;
Identities IdentitiesOf(const Elements& list, const Identity& identity);

// The first place of each identity in a list. Linear to make, constant to ask.
class Places {
 public:
  Places() = default;
  explicit Places(const Identities& identities);
  std::optional<std::size_t> Find(std::string_view identity) const;
  // The place stays that of the first one of this identity.
  void Add(const std::string& identity, std::size_t place);

 private:
  absl::flat_hash_map<std::string, std::size_t> first_;
};

// Sentences about elements that are not what they should be.
Refused NoMergeKey(const json::Value& object, std::string_view merge_key);
Refused WrongGoType(std::string_view wanted, const json::Value& found);
// Complains of the first element that is no object, or one without the merge key.
Complaint CheckMergeKeys(const Elements& list, std::string_view merge_key);

// The elements that a list, `chosen`, names, and the others.
struct Partition {
  Elements chosen;
  Elements others;
};
// Takes the elements out of `merged`. With a merge key all must be objects that have it.
Complaint Divide(Elements& merged, const Elements& chosen, std::string_view merge_key,
                 Partition& out);

// Puts both halves in order and together: `chosen` as in `order`, the others as in `server`.
Complaint Weave(Partition parts, const Elements& order, const Identities& server,
                const Identity& identity, Elements& out);

}  // namespace quadra::patch
