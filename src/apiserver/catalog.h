// Catalog: the resources that are served, by group and version, as clients may address them.
//
// Made from the schema tables of the kinds; what those do not say (short names, categories, which
// verbs, subresources other than status) is one small table in catalog.cc. Groups, versions and
// resources stand in upstream's order, so whoever lists them lists as kube-apiserver does.
//
//   const Catalog catalog(api::Registry().All());
//   const Resource* pods = catalog.Find("", "v1", "pods");
//   if (pods->verbs.Has(Verb::kWatch)) { … pods->kind->fields … }
//   const Subresource* status = pods->Find("status");
//
// A value that never changes once made: readers need no lock. A catalog of other kinds is another
// catalog. It points to the kinds, which must outlive it. Cost of Find: a binary search.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

namespace quadra::apiserver {

// In the order of their names, which is the order in which clients are told of them.
enum class Verb : std::uint8_t {
  kCreate,
  kDelete,
  kDeleteCollection,
  kGet,
  kList,
  kPatch,
  kUpdate,
  kWatch,
};
inline constexpr int kVerbCount = 8;
std::string_view NameOf(Verb verb);  // e.g. deletecollection

class Verbs {
 public:
  constexpr Verbs() = default;
  constexpr Verbs(std::initializer_list<Verb> verbs) {
    for (const Verb verb : verbs) {
      bits_ |= Bit(verb);
    }
  }
  static constexpr Verbs All() {
    Verbs all;
    all.bits_ = (1U << kVerbCount) - 1U;
    return all;
  }

  constexpr bool Has(Verb verb) const { return (bits_ & Bit(verb)) != 0; }
  std::vector<Verb> List() const;  // sorted by name
  friend constexpr bool operator==(Verbs, Verbs) = default;

 private:
  static constexpr unsigned Bit(Verb verb) { return 1U << static_cast<unsigned>(verb); }

  unsigned bits_ = 0;
};

struct Subresource {
  std::string_view name;                  // e.g. status
  const api::KindSchema* kind = nullptr;  // what is written to it and read from it
  Verbs verbs;
};

struct Resource {
  const api::KindSchema* kind = nullptr;
  std::string singular;  // the kind in lower case
  std::vector<std::string_view> short_names;
  std::vector<std::string_view> categories;
  Verbs verbs;
  std::vector<Subresource> subresources;  // sorted by name
  // Deleting answers with the object as it was last, where others answer with a Status.
  bool returns_deleted = false;

  const Subresource* Find(std::string_view subresource) const;  // null when there is none
};

struct GroupVersion {
  std::string_view group;  // empty for core
  std::string_view version;
  std::vector<Resource> resources;  // sorted by plural

  std::string ApiVersion() const;  // "v1" or "group/version"
};

struct Group {
  std::string_view name;               // empty for core
  std::vector<GroupVersion> versions;  // the preferred one first; never empty
};

class Catalog {
 public:
  // Of those kinds that have an endpoint of their own (a plural).
  explicit Catalog(std::span<const api::KindSchema* const> kinds);

  // Core first, then upstream's order; groups that upstream does not have come last, by name.
  std::span<const Group> groups() const { return groups_; }

  // Null when nothing is served there.
  const Group* Find(std::string_view group) const;
  const GroupVersion* Find(std::string_view group, std::string_view version) const;
  const Resource* Find(std::string_view group, std::string_view version,
                       std::string_view plural) const;

 private:
  std::vector<Group> groups_;
};

}  // namespace quadra::apiserver
