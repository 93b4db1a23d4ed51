// Discovery: what clients are told about the resources that are served, as kube-apiserver tells it.
//
//   /api, /apis         which groups and versions there are; or, in the aggregated forms, all there
//                       is to know of them in one answer
//   /apis/GROUP         the versions of one group
//   /api/v1, /apis/GROUP/VERSION    the resources of one version
//
// The bodies are JSON, made once from a catalog and then only handed out: no lock, no allocation.
//
//   const Discovery discovery(catalog, {.server_address = "127.0.0.1:6443"});
//   const std::string* body = discovery.Find("/apis", DiscoveryForm::kAggregatedV2);
//   … Content-Type: MediaTypeOf(DiscoveryForm::kAggregatedV2); Vary: Accept
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/catalog.h"

namespace quadra::apiserver {

enum class DiscoveryForm : std::uint8_t { kPlain, kAggregatedV2, kAggregatedV2beta1 };

// As the answer's Content-Type spells it: clients tell the form by it.
std::string_view MediaTypeOf(DiscoveryForm form);

struct DiscoveryOptions {
  std::string server_address;  // HOST:PORT, told to clients of any network
};

class Discovery {
 public:
  explicit Discovery(const Catalog& catalog, const DiscoveryOptions& options = {});

  // The body at `path` (no trailing slash, no query), valid as long as this lives. Null where the
  // path has none, or none in that form: only /api and /apis have aggregated forms.
  const std::string* Find(std::string_view path, DiscoveryForm form) const;

 private:
  using Bodies = std::map<std::string, std::string, std::less<>>;  // by path

  std::array<Bodies, 3> bodies_;  // by form
};

// Our mark in versions.
inline constexpr std::string_view kBuild = "quadra";

// What /version tells, by its names: the release of Kubernetes whose API this is, with `build` (a semver build
// suffix such as quadra.0.1.0) behind it.
using VersionFacts = std::vector<std::pair<std::string_view, std::string>>;
VersionFacts FactsOfVersion(std::string_view build);
// The same as the body of /version.
std::string VersionBody(std::string_view build);

}  // namespace quadra::apiserver
