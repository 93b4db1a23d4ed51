#include "api/registry.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/kind_key.h"

namespace quadra::api {
namespace {

bool IsWhole(const KindSchema& kind) {
  return !kind.group.empty() && !kind.version.empty() && !kind.kind.empty() &&
         kind.fields != nullptr;
}

KindKey KeyOfAdded(const std::shared_ptr<const KindSchema>& kind) { return KeyOf(*kind); }

}  // namespace

Result<Registry> Registry::With(std::shared_ptr<const KindSchema> kind) const {
  if (!IsWhole(*kind)) {
    return Fail({.kind = ErrorKind::kInvalid,
                 .message = "a kind needs group, version, name and fields",
                 .remedy = "complete its definition"});
  }
  const std::string api_version = fmt::format("{}/{}", kind->group, kind->version);
  if (Find(api_version, kind->kind) != nullptr) {
    return Fail({.kind = ErrorKind::kInvalid,
                 .message = fmt::format("{} {} is known already", api_version, kind->kind),
                 .remedy = "name the kind or its version otherwise"});
  }
  Added added = added_ == nullptr ? Added() : *added_;
  const auto place = std::ranges::lower_bound(added, KeyOf(*kind), {}, KeyOfAdded);
  added.insert(place, std::move(kind));
  Registry more;
  more.added_ = std::make_shared<const Added>(std::move(added));
  return more;
}

const KindSchema* Registry::Find(std::string_view api_version, std::string_view kind) const {
  const KindSchema* const generated = FindKind(api_version, kind);
  if (generated != nullptr || added_ == nullptr) {
    return generated;
  }
  const KindKey key = KeyOf(api_version, kind);
  const auto at = std::ranges::lower_bound(*added_, key, {}, KeyOfAdded);
  return at != added_->end() && KeyOf(**at) == key ? at->get() : nullptr;
}

std::vector<const KindSchema*> Registry::All() const {
  std::vector<const KindSchema*> all;
  for (const KindSchema& kind : AllKinds()) {
    all.push_back(&kind);
  }
  if (added_ != nullptr) {
    std::ranges::transform(*added_, std::back_inserter(all),
                           &std::shared_ptr<const KindSchema>::get);
  }
  std::ranges::sort(all, {}, [](const KindSchema* kind) { return KeyOf(*kind); });
  return all;
}

}  // namespace quadra::api
