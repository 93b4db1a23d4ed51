// DraVersions: in which version a server has each resource of resource.k8s.io. Private to
// src/client.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/answer.h"
#include "client/resource.h"

namespace quadra::client {

class DraVersions {
 public:
  // The resources of a version, as discovery lists them; where one is in several, the first added
  // counts.
  void Add(const std::string& version, std::string_view resources);
  bool empty() const { return by_plural_.empty(); }
  // Nothing where the server does not have it, or it is of another group.
  std::optional<std::string> Of(const Resource& resource) const;

 private:
  std::map<std::string, std::string> by_plural_;
};

// Those that we can read, the best first.
std::vector<std::string> VersionsIn(std::string_view group);

// A server without any; names the remedy.
Failure NoDra();

}  // namespace quadra::client
