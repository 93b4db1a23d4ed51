// Discovery: which kinds a server has, of its own and of those who extend it. Private to
// src/lifecycle.
//
//   Answer<Kinds> kinds = co_await Discover(api);
//   for (const ServedKind& kind : kinds->all) if (kind.preferred && kind.Can("delete")) …
//   const client::Resource* owner = kinds->Find("apps/v1", "ReplicaSet");
//
// Kinds that no table of ours has are as good as any other here.
//
// Threads: the loop's. Cost: two requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/api.h"

namespace quadra::lifecycle {

struct ServedKind {
  client::Resource resource;
  std::vector<std::string> verbs;
  // Whether its group has it in no version that it likes better.
  bool preferred = false;

  bool Can(std::string_view verb) const;
};

struct Kinds {
  std::vector<ServedKind> all;  // in every version
  // Versions that are announced, but whose server was not there, e.g. metrics.k8s.io/v1beta1.
  std::vector<std::string> missing;

  // Null where there is none now.
  const client::Resource* Find(std::string_view api_version, std::string_view kind) const;
};

// A failure only where the server did not tell at all, or of nothing.
loop::Task<client::Answer<Kinds>> Discover(client::Api& api);

// Adds what an APIGroupDiscoveryList tells.
Status AddGroups(std::string_view json, Kinds& kinds);

}  // namespace quadra::lifecycle
