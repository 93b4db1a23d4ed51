// AbsentOwners: owners of which a live read, or their deletion, has shown that they are not there,
// so that the next of a thousand dependents need not ask again. Private to src/lifecycle.
//
// A uid never comes back, so what is remembered stays true. Holds the 500 that were used last, as
// upstream. Threads: the loop's.
#pragma once

#include <compare>
#include <list>
#include <map>
#include <string>

#include "api/kinds.h"

namespace quadra::lifecycle {

// Where an object stands, by its own word or that of an owner reference.
struct Identity {
  std::string api_version;
  std::string kind;
  std::string ns;  // empty: of no namespace
  std::string name;
  std::string uid;

  friend bool operator==(const Identity&, const Identity&) = default;
};

// In the order in which alternatives are tried: kind before version, both before names.
std::strong_ordering operator<=>(const Identity& a, const Identity& b);

// What a dependent in `ns` says of its owner.
Identity IdentityOf(const api::OwnerReference& owner, std::string ns);
// Whether all but the namespace are the same.
bool Matches(const api::OwnerReference& owner, const Identity& identity);

class AbsentOwners {
 public:
  static constexpr std::size_t kMost = 500;

  void Add(const Identity& owner);
  bool Has(const Identity& owner);
  std::size_t size() const { return places_.size(); }

 private:
  using Recent = std::list<Identity>;  // the one that was used last is first

  Recent recent_;
  std::map<Identity, Recent::iterator> places_;
};

}  // namespace quadra::lifecycle
