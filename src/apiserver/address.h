// Address: what a request's path and query ask for.
//
//   /apis/resource.k8s.io/v1/namespaces/team/resourceclaims/gpu/status?dryRun=All
//   → group resource.k8s.io, version v1, namespace team, plural resourceclaims, name gpu,
//     subresource status; query dryRun → All
//
// Purely textual: whether such a resource exists is the catalogue's matter. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadra::apiserver {

// The parameters of a request in their order; a name may occur more than once, the first counts.
class Query {
 public:
  // Of what is not a pair of well-formed names and values nothing is kept, as in Go.
  static Query Parse(std::string_view text);

  // Empty where it is absent.
  std::string_view Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  // Whether it says so, by upstream's reading: "0" and "false" in any case are false.
  bool IsTrue(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// The path of one resource, one collection, or one subresource.
struct ResourcePath {
  std::string group;  // empty: core
  std::string version;
  std::string ns;  // empty: not of one namespace
  std::string plural;
  std::string name;         // empty: the collection
  std::string subresource;  // with what follows it, e.g. status
  bool is_watch = false;    // /api/v1/watch/…: how watches were asked for once
};

struct Address {
  std::string path;  // decoded
  Query query;
  std::optional<ResourcePath>
      resource;  // where the path is one of /api/VERSION/… or /apis/GROUP/VERSION/…
};

// REQUIRES: as an HTTP request has it: path, and after ? the query.
Address ParseAddress(std::string_view target);

// Replaces %41 and the like; nothing where an escape is broken. In a query + is a blank.
std::optional<std::string> Unescape(std::string_view text, bool in_query);

}  // namespace quadra::apiserver
