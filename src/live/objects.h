// Objects: what `apply` and `delete` do to one object of a cluster. A door of this folder.
//
//   const Answer<client::Resource> resource = FindResource(session, "example.com/v1", "Widget");
//   const Answer<Applied> done = Apply(session, {*resource, "team-a", "train"}, manifest);
//
// Writes are kubectl's: the manifest is kept in the annotation that kubectl keeps it in, so that
// either may apply what the other applied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client/api.h"
#include "json/value.h"
#include "live/session.h"

namespace quadra::live {

inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Of the tables, or, of a kind that they lack, as the server's discovery tells. A Failure with code
// 404 where neither knows it.
client::Answer<client::Resource> FindResource(Session& session, const std::string& api_version,
                                              const std::string& kind);

struct Target {
  client::Resource resource;
  std::string ns;  // empty for what has none
  std::string name;
};

enum class Applied : std::uint8_t { kCreated, kConfigured, kUnchanged };

// Makes the object, or changes it to what `manifest` says. REQUIRES: a JSON object with metadata.
client::Answer<Applied> Apply(Session& session, const Target& target, json::Value manifest);

// The object as the server has it.
client::Answer<std::string> Get(Session& session, const Target& target);
client::Answer<std::string> Create(Session& session, const Target& target, std::string body);

// `wait`: until it is not there any more, or another of its name is.
client::Answer<void> Delete(Session& session, const Target& target, client::Deletion deletion,
                            bool wait);

}  // namespace quadra::live
