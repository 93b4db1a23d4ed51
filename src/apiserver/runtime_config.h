// RuntimeConfig: which versions and resources of the API are served, as --runtime-config of
// kube-apiserver says.
//
//   QUADRA_TRY(const RuntimeConfig config,
//              RuntimeConfig::Parse("api/beta=false,resource.k8s.io/v1beta1=true"));
//   const Catalog catalog(config.ServedOf(api::Registry().All()));
//
// api/all, api/ga, api/beta and api/alpha speak of many versions, in this order; GROUP/VERSION (of
// core v1) of one, GROUP/VERSION/RESOURCE of one resource in it. The narrower word counts. What
// nothing is said of is served: unlike upstream, all versions there are. What is not served stays
// stored, and is there again once it is served. A value: copy it, read it from any thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/result.h"

namespace quadra::apiserver {

class RuntimeConfig {
 public:
  // Serves everything.
  RuntimeConfig() = default;
  // Errors are kube-apiserver's, e.g. `unknown api groups example.com/v1`.
  static Result<RuntimeConfig> Parse(std::string_view text);

  bool Serves(const api::KindSchema& kind) const;
  std::vector<const api::KindSchema*> ServedOf(std::span<const api::KindSchema* const> kinds) const;

 private:
  // Nothing where nothing is said of it.
  std::optional<bool> Said(const std::string& key) const;

  std::map<std::string, bool, std::less<>> switches_;
};

}  // namespace quadra::apiserver
