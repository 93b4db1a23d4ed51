#include "apiserver/owners.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/stored_form.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {

void DropRepeatedOwners(api::Object& object, std::string_view what,
                        std::vector<std::string>& warnings) {
  if (ItemsAt(object.root, {"metadata", "ownerReferences"}).size() < 2) {
    return;
  }
  api::ObjectMeta meta = MetaOf(object);
  std::vector<std::string> repeated;
  decltype(meta.owner_references) once;
  for (const auto& owner : meta.owner_references) {
    if (std::ranges::find(once, owner) == once.end()) {
      once.push_back(owner);
    } else {
      repeated.push_back(owner.uid);
    }
  }
  if (repeated.empty()) {
    return;
  }
  warnings.push_back(
      fmt::format(".metadata.ownerReferences {}; API server dedups owner references in 1.20+, and "
                  "may reject such requests as early as 1.24; please fix your requests; duplicate "
                  "UID(s) observed: {}",
                  what, fmt::join(repeated, ", ")));
  meta.owner_references = std::move(once);
  SetMeta(object, meta);
}

}  // namespace quadra::apiserver
